"""What every socket of the site has in common: a limit of frames, and an end that always cleans up."""

from __future__ import annotations

import time
from typing import Any

from channels.exceptions import StopConsumer
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

    Frames are read in a plain loop: Channels' own also listens to a channel layer,
    which nothing here uses, and looks after the database connections of another
    thread at every frame. That was most of what a ping cost, and half the memory of a socket.
    """

    tasks: Any = ()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket from its handshake to its end."""
        self.scope = scope
        self.base_send = send
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            await self.clean_up()

    async def dispatch(self, message: Any) -> None:
        """Hand one ASGI message to its handler: ``websocket.receive`` to ``websocket_receive``."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def clean_up(self) -> None:
        """Give everything back that the socket holds; called at least once, and may be called again."""
        raise NotImplementedError
