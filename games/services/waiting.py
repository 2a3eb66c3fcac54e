"""The line at a full table: join it, leave it, and be offered the next seat that is free before a match."""

from __future__ import annotations

import datetime as dt
import logging
from uuid import UUID

from clubs.models import User
from clubs.selectors import may_play_at
from games.errors import TableRefusal
from games.models import LogEntry, Table, WaitingPlace
from games.services.locked import ClockTimestamp, LockedTable, locked_table

logger = logging.getLogger(__name__)

OFFER_SECONDS = 30
"""How long a free seat is kept for the first in the line."""

LONGEST_LINE = 50

SWEEP_SIZE = 100


def check_welcome(locked: LockedTable, user: User) -> None:
    """Raise ``TableRefusal("club_members_only")`` unless the table's club lets the person play."""
    if not may_play_at(user, locked.table.club):
        raise TableRefusal("club_members_only")


def join_line(*, table_id: UUID, user: User) -> int:
    """Wait for a seat at a full table; returns the place in the line, from 1. Doing it twice changes nothing.

    Raises ``TableRefusal`` (``table_finished``, ``event_goes_on``, ``already_seated``, ``seat_is_free``,
    ``guests_not_rated``, ``guests_without_chips``, ``line_full``, ``club_members_only``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        table = locked.table
        if table.status == Table.Status.FINISHED:
            raise TableRefusal("table_finished")
        if table.origin:
            raise TableRefusal("event_goes_on")
        if any(seat.user_id == user.pk and not seat.left for seat in locked.seats.values()):
            raise TableRefusal("already_seated")
        check_welcome(locked, user)
        if user.is_guest and (table.rated or table.staked):
            raise TableRefusal("guests_not_rated" if table.rated else "guests_without_chips")
        line = list(WaitingPlace.objects.filter(table=table).values_list("user_id", flat=True))
        if user.pk in line:
            return line.index(user.pk) + 1
        if table.is_gathering and _free_seats(locked):
            raise TableRefusal("seat_is_free")
        if len(line) >= LONGEST_LINE:
            raise TableRefusal("line_full")
        WaitingPlace.objects.create(table=table, user=user)
        _log_line(locked)
        return len(line) + 1


def leave_line(*, table_id: UUID, user_id: int) -> None:
    """Wait no longer; a seat that was offered goes to the next. Takes the table's lock."""
    with locked_table(table_id) as locked:
        gone, _by_model = WaitingPlace.objects.filter(table=locked.table, user_id=user_id).delete()
        if gone:
            _log_line(locked)
            offer_seats(locked)


def offer_seats(locked: LockedTable) -> None:
    """Offer each free seat to the next in the line, who has ``OFFER_SECONDS`` to sit down in it.

    Offers that have run out lose their place. Nothing is offered in the countdown or once a match has begun.
    """
    expired, _by_model = WaitingPlace.objects.filter(
        table=locked.table, offered_until__lte=locked.now
    ).delete()
    made = 0
    if locked.table.status == Table.Status.SEATING:
        waiting = WaitingPlace.objects.filter(table=locked.table, offered_seat__isnull=True)
        for number, place in zip(_free_seats(locked), waiting, strict=False):
            place.offered_seat = number
            place.offered_until = locked.now + dt.timedelta(seconds=OFFER_SECONDS)
            place.save(update_fields=["offered_seat", "offered_until"])
            locked.call(place.user_id)
            made += 1
    if expired or made:
        _log_line(locked)


def kept_seats(locked: LockedTable) -> dict[int, int]:
    """Return the free seats that are kept for somebody in the line: the member's id by seat."""
    offers = WaitingPlace.objects.filter(table=locked.table, offered_until__gt=locked.now)
    offered = offers.values_list("offered_seat", "user_id")
    return {seat: user_id for seat, user_id in offered if seat is not None and locked.seats[seat].is_free}


def move_line(old: Table, new: Table) -> None:
    """Let those who wait at ``old``, whose match is over, wait on at ``new``, the table of the match after it."""
    WaitingPlace.objects.filter(table=old, offered_seat__isnull=True).update(table=new)


def pass_on_offers() -> int:
    """Give seats whose offer has run out to the next in their lines; returns at how many tables.

    The sweep calls it. A fault at one table is loud in the log and holds no other up.
    """
    due = (
        WaitingPlace.objects.filter(offered_until__lte=ClockTimestamp()).order_by("table").values("table_id")
    )
    tables = list(due.distinct().values_list("table_id", flat=True)[:SWEEP_SIZE])
    for table_id in tables:
        try:
            with locked_table(table_id) as locked:
                offer_seats(locked)
        except Exception:
            logger.exception("offers of table %s could not be passed on", table_id)
    return len(tables)


def _free_seats(locked: LockedTable) -> list[int]:
    """Return the free seats that are kept for nobody."""
    kept = kept_seats(locked)
    return [seat.number for seat in locked.seats.values() if seat.is_free and seat.number not in kept]


def _log_line(locked: LockedTable) -> None:
    """Tell the table how many wait; names stay out of its log."""
    waiting = WaitingPlace.objects.filter(table=locked.table).count()
    locked.log(LogEntry.By.TABLE, ({"type": "line", "waiting": waiting},))
