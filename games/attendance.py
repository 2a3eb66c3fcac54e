"""This process's part in presence: pings go to Valkey in batches, changes come back to the sockets as diffs.

Every ``BATCH_SECONDS`` what was noted since the last batch is written in one
round trip, and the tables where something may have changed are read in the
same one. Whoever writes a change announces it as news, so that the other
processes read too; silence is found by each process itself.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import redis.asyncio as aioredis

from games import presence
from games.broadcast import channel
from games.presence import Attendance
from games.rooms import News, Room, Viewer, on_news

logger = logging.getLogger(__name__)

BATCH_SECONDS = 0.7
LOOK_SECONDS = 15
"""A table is read at least so often, whatever was announced."""

FORGOTTEN_MS = 120_000
"""Lines that are gone for so long are removed, and a table without lines with them."""

NEWS = json.dumps({"kind": "presence"})


class _Notes:
    """What must be written for one table: moments by line (as time from now in ms), round trips by seat."""

    def __init__(self) -> None:
        self.lines: dict[str, float] = {}
        self.trips: dict[int, int | None] = {}
        self.changed = False


class Keeper:
    """Keeps the presence of this process's sockets. ``rooms`` gives the rooms as they are now."""

    def __init__(self, server: aioredis.Redis, rooms: Callable[[], list[Room]]) -> None:
        self._server = server
        self._rooms = rooms
        self._notes: dict[UUID, _Notes] = {}
        self._ahead_ms = 0.0
        self._failing = False

    def heard(self, room: Room, viewer: Viewer) -> None:
        """Note a sign of life (a socket that joins, a ping) at this moment."""
        notes = self._notes.setdefault(room.table_id, _Notes())
        notes.lines[viewer.line] = _monotonic_ms() + presence.GONE_MS
        if viewer.seat is not None and viewer.round_trips.usual is not None:
            notes.trips[viewer.seat] = viewer.round_trips.usual
        if viewer.line not in room.lines or self._was_quiet(room, viewer.line):
            notes.changed = True

    def left(self, room: Room, viewer: Viewer, *, deliberate: bool) -> None:
        """Note that a socket was closed; without a good-bye its line goes by itself when its time has passed."""
        notes = self._notes.setdefault(room.table_id, _Notes())
        if viewer.seat is not None:
            notes.trips[viewer.seat] = None
        if deliberate or viewer.seat is None:
            stays = presence.CLOSED_MS if viewer.seat is not None else 0
            notes.lines[viewer.line] = _monotonic_ms() + stays
        notes.changed = True

    def _was_quiet(self, room: Room, line: str) -> bool:
        return room.lines[line] < _monotonic_ms() + self._ahead_ms + presence.GONE_MS - presence.QUIET_MS

    async def run(self) -> None:
        """Write and read one batch after the other until cancelled."""
        while True:
            await asyncio.sleep(BATCH_SECONDS)
            try:
                await self.batch()
                self._failing = False
            except (aioredis.RedisError, OSError) as error:
                if not self._failing:
                    logger.warning("who is at the tables is not known for now: %s", error)
                self._failing = True
            except Exception:
                logger.exception("presence could not be told")

    async def batch(self) -> None:
        """Write what was noted and tell the rooms what changed: two round trips to Valkey for all tables together."""
        looked = [room for room in self._rooms() if self._must_look(room)]
        if not self._notes and not looked:
            return
        notes, self._notes = self._notes, {}
        try:
            now = presence.clock_ms(await self._server.time())
            self._ahead_ms = now - _monotonic_ms()
            found = await self._exchange(notes, [room.table_id for room in looked], now)
        except (aioredis.RedisError, OSError):
            self._take_back(notes)
            raise
        for room in looked:
            self._learn(room, found[room.table_id], now)

    def _must_look(self, room: Room) -> bool:
        return (
            room.look
            or time.monotonic() >= room.look_at
            or (room.table_id in self._notes and (self._notes[room.table_id].changed))
        )

    async def _exchange(
        self, notes: dict[UUID, _Notes], wanted: list[UUID], now: float
    ) -> dict[UUID, dict[str, float]]:
        """Write the notes and return the lines of the ``wanted`` tables, in one round trip."""
        pipe = self._server.pipeline(transaction=False)
        for table_id, noted in notes.items():
            self._write(pipe, table_id, noted, now)
        before = len(pipe.command_stack)
        for table_id in wanted:
            pipe.zrange(presence.presence_key(table_id), 0, -1, withscores=True)
        answers = (await pipe.execute())[before:]
        return {
            table_id: {line.decode(): at for line, at in lines}
            for table_id, lines in zip(wanted, answers, strict=True)
        }

    def _write(self, pipe: Any, table_id: UUID, notes: _Notes, now: float) -> None:
        key = presence.presence_key(table_id)
        if notes.lines:
            pipe.zadd(key, {line: at + self._ahead_ms for line, at in notes.lines.items()})
            pipe.zremrangebyscore(key, 0, now - FORGOTTEN_MS)
            pipe.pexpire(key, presence.GONE_MS + FORGOTTEN_MS)
        self._write_trips(pipe, table_id, notes, now)
        if notes.changed:
            pipe.publish(channel(table_id), NEWS)

    def _write_trips(self, pipe: Any, table_id: UUID, notes: _Notes, now: float) -> None:
        key = presence.lag_key(table_id)
        known = {str(seat): f"{trip} {now}" for seat, trip in notes.trips.items() if trip is not None}
        gone = [str(seat) for seat, trip in notes.trips.items() if trip is None]
        if known:
            pipe.hset(key, mapping=known)
            pipe.pexpire(key, presence.LAG_KEPT_MS)
        if gone:
            pipe.hdel(key, *gone)

    def _take_back(self, notes: dict[UUID, _Notes]) -> None:
        """Keep what could not be written, unless something newer was noted meanwhile."""
        for table_id, older in notes.items():
            newer = self._notes.setdefault(table_id, _Notes())
            newer.lines = {**older.lines, **newer.lines}
            newer.trips = {**older.trips, **newer.trips}
            newer.changed = newer.changed or older.changed

    def _learn(self, room: Room, stored: dict[str, float], now: float) -> None:
        """Take what Valkey knows of a room and tell its sockets what is new.

        Lines that Valkey lost are believed until their time has passed: they
        come back with the next ping.
        """
        kept = {line: at for line, at in room.lines.items() if at > now}
        room.lines = {**kept, **stored}
        room.look = False
        changes_at = presence.next_change(room.lines, now)
        wait = LOOK_SECONDS if changes_at is None else min(LOOK_SECONDS, (changes_at - now) / 1000 + 0.05)
        room.look_at = time.monotonic() + wait
        before, room.attendance = room.attendance, presence.attendance_of(room.lines, now)
        # What must be added to a moment of Valkey's clock to get one of this process's wall clock.
        room.wall_ms = time.time() * 1000 - now
        frame = difference_frame(before, room.attendance, room.wall_ms)
        for viewer in room.viewers:
            if not viewer.told_presence:
                tell_whole(room, viewer)
            elif frame is not None:
                viewer.put(_dump(frame))


