"""A table under its lock: the one place where a table's row and log are written."""

from __future__ import annotations

import contextlib
import datetime as dt
import secrets
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from clubs.selectors import signs_in
from games import schedule, selectors, stakes
from games.broadcast import after_commit, announce_after_commit, announce_lobby_after_commit
from games.errors import TableRefusal
from games.models import Deal, LogEntry, Seat, Table
from games.rules import GAMES
from games.rules.clock import PRESETS, TimeControl
from games.rules.interface import Event, Game
from games.selectors import Running, statements
from games.services.moments import keep_moment

THINK_SPREAD = (600, 1400)
"""A bot thinks between 60 % and 140 % of the table's usual time, whatever its choice is (per mille)."""


class ClockTimestamp(Now):
    """The database server's own time at this very moment: all processes share it."""

    template = "clock_timestamp()"

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template=self.template, **extra)


class Answered(NamedTuple):
    """What a command came to that was seen before: the version it made, and the seat it was for."""

    version: int
    seat: int | None


class LockedTable:
    """A table whose row this transaction holds, with its seats and the time at which it was locked.

    Services change ``table`` and ``seats`` and call ``log`` for each thing that
    happened; leaving ``locked_table`` writes the row, and after the commit the
    version is announced and the next alarm set.
    """

    def __init__(self, table: Table, seats: Sequence[Seat], now: dt.datetime) -> None:
        self.table = table
        self.seats = {seat.number: seat for seat in seats}
        self.now = now
        self.rules: Game = GAMES[table.game]
        self.options = self.rules.parse_options(table.options)
        self.control: TimeControl = PRESETS[table.clock]
        self.match: Any = self.rules.load_match(table.match) if table.match is not None else None
        self.running: Running | None = selectors.running(table)
        self.answered: Answered | None = None
        self.void = False
        """Whether the match counts for no rating, because it is not its members who end it."""
        self._lobby_line = _lobby_line(table)
        self._before = table.version
        self._changed = False
        self._bot_wait_ms: int | None = None
        self._called: set[int] = set()

    def log(
        self,
        by: LogEntry.By,
        events: Sequence[Event],
        *,
        seat: int | None = None,
        deal: Deal | None = None,
        ply: int | None = None,
        move: str = "",
        command_id: UUID | None = None,
    ) -> LogEntry:
        """Write the next entry of the table's log, move the chips it tells of, and raise the version by one."""
        self.table.version += 1
        self._changed = True
        entry = LogEntry(
            table=self.table,
            version=self.table.version,
            deal=deal,
            ply=ply,
            seat=seat,
            move=move,
            by=by,
            command_id=command_id,
            events=list(events),
            at=self.now,
        )
        statements.insert_row(entry)
        if self.table.staked:
            stakes.move_chips(self.table, self.seats, self.table.version, events)
        return entry

    @property
    def deal(self) -> Running:
        """The latest deal; a table at which none was dealt has none, which is a bug of the caller."""
        assert self.running is not None, "no deal was dealt at this table"
        return self.running

    def follow(self, deal: Deal, ply: int, state: Any) -> None:
        """Note where the deal stands now; other transactions learn it from the row, this process after the commit."""
        self.table.ply = ply
        self.running = Running(deal, ply, state)

    def start_turn(self, seat: int) -> None:
        """Give ``seat`` the turn now: its clock starts, and a bot's thinking time is drawn."""
        table = self.table
        table.turn_seat = seat
        table.turn_version = table.version
        table.turn_started_at = self.now
        if self.seats[seat].played_by_bot:
            low, high = THINK_SPREAD
            self._bot_wait_ms = table.bot_think_ms * (low + secrets.randbelow(high - low + 1)) // 1000
            allowed = self._bot_wait_ms + BOT_GRACE_MS
        else:
            self._bot_wait_ms = None
            self.call(self.seats[seat].user_id)
            allowed = self.control.per_move + int(table.banks.get(str(seat), self.control.bank))
        table.due_at = self.now + dt.timedelta(milliseconds=allowed)
        if table.paused:
            self.stand_still()

    def call(self, user_id: int | None) -> None:
        """Tell a member after the commit that the table may wait for them."""
        if user_id is not None:
            self._called.add(user_id)

    def stop_clock(self, *, status: Table.Status, due_in_ms: int | None) -> None:
        """Nobody is on turn any more; the clock acts next in ``due_in_ms`` (``None``: never)."""
        table = self.table
        table.status = status
        table.turn_seat = None
        table.turn_started_at = None
        table.turn_version = table.version
        table.due_at = None if due_in_ms is None else self.now + dt.timedelta(milliseconds=due_in_ms)
        self._bot_wait_ms = None
        if status == Table.Status.FINISHED:
            self.forget_pause()

    def stand_still(self) -> None:
        """Let the clock stand still from now on; what was left on it is kept (``games.rules.clock.pause``)."""
        table = self.table
        assert table.due_at is not None, "only a clock that runs can be stopped"
        table.paused_at = self.now
        table.pause_left_ms = max(0, round((table.due_at - self.now) / dt.timedelta(milliseconds=1)))
        table.due_at = None
        self._bot_wait_ms = None

    def run_on(self) -> None:
        """Let the clock run on with what was left on it (``games.rules.clock.resume``); a bot thinks anew."""
        table = self.table
        paused_at, left_ms = table.paused_at, table.pause_left_ms
        assert paused_at is not None and left_ms is not None, "only a clock that stands still can run on"
        self.forget_pause()
        if table.turn_seat is not None and self.seats[table.turn_seat].played_by_bot:
            self.start_turn(table.turn_seat)
            return
        table.due_at = self.now + dt.timedelta(milliseconds=left_ms)
        if table.turn_started_at is not None:
            table.turn_started_at += self.now - paused_at

    def forget_pause(self) -> None:
        """No pause is running any more, and none is offered."""
        table = self.table
        table.pause_seats = []
        table.pause_until = table.paused_at = table.pause_left_ms = None

    def save(self) -> None:
        """Write the row if anything was logged, and arrange announcement and alarm for after the commit."""
        if not self._changed:
            return
        table = self.table
        table.changed_at = self.now
        table.match = self.rules.dump_match(self.match) if self.match is not None else None
        statements.write_row(table, TABLE_COLUMNS)
        if table.watch_delay:
            keep_moment(table, self.seats.values(), TABLE_COLUMNS, self.now, before=self._before)
        if table.rated and table.status == Table.Status.FINISHED:
            Seat.objects.filter(table=table).exclude(rated_game="").update(rated_game="")
        if self.running is not None:
            running = self.running
            after_commit(lambda: selectors.remembered.put(running))
        announce_after_commit(table.id, table.version, called=self._called)
        if table.listed and (table.deal_number == 0 or self._lobby_line != _lobby_line(table)):
            announce_lobby_after_commit()
        schedule.set_alarm_after_commit(table, now=self.now, bot_wait_ms=self._bot_wait_ms)


