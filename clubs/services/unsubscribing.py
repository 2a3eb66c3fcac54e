"""Mails that stop with one click: the link in each mail is signed and works without signing in (RFC 8058)."""

from __future__ import annotations

from django.core import signing
from django.db import transaction

from clubs.models import Notice, NoticeSettings, User
from clubs.selectors.kinds import is_kind
from clubs.services.notices import locked_wishes

SALT = "clubs.services.unsubscribing"
"""Signatures of other links of the site do not fit here."""

EVERYTHING = ""
"""Instead of a kind: mails of every kind."""


def stop_token(*, user: User, kind: str) -> str:
    """Return what proves that whoever shows it got a mail about ``kind`` (or ``EVERYTHING``). It holds for ever."""
    return signing.dumps([user.pk, kind], salt=SALT)


def find_stop(*, token: str) -> tuple[User, str] | None:
    """Return whose mails a token stops, and the kind; ``None`` for one that this site did not sign for somebody here."""
    try:
        user_id, kind = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=user_id, erased_at=None).first()
    return (user, kind) if user is not None and (kind == EVERYTHING or is_kind(kind)) else None


@transaction.atomic
def stop_mails(*, user: User, kind: str) -> None:
    """Send no more mails of a kind (or ``EVERYTHING``), those that wait included; the site's list stays.

    Stopping twice changes nothing. Locks the row of the person's choice.
    """
    row = locked_wishes(user)
    if kind == EVERYTHING:
        row.mails = NoticeSettings.Mails.OFF
    elif kind not in row.quiet_mail:
        row.quiet_mail = sorted([*row.quiet_mail, kind])
    row.save(update_fields=["mails", "quiet_mail"])
    waiting = Notice.objects.filter(user=user, mail_due_at__isnull=False)
    (waiting if kind == EVERYTHING else waiting.filter(kind=kind)).update(mail_due_at=None)
