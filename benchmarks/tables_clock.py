"""How late the clock plays for members who do nothing, in health and after every worker was killed."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

from benchmarks.tables_play import Crowd
from benchmarks.tables_setup import OpenTable
from benchmarks.tables_sockets import Client

NO_BANKS = """
    UPDATE games_table SET banks = %s, due_at = turn_started_at + interval '8 seconds'
    WHERE id = ANY(%s) AND status = 'playing'
"""
TIME_OUTS = """
    SELECT version, seat, extract(epoch FROM at) * 1000 FROM games_logentry
    WHERE table_id = %s AND by = 'clock' ORDER BY version
"""


class TimeOut(NamedTuple):
    """One turn whose time ran out: when (epoch ms), how late it was acted on, and how late the watcher was shown it."""

    due: float
    acted: float
    shown: float


def without_banks(tables: Sequence[OpenTable], seats: int) -> None:
    """Take every bank of the running tables, so that each turn ends after the time of its move."""
    with connection.cursor() as cursor:
        banks = json.dumps({str(seat): 0 for seat in range(1, seats + 1)})
        cursor.execute(NO_BANKS, [banks, [table.id for table in tables]])


def time_outs(crowd: Crowd, wall: float) -> list[TimeOut]:
    """Return the time-outs that watchers saw, by when they were due; ``wall`` is epoch less monotonic seconds.

    The first of each table is left out: its alarm was set before the banks were taken.
    """
    found = []
    for client in crowd.clients:
        if client.seat is None:
            found += _of_table(client, wall)
    return sorted(found)


def _of_table(client: Client, wall: float) -> list[TimeOut]:
    with connection.cursor() as cursor:
        cursor.execute(TIME_OUTS, [client.table_id])
        played = cursor.fetchall()
    found = []
    for version, seat, at in played[1:]:
        before = max((v for v in client.deadlines if v < version), default=None)
        shown = next((moment for v, moment, _ in client.seen if v >= version), None)
        if before is None or shown is None or client.deadlines[before][0] != seat:
            continue
        due = client.deadlines[before][1]
        found.append(TimeOut(due, float(at) - due, (shown + wall) * 1000 - due))
    return found


def wall_clock() -> float:
    """Return what must be added to the monotonic clock to have the time of day."""
    return time.time() - time.monotonic()
