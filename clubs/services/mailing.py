"""Mails about notices: one to each person for all that is due, in the person's language."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from clubs.models import Notice, NoticeSettings, User
from clubs.rules.zones import zone_of
from clubs.selectors import address_of
from clubs.selectors.kinds import kind_of
from clubs.selectors.notices import Told, in_words, notice_settings_of
from clubs.services.unsubscribing import EVERYTHING, stop_token

logger = logging.getLogger(__name__)

PEOPLE_A_RUN = 500


def send_due_mails() -> int:
    """Write to everybody with a mail that is due; returns to how many.

    May be repeated and may run twice at once: what was mailed is noted in the transaction with whose commit the
    mail leaves. A fault with one person's mail is loud in the log and holds no other up.
    """
    due = Notice.objects.filter(mail_due_at__lte=timezone.now()).order_by().values_list("user", flat=True)
    sent = 0
    for user_id in list(due.distinct()[:PEOPLE_A_RUN]):
        try:
            sent += _write_to(user_id)
        except Exception:
            logger.exception("no mail about notices could be written to person %s", user_id)
    return sent


@transaction.atomic
def _write_to(user_id: int) -> bool:
    now = timezone.now()
    rows = Notice.objects.select_for_update(skip_locked=True).filter(user=user_id, mail_due_at__lte=now)
    due = list(rows.order_by("told_at", "pk"))
    user = User.objects.get(pk=user_id)
    wishes = notice_settings_of(user_id)
    # What was chosen since counts, and an address that nobody confirmed may be a stranger's.
    wanted = [notice for notice in due if wishes.mails_about(notice.kind)]
    address = address_of(user)
    hears = user.is_active and not user.is_bot and address.confirmed
    with (
        translation.override(user.language or settings.LANGUAGE_CODE),
        timezone.override(zone_of(user.time_zone)),
    ):
        told = list(in_words(wanted)) if hears else []
        if told:
            _mail(user, address.email, told, wishes).send()
    mailed = [each.notice.pk for each in told]
    Notice.objects.filter(pk__in=[notice.pk for notice in due]).update(mail_due_at=None)
    Notice.objects.filter(pk__in=mailed).update(mailed_at=now)
    return bool(told)


def _mail(user: User, address: str, told: list[Told], wishes: NoticeSettings) -> EmailMessage:
    """Return the mail; one click stops mails of its kind, or all where it tells of several or is the day's."""
    kinds = {each.notice.kind for each in told}
    single = len(kinds) == 1 and wishes.mails == NoticeSettings.Mails.AT_ONCE
    kind = kinds.pop() if single else EVERYTHING
    stop = _link(reverse("stop_mails", args=[stop_token(user=user, kind=kind)]))
    context = {
        "user": user,
        "told": [(each.sentence, _link(each.notice.address)) for each in told],
        "title": kind_of(kind).title if single else "",
        "stop": stop,
        "choose": _link(reverse("notice_settings")),
        "site": settings.SITE_URL,
    }
    return EmailMessage(
        subject=" ".join(render_to_string("clubs/email/notices_subject.txt", context).split()),
        body=render_to_string("clubs/email/notices_message.txt", context),
        to=[address],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def _link(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
