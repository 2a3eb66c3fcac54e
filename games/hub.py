"""One hub per process: it hears of new versions and hands each socket the frames it may see.

The database is the truth and announcements are lossy, so the hub only ever
asks "what is newer than what I have". It subscribes once per table, reads new
entries once, renders one frame for each distinct viewer (every seat with a
socket here, and one for all watchers), and puts it into the bounded outbox of
each socket. Every few seconds it asks for the heads of its tables in one
query, which makes good any announcement that never came.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

import redis.asyncio as aioredis
from django.conf import settings
from django.db import connections
from django.utils import timezone, translation

from games import selectors
from games.broadcast import CHANNEL_PREFIX, USER_PREFIX, channel, user_channel
from games.errors import TableRefusal
from games.messages import TableSnapshot, farewell_frame, state_frame
from games.rooms import CLOSE_POLICY, News, Room, Viewer, handlers

logger = logging.getLogger(__name__)

HEADS_SECONDS = 5
EXECUTOR_THREADS = 8
POLL_SECONDS = 20
SOCKET_SECONDS = 30
"""Above the poll, so that a quiet subscription is not taken for a dead one."""

T = TypeVar("T")

_executor = ThreadPoolExecutor(max_workers=EXECUTOR_THREADS, thread_name_prefix="table")


async def in_thread(function: Callable[..., T], **kwargs: Any) -> T:
    """Run a function that uses the database on the hub's bounded executor and give its connection back."""
    return await asyncio.get_running_loop().run_in_executor(
        _executor, partial(_with_connection, function, kwargs)
    )


def _with_connection(function: Callable[..., T], kwargs: dict[str, Any]) -> T:
    try:
        return function(**kwargs)
    finally:
        connections.close_all()


