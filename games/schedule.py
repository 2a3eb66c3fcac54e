"""Alarms: which task must act at a table next, and when.

An alarm makes things prompt; the guarantee is the sweep, which finds every
table whose ``due_at`` has passed. A late or doubled alarm does nothing: the
service compares the version of the turn.
"""

from __future__ import annotations

import datetime as dt

from celery import current_app

from games.broadcast import after_commit
from games.models import Table

ALARM_HORIZON = dt.timedelta(seconds=120)
"""Alarms further away than this are left to the sweep, so that the broker never holds them for long."""


def set_alarm_after_commit(table: Table, *, now: dt.datetime, bot_wait_ms: int | None) -> None:
    """Arrange the next act at ``table`` as it is about to be committed.

    ``bot_wait_ms`` is the thinking time when a bot decides next, else ``None``.
    """
    args = (str(table.id), table.turn_version)
    due = table.due_at
    if table.status == Table.Status.PLAYING and bot_wait_ms is not None:
        _send("games.tasks.play_bot", args, "bots", bot_wait_ms / 1000)
    elif due is not None and due - now <= ALARM_HORIZON:
        name = "play_time_out" if table.status == Table.Status.PLAYING else "start_deal"
        _send(f"games.tasks.{name}", args, "clock", max(0.0, (due - now).total_seconds()))


def set_time_out_after_commit(table: Table, *, wait: float) -> None:
    """Arrange that the time-out of the turn that runs is looked at once more in ``wait`` seconds."""
    _send("games.tasks.play_time_out", (str(table.id), table.turn_version), "clock", wait)


def _send(name: str, args: tuple[str, int], queue: str, wait: float) -> None:
    def send() -> None:
        current_app.send_task(name, args=args, queue=queue, countdown=wait, ignore_result=True, retry=False)

    after_commit(send)
