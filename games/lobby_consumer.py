"""The socket of a club's lobby: it shows both lists to whoever may play there, and hears nothing but signs of life."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Coroutine
from typing import Any
from urllib.parse import parse_qs

from django.utils import timezone, translation

from clubs.models import FIRST_CLUB
from games import selectors
from games.consumers import CLOSE_FAULT, CLOSE_NO_TABLE, FRAMES_PER_WINDOW, LAST_FRAMES_SECONDS, language_of
from games.errors import TableRefusal
from games.executor import in_thread
from games.lobby import lobby
from games.messages import Ping, Resync, farewell_frame, parse, pong_frame, refusal_frame
from games.rooms import CLOSE_POLICY, Viewer
from games.sockets import Bucket, SafeConsumer
from games.views.addresses import whole

logger = logging.getLogger(__name__)


class LobbyConsumer(SafeConsumer):
    """One socket in the lobby."""

    viewer: Viewer | None = None

    async def connect(self) -> None:
        """Accept, start the writer and join the lobby, which sends both lists."""
        viewer = Viewer(seat=None, user_id=None, language=language_of(self.scope))
        self.viewer = viewer
        self.bucket = Bucket(FRAMES_PER_WINDOW[False])
        await self.accept()
        self.tasks = [asyncio.create_task(self._write(viewer))]
        viewer.on_end = lambda: self.tasks.append(asyncio.create_task(self._finish(viewer)))
        await self._try(viewer, self._join(viewer))

    async def _join(self, viewer: Viewer) -> None:
        """Join the lobby of the club that the address names (``?club=``; without one the site's first)."""
        asked = parse_qs(self.scope["query_string"].decode("latin-1")).get("club", [str(FIRST_CLUB)])[0]
        viewer.club_id = whole(asked)
        viewer.user_id = getattr(self.scope.get("user"), "pk", None)
        viewer.session = self.scope["session"].session_key or ""
        if not await in_thread(selectors.may_look_in, club_id=viewer.club_id, user_id=viewer.user_id):
            viewer.end(CLOSE_NO_TABLE, self._text(viewer, farewell_frame, "no_such_table"))
            return
        await lobby().join(viewer)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a ping or a wish for whole lists; anything else is refused."""
        viewer = self.viewer
        if viewer is None or viewer.close_code is not None:
            return
        if not self.bucket.take():
            viewer.end(CLOSE_POLICY, self._text(viewer, farewell_frame, "too_fast"))
            return
        try:
            message = parse(text_data or "")
        except TableRefusal:
            message = None
        if isinstance(message, Ping):
            viewer.put(json.dumps(pong_frame(max(0, viewer.version), timezone.now())))
        elif isinstance(message, Resync):
            await self._try(viewer, lobby().resync(viewer))
        else:
            viewer.put(self._text(viewer, refusal_frame, "bad_message"))

    async def clean_up(self, *, deliberate: bool = True) -> None:
        """Leave the lobby and stop the writer, once."""
        viewer, self.viewer = self.viewer, None
        for task in self.tasks:
            if task is not asyncio.current_task():
                task.cancel()
        if viewer is not None:
            await lobby().leave(viewer)

    async def _try(self, viewer: Viewer, work: Coroutine[Any, Any, None]) -> None:
        """Do what reads the lists; when it fails the socket is closed, and the page tries again later."""
        try:
            await work
        except Exception:
            logger.exception("the lobby could not be shown")
            viewer.end(CLOSE_FAULT, self._text(viewer, farewell_frame, "unavailable"))

    async def _write(self, viewer: Viewer) -> None:
        """Send what is in the outbox, one frame after the other, until the line or the server ends it."""
        while (frame := await viewer.outbox.get()) is not None:
            try:
                await self.send(text_data=frame)
            except Exception as error:
                logger.info("a line broke while it was written to: %r", error)
                return
            if viewer.needs_snapshot:
                viewer.needs_snapshot = False
                await self._try(viewer, lobby().resync(viewer))

    async def _finish(self, viewer: Viewer) -> None:
        """Close from this side; the last frames have a moment to go out."""
        await asyncio.wait(self.tasks[:1], timeout=LAST_FRAMES_SECONDS)
        await self.clean_up()
        with contextlib.suppress(Exception):
            await self.close(code=viewer.close_code)

    @staticmethod
    def _text(viewer: Viewer, frame: Any, code: str) -> str:
        with translation.override(viewer.language):
            return json.dumps(frame(code), ensure_ascii=False)
