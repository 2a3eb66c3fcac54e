"""Telling people something, once: on the site's list and by mail, as each of them wants it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from clubs.models import Club, Notice, NoticeSettings, User
from clubs.selectors.kinds import kind_of
from clubs.selectors.notices import unread_of

DIGEST_AT = dt.time(17)
"""When mails of a day leave, in the site's time zone: before a club's evening."""

DIGEST_MARGIN = dt.timedelta(minutes=5)
"""What is told so shortly before waits for the next day's mail, so that nobody gets two of them."""

READ_KEPT = dt.timedelta(days=90)
UNREAD_KEPT = dt.timedelta(days=365)


class Telling(NamedTuple):
    """What one person is to be told. ``about`` is JSON-ready and names nobody, ``address`` is a path of the site."""

    user: User
    kind: str
    key: str
    address: str
    about: Mapping[str, Any] = {}
    club_id: int | None = None


def notify(
    *,
    users: Iterable[User],
    kind: str,
    key: str,
    address: str,
    about: Mapping[str, Any] | None = None,
    club_id: int | None = None,
) -> None:
    """Tell several people the same; see ``notify_each``."""
    notify_each(tellings=[Telling(user, kind, key, address, about or {}, club_id) for user in users])


def notify_each(*, tellings: Sequence[Telling]) -> None:
    """Tell people something, in the transaction of what happened; who was told it before is not told again.

    Guests, programs and closed accounts are told nothing. Raises ``KeyError`` for a kind that nobody registered.
    """
    heard = [each for each in tellings if _hears(each.user)]
    chosen = {
        row.user_id: row for row in NoticeSettings.objects.filter(user__in=[each.user for each in heard])
    }
    now = timezone.now()
    rows = []
    for each in heard:
        wishes = chosen.get(each.user.pk) or NoticeSettings(user=each.user)
        row = Notice(
            user=each.user,
            club_id=each.club_id,
            kind=each.kind,
            key=each.key,
            about=dict(each.about),
            address=each.address,
            on_site=each.kind not in wishes.quiet_site,
            mail_due_at=_mail_due_at(wishes, each.kind, now),
        )
        if row.on_site or row.mail_due_at:
            rows.append(row)
    Notice.objects.bulk_create(rows, ignore_conflicts=True)


def settle_notices(*, keys: Collection[str], user: User | None = None) -> None:
    """What these keys name is over (``user``: for that person): it counts as read, and no mail leaves any more."""
    found = Notice.objects.filter(key__in=keys, read_at=None)
    _read(found if user is None else found.filter(user=user))


def mark_read(*, user: User, notice_id: int | None = None, address: str = "") -> None:
    """Note that a person has read a notice, those that lead to a page, or, without either, all of them."""
    found = unread_of(user.pk)
    if notice_id is not None:
        found = found.filter(pk=notice_id)
    _read(found.filter(address=address) if address else found)


@transaction.atomic
def choose_notices(
    *, user: User, mails: str, quiet_site: Collection[str], quiet_mail: Collection[str]
) -> NoticeSettings:
    """Keep in which ways a person wants to be told; mails that wait follow the new choice. Locks the choice's row.

    ``mails`` is one of ``NoticeSettings.Mails``, the others are codes of kinds.
    """
    row = locked_wishes(user)
    row.mails, row.quiet_site, row.quiet_mail = mails, sorted(quiet_site), sorted(quiet_mail)
    row.save()
    waiting = Notice.objects.filter(user=user, mail_due_at__isnull=False)
    unwanted = waiting if mails == NoticeSettings.Mails.OFF else waiting.filter(kind__in=quiet_mail)
    unwanted.update(mail_due_at=None)
    if mails == NoticeSettings.Mails.DAILY:
        waiting.update(mail_due_at=next_digest(timezone.now()))
    else:
        waiting.filter(mail_due_at__gt=timezone.now()).update(mail_due_at=timezone.now())
    return row


def locked_wishes(user: User) -> NoticeSettings:
    """Return the row of a person's choice, made if it is not there, and lock it; the caller has a transaction."""
    NoticeSettings.objects.get_or_create(user=user)
    return NoticeSettings.objects.select_for_update(no_key=True).get(user=user)


def forget_notices() -> int:
    """Delete notices 90 days after they were told, those that nobody read after a year; returns how many went."""
    now = timezone.now()
    old = Notice.objects.filter(told_at__lt=now - READ_KEPT)
    gone = old.exclude(on_site=True, read_at=None).delete()[0]
    return gone + Notice.objects.filter(told_at__lt=now - UNREAD_KEPT).delete()[0]


def forget_notices_of(*, user: User, club: Club) -> None:
    """Delete what a person was told of a club that they no longer belong to."""
    Notice.objects.filter(user=user, club=club).delete()


def next_digest(now: dt.datetime) -> dt.datetime:
    """Return when the mail of the day leaves that tells what happens now."""
    local = timezone.localtime(now + DIGEST_MARGIN)
    date = local.date() + dt.timedelta(days=local.time() > DIGEST_AT)
    return dt.datetime.combine(date, DIGEST_AT, local.tzinfo)


def _mail_due_at(wishes: NoticeSettings, kind: str, now: dt.datetime) -> dt.datetime | None:
    """Return when a mail may leave; no keeper hands on by hand what is told here."""
    patience = kind_of(kind).patience
    if settings.MAIL_BY_HAND or not wishes.mails_about(kind):
        return None
    return next_digest(now) if wishes.mails == NoticeSettings.Mails.DAILY else now + patience


def _hears(user: User) -> bool:
    return user.is_active and not (user.is_guest or user.is_bot)


def _read(found: Any) -> None:
    found.update(read_at=timezone.now(), mail_due_at=None)
