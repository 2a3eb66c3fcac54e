"""Tables that belong to an event: what the event lays down when it opens one, and how it goes on from deal to deal."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from games.errors import TableRefusal
from games.models import LogEntry, Table
from games.selectors import waits
from games.services.dealing import deals_are_done, end_at_limit
from games.services.locked import LockedTable, locked_table


@dataclass(frozen=True)
class EventTerms:
    """What an event lays down for a table.

    ``origin`` names the event (not empty). ``first_dealer`` is drawn by the event, not by
    the table. A ``stepwise`` table waits after every deal until ``next_deal`` or
    ``close_table``; another one ends after ``deal_limit`` deals that count, if there is one.
    ``brought`` are results that seats bring along; ``stand_ins`` seats of members in whose
    place a bot plays until they come; ``bot_names`` the names of bots by seat.
    """

    origin: str
    first_dealer: int
    stepwise: bool = False
    deal_limit: int | None = None
    brought: Mapping[int, int] = field(default_factory=dict)
    stand_ins: Collection[int] = ()
    bot_names: Mapping[int, str] = field(default_factory=dict)


def lay_down(table: Table, event: EventTerms) -> None:
    """Write what the event lays down into the new table's row."""
    table.origin, table.stepwise, table.deal_limit = event.origin, event.stepwise, event.deal_limit
    table.next_dealer = event.first_dealer
    table.brought = {str(seat): result for seat, result in event.brought.items()}


def prepare_seats(locked: LockedTable, event: EventTerms) -> None:
    """Note which members a bot plays for until they come, and what the event calls its bots."""
    for number, seat in locked.seats.items():
        seat.stand_in = number in event.stand_ins
        seat.bot_name = event.bot_names.get(number, "")


def limit_deals(*, table_id: UUID, deals: int) -> int:
    """Let an event's table end after ``deals`` deals that count, at once if they are played; returns the version.

    A running deal is played to its end. A finished table is left as it is. Raises
    ``TableRefusal`` (``no_such_table``, ``not_waiting`` at a table of no event). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        table = locked.table
        if not table.origin:
            raise TableRefusal("not_waiting")
        if table.status == Table.Status.FINISHED:
            return table.version
        table.deal_limit = max(1, deals)
        locked.log(LogEntry.By.TABLE, ({"type": "deal_limit", "deals": table.deal_limit},))
        if table.status == Table.Status.BETWEEN and deals_are_done(locked):
            end_at_limit(locked)
        return table.version


def next_deal(*, table_id: UUID, dealer: int, out: Collection[int] = ()) -> int:
    """Let a waiting table play its next deal, dealt by ``dealer`` and without the seats ``out``; returns the version.

    Seats once out stay out. Raises ``TableRefusal`` (``no_such_table``, ``not_waiting``,
    ``bad_seats``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        table = locked.table
        if table.status == Table.Status.FINISHED or not waits(table):
            raise TableRefusal("not_waiting")
        gone = {number for number, seat in locked.seats.items() if seat.out} | set(out)
        if dealer in gone or dealer not in locked.seats or not gone <= locked.seats.keys():
            raise TableRefusal("bad_seats")
        for number in set(out):
            seat = locked.seats[number]
            if not seat.out:
                seat.out = True
                seat.save(update_fields=["out"])
        table.next_dealer = dealer
        locked.log(LogEntry.By.TABLE, ({"type": "next_deal", "dealer": dealer, "out": sorted(gone)},))
        locked.stop_clock(status=Table.Status.BETWEEN, due_in_ms=table.pace_ms)
        return table.version
