"""When people are away on purpose or for good: a bot plays for a member who asks for it, the last one ends the match."""

from __future__ import annotations

from uuid import UUID

from games.errors import TableRefusal
from games.models import LogEntry, Table
from games.selectors.course import RUNNING, may_end_now
from games.services.clockwork import play_as_bot
from games.services.dealing import close_early
from games.services.locked import locked_table, own_seat
from games.services.pausing import asked_seat, settle_pause


def ask_stand_in(*, table_id: UUID, user_id: int) -> int:
    """Let a bot play for the member, for all to see, until the member takes the seat back; returns the version.

    If the seat is on turn the bot plays at once, so that nobody gains time by going
    and coming back. A bot that still plays when the match ends leaves the seat in
    the last place, as any seat whose member is gone. Only where nothing hangs on
    the match: a stronger hand must not play for chips or a rating.

    Raises ``TableRefusal`` (``not_seated``, ``stand_in_plays``, ``no_match``,
    ``stand_in_not_casual``, ``paused``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        table, seat = locked.table, asked_seat(locked, user_id)
        if table.status not in RUNNING:
            raise TableRefusal("no_match")
        if not table.casual:
            raise TableRefusal("stand_in_not_casual")
        if table.paused:
            raise TableRefusal("paused")
        seat.stand_in = True
        seat.save(update_fields=["stand_in"])
        asked = {"type": "stand_in", "seat": seat.number, "asked": True}
        locked.log(LogEntry.By.PERSON, (asked,), seat=seat.number)
        if table.turn_seat == seat.number:
            play_as_bot(locked)
        settle_pause(locked)
        return table.version


def end_now(*, table_id: UUID, user_id: int) -> int:
    """End the match, which the last member who still plays may do; returns the version.

    The running deal is played out by the rules' own moves (``close_early``), and the
    seats of those who are gone come last. Raises ``TableRefusal`` (``not_seated``,
    ``table_finished``, ``others_play``). Takes the table's lock.
    """
    with locked_table(table_id) as locked:
        seat = own_seat(locked, user_id)
        if locked.table.status == Table.Status.FINISHED:
            raise TableRefusal("table_finished")
        if not may_end_now(locked.table, locked.seats.values(), seat.number):
            raise TableRefusal("others_play")
        locked.log(LogEntry.By.PERSON, ({"type": "ended_early", "seat": seat.number},), seat=seat.number)
        close_early(locked)
        return locked.table.version
