"""What every socket of the site has in common: a limit of frames, and an end that always cleans up."""

from __future__ import annotations

import time
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

WINDOW_SECONDS = 20


class Bucket:
    """A token bucket: ``size`` frames at once, refilled over ``WINDOW_SECONDS``."""

    def __init__(self, size: int) -> None:
        self._size = self._left = float(size)
        self._at = time.monotonic()

    def take(self) -> bool:
        """Take one token; returns whether there was one."""
        now = time.monotonic()
        self._left = min(self._size, self._left + (now - self._at) * self._size / WINDOW_SECONDS)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class SafeConsumer(AsyncWebsocketConsumer):
    """A consumer whose ``clean_up`` runs whatever ends it.

    Channels skips ``disconnect`` after an exception in a handler, and a server
    that shuts down cancels the consumer; neither may leave anything behind.
    """

    tasks: Any = ()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket from its handshake to its end."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.clean_up()

    async def clean_up(self) -> None:
        """Give everything back that the socket holds; called at least once, and may be called again."""
        raise NotImplementedError