BOT_GRACE_MS = 3_000
"""How long after its thinking time a bot's move may come before the clock plays the bot itself."""

TABLE_COLUMNS = [
    "status",
    "version",
    "changed_at",
    "finished_at",
    "match",
    "deal_number",
    "ply",
    "banks",
    "lag_quotas",
    "turn_seat",
    "turn_version",
    "turn_started_at",
    "due_at",
    "pause_seats",
    "pause_until",
    "paused_at",
    "pause_left_ms",
    "pauses",
    "next_dealer",
    "deal_limit",
]


@contextlib.contextmanager
def locked_table(
    table_id: UUID,
    *,
    skip_locked: bool = False,
    command_id: UUID | None = None,
    session: tuple[str | None, int] | None = None,
) -> Iterator[LockedTable]:
    """Open a transaction, lock the table's row and yield it; the row is written on leaving.

    With ``command_id`` it is also looked up whether that command was answered before,
    with ``session`` (its key and the member) whether it still signs the member in. Raises
    ``TableRefusal`` (``no_such_table``, ``signed_out``); with ``skip_locked`` also when another
    transaction holds the row.
    """
    with transaction.atomic():
        # Each of these sees the table as it is once the lock is held.
        rows, seats, answered, *found = statements.run(
            statements.table_row(table_id, lock="FOR UPDATE SKIP LOCKED" if skip_locked else "FOR UPDATE"),
            statements.seats_of(table_id),
            statements.answered(table_id, command_id),
            *([statements.session_of(*session)] if session is not None else []),
        )
        if not rows:
            raise TableRefusal("no_such_table")
        if session is not None and not signs_in(next(iter(found[0]), None), session[1]):
            raise TableRefusal("signed_out")
        table, now = statements.made_table(rows[0])
        locked = LockedTable(table, statements.made_seats(seats, table), now)
        if answered:
            locked.answered = Answered(*answered[0])
        yield locked
        locked.save()


def own_seat(locked: LockedTable, user_id: int) -> Seat:
    """Return the seat that the member holds and has not left; raises ``TableRefusal("not_seated")``."""
    for seat in locked.seats.values():
        if seat.user_id == user_id and not seat.left:
            return seat
    raise TableRefusal("not_seated")


def _lobby_line(table: Table) -> tuple[str, int]:
    """Return what the lobby tells of a table that plays; before the first deal it also tells who sits there."""
    return table.status, table.deal_number
