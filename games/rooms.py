"""Who looks at a table from this process, and what is told there besides the table's log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from uuid import UUID

from clubs.models import FIRST_CLUB
from games import metrics
from games.presence import NOBODY, Attendance, new_line
from games.round_trips import RoundTrips

OUTBOX_FRAMES = 32
SECOND_OVERFLOW_SECONDS = 10
CLOSE_POLICY = 1008
CLOSE_OVERLOADED = 1013


class Viewer:
    """One socket at a table: who looks, in which language, what it has seen, and its outbox.

    ``club_id`` says whose lobby it is; ``session`` is the mark of the session that the socket was opened with
    (``broadcast.session_mark``), ``line`` its name in presence. ``on_end`` is called once when
    the server wants the socket closed.
    """

    def __init__(
        self,
        *,
        seat: int | None,
        user_id: int | None,
        language: str,
        session: str = "",
        club_id: int = FIRST_CLUB,
    ) -> None:
        self.seat = seat
        self.user_id = user_id
        self.language = language
        self.session = session
        self.club_id = club_id
        self.version = -1
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue(maxsize=OUTBOX_FRAMES)
        self.needs_snapshot = False
        self.overflowed_at: float | None = None
        self.close_code: int | None = None
        self.on_end: Callable[[], object] = bool
        self.line = new_line(seat)
        self.round_trips = RoundTrips()
        self.told_presence = False
        self.doubtful = False
        self.delayed = seat is None

    def put(self, frame: str) -> None:
        """Queue a frame; a full outbox is emptied and one whole view takes its place later."""
        if self.close_code is not None:
            return
        try:
            self.outbox.put_nowait(frame)
        except asyncio.QueueFull:
            self._overflow()

    def end(self, code: int, last: str | None = None) -> None:
        """Let the writer close the socket with ``code`` after the frame ``last``; what else waits is dropped."""
        if self.close_code is not None:
            return
        self.close_code = code
        self._empty()
        if last is not None:
            self.outbox.put_nowait(last)
        self.outbox.put_nowait(None)
        self.on_end()

    def sit(self, seat: int | None) -> None:
        """Look from another seat on (``None``: as a watcher), under a new name in presence."""
        self.seat = seat
        self.line = new_line(seat)

    def _overflow(self) -> None:
        now = time.monotonic()
        again = self.overflowed_at is not None and now - self.overflowed_at < SECOND_OVERFLOW_SECONDS
        self.overflowed_at = now
        if again:
            self.end(CLOSE_OVERLOADED)
        else:
            self._empty()
            self.needs_snapshot = True
            self.version = -1

    def _empty(self) -> None:
        while not self.outbox.empty():
            self.outbox.get_nowait()


def kind_of(viewer: Viewer) -> str:
    """Return what a socket at a table counts as."""
    return "watcher" if viewer.seat is None else "player"


class Showing:
    """One version on its way to the sockets of a room; knows when the last of them was sent it.

    A socket that closes or overflows meanwhile is never sent it: then nothing is observed.
    """

    def __init__(self, head: int) -> None:
        self.head = head
        self.frame_of: dict[str, TimedFrame] = {}
        self._left = 0
        self._done_at: float | None = None
        self._asked: list[float] = []

    def frame(self, text: str) -> TimedFrame:
        """Return ``text`` for one more socket, as a frame that tells when it was sent."""
        self._left += 1
        if text not in self.frame_of:
            self.frame_of[text] = TimedFrame(text)
            self.frame_of[text].showing = self
        return self.frame_of[text]

    def sent(self) -> None:
        """Note that one socket more was sent its frame."""
        self._left -= 1
        if self._left == 0:
            self._done_at = time.monotonic()
            self.frame_of.clear()
            for arrived in self._asked:
                metrics.SHOWN.observe(self._done_at - arrived)

    def time(self, arrived: float) -> None:
        """Observe how long after ``arrived`` (monotonic) the last socket is sent this version, once it is known."""
        if self._done_at is None:
            self._asked.append(arrived)
        else:
            metrics.SHOWN.observe(self._done_at - arrived)


class TimedFrame(str):
    """The text of a frame that says to its ``showing`` when it was sent."""

    __slots__ = ("showing",)
    showing: Showing


class Room:
    """The sockets of this process at one table, the newest version heard of, and who is there in all processes."""

    def __init__(self, table_id: UUID) -> None:
        self.table_id = table_id
        self.viewers: set[Viewer] = set()
        self.wanted = -1
        self.lock = asyncio.Lock()
        self.showing = Showing(-1)
        # Moves of this process's sockets that were committed and not shown yet: version, and when the frame came.
        self.unshown: list[tuple[int, float]] = []
        self.news_lock = asyncio.Lock()
        # Presence: lines and when they are gone, what was last told, and when to look again (``attendance.Keeper``).
        self.lines: dict[str, float] = {}
        self.attendance: Attendance = NOBODY
        self.look = True
        self.look_at = 0.0
        self.wall_ms = 0.0
        # Watchers with a delay: the timer of what they are shown next.
        self.later: asyncio.TimerHandle | None = None


# News ---------------------------------------------------------------------------------------------------------------

News = dict[str, Any]
Told = Callable[[Room, News], Awaitable[None]]
Joined = Callable[[Room, Viewer], Awaitable[None]]


class Handlers(NamedTuple):
    """What is done in every process when news of one kind is heard, and when a socket must be brought up to date."""

    told: Told
    joined: Joined | None


handlers: dict[str, Handlers] = {}


def on_news(kind: str, told: Told, joined: Joined | None = None) -> None:
    """Say what is done with news of ``kind`` (``broadcast.announce_news_after_commit``).

    ``told(room, news)`` runs once in each process with sockets at the table, in
    the order in which the news of a table came, and with nothing but the kind after the
    connection to Valkey was cut; it puts a frame (JSON text) for each viewer that
    may hear of it with ``viewer.put``. ``joined(room, viewer)`` runs after a socket was given a whole
    view: when it joins, asks for a resync or lost frames in an overflow. News
    are lossy like all announcements, so ``joined`` must tell everything that
    still counts. Both may read the database with ``hub.in_thread``.
    """
    handlers[kind] = Handlers(told, joined)
