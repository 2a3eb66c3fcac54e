"""The two other doors to a table: the clock, and the bots.

Both come with the version of the turn they mean; when the table has moved on
they do nothing, so alarms may be late, lost or doubled.
"""

from __future__ import annotations

import datetime as dt
import logging
import random
import secrets
from uuid import UUID

from django.db import connection, transaction

from games import metrics, schedule
from games.bots import choose
from games.broadcast import announce
from games.models import LogEntry, Seat, SweepMark, Table
from games.presence import measured_trips
from games.services import lag
from games.services.dealing import go_on, make_move, start_deal
from games.services.locked import ClockTimestamp, LockedTable, locked_table
from games.services.pausing import end_due_pauses, settle_pause
from games.services.rematch import fill_rematches
from games.services.waiting import pass_on_offers

logger = logging.getLogger(__name__)

STAND_IN_AFTER = 2
"""A bot stands in after so many time-outs in a row."""

STAND_IN_LEVEL = "steady"

BOT_BUDGET = 60
"""How many imagined continuations a bot may look at for one move."""

SWEEP_SIZE = 100

OUTAGE_SECONDS = 5
"""When no sweep ran for so long, nobody's time was running."""

LATE_SWEEP = dt.timedelta(seconds=1.05)
"""A sweep that has not begun after so long is late: beat wants one every second."""

NEXT_SWEEP = dt.timedelta(seconds=0.3)
"""Whoever sweeps in the workers' place does so again after this."""

ANNOUNCE_AGAIN_MS = (1_000, 4_000)
"""Heads of tables whose last change is this old are announced once more: an announcement may have been lost."""


def play_bot(*, table_id: UUID, turn_version: int) -> bool:
    """Let the bot on turn decide and play; returns whether it played.

    It decides on what its seat may see, a few milliseconds under the table's
    lock: nobody else can move meanwhile, and the state need not be read twice.
    Raises ``TableRefusal("no_such_table")``.
    """
    with locked_table(table_id) as locked:
        if not _still_on_turn(locked, turn_version) or not _on_turn(locked).played_by_bot:
            return False
        if locked.table.paused:
            return False
        play_as_bot(locked)
        return True


def time_out(*, table_id: UUID, turn_version: int) -> bool:
    """Play for the seat on turn if its time has run out; returns whether it did.

    While the seat's line lives, a move that was made in time may still be on
    its way: so long as lag is forgiven the time-out waits, and comes back by
    itself. A member without a line is not waited for.
    """
    trips = measured_trips(table_id)
    with locked_table(table_id) as locked:
        if not _still_on_turn(locked, turn_version) or not _is_due(locked):
            return False
        seat = _on_turn(locked)
        assert locked.table.due_at is not None
        until = locked.table.due_at + lag.grace(locked, seat, trips.get(seat.number))
        if locked.now < until:
            schedule.set_time_out_after_commit(locked.table, wait=(until - locked.now).total_seconds())
            return False
        play_for_absent(locked)
        late = (locked.now - until).total_seconds()
    metrics.TIME_OUT_LATE.observe(late)
    return True


def start_due_deal(*, table_id: UUID, turn_version: int) -> bool:
    """Start the next deal if the pause between two deals is over; returns whether it did."""
    with locked_table(table_id) as locked:
        table = locked.table
        if table.status != Table.Status.BETWEEN or table.turn_version != turn_version or not _is_due(locked):
            return False
        start_deal(locked)
        return True


def play_for_absent(locked: LockedTable, *, came: bool = False) -> None:
    """Play the seat on turn whose time is over: a bot's own choice for a bot, the rules' default for a member.

    After ``STAND_IN_AFTER`` time-outs in a row a bot sits in for the member
    until the member comes back; after the first one if the member never came to
    the match. ``came`` says that the member is here, only late.
    """
    table, seat = locked.table, _on_turn(locked)
    if seat.played_by_bot:
        play_as_bot(locked)
        return
    seat.time_outs += 1
    seat.stand_in = seat.time_outs >= STAND_IN_AFTER or (not came and _never_came(locked, seat))
    seat.save(update_fields=["time_outs", "stand_in"])
    table.banks = {**table.banks, str(seat.number): 0}
    if seat.stand_in:
        locked.log(LogEntry.By.TABLE, ({"type": "stand_in", "seat": seat.number},), seat=seat.number)
    make_move(locked, locked.rules.default_move(locked.deal.state), seat=seat.number, by=LogEntry.By.CLOCK)
    go_on(locked)
    if seat.stand_in:
        settle_pause(locked)


def _never_came(locked: LockedTable, seat: Seat) -> bool:
    """Whether the first deal is being played and the member has made no move in it."""
    if locked.table.deal_number != 1:
        return False
    done = LogEntry.objects.filter(table=locked.table, seat=seat.number, by=LogEntry.By.PERSON)
    return not done.filter(ply__isnull=False).exists()


