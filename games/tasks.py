"""Celery's doors to the tables. Each task calls one service; a late or repeated task does nothing."""

from __future__ import annotations

import logging
from uuid import UUID

from celery import shared_task

from games import services
from games.errors import TableRefusal

logger = logging.getLogger(__name__)


@shared_task
def play_bot(table_id: str, turn_version: int) -> None:
    """Let the bot on turn play, if that turn is still on."""
    try:
        services.play_bot(table_id=UUID(table_id), turn_version=turn_version)
    except TableRefusal as refusal:
        logger.info("no bot's move at %s: %s", table_id, refusal.code)


@shared_task
def play_time_out(table_id: str, turn_version: int) -> None:
    """Play for the seat whose time has run out, if that turn is still on."""
    try:
        services.time_out(table_id=UUID(table_id), turn_version=turn_version)
    except TableRefusal as refusal:
        logger.info("no time-out at %s: %s", table_id, refusal.code)


@shared_task
def start_deal(table_id: str, turn_version: int) -> None:
    """Start the next deal, if the table still waits for it."""
    try:
        services.start_due_deal(table_id=UUID(table_id), turn_version=turn_version)
    except TableRefusal as refusal:
        logger.info("no deal at %s: %s", table_id, refusal.code)


@shared_task(expires=5)
def sweep() -> None:
    """Act wherever an alarm was lost (see ``services.sweep``)."""
    services.sweep()


@shared_task(expires=60)
def reap() -> None:
    """Close tables at which nobody is left (see ``services.reap``)."""
    services.reap()


BATCHES_A_RUN = 10
"""Batches of deals that one run counts at most; the next run, a minute later, takes the rest."""


@shared_task(expires=60)
def count_deals() -> None:
    """Add the deals that have ended to the statistics."""
    for _batch in range(BATCHES_A_RUN):
        if not services.count_deals():
            return


@shared_task(expires=3600)
def forget_chat() -> None:
    """Delete chat lines, reports and silences whose time has passed."""
    logger.info("forgot %d rows of chat and reports", services.forget_chat())
