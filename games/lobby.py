"""The lobby as sockets see it: lists of a club's open and running tables, rendered once for each language.

One Redis channel says that something in the lists has changed. Each process
then waits a moment for more, reads the lists once for each club, renders each row once per
language that somebody here reads, and sends what is new of it. Only listed
tables are ever read here. Lists are also read every few seconds, which makes
good an announcement that was lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

import redis.asyncio as aioredis
from django.template.loader import render_to_string
from django.utils import translation

from games import metrics, selectors
from games.broadcast import DOORS, lobby_channel
from games.executor import in_thread
from games.listening import connect, end_tasks
from games.messages import farewell_frame
from games.rooms import Viewer

logger = logging.getLogger(__name__)

BATCH_SECONDS = 0.5
"""So long after a change the lists are read: many changes at once are one reading."""

LOOK_SECONDS = 10
"""The lists are read at least so often while somebody looks."""

DOORS_SECONDS = 60
"""So often, and whenever lobbies are told so, it is asked again whether those who look in still may."""

CLOSE_NO_LOBBY = 4404


class Shown(NamedTuple):
    """Both lists in one language: the keys of their rows in order, and the HTML of each row."""

    order: dict[str, list[str]]
    rows: dict[str, str]


Side = tuple[int, str]
"""A club's lobby in one language."""


def render_lists(*, sides: Iterable[Side]) -> dict[Side, Shown]:
    """Return both lists for each club and language; a club's tables are read once (two queries and one look at presence)."""
    shown = {}
    for club_id, wanted in groupby(sorted(sides), key=lambda side: side[0]):
        lists = selectors.lobby_lists(club_id=club_id)
        order = {name: [str(table.pk) for table in tables] for name, tables in lists._asdict().items()}
        for _club, language in wanted:
            with translation.override(language):
                rows: dict[str, str] = {
                    str(table.pk): render_to_string("games/_lobby_row.html", {"table": table})
                    for table in (*lists.open, *lists.running)
                }
            shown[club_id, language] = Shown(order, rows)
    return shown


def side_of(viewer: Viewer) -> Side:
    """Return what a socket sees."""
    return viewer.club_id, viewer.language


class Lobby:
    """The lobby's sockets of one process. Use ``lobby()``; it belongs to the running event loop."""

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()
        self._shown: dict[Side, Shown] = {}
        self._number = 0
        self._read_at = 0.0
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self._doors_at = 0.0
        self._tasks: list[asyncio.Task[None]] = []
        self._redis: Any = None

    async def join(self, viewer: Viewer) -> None:
        """Add a socket and send it both lists; lists read a moment ago are sent as they are."""
        self.viewers.add(viewer)
        metrics.SOCKETS.labels("lobby").set(len(self.viewers))
        if not self._tasks:
            self._redis = connect()
            loop = asyncio.get_running_loop()
            self._tasks = [loop.create_task(self._listen(self._redis)), loop.create_task(self._keep_up())]
        await self.resync(viewer)

    async def resync(self, viewer: Viewer) -> None:
        """Send one socket both lists whole."""
        viewer.version = -1
        fresh = time.monotonic() - self._read_at < BATCH_SECONDS and side_of(viewer) in self._shown
        await self._show(read=not fresh)

    async def leave(self, viewer: Viewer) -> None:
        """Remove a socket; with the last one the process stops listening."""
        self.viewers.discard(viewer)
        metrics.SOCKETS.labels("lobby").set(len(self.viewers))
        if not self.viewers:
            await self.close()

    async def close(self) -> None:
        """Stop listening and let go of the connection."""
        tasks, self._tasks = self._tasks, []
        connection, self._redis = self._redis, None
        self._shown, self._read_at = {}, 0.0
        await end_tasks(tasks)
        if connection is not None:
            await connection.aclose()

    async def _listen(self, connection: Any) -> None:
        """Hear of changes; a lost line is taken up again, and what was missed meanwhile is looked up."""
        while True:
            pubsub = connection.pubsub(ignore_subscribe_messages=True)
            try:
                await pubsub.subscribe(lobby_channel())
                self._doors_at = 0.0
                self._changed.set()
                while True:
                    message = await pubsub.get_message(timeout=LOOK_SECONDS)
                    if message is not None:
                        if message["data"] == DOORS.encode():
                            self._doors_at = 0.0
                        self._changed.set()
            except (TimeoutError, aioredis.RedisError, OSError) as error:
                logger.warning("changes of the lobby are not heard for now: %s", error)
                await asyncio.sleep(0.5)
            finally:
                with contextlib.suppress(aioredis.RedisError, OSError):
                    await pubsub.aclose()

    async def _keep_up(self) -> None:
        """Show what has changed, at most once in ``BATCH_SECONDS``; a fault is logged and tried again."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), LOOK_SECONDS)
            await asyncio.sleep(BATCH_SECONDS)
            self._changed.clear()
            try:
                if time.monotonic() - self._doors_at >= DOORS_SECONDS:
                    await self._mind_the_doors()
                await self._show(read=True)
            except Exception:
                logger.exception("the lobby could not be read")

    async def _mind_the_doors(self) -> None:
        """Send those away who may not look in any more: a ban, a closed club or an end of the session may have come since."""
        self._doors_at = time.monotonic()
        lookers = {viewer: (viewer.club_id, viewer.user_id, viewer.session) for viewer in self.viewers}
        let_in = await in_thread(selectors.let_into_lobby, lookers=set(lookers.values()))
        for viewer, looker in lookers.items():
            if looker not in let_in:
                with translation.override(viewer.language):
                    frame = farewell_frame("no_such_table")
                viewer.end(CLOSE_NO_LOBBY, json.dumps(frame, ensure_ascii=False))

    async def _show(self, *, read: bool) -> None:
        """Bring every socket up to date: whole lists for a new one, what is new for the others."""
        async with self._lock:
            before = self._shown
            if read:
                sides = {side_of(viewer) for viewer in self.viewers}
                self._shown = await in_thread(render_lists, sides=sides)
                self._read_at = time.monotonic()
            changes = {side: self._frame(side, before.get(side)) for side in self._shown}
            if any(changes.values()):
                self._number += 1
            whole: dict[Side, str] = {}
            for viewer in list(self.viewers):
                side = side_of(viewer)
                if side not in self._shown:
                    continue  # joined while the lists were read, and asks for them next
                if viewer.version < 0:
                    if side not in whole:
                        whole[side] = self._frame(side, None) or ""
                    viewer.put(whole[side])
                elif frame := changes[side]:
                    viewer.put(frame)
                viewer.version = self._number

    def _frame(self, side: Side, before: Shown | None) -> str | None:
        """Return what is new since ``before`` (``None``: everything) as a frame, ``None`` when nothing is."""
        now = self._shown[side]
        if before == now:
            return None
        known = before.rows if before is not None else {}
        rows = {key: html for key, html in now.rows.items() if known.get(key) != html}
        frame = {"t": "lobby", "whole": before is None, "order": now.order, "rows": rows}
        return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


_lobbies: dict[int, Lobby] = {}


def lobby() -> Lobby:
    """Return the lobby of the running event loop."""
    loop = id(asyncio.get_running_loop())
    if loop not in _lobbies:
        _lobbies.clear()
        _lobbies[loop] = Lobby()
    return _lobbies[loop]
