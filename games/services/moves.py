"""A member's move: the way of ``docs/architecture.md`` from the socket to the log."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from games import metrics
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table
from games.rules.errors import Refusal
from games.services import lag
from games.services.clockwork import play_for_absent
from games.services.dealing import go_on, make_move
from games.services.locked import LockedTable, locked_table, own_seat


@dataclass(frozen=True)
class Answer:
    """What a command came to: the version it made or made before, and the refusal's code if it was refused."""

    version: int
    code: str = ""
    detail: str = ""


def play_move(
    *,
    table_id: UUID,
    user_id: int,
    move: str,
    version: int,
    command_id: UUID,
    arrived_at: float | None = None,
    line: lag.Line = lag.NO_LAG,
    session_key: str | None = None,
) -> Answer:
    """Play a member's ``move``; a repeated ``command_id`` writes nothing and answers the same.

    ``version`` is the table's version that the member saw; ``arrived_at``
    is when the frame reached this process (``time.monotonic``), so that waiting
    for the lock costs nobody time. ``line`` is what is known of the player's lag. With
    ``session_key`` the session must still sign the member in (``signed_out``).
    Raises ``TableRefusal`` with the reason; when the time had run out the time-out is
    played instead and the answer's code is ``too_late``. Takes the table's lock.
    """
    session = (session_key, user_id) if session_key is not None else None
    with (
        locked_table(table_id, command_id=command_id, session=session) as locked,
        _refusals_counted(locked.table.game),
    ):
        seat = own_seat(locked, user_id)
        seen = locked.answered
        if seen is not None:
            if seen.seat != seat.number:
                raise TableRefusal("bad_message")
            return Answer(seen.version)
        _check_turn(locked, seat, version)
        arrived = _arrival(locked, arrived_at)
        found = lag.forgiven(locked, seat, arrived, line)
        counted = arrived - dt.timedelta(milliseconds=found.compensated)
        if locked.table.due_at is not None and counted > locked.table.due_at:
            play_for_absent(locked, came=True)
            _count(locked.table.game, "too_late")
            return Answer(locked.table.version, code="too_late")
        _apply(locked, seat, move, command_id, counted)
        lag.note_quota(locked, seat, found.quota)
        return Answer(locked.table.version)


@contextmanager
def _refusals_counted(game: str) -> Iterator[None]:
    try:
        yield
    except TableRefusal as refusal:
        _count(game, refusal.code)
        raise


def _count(game: str, outcome: str) -> None:
    metrics.MOVES.labels(game, LogEntry.By.PERSON.value, outcome).inc()


def _arrival(locked: LockedTable, arrived_at: float | None) -> dt.datetime:
    """Return when the move arrived by the database's clock, between the turn's start and now."""
    waited = 0.0 if arrived_at is None else max(0.0, time.monotonic() - arrived_at)
    arrived = locked.now - dt.timedelta(seconds=waited)
    return max(arrived, locked.table.turn_started_at or arrived)


def _check_turn(locked: LockedTable, seat: Seat, version: int) -> None:
    table = locked.table
    if table.status == Table.Status.FINISHED:
        raise TableRefusal("table_finished")
    if table.status != Table.Status.PLAYING:
        raise TableRefusal("no_deal")
    if table.paused:
        raise TableRefusal("paused")
    if version < table.turn_version or version > table.version:
        raise TableRefusal("stale")
    if table.turn_seat != seat.number:
        raise TableRefusal("not_your_turn")


def _apply(locked: LockedTable, seat: Seat, text: str, command_id: UUID, arrived: dt.datetime) -> None:
    """Apply the move, charge the clock and bring a member whose seat a bot held back to it."""
    try:
        move = locked.rules.parse_move(text)
        locked.rules.apply(locked.deal.state, move)
    except Refusal as refusal:
        raise TableRefusal(refusal.code, refusal.detail) from refusal
    _charge(locked, seat, arrived)
    if seat.time_outs or seat.stand_in:
        seat.time_outs, seat.stand_in = 0, False
        seat.save(update_fields=["time_outs", "stand_in"])
    make_move(locked, move, seat=seat.number, by=LogEntry.By.PERSON, command_id=command_id)
    go_on(locked)


def _charge(locked: LockedTable, seat: Seat, arrived: dt.datetime) -> None:
    """Take what the turn lasted above the move's own time from the seat's bank."""
    table = locked.table
    over = lag.over_time(locked, arrived)
    bank = int(table.banks.get(str(seat.number), locked.control.bank))
    table.banks = {**table.banks, str(seat.number): max(0, bank - over)}
