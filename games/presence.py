"""Who is at a table, kept in Valkey where every process sees it.

``presence:<table>`` is a sorted set with a line for each socket, its score the
moment at which the line counts as gone. Pings push that moment on, a deliberate
close pulls it near, a killed process leaves it to pass. What is lost is written
again by the next pings. ``lag:<table>`` holds each seat's measured round trip,
which a time-out waits for. All moments are milliseconds of Valkey's own clock.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import redis

from games.broadcast import connection

logger = logging.getLogger(__name__)

GONE_MS = 40_000
"""A line without a ping for so long is gone."""

CLOSED_MS = 10_000
"""A line that was closed on purpose is gone after so long."""

QUIET_MS = 8_000
"""A line without a ping for so long is shown to the others as leaving: pages ping every 2.5 s."""

LAG_KEPT_MS = 15_000
"""So long is a measured round trip believed after it was last confirmed."""


def presence_key(table_id: UUID) -> str:
    """Return the key of the lines at a table."""
    return f"presence:{table_id}"


def lag_key(table_id: UUID) -> str:
    """Return the key of the round trips measured at a table's seats."""
    return f"lag:{table_id}"


def new_line(seat: int | None) -> str:
    """Return a name for a socket's line: its seat (0: a watcher) and something that no other line has."""
    return f"{seat or 0}:{secrets.token_hex(6)}"


def seat_of_line(line: str) -> int:
    """Return the seat of a line, 0 for a watcher's."""
    return int(line.partition(":")[0])


class Attendance(NamedTuple):
    """Who is at a table: for each seat ``None`` (here) or when it counts as gone; and the number of watchers."""

    seats: dict[int, float | None]
    watchers: int


NOBODY = Attendance({}, 0)


def attendance_of(lines: Mapping[str, float], now: float) -> Attendance:
    """Return who is there, given the lines' moments of being gone.

    A seat is here while one of its lines was heard of within ``QUIET_MS``; after
    that its latest moment counts, also when it has passed.
    """
    seats: dict[int, float] = {}
    watchers = 0
    for line, gone_at in lines.items():
        seat = seat_of_line(line)
        if seat:
            seats[seat] = max(gone_at, seats.get(seat, 0))
        elif gone_at > now:
            watchers += 1
    here = now + GONE_MS - QUIET_MS
    return Attendance({s: None if at > here else at for s, at in sorted(seats.items())}, watchers)


def next_change(lines: Mapping[str, float], now: float) -> float | None:
    """Return the moment at which silence alone changes the attendance, ``None`` if it cannot."""
    seats = [at - GONE_MS + QUIET_MS for line, at in lines.items() if seat_of_line(line)]
    watchers = [at for line, at in lines.items() if not seat_of_line(line)]
    return min((moment for moment in (*seats, *watchers) if moment > now), default=None)


def clock_ms(answer: Any) -> float:
    """Return Valkey's answer to TIME in milliseconds."""
    seconds, microseconds = answer
    return int(seconds) * 1000 + int(microseconds) / 1000


def measured_trips(table_id: UUID) -> dict[int, int]:
    """Return the round trips in milliseconds of the seats whose lines live; nothing when Valkey is away."""
    try:
        pipe = connection().pipeline(transaction=False)
        pipe.time()
        pipe.hgetall(lag_key(table_id))
        now, trips = pipe.execute()
    except redis.RedisError as error:
        logger.warning("round trips are not known: %s", error)
        return {}
    return read_trips(trips, clock_ms(now))


def read_trips(stored: Mapping[bytes, bytes], now: float) -> dict[int, int]:
    """Return the stored round trips that were confirmed within ``LAG_KEPT_MS``."""
    found = {}
    for seat, text in stored.items():
        trip, _space, at = text.decode().partition(" ")
        if now - float(at) < LAG_KEPT_MS:
            found[int(seat)] = int(trip)
    return found


class Seen(NamedTuple):
    """The seats of a table with a line that lives, and those all of whose lines are gone; of others nothing is known."""

    here: frozenset[int]
    gone: frozenset[int]


def seats_seen(table_id: UUID) -> Seen:
    """Return which seats are here and which are gone; none when nothing is known, as after a loss of Valkey."""
    try:
        pipe = connection().pipeline(transaction=False)
        pipe.time()
        pipe.zrange(presence_key(table_id), 0, -1, withscores=True)
        now, lines = pipe.execute()
    except redis.RedisError as error:
        logger.warning("who is here is not known: %s", error)
        return Seen(frozenset(), frozenset())
    clock = clock_ms(now)
    known = frozenset(seat_of_line(line.decode()) for line, _gone_at in lines) - {0}
    here = frozenset(seat_of_line(line.decode()) for line, gone_at in lines if gone_at > clock) - {0}
    return Seen(here, known - here)


def watchers_at(table_id: UUID) -> int:
    """Return how many watch a table, in all processes; 0 when Valkey is away."""
    return watchers_of([table_id])[table_id]


def watchers_of(table_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return how many watch each of many tables, in one round trip; 0 for all when Valkey is away."""
    try:
        pipe = connection().pipeline(transaction=False)
        pipe.time()
        for table_id in table_ids:
            pipe.zrange(presence_key(table_id), 0, -1, withscores=True)
        now, *found = pipe.execute()
    except redis.RedisError as error:
        logger.warning("watchers are not known: %s", error)
        return dict.fromkeys(table_ids, 0)
    clock = clock_ms(now)
    return {
        table_id: attendance_of({line.decode(): at for line, at in lines}, clock).watchers
        for table_id, lines in zip(table_ids, found, strict=True)
    }
