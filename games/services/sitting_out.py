"""Sitting out by choice: not being dealt in for some deals, where the rules allow it, and coming back.

The seat keeps its place and shares the last pot (L21). A turn to deal that comes
while it sits out is lost, like that of a seat without chips (L22).
"""

from __future__ import annotations

from uuid import UUID

from games.errors import TableRefusal
from games.models import LogEntry, Seat
from games.rules.interface import Event
from games.selectors.course import sit_out_refusal
from games.services.locked import LockedTable, locked_table, own_seat
from games.services.pausing import asked_seat, settle_pause

LONGEST_SIT_OUT = 5
"""So many deals in a row may be sat out; before the next one the seat counts as left."""


def sit_out(*, table_id: UUID, user_id: int) -> int:
    """Be dealt in no more from the next deal on, until ``sit_in``; returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``stand_in_plays``, ``no_match``,
    ``no_sitting_out``, ``sit_out_not_casual``, ``too_few_without_you``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = asked_seat(locked, user_id)
        if refusal := sit_out_refusal(locked.table, list(locked.seats.values()), seat.number):
            raise TableRefusal(refusal)
        seat.sitting_out, seat.deals_out = True, 0
        seat.save(update_fields=["sitting_out", "deals_out"])
        locked.log(LogEntry.By.PERSON, ({"type": "sits_out", "seat": seat.number},), seat=seat.number)
        settle_pause(locked)
        return locked.table.version


def sit_in(*, table_id: UUID, user_id: int) -> int:
    """Be dealt in again from the next deal on; returns the version.

    Raises ``TableRefusal`` (``not_seated``, ``not_sitting_out``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = own_seat(locked, user_id)
        if not seat.sitting_out:
            raise TableRefusal("not_sitting_out")
        _come_back(seat)
        locked.log(LogEntry.By.PERSON, ({"type": "sits_in", "seat": seat.number},), seat=seat.number)
        return locked.table.version


def gave_up(locked: LockedTable) -> tuple[Event, ...]:
    """Count the seats that have sat out as many deals as they may as left; returns what happened."""
    long = [seat for seat in _sitting(locked) if seat.deals_out >= LONGEST_SIT_OUT]
    for seat in long:
        seat.left, seat.sitting_out = True, False
        seat.save(update_fields=["left", "sitting_out"])
    return tuple({"type": "left", "seat": seat.number, "why": "sat_out"} for seat in long)


def who_sits_out(locked: LockedTable) -> tuple[set[int], tuple[Event, ...]]:
    """Return the seats that the next deal leaves out by their own wish, and what happened to the others.

    When too few seats would be left for a deal, all who sit out are dealt in again.
    """
    sitting = _sitting(locked)
    dealt_in = set(locked.rules.dealt_in(locked.match))
    rest = dealt_in - {seat.number for seat in sitting}
    if sitting and len(rest) < locked.rules.seat_range(locked.options)[0]:
        for seat in sitting:
            _come_back(seat)
        return set(), tuple({"type": "sits_in", "seat": seat.number, "why": "needed"} for seat in sitting)
    for seat in sitting:
        seat.deals_out += 1
        seat.save(update_fields=["deals_out"])
    return dealt_in - rest, ()


def _sitting(locked: LockedTable) -> list[Seat]:
    return [seat for seat in locked.seats.values() if seat.sitting_out]


def _come_back(seat: Seat) -> None:
    seat.sitting_out, seat.deals_out = False, 0
    seat.save(update_fields=["sitting_out", "deals_out"])
