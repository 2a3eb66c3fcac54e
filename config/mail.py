"""Mails go out by themselves, later: a page neither waits for a mail server nor fails with it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

TRIES = 40
LONGEST_PAUSE = 100
"""Seconds; with it the last try is an hour after the first. A pause beyond CELERY_VISIBILITY_TIMEOUT would send twice."""


class LaterBackend(BaseEmailBackend):
    """Hand each mail to a worker once the surrounding transaction is committed."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Take the mails; returns how many."""
        for message in email_messages:
            transaction.on_commit(partial(_hand_over, written(message)))
        return len(email_messages)


def written(message: EmailMessage) -> dict[str, Any]:
    """Return a mail as JSON: text alone, and an alternative in HTML if there is one. The site sends no attachments."""
    return {
        "subject": str(message.subject),
        "body": str(message.body),
        "from_email": message.from_email,
        "to": list(message.to),
        "headers": dict(message.extra_headers),
        "alternatives": [[str(part[0]), str(part[1])] for part in getattr(message, "alternatives", ())],
    }


def _hand_over(content: dict[str, Any]) -> None:
    try:
        deliver.delay(content)
    except OperationalError:
        # Whoever waits for it asks for it again.
        logger.exception("a mail was lost: the task queue does not answer")


@shared_task(
    name="config.mail.deliver",
    autoretry_for=(OSError,),
    retry_backoff=5,
    retry_backoff_max=LONGEST_PAUSE,
    max_retries=TRIES,
)
def deliver(content: dict[str, Any]) -> None:
    """Send one mail through the site's mail server; tried again while the server does not answer."""
    fields = {name: value for name, value in content.items() if name != "alternatives"}
    mail = EmailMultiAlternatives(**fields, connection=get_connection(settings.MAIL_BACKEND))
    for text, kind in content["alternatives"]:
        mail.attach_alternative(text, kind)
    mail.send()
