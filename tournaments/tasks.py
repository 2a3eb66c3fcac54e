"""Celery's doors to the events. Each task calls one service; a late or repeated task does nothing."""

from __future__ import annotations

import logging
from uuid import UUID

from celery import shared_task

from tournaments import services
from tournaments.errors import EventRefusal

logger = logging.getLogger(__name__)


@shared_task
def settle(tournament_id: str) -> None:
    """Take over what the event's tables have played."""
    try:
        services.settle(tournament_id=UUID(tournament_id))
    except EventRefusal as refusal:
        logger.info("nothing settled at event %s: %s", tournament_id, refusal)


@shared_task(expires=60)
def remind() -> None:
    """Remind players of events that come up (see ``services.remind``)."""
    services.remind()


@shared_task(expires=5)
def sweep() -> None:
    """Do whatever is due at any event (see ``services.sweep``)."""
    services.sweep()
