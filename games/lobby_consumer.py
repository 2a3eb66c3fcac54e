"""The socket of the lobby: it shows both lists to anybody, and hears nothing but signs of life."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone, translation

from games.consumers import FRAMES_PER_WINDOW, language_of
from games.errors import TableRefusal
from games.lobby import lobby
from games.messages import Ping, Resync, farewell_frame, parse, pong_frame, refusal_frame
from games.rooms import CLOSE_OVERLOADED, CLOSE_POLICY, Viewer
from games.sockets import Bucket

logger = logging.getLogger(__name__)


class LobbyConsumer(AsyncWebsocketConsumer):
    """One socket in the lobby. Errors become frames or a logged close, as at a table."""

    async def connect(self) -> None:
        """Accept, join the lobby (which sends both lists) and start the writer."""
        self.viewer = Viewer(seat=None, user_id=None, language=language_of(self.scope))
        self.bucket = Bucket(FRAMES_PER_WINDOW[False])
        await self.accept()
        self.writer = asyncio.create_task(self._write())
        await self._try(lobby().join(self.viewer))

    async def disconnect(self, code: int) -> None:
        """Leave the lobby and stop the writer."""
        await self._clean_up()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer a ping or a wish for whole lists; anything else is refused."""
        if not self.bucket.take():
            await self._farewell("too_fast")
            return
        try:
            message = parse(text_data or "")
        except TableRefusal as refusal:
            await self._refuse(refusal.code)
            return
        if isinstance(message, Ping):
            await self._send(pong_frame(max(0, self.viewer.version), timezone.now()))
        elif isinstance(message, Resync):
            await self._try(lobby().resync(self.viewer))
        else:
            await self._refuse("bad_message")

    async def _write(self) -> None:
        """Send what the lobby puts into the outbox, one frame after the other."""
        while True:
            frame = await self.viewer.outbox.get()
            if frame is None:
                await self.close(code=self.viewer.close_code)
                return
            await self.send(text_data=frame)
            if self.viewer.needs_snapshot:
                self.viewer.needs_snapshot = False
                await self._try(lobby().resync(self.viewer))

    async def _try(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what reads the lists; when it fails the socket closes, and the page tries again later."""
        try:
            await work
        except Exception:
            logger.exception("the lobby could not be shown")
            await lobby().leave(self.viewer)
            self.viewer.end(CLOSE_OVERLOADED)

    async def _refuse(self, code: str) -> None:
        with translation.override(self.viewer.language):
            frame = refusal_frame(code)
        await self._send(frame)

    async def _farewell(self, code: str) -> None:
        with translation.override(self.viewer.language):
            frame = farewell_frame(code)
        await self._send(frame)
        await self._clean_up()
        await self.close(code=CLOSE_POLICY)

    async def _send(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(frame, ensure_ascii=False, separators=(",", ":")))

    async def _clean_up(self) -> None:
        self.writer.cancel()
        await lobby().leave(self.viewer)
