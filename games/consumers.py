"""The socket of a table: parse a frame, call one service, answer. One command at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from channels.exceptions import StopConsumer
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone, translation
from structlog.contextvars import bind_contextvars

from clubs.rules.zones import TIME_ZONE_COOKIE, zone_of
from clubs.selectors import session_holds
from games import metrics, selectors, services
from games.broadcast import session_mark
from games.errors import TableRefusal
from games.executor import in_thread
from games.hub import hub
from games.messages import (
    AskHint,
    ChatSince,
    ChooseNonce,
    Course,
    Echo,
    Message,
    MuteAuthor,
    Ping,
    PlayMove,
    Ready,
    Resync,
    Say,
    TakeBack,
    command_id_of,
    farewell_frame,
    hint_frame,
    ok_frame,
    parse,
    pong_frame,
    refusal_frame,
    to_text,
)
from games.news import chat, doors  # noqa: F401 - the doors only listen
from games.rooms import CLOSE_OVERLOADED, CLOSE_POLICY, TimedFrame, Viewer
from games.sockets import Bucket, SafeConsumer

logger = logging.getLogger(__name__)

SESSION_SECONDS = 300
FRAMES_PER_WINDOW = {True: 100, False: 50}
HINTS_PER_WINDOW = 6
"""Hints that one socket may ask for at once; they come back within ``WINDOW_SECONDS``."""
CLOSE_BROKEN = 1006
CLOSE_FAULT = 1011
CLOSE_NO_TABLE = 4404
LAST_FRAMES_SECONDS = 1.0

COURSE_ACTS: dict[str, Callable[..., int]] = {
    "pause": services.offer_pause,
    "agree": partial(services.answer_pause, agree=True),
    "decline": partial(services.answer_pause, agree=False),
    "go_on": services.end_pause,
    "sit_out": services.sit_out,
    "sit_in": services.sit_in,
    "stand_in": services.ask_stand_in,
    "end_now": services.end_now,
}
"""What each act of ``messages.COURSE`` does at the table itself; ``again`` leads to another one."""


class TableConsumer(SafeConsumer):
    """A player's or watcher's socket at one table."""

    viewer: Viewer | None = None

    async def connect(self) -> None:
        """Accept, join the hub (which sends the first whole view) and start the writer."""
        self.table_id: UUID = self.scope["url_route"]["kwargs"]["table_id"]
        bind_contextvars(table=str(self.table_id))
        self.language = language_of(self.scope)
        self.tasks: list[asyncio.Task[None]] = []
        await self.accept()
        try:
            await self._join()
        except TableRefusal as refusal:
            close = {"no_such_table": CLOSE_NO_TABLE, "too_many_watchers": CLOSE_OVERLOADED}
            await self._farewell(refusal.code, close[refusal.code])
        except Exception:
            logger.exception("a socket could not join")
            await self._farewell("unavailable", CLOSE_FAULT)

    async def _join(self) -> None:
        """Join the hub; raises ``TableRefusal`` (``no_such_table``, ``too_many_watchers``)."""
        user = self.scope.get("user")
        user_id = user.pk if user is not None and user.is_authenticated else None
        if user_id is not None:
            bind_contextvars(user=user_id)
        seat = await in_thread(selectors.seat_of, table_id=self.table_id, user_id=user_id)
        await in_thread(selectors.check_entrance, table_id=self.table_id, user_id=user_id)
        if seat is None:
            await hub().check_room_to_watch(self.table_id)
        session = session_mark(self.scope["session"].session_key)
        viewer = Viewer(
            seat=seat.number if seat else None, user_id=user_id, language=self.language, session=session
        )
        self.viewer = viewer
        viewer.on_end = lambda: self.tasks.append(asyncio.create_task(self._finish(viewer)))
        self.bucket = Bucket(FRAMES_PER_WINDOW[seat is not None])
        self.hints = Bucket(HINTS_PER_WINDOW)
        self.session_checked = time.monotonic()
        self.tasks.append(asyncio.create_task(self._write(viewer)))
        logger.debug("a socket looks at table %s", self.table_id)
        await hub().join(self.table_id, viewer)

    async def disconnect(self, code: int) -> None:
        """Leave the hub and stop the writer."""
        await self.clean_up(deliberate=code != CLOSE_BROKEN)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer one frame; every refusal goes to this socket alone, with its code."""
        arrived = time.monotonic()
        if self.viewer is None or self.viewer.close_code is not None:
            return
        if not self.bucket.take():
            await self._farewell("too_fast", CLOSE_POLICY)
            return
        try:
            message = parse(text_data or "")
            if not isinstance(message, Echo):
                self.viewer.round_trips.spoil()
            await self._check_session(message)
            if self.viewer is not None:
                await self._answer(message, arrived)
        except TableRefusal as refusal:
            await self._refuse(refusal.code, text_data, refusal.detail)
        except DatabaseError:
            logger.exception("a command could not reach the database")
            await self._refuse("unavailable", text_data)
        except StopConsumer:
            raise
        except Exception:
            logger.exception("a command failed")
            await self._refuse("unavailable", text_data)

    async def _answer(self, message: Message, arrived: float) -> None:
        assert self.viewer is not None
        if isinstance(message, Ping):
            head = hub().ping(self.table_id, self.viewer)
            await self._send(pong_frame(head, timezone.now(), self.viewer.round_trips.ask()))
        elif isinstance(message, Echo):
            self.viewer.round_trips.answered(message.word, arrived)
        elif isinstance(message, Resync):
            await hub().resync(self.table_id, self.viewer)
        elif isinstance(message, Say | MuteAuthor | ChatSince):
            await self._chat(message)
        elif isinstance(message, AskHint):
            await self._hint()
        else:
            await self._command(message, arrived)

    async def _chat(self, message: Say | MuteAuthor | ChatSince) -> None:
        assert self.viewer is not None
        user_id, room = self.viewer.user_id, hub().room(self.table_id)
        if isinstance(message, ChatSince):
            if room is not None:
                await chat.send_since(room, self.viewer, message.after)
            return
        if user_id is None:
            raise TableRefusal("chat_sign_in")
        who = {"table_id": self.table_id, "user_id": user_id}
        if isinstance(message, MuteAuthor):
            await in_thread(services.mute_author, line_id=message.line_id, **who)
            return
        line = await in_thread(services.say, **vars(message), **who)
        with translation.override(self.language):
            await self._send(chat.said_frame(message.command_id, line))

    async def _hint(self) -> None:
        assert self.viewer is not None
        if not self.hints.take():
            raise TableRefusal("hint_too_fast")
        hint = await in_thread(selectors.hint_for, table_id=self.table_id, user_id=self.viewer.user_id)
        with translation.override(self.language):
            await self._send(hint_frame(hint))

    async def _command(self, message: Message, arrived: float) -> None:
        assert self.viewer is not None
        if self.viewer.user_id is None:
            raise TableRefusal("not_seated")
        who = {"table_id": self.table_id, "user_id": self.viewer.user_id}
        if isinstance(message, PlayMove):
            await self._play(message, who, arrived)
        elif isinstance(message, ChooseNonce):
            await in_thread(services.choose_nonce, nonce=message.nonce, **who)
        elif isinstance(message, TakeBack):
            await in_thread(services.take_back_seat, **who)
        elif isinstance(message, Ready):
            await in_thread(services.make_ready, **who)
        elif isinstance(message, Course) and message.act == "again":
            await in_thread(services.play_again, buy_in=message.buy_in, **who)
        elif isinstance(message, Course):
            await in_thread(COURSE_ACTS[message.act], **who)

    async def _play(self, message: PlayMove, who: dict[str, Any], arrived: float) -> None:
        assert self.viewer is not None
        move = {"move": message.move, "version": message.version, "command_id": message.command_id}
        line = services.Line(message.lag, self.viewer.round_trips.usual)
        key = self.scope["session"].session_key or ""
        try:
            answer = await in_thread(
                services.play_move, arrived_at=arrived, line=line, session_key=key, **move, **who
            )
        except TableRefusal as refusal:
            if refusal.code == "signed_out":
                await self._farewell("signed_out", CLOSE_POLICY)
            raise
        metrics.COMMITTED.observe(time.monotonic() - arrived)
        hub().time_showing(self.table_id, answer.version, arrived)
        if answer.code:
            await self._send(self._refusal(answer.code, str(message.command_id), answer.detail))
        else:
            await self._send(ok_frame(message.command_id, answer.version))

    async def _check_session(self, message: Message) -> None:
        """Look at the session again inside every command and every five minutes."""
        assert self.viewer is not None
        if self.viewer.user_id is None:
            return
        old = self.viewer.doubtful or time.monotonic() - self.session_checked > SESSION_SECONDS
        if isinstance(message, Ping | Echo | Resync) and not old:
            return
        self.session_checked, self.viewer.doubtful = time.monotonic(), False
        # A move's session is looked at under the table's lock, with everything else that is read there.
        if not isinstance(message, PlayMove) and not await in_thread(
            session_holds, session_key=self.scope["session"].session_key, user_id=self.viewer.user_id
        ):
            await self._farewell("signed_out", CLOSE_POLICY)
            raise TableRefusal("signed_out")

    async def _write(self, viewer: Viewer) -> None:
        """Send what the hub puts into the outbox, one frame after the other, until the line or the server ends it."""
        while (frame := await viewer.outbox.get()) is not None:
            try:
                await self.send(text_data=frame)
            except Exception as error:
                logger.info("a line broke while it was written to: %r", error)
                return
            if isinstance(frame, TimedFrame):
                frame.showing.sent()
            if viewer.needs_snapshot:
                viewer.needs_snapshot = False
                await hub().resync(self.table_id, viewer)

    async def _finish(self, viewer: Viewer) -> None:
        """Close from this side: the last frames have a moment to go out, then the line is closed however slow it is."""
        if viewer.close_code == CLOSE_OVERLOADED:
            logger.info("a slow line was closed")
        await asyncio.wait(self.tasks[:1], timeout=LAST_FRAMES_SECONDS)
        await self.clean_up()
        with contextlib.suppress(Exception):
            await self.close(code=viewer.close_code)

    async def _refuse(self, code: str, text: str | None, detail: str = "") -> None:
        with contextlib.suppress(RuntimeError):
            await self._send(self._refusal(code, command_id_of(text or ""), detail))

    def _refusal(self, code: str, command_id: str | None, detail: str) -> dict[str, Any]:
        zone = zone_of(self.scope.get("cookies", {}).get(TIME_ZONE_COOKIE, ""))
        with translation.override(self.language), timezone.override(zone):
            return refusal_frame(code, command_id=command_id, detail=detail)

    async def _farewell(self, code: str, close_code: int) -> None:
        with translation.override(self.language):
            frame = farewell_frame(code)
        await self.clean_up()
        with contextlib.suppress(Exception):
            await self._send(frame)
            await self.close(code=close_code)

    async def _send(self, frame: dict[str, Any]) -> None:
        """Answer; a line that broke meanwhile asks again when it comes back."""
        try:
            await self.send(text_data=to_text(frame))
        except OSError as error:
            logger.info("a line broke before it was answered: %r", error)

    async def clean_up(self, *, deliberate: bool = True) -> None:
        """Leave the hub and stop the writer, once."""
        viewer, self.viewer = self.viewer, None
        for task in self.tasks:
            if task is not asyncio.current_task():
                task.cancel()
        if viewer is not None:
            await hub().leave(self.table_id, viewer, deliberate=deliberate)


def language_of(scope: Any) -> str:
    """Return the language of a socket as its page has it: the chosen one, else the browser's."""
    chosen = scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, "")
    header = dict(scope.get("headers", ())).get(b"accept-language", b"").decode("latin-1")
    for wanted in (chosen, *(part.partition(";")[0].strip() for part in header.split(","))):
        with contextlib.suppress(LookupError):
            return translation.get_supported_language_variant(wanted)
    return settings.LANGUAGE_CODE