def tell_whole(room: Room, viewer: Viewer) -> None:
    """Tell one socket who is there."""
    viewer.told_presence = True
    viewer.put(_dump(whole_frame(room.attendance, room.wall_ms)))


def difference_frame(before: Attendance, after: Attendance, add_ms: float) -> dict[str, Any] | None:
    """Return the frame that tells what changed, ``None`` if nothing did."""
    seats = {
        seat: at for seat, at in after.seats.items() if seat not in before.seats or before.seats[seat] != at
    }
    frame: dict[str, Any] = {"t": "presence", "seats": _shown(seats, add_ms)}
    if before.watchers != after.watchers:
        frame["watchers"] = after.watchers
    return frame if seats or "watchers" in frame else None


def whole_frame(attendance: Attendance, add_ms: float) -> dict[str, Any]:
    """Return the frame that tells everything; a seat that is not in it was not heard of."""
    return {
        "t": "presence",
        "whole": True,
        "seats": _shown(attendance.seats, add_ms),
        "watchers": attendance.watchers,
    }


def _shown(seats: dict[int, float | None], add_ms: float) -> dict[str, int | None]:
    return {str(seat): None if at is None else round(at + add_ms) for seat, at in seats.items()}


def _dump(frame: dict[str, Any]) -> str:
    return json.dumps(frame, separators=(",", ":"))


def _monotonic_ms() -> float:
    return time.monotonic() * 1000


async def _look_again(room: Room, _news: News) -> None:
    room.look = True


async def _joined(room: Room, viewer: Viewer) -> None:
    """Tell a newcomer who is there, once this process knows it itself."""
    if room.look_at:
        tell_whole(room, viewer)


on_news("presence", _look_again, _joined)
