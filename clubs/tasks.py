"""Celery's doors to people: mails about notices, and forgetting old ones. Doing it again does no harm."""

from __future__ import annotations

import logging

from celery import shared_task

from clubs import services

logger = logging.getLogger(__name__)


@shared_task(expires=60)
def mail_notices() -> None:
    """Write to everybody with a mail that is due (see ``send_due_mails``)."""
    services.send_due_mails()


@shared_task(expires=3600)
def forget_notices() -> None:
    """Delete notices whose time has passed."""
    logger.info("forgot %d notifications", services.forget_notices())


@shared_task(expires=3600)
def forget_guests() -> None:
    """Forget guests who never came back."""
    logger.info("forgot %d guests", services.forget_guests())