def sweep() -> int:
    """Act at every table whose time has come, oldest first; returns how many were acted at.

    This is the guarantee behind all alarms. Tables that another process is
    working at are left to it. Tables that are due before long get their alarms.
    Heads of tables that changed a moment ago are
    announced again, which makes good a lost announcement.
    """
    give_back_outage()
    schedule.set_alarms(_due_soon())
    due = list(
        Table.objects.filter(due_at__lt=ClockTimestamp())
        .order_by("due_at", "pk")
        .values_list("pk", "status", "turn_version")[:SWEEP_SIZE]
    )
    acted = sum(_act(*table) for table in due) + pass_on_offers() + end_due_pauses() + fill_rematches()
    newest, oldest = ANNOUNCE_AGAIN_MS
    now = ClockTimestamp()
    announce(
        Table.objects.filter(
            changed_at__lt=now - dt.timedelta(milliseconds=newest),
            changed_at__gt=now - dt.timedelta(milliseconds=oldest),
        ).values_list("pk", "version")
    )
    return acted


def sweep_if_late(*, again: bool = False) -> bool:
    """Sweep in the place of workers that are away; returns whether that was necessary.

    For processes that serve sockets: whoever looks at a table there shall not
    have to wait until killed workers are back. ``again`` is for a process that swept
    when it looked last: it need not find out anew that nobody else does.
    """
    patience = NEXT_SWEEP if again else LATE_SWEEP
    late = SweepMark.objects.filter(at__lt=ClockTimestamp() - patience).exists()
    if late:
        sweep()
    return late


def _due_soon() -> list[schedule.Due]:
    """Return the tables that are due within the horizon of alarms, by the database's clock."""
    now = _database_time()
    soon = Table.objects.filter(due_at__gte=now, due_at__lt=now + schedule.ALARM_HORIZON)
    return [
        schedule.Due(table.id, table.status, table.turn_version, (table.due_at - now).total_seconds())
        for table in soon.only("status", "turn_version", "due_at")
        if table.due_at is not None
    ]


def give_back_outage() -> int:
    """Note that the sweep runs; after a gap of ``OUTAGE_SECONDS`` give running turns their time back, once.

    Only the part of the gap inside a turn counts. Each extension is an entry of
    its table's log. Returns how many turns were extended. Two sweeps at once
    wait for each other at the mark, so that a gap is given back by one of them.
    """
    with transaction.atomic():
        now = _database_time()
        mark, _created = SweepMark.objects.select_for_update().get_or_create(pk=1, defaults={"at": now})
        since, mark.at = mark.at, max(mark.at, now)
        mark.save(update_fields=["at"])
        metrics.SWEEP_GAP.observe((mark.at - since).total_seconds())
        if now - since < dt.timedelta(seconds=OUTAGE_SECONDS):
            return 0
        running = (
            Table.objects.filter(status=Table.Status.PLAYING).order_by("pk").values_list("pk", flat=True)
        )
        return sum(_extend(table_id, since, now) for table_id in running)


def _extend(table_id: UUID, since: dt.datetime, now: dt.datetime) -> bool:
    """Give the turn at a table the time between ``since`` and ``now`` back if a member is on turn."""
    with locked_table(table_id) as locked:
        table = locked.table
        if table.turn_seat is None or table.turn_started_at is None or table.due_at is None:
            return False
        lost = now - max(since, table.turn_started_at)
        if locked.seats[table.turn_seat].played_by_bot or lost <= dt.timedelta(0):
            return False
        table.turn_started_at += lost
        table.due_at += lost
        lost_ms = round(lost.total_seconds() * 1000)
        locked.log(
            LogEntry.By.TABLE,
            ({"type": "outage", "seat": table.turn_seat, "ms": lost_ms},),
            seat=table.turn_seat,
        )
        return True


def _database_time() -> dt.datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: dt.datetime = cursor.fetchone()[0]
        return now


def _act(table_id: UUID, status: str, turn_version: int) -> bool:
    """Act at one table; a fault there is loud in the log and holds no other table up."""
    try:
        if status == Table.Status.PLAYING:
            return time_out(table_id=table_id, turn_version=turn_version)
        return start_due_deal(table_id=table_id, turn_version=turn_version)
    except Exception:
        logger.exception("the clock could not act at table %s", table_id)
        return False


def _still_on_turn(locked: LockedTable, turn_version: int) -> bool:
    return locked.table.status == Table.Status.PLAYING and locked.table.turn_version == turn_version


def _is_due(locked: LockedTable) -> bool:
    return locked.table.due_at is not None and locked.table.due_at <= locked.now


def _on_turn(locked: LockedTable) -> Seat:
    assert locked.table.turn_seat is not None
    return locked.seats[locked.table.turn_seat]


def play_as_bot(locked: LockedTable) -> None:
    """Let the bot of the seat on turn choose from its view and play; a bot never sees more than a player."""
    seat, state = _on_turn(locked), locked.deal.state
    move = choose(
        locked.table.game,
        seat.bot_level or STAND_IN_LEVEL,
        locked.rules.view_for(state, seat.number),
        locked.rules.legal_moves(state),
        random.Random(secrets.randbits(64)),
        BOT_BUDGET,
    )
    make_move(locked, move, seat=seat.number, by=LogEntry.By.BOT if seat.is_bot else LogEntry.By.STAND_IN)
    go_on(locked)
