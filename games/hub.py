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
import json
import logging
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import translation

from games import metrics, selectors, services
from games.attendance import Keeper
from games.broadcast import channel, meant_by, user_channel
from games.errors import TableRefusal
from games.executor import in_thread
from games.frames import Frames, Look, render
from games.listening import Subscription, connect, end_tasks
from games.messages import farewell_frame
from games.presence import watchers_at
from games.rooms import CLOSE_POLICY, News, Room, Showing, Viewer, handlers, kind_of

logger = logging.getLogger(__name__)

HEADS_SECONDS = 5
CLOCK_SECONDS = 0.2
"""How often this process looks whether the sweep is late."""

LATER_SECONDS = 0.05
"""How much later than exactly the next delayed view is read: two machines' clocks may differ a little."""


class Hub:
    """The rooms of one process and its one subscription. Use ``hub()``; it belongs to the running event loop."""

    def __init__(self) -> None:
        self._rooms: dict[UUID, Room] = {}
        self._members: dict[int, int] = {}
        self._followers: dict[Viewer, Callable[[], object]] = {}
        self._redis = connect()
        self._announcements = Subscription(
            self._redis, wants=self._wants, heard=self._heard, names=self._names, again=self._catch_up
        )
        self._keeper = Keeper(self._redis, lambda: list(self._rooms.values()))
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening = False

    async def join(self, table_id: UUID, viewer: Viewer) -> None:
        """Add a socket: subscribe first, then read the head, so that nothing falls between the two."""
        room = self._rooms.get(table_id)
        new = room is None
        if room is None:
            room = self._rooms[table_id] = Room(table_id)
        # Before anything is waited for: a room is given up when its last viewer leaves.
        room.viewers.add(viewer)
        metrics.SOCKETS.labels(kind_of(viewer)).inc()
        if new:
            await self._announcements.subscribe(channel(table_id))
        await self._count_member(viewer, 1)
        self._start_listening()
        await self._refresh(room)
        self._keeper.heard(room, viewer)
        await self._bring_news(room, viewer)

    async def leave(self, table_id: UUID, viewer: Viewer, *, deliberate: bool = True) -> None:
        """Remove a socket; the last one of a table ends the table's subscription.

        A line that broke without a good-bye (not ``deliberate``) is missed later than one that was closed.
        """
        room = self._rooms.get(table_id)
        if room is None or viewer not in room.viewers:
            return
        room.viewers.discard(viewer)
        metrics.SOCKETS.labels(kind_of(viewer)).dec()
        self._keeper.left(room, viewer, deliberate=deliberate)
        if not room.viewers:
            del self._rooms[table_id]
            self._cancel_later(room)
            await self._announcements.unsubscribe(channel(table_id))
        await self._count_member(viewer, -1)

    async def follow(self, viewer: Viewer, called: Callable[[], object]) -> None:
        """Call ``called`` whenever something may wait for the viewer's member, at whatever table; news may be lost."""
        self._followers[viewer] = called
        await self._count_member(viewer, 1)
        self._start_listening()

    async def unfollow(self, viewer: Viewer) -> None:
        """Follow no longer."""
        if self._followers.pop(viewer, None) is not None:
            await self._count_member(viewer, -1)

    async def check_room_to_watch(self, table_id: UUID) -> None:
        """Raise ``TableRefusal("too_many_watchers")`` above the most of this process or of the table."""
        if self.watchers() >= settings.WATCHERS_PER_PROCESS:
            raise TableRefusal("too_many_watchers")
        known = max(self.watchers(table_id), await in_thread(watchers_at, table_id=table_id))
        if known >= settings.WATCHERS_PER_TABLE:
            raise TableRefusal("too_many_watchers")

    async def resync(self, table_id: UUID, viewer: Viewer) -> None:
        """Send a whole view to one socket."""
        viewer.version = -1
        room = self._rooms.get(table_id)
        if room is not None:
            await self._refresh(room)
            await self._bring_news(room, viewer)

    def ping(self, table_id: UUID, viewer: Viewer) -> int:
        """Note a sign of life; returns the newest version that this socket may hear of."""
        room = self._rooms.get(table_id)
        if room is None:
            return viewer.version
        self._keeper.heard(room, viewer)
        return viewer.version if viewer.delayed else max(room.wanted, viewer.version)

    def time_showing(self, table_id: UUID, version: int, arrived: float) -> None:
        """Measure how long after ``arrived`` (monotonic) the last socket here is sent what a move made of the table."""
        room = self._rooms.get(table_id)
        if room is not None:
            room.unshown.append((version, arrived))
            self._time_unshown(room)

    def _time_unshown(self, room: Room) -> None:
        """Hand those moves over that the newest showing covers."""
        for version, arrived in room.unshown:
            if version <= room.showing.head:
                room.showing.time(arrived)
        room.unshown = [move for move in room.unshown if move[0] > room.showing.head]

    def watchers(self, table_id: UUID | None = None) -> int:
        """Return how many sockets of this process watch, at one table or at all."""
        rooms = self._rooms.values() if table_id is None else filter(None, [self._rooms.get(table_id)])
        return sum(viewer.seat is None for room in rooms for viewer in room.viewers)

    async def close(self) -> None:
        """Stop listening and let go of the connections, before the event loop ends."""
        await end_tasks(self._tasks)
        await self._announcements.close()
        await self._redis.aclose()
        self._listening = False

    def room(self, table_id: UUID) -> Room | None:
        """Return who looks at a table from this process, ``None`` if nobody does."""
        return self._rooms.get(table_id)

    async def _count_member(self, viewer: Viewer, change: int) -> None:
        """Follow the news of a member while the member has a socket here."""
        if viewer.user_id is None:
            return
        count = self._members.get(viewer.user_id, 0) + change
        if count > 0:
            self._members[viewer.user_id] = count
        else:
            self._members.pop(viewer.user_id, None)
            await self._announcements.unsubscribe(user_channel(viewer.user_id))
        if count == change == 1:
            await self._announcements.subscribe(user_channel(viewer.user_id))

    def _wants(self, name: str) -> bool:
        """Whether a channel is needed now: who comes and who goes may have changed that while others were waited for."""
        meant = meant_by(name)
        return meant in self._rooms if isinstance(meant, UUID) else meant in self._members

    def _names(self) -> list[str]:
        """Return every channel that is needed now."""
        return [*map(channel, self._rooms), *map(user_channel, self._members)]

    def _start_listening(self) -> None:
        if not self._listening:
            self._listening = True
            for work in (
                self._announcements.listen(),
                self._poll_heads(),
                self._mind_the_clock(),
                self._keeper.run(),
            ):
                task = asyncio.get_running_loop().create_task(work)
                self._tasks.add(task)

    def _catch_up(self) -> None:
        """Make good what was announced while nobody listened: views, news, and doors that should have closed."""
        for room in list(self._rooms.values()):
            self._spawn(self._refresh(room))
            for kind in handlers:
                self._spawn(self._tell(room, {"kind": kind}))
            for viewer in room.viewers:
                viewer.doubtful = True
        for viewer, called in self._followers.items():
            viewer.doubtful = True
            called()

    def _heard(self, name: str, data: bytes) -> None:
        """Take one announcement: a number is a table's version, an object is news."""
        said, meant = json.loads(data), meant_by(name)
        if not isinstance(meant, UUID):
            self._heard_of_member(meant, said)
            return
        room = self._rooms.get(meant)
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

    def _heard_of_member(self, user_id: int, news: News) -> None:
        """Take news of a member: something may wait at a table, or a door is closed."""
        if news["kind"] == "close":
            self._close_sockets(user_id, news)
            return
        for viewer, called in self._followers.items():
            if viewer.user_id == user_id:
                called()

    def _close_sockets(self, user_id: int, news: News) -> None:
        """Say good-bye to the sockets and streams of a member that the news mean."""
        meant = [
            viewer
            for room in self._rooms.values()
            if news["table"] in (None, str(room.table_id))
            for viewer in room.viewers
        ]
        if news["table"] is None:
            meant += self._followers
        for viewer in meant:
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
                if room is not None and any(v.version < version for v in room.viewers if not v.delayed):
                    self._spawn(self._refresh(room))

    async def _mind_the_clock(self) -> None:
        """Sweep in the workers' place while they are away."""
        swept = False
        while True:
            await asyncio.sleep(CLOCK_SECONDS)
            try:
                swept = bool(self._rooms) and await in_thread(services.sweep_if_late, again=swept)
            except Exception:
                logger.exception("the clock could not be minded, trying again in %s s", HEADS_SECONDS)
                await asyncio.sleep(HEADS_SECONDS)

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("a table could not be shown", exc_info=task.exception())

    async def _refresh(self, room: Room) -> None:
        """Bring every socket of the room to what it may see now: one read, one frame for each distinct viewer."""
        async with room.lock:
            looks = {Look(v.user_id, v.language, v.version) for v in room.viewers}
            try:
                frames = await in_thread(render, table_id=room.table_id, looks=looks)
            except TableRefusal:
                return
            room.wanted = max(room.wanted, frames.head)
            room.showing = Showing(frames.head)
            for viewer in list(room.viewers):
                self._show(room, viewer, frames)
            self._time_unshown(room)
            self._wake(room, frames.wait)

    def _show(self, room: Room, viewer: Viewer, frames: Frames) -> None:
        """Seat a socket where its member sits now, and give it its frame if that is newer than what it has."""
        seat = frames.seats.get(viewer.user_id)
        if seat != viewer.seat:
            self._keeper.left(room, viewer, deliberate=True)
            metrics.SOCKETS.labels(kind_of(viewer)).dec()
            viewer.sit(seat)
            metrics.SOCKETS.labels(kind_of(viewer)).inc()
            self._keeper.heard(room, viewer)
        viewer.delayed = seat is None and frames.delayed
        found = frames.by_look.get(Look(viewer.user_id, viewer.language, viewer.version))
        if found is not None:
            viewer.version, text = found
            viewer.put(room.showing.frame(text))

    def _wake(self, room: Room, wait: float | None) -> None:
        """Show watchers with a delay what is next when its time has come."""
        self._cancel_later(room)
        if wait is not None:
            loop = asyncio.get_running_loop()
            room.later = loop.call_later(wait + LATER_SECONDS, lambda: self._spawn(self._refresh(room)))

    def _cancel_later(self, room: Room) -> None:
        if room.later is not None:
            room.later.cancel()
            room.later = None


_hubs: dict[int, Hub] = {}


def hub() -> Hub:
    """Return the hub of the running event loop (a server process has one loop and so one hub)."""
    loop = id(asyncio.get_running_loop())
    if loop not in _hubs:
        _hubs.clear()
        _hubs[loop] = Hub()
    return _hubs[loop]
