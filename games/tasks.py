"""Celery's doors to the tables. Each task calls one service; a late or repeated task does nothing."""

from __future__ import annotations

import datetime as dt
import logging
from uuid import UUID

from celery import shared_task
from django.conf import settings

from games import selectors, services
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


@shared_task(expires=60)
def remind() -> None:
    """Tell members who are away that it is their turn (see ``services.remind_turns``)."""
    services.remind_turns()


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


FILES_A_RUN = 50
"""Files that one night writes at most, so that the task ends long before it would be handed out again."""


@shared_task(expires=3600)
def archive_deals() -> None:
    """Move the logs of old tables into files, if the keeper wants that (``ARCHIVE_AFTER_DAYS``)."""
    if not settings.ARCHIVE_AFTER_DAYS:
        return
    before = selectors.clock() - dt.timedelta(days=settings.ARCHIVE_AFTER_DAYS)
    try:
        made = services.archive_deals(before=before, most_files=FILES_A_RUN)
    except TableRefusal as refusal:
        logger.info("nothing archived: %s", refusal.code)
    else:
        logger.info("archived the logs of %d tables in %d files", made.tables, made.files)
