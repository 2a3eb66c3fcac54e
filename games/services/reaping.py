"""Closing tables at which nobody is left: no table lives for ever because bots play on or a browser is forgotten."""

from __future__ import annotations

import datetime as dt
import logging
from uuid import UUID

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q

from games.models import LogEntry, Seat, Table
from games.services.dealing import close_early
from games.services.locked import ClockTimestamp, locked_table

logger = logging.getLogger(__name__)

SEATING_FOR = dt.timedelta(minutes=30)
"""So long may seats fill with nobody looking."""

NOBODY_FOR = dt.timedelta(minutes=10)
"""So long do bots play on for members who are all away: time enough for a line or a house without power to come back."""

STANDING_FOR = dt.timedelta(hours=3)
"""So long may a match stand still."""

DAYS_FOR = dt.timedelta(days=14)
"""The same for tables with a day a move, whatever they do."""

BATCH = 50


def note_waiting(table_id: UUID) -> None:
    """Note that a member of a filling table has its page open; forgotten after ``SEATING_FOR``."""
    cache.set(_mark(table_id), 1, timeout=SEATING_FOR.total_seconds())


def reap() -> int:
    """Close tables at which nobody is left (``close_early``: pots are settled, chips go home); returns how many.

    Tables of events are the event's business. A fault at one table is loud in the
    log and holds no other up.
    """
    return sum(_close(*found) for found in _deserted() if not cache.get(_mark(found[0])))


def _deserted() -> list[tuple[UUID, int]]:
    """Return tables that are due to be closed with their versions, those that changed longest ago first."""
    now = ClockTimestamp()
    seats = Seat.objects.filter(table=OuterRef("pk"))
    members = seats.filter(user__isnull=False, bot_level="", left=False, stand_in=False)
    acts = LogEntry.objects.filter(table=OuterRef("pk"), by=LogEntry.By.PERSON, at__gt=now - NOBODY_FOR)
    running = Q(status__in=(Table.Status.PLAYING, Table.Status.BETWEEN))
    alone = running & Q(opened_at__lt=now - NOBODY_FOR) & ~Exists(members) & ~Exists(acts)
    seating = Q(status=Table.Status.SEATING, changed_at__lt=now - SEATING_FOR)
    standing = running & Q(changed_at__lt=now - STANDING_FOR)
    quick = ~Q(clock="days") & (alone | seating | standing)
    slow = Q(clock="days", changed_at__lt=now - DAYS_FOR)
    tables = Table.objects.exclude(status=Table.Status.FINISHED).filter(quick | slow, origin="")
    return list(tables.order_by("changed_at", "pk").values_list("pk", "version")[:BATCH])


def _close(table_id: UUID, version: int) -> bool:
    """Close a table that was found deserted, unless somebody came back to it meanwhile."""
    try:
        with locked_table(table_id) as locked:
            table = locked.table
            came_back = any(seat.played_by_member for seat in locked.seats.values())
            if table.status == Table.Status.FINISHED or (came_back and table.version != version):
                return False
            locked.log(LogEntry.By.TABLE, ({"type": "deserted"},))
            locked.void = True
            close_early(locked)
            return True
    except Exception:
        logger.exception("deserted table %s could not be closed", table_id)
        return False


def _mark(table_id: UUID) -> str:
    return f"table-waiting:{table_id}"
