"""Streams: what a table's socket is sent, and which tables wait for a member, as lines of JSON for programs.

A stream only listens; what a program does is asked for by a request of its own.
It ends with its match, with its token, and when its reader is too slow.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone, translation

from clubs.selectors.tokens import token_holds
from games import selectors
from games.broadcast import session_mark
from games.errors import TableRefusal
from games.executor import in_thread
from games.hub import hub
from games.messages import farewell_frame, pong_frame, to_text
from games.rooms import CLOSE_POLICY, TimedFrame, Viewer

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 6
"""A line is sent at least so often, so that both ends know that the other one lives."""

TOKEN_SECONDS = 60
"""A stream asks so often whether its token still holds; a token that is revoked closes its streams at once."""

LOOK_SECONDS = 10
"""Which tables wait is read at least so often, which makes good an announcement that was lost."""

LAST_LINES_SECONDS = 1.0
MOST_STREAMS = 30
"""So many streams may one person hold open in a process."""

CALL = "call"
"""Put into an outbox when something may wait for the member; not a line."""

_open: Counter[int] = Counter()


@dataclass(frozen=True)
class Listener:
    """Who listens: the member, the language, the token's id and what stands for a session's key."""

    user_id: int
    language: str
    token_id: int
    session: str


def check_room(user_id: int) -> None:
    """Raise ``TableRefusal("too_many_streams")`` when a person holds the most streams open already."""
    if _open[user_id] >= MOST_STREAMS:
        raise TableRefusal("too_many_streams")


async def table_lines(table_id: UUID, listener: Listener) -> AsyncIterator[bytes]:
    """Yield what a socket at the table would be sent, until the match is over or the listener must go."""
    seat = await in_thread(selectors.seat_of, table_id=table_id, user_id=listener.user_id)
    viewer = _viewer(listener, seat.number if seat is not None else None)
    async with _counted(viewer):
        try:
            if viewer.seat is None:
                await hub().check_room_to_watch(table_id)
            await hub().join(table_id, viewer)
            async for line in _lines(viewer, listener, lambda: _pong(table_id, viewer)):
                # What arrives is a sign of life as well: a program that reads is at the table.
                hub().ping(table_id, viewer)
                yield _sent(line)
                if isinstance(line, TimedFrame):
                    line.showing.sent()
                if viewer.needs_snapshot:
                    viewer.needs_snapshot = False
                    await hub().resync(table_id, viewer)
                if _is_last(line):
                    return
        except TableRefusal as refusal:
            yield _sent(_farewell(listener, refusal.code))
        finally:
            await hub().leave(table_id, viewer)


async def call_lines(listener: Listener) -> AsyncIterator[bytes]:
    """Yield which tables the member has, and which wait for the member, whenever that changes."""
    viewer = _viewer(listener, None)
    async with _counted(viewer):
        try:
            await hub().follow(viewer, lambda: _call(viewer))
            told, looked = "", 0.0
            _call(viewer)
            async for line in _lines(viewer, listener, lambda: to_text({"t": "ping", "now": _now_ms()})):
                if line == CALL or time.monotonic() - looked >= LOOK_SECONDS:
                    found = await in_thread(calls_line, user_id=listener.user_id, language=listener.language)
                    looked = time.monotonic()
                    if found != told:
                        told = found
                        yield _sent(found)
                if line != CALL:
                    yield _sent(line)
        finally:
            await hub().unfollow(viewer)


def calls_line(*, user_id: int, language: str) -> str:
    """Return the line that tells a member's unfinished tables, each with what it waits for."""
    with translation.override(language):
        offers = [call for call in selectors.calls_for(user_id) if call.seat_offered]
        tables: list[Any] = selectors.tables_of(user_id)
        rows = [
            {
                "table": str(table.pk),
                "game": table.game,
                "title": table.title,
                "status": table.status,
                "seat": table.own_seat,
                "my_turn": table.my_turn,
                "event": bool(table.origin),
            }
            for table in tables
        ]
        kept = [{"table": str(offer.table_id), "game": offer.game, "title": offer.title} for offer in offers]
    return to_text({"t": "calls", "tables": rows, "offers": kept})


async def _lines(viewer: Viewer, listener: Listener, beat: Callable[[], str]) -> AsyncIterator[str]:
    """Yield what is put into the viewer's outbox, and ``beat()`` where nothing is for a while."""
    checked = time.monotonic()
    while True:
        try:
            line = await asyncio.wait_for(viewer.outbox.get(), HEARTBEAT_SECONDS)
        except TimeoutError:
            line = beat()
        if line is None:
            return
        if viewer.doubtful or time.monotonic() - checked >= TOKEN_SECONDS:
            checked, viewer.doubtful = time.monotonic(), False
            if not await in_thread(token_holds, token_id=listener.token_id):
                line = _farewell(listener, "token_over")
                viewer.end(CLOSE_POLICY)
        yield line


def _viewer(listener: Listener, seat: int | None) -> Viewer:
    mark = session_mark(listener.session)
    return Viewer(seat=seat, user_id=listener.user_id, language=listener.language, session=mark)


@asynccontextmanager
async def _counted(viewer: Viewer) -> AsyncIterator[None]:
    """Count the stream while it is open, and cut it off when it was ended and its reader takes nothing more."""
    user_id = viewer.user_id or 0
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    timers: list[asyncio.TimerHandle] = []

    def cut() -> None:
        if task is not None:
            timers.append(loop.call_later(LAST_LINES_SECONDS, task.cancel))

    viewer.on_end = cut
    _open[user_id] += 1
    try:
        yield
    finally:
        for timer in timers:
            timer.cancel()
        _open[user_id] -= 1
        if not _open[user_id]:
            del _open[user_id]


def _call(viewer: Viewer) -> None:
    """Have the tables looked at; a look that waits already will see everything."""
    if viewer.outbox.empty():
        viewer.put(CALL)


def _pong(table_id: UUID, viewer: Viewer) -> str:
    return to_text(pong_frame(hub().ping(table_id, viewer), timezone.now()))


def _is_last(line: str) -> bool:
    if not line.startswith('{"t":"state"'):
        return False
    return bool(json.loads(line)["table"]["status"] == "finished")


def _farewell(listener: Listener, code: str) -> str:
    with translation.override(listener.language):
        return to_text(farewell_frame(code))


def _sent(line: str) -> bytes:
    return line.encode() + b"\n"


def _now_ms() -> int:
    return round(timezone.now().timestamp() * 1000)