class Hub:
    """The rooms of one process and its one subscription. Use ``hub()``; it belongs to the running event loop."""

    def __init__(self) -> None:
        self._rooms: dict[UUID, Room] = {}
        self._members: dict[int, int] = {}
        self._redis: Any = aioredis.from_url(
            settings.REDIS_URL, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=5
        )
        self._pubsub: Any = self._redis.pubsub(ignore_subscribe_messages=True)
        self._subscribing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening = False

    async def join(self, table_id: UUID, viewer: Viewer) -> None:
        """Add a socket: subscribe first, then read the head, so that nothing falls between the two."""
        room = self._rooms.get(table_id)
        if room is None:
            room = self._rooms[table_id] = Room(table_id)
            await self._subscribe(channel(table_id))
        room.viewers.add(viewer)
        await self._count_member(viewer, 1)
        self._start_listening()
        await self._refresh(room)
        await self._bring_news(room, viewer)

    async def leave(self, table_id: UUID, viewer: Viewer) -> None:
        """Remove a socket; the last one of a table ends the table's subscription."""
        room = self._rooms.get(table_id)
        if room is None or viewer not in room.viewers:
            return
        room.viewers.discard(viewer)
        if not room.viewers:
            del self._rooms[table_id]
            await self._unsubscribe(channel(table_id))
        await self._count_member(viewer, -1)

    async def resync(self, table_id: UUID, viewer: Viewer) -> None:
        """Send a whole view to one socket."""
        viewer.version = -1
        room = self._rooms.get(table_id)
        if room is not None:
            await self._refresh(room)
            await self._bring_news(room, viewer)

    async def reseat(self, table_id: UUID, viewer: Viewer) -> None:
        """Look again which seat a socket's member holds; a member who left goes on as a watcher."""
        held = await in_thread(selectors.seat_of, table_id=table_id, user_id=viewer.user_id)
        viewer.seat = held.number if held is not None else None

    async def close(self) -> None:
        """Stop listening and let go of the connections, before the event loop ends."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._pubsub.aclose()
        await self._redis.aclose()
        self._listening = False

    def room(self, table_id: UUID) -> Room | None:
        """Return who looks at a table from this process, ``None`` if nobody does."""
        return self._rooms.get(table_id)

    def head(self, table_id: UUID) -> int:
        """Return the newest version this process has read or heard of."""
        room = self._rooms.get(table_id)
        return room.wanted if room is not None else -1

    async def _count_member(self, viewer: Viewer, change: int) -> None:
        """Follow the news of a member while the member has a socket here."""
        if viewer.user_id is None:
            return
        count = self._members.get(viewer.user_id, 0) + change
        if count > 0:
            self._members[viewer.user_id] = count
        else:
            self._members.pop(viewer.user_id, None)
            await self._unsubscribe(user_channel(viewer.user_id))
        if count == change == 1:
            await self._subscribe(user_channel(viewer.user_id))

    async def _subscribe(self, name: str) -> None:
        try:
            # One at a time: two that found no connection yet would each make one, and only one is listened to.
            async with self._subscribing:
                await self._pubsub.subscribe(name)
        except (aioredis.RedisError, OSError) as error:
            logger.warning("no announcements for now, heads are polled instead: %s", error)

    async def _unsubscribe(self, name: str) -> None:
        with contextlib.suppress(aioredis.RedisError, OSError):
            async with self._subscribing:
                await self._pubsub.unsubscribe(name)

    def _start_listening(self) -> None:
        if not self._listening:
            self._listening = True
            for work in (self._listen(), self._poll_heads()):
                task = asyncio.get_running_loop().create_task(work)
                self._tasks.add(task)

    async def _listen(self) -> None:
        while True:
            try:
                if not self._pubsub.subscribed:
                    await asyncio.sleep(0.2)
                    continue
                message = await self._pubsub.get_message(timeout=POLL_SECONDS)
                if message is not None:
                    self._hear(message)
            except (TimeoutError, aioredis.RedisError, OSError) as error:
                logger.warning("announcements interrupted: %s", error)
                await asyncio.sleep(0.5)
                await self._subscribe_again()

    async def _subscribe_again(self) -> None:
        with contextlib.suppress(aioredis.RedisError, OSError):
            await self._pubsub.aclose()
        self._pubsub = self._redis.pubsub(ignore_subscribe_messages=True)
        for table_id in list(self._rooms):
            await self._subscribe(channel(table_id))
        for user_id in list(self._members):
            await self._subscribe(user_channel(user_id))

    def _hear(self, message: dict[str, Any]) -> None:
        """Take one announcement; one that cannot be understood does not end the listening."""
        try:
            self._heard(message)
        except Exception:
            logger.exception("an announcement on %s could not be understood", message.get("channel"))

    def _heard(self, message: dict[str, Any]) -> None:
        """Take one announcement: a number is a table's version, an object is news."""
        name, said = message["channel"].decode(), json.loads(message["data"])
        if name.startswith(USER_PREFIX):
            self._close_sockets(int(name.removeprefix(USER_PREFIX)), said)
            return
        room = self._rooms.get(UUID(name.removeprefix(CHANNEL_PREFIX)))
        if room is None:
            return
        if isinstance(said, dict):
            self._spawn(self._tell(room, said))
        elif said > room.wanted:
            room.wanted = said
            self._spawn(self._refresh(room))

    async def _tell(self, room: Room, news: News) -> None:
        handler = handlers.get(news.get("kind", ""))
        if handler is None:
            logger.warning("nobody knows news of kind %s", news.get("kind"))
            return
        async with room.news_lock:
            await handler.told(room, news)

    async def _bring_news(self, room: Room, viewer: Viewer) -> None:
        """Tell one socket what counts besides the table's view; a fault there does not keep it out."""
        async with room.news_lock:
            for kind, handler in handlers.items():
                try:
                    if handler.joined is not None and viewer in room.viewers:
                        await handler.joined(room, viewer)
                except Exception:
                    logger.exception("what counts of %s could not be told", kind)

    def _close_sockets(self, user_id: int, news: News) -> None:
        """Say good-bye to the sockets of a member that the news mean."""
        for room in self._rooms.values():
            if news["table"] not in (None, str(room.table_id)):
                continue
            for viewer in list(room.viewers):
                if viewer.user_id == user_id and news["session"] in ("", viewer.session):
                    with translation.override(viewer.language):
                        frame = farewell_frame(news["code"])
                    viewer.end(CLOSE_POLICY, json.dumps(frame, ensure_ascii=False, separators=(",", ":")))

    async def _poll_heads(self) -> None:
        while True:
            await asyncio.sleep(HEADS_SECONDS)
            if not self._rooms:
                continue
            try:
                heads = await in_thread(selectors.heads_of, table_ids=list(self._rooms))
            except Exception:
                logger.exception("heads could not be read, trying again in %s s", HEADS_SECONDS)
                continue
            for table_id, version in heads.items():
                room = self._rooms.get(table_id)
                if room is not None and any(viewer.version < version for viewer in room.viewers):
                    self._spawn(self._refresh(room))

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("a table could not be shown", exc_info=task.exception())

    async def _refresh(self, room: Room) -> None:
        """Bring every socket of the room to the head: one read, one frame for each distinct viewer."""
        async with room.lock:
            oldest = min((v.version for v in room.viewers if v.version >= 0), default=None)
            try:
                frames = await in_thread(
                    _render,
                    table_id=room.table_id,
                    since=oldest,
                    looks={(v.seat, v.language, v.version) for v in room.viewers},
                )
            except TableRefusal:
                return
            room.wanted = max(room.wanted, frames.version)
            for viewer in list(room.viewers):
                frame = frames.by_look.get((viewer.seat, viewer.language, viewer.version))
                if frame is not None and viewer.version < frames.version:
                    viewer.version = frames.version
                    viewer.put(frame)


class _Frames:
    def __init__(self, version: int, by_look: dict[tuple[int | None, str, int], str]) -> None:
        self.version = version
        self.by_look = by_look


def _render(*, table_id: UUID, since: int | None, looks: set[tuple[int | None, str, int]]) -> _Frames:
    """Return one encoded frame for each (seat, language, version seen) that is behind the table."""
    snapshot = TableSnapshot(table_id, since=since if since is not None else 2**62)
    now = timezone.now()
    by_look = {}
    for seat, language, seen in looks:
        if seen >= snapshot.version:
            continue
        events = [] if seen < 0 else [entry for entry in snapshot.log if entry.version > seen]
        with translation.override(language):
            frame = state_frame(snapshot, seat=seat, events=events, now=now)
        by_look[(seat, language, seen)] = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
    return _Frames(snapshot.version, by_look)


_hubs: dict[int, Hub] = {}


def hub() -> Hub:
    """Return the hub of the running event loop (a server process has one loop and so one hub)."""
    loop = id(asyncio.get_running_loop())
    if loop not in _hubs:
        _hubs.clear()
        _hubs[loop] = Hub()
    return _hubs[loop]
