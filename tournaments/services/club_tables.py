"""Tables of a round, found under the event's lock: any of them, or one whose results a person may enter."""

from __future__ import annotations

from clubs.models import User
from tournaments.errors import EventRefusal
from tournaments.models import EventTable, Round
from tournaments.rules.floor import load_table
from tournaments.services.locked import STATE, LockedTournament, is_organiser

OPEN = (EventTable.State.PLAYING, EventTable.State.REPORTED, EventTable.State.DISPUTED)


def find_table(locked: LockedTournament, round_number: int, table_number: int) -> tuple[Round, EventTable]:
    """Return a round and its table; raises ``EventRefusal`` (``no_such_round``, ``not_released``, ``no_such_table``)."""
    row = locked.round(round_number)
    if row.current is None:
        raise EventRefusal("not_released")
    table = EventTable.objects.filter(round=row, take=row.current, number=table_number).first()
    if table is None:
        raise EventRefusal("no_such_table")
    return row, table


def table_for_entry(
    locked: LockedTournament, by: User, round_number: int, table_number: int
) -> tuple[Round, EventTable]:
    """Return a table whose results the person may enter; raises ``EventRefusal``."""
    locked.need(STATE.RUNNING)
    row, table = find_table(locked, round_number, table_number)
    if locked.tournament.online:
        raise EventRefusal("online_table")
    if not is_organiser(by, locked.tournament.pk):
        own = [e for e in locked.entries.values() if by.pk in (e.user_id, e.substitute_id)]
        seated = set(load_table(table.floor).players) if table.floor else set(table.seats)
        if not any(entry.number in seated for entry in own):
            raise EventRefusal("not_at_table")
    if row.state == Round.State.CONFIRMED:
        raise EventRefusal("round_confirmed")
    if table.state not in OPEN:
        raise EventRefusal("table_done")
    return row, table
