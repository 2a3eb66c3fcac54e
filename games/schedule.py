"""Alarms: which task must act at a table next, and when.

An alarm makes things prompt; the guarantee is the sweep, which finds every
table whose ``due_at`` has passed. A late or doubled alarm does nothing: the
service compares the version of the turn.

What is due soon gets its alarm with the commit that sets it; what is due later
gets it from one of the last sweeps before that moment. So a turn that is played in
time, as nearly all are, costs no alarm at all.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from celery import current_app
from kombu.exceptions import OperationalError

from games.broadcast import after_commit
from games.models import Table

logger = logging.getLogger(__name__)

ALARM_HORIZON = dt.timedelta(seconds=2)
"""So far ahead an alarm is set: two sweeps see a table before its time, should one of them be late."""


class Due(NamedTuple):
    """A table whose clock acts soon: its status, the version of its turn, and in how many seconds it is due."""

    table_id: UUID
    status: str
    turn_version: int
    wait: float


def set_alarm_after_commit(table: Table, *, now: dt.datetime, bot_wait_ms: int | None) -> None:
    """Arrange the next act at ``table`` as it is about to be committed.

    ``bot_wait_ms`` is the thinking time when a bot decides next, else ``None``.
    """
    due = table.due_at
    if table.status == Table.Status.PLAYING and bot_wait_ms is not None:
        args = (str(table.id), table.turn_version)
        wait = bot_wait_ms / 1000
        after_commit(lambda: _send("games.tasks.play_bot", args, "bots", wait))
    elif due is not None and due - now <= ALARM_HORIZON:
        alarm = Due(table.id, table.status, table.turn_version, (due - now).total_seconds())
        after_commit(lambda: set_alarms([alarm]))


def set_alarms(soon: Iterable[Due]) -> None:
    """Let the clock act at each of these tables when it is due; a broker that is away is logged, the sweep remains."""
    try:
        for due in soon:
            name = "play_time_out" if due.status == Table.Status.PLAYING else "start_deal"
            args = (str(due.table_id), due.turn_version)
            _send(f"games.tasks.{name}", args, "clock", max(0.0, due.wait))
    except OperationalError as error:
        logger.warning("no alarms for now, tables are acted at by the sweep alone: %s", error)


def set_time_out_after_commit(table: Table, *, wait: float) -> None:
    """Arrange that the time-out of the turn that runs is looked at once more in ``wait`` seconds."""
    args = (str(table.id), table.turn_version)
    after_commit(lambda: _send("games.tasks.play_time_out", args, "clock", wait))


def _send(name: str, args: tuple[str, int], queue: str, wait: float) -> None:
    current_app.send_task(name, args=args, queue=queue, countdown=wait, ignore_result=True, retry=False)
