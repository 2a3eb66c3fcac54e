"""Announcements from Valkey: one subscription of a process, taken up again by itself whenever it is lost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from typing import Any

import redis.asyncio as aioredis
from django.conf import settings

logger = logging.getLogger(__name__)

POLL_SECONDS = 20
SOCKET_SECONDS = 30
"""Above the poll, so that a quiet subscription is not taken for a dead one."""


def connect() -> Any:
    """Return a client of the server of announcements, for the running event loop."""
    return aioredis.from_url(settings.LAYER_URL, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=5)


async def end_tasks(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks and return when all have ended."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        # Asked again: an answer that arrives together with the request to stop can swallow it.
        _ended, left = await asyncio.wait(left, timeout=1)


class Subscription:
    """The channels that a process listens to.

    ``wants(name)`` is asked whether a channel is needed now, ``names()`` which are, ``heard(name, data)`` takes an
    announcement, and ``again()`` is called after a time in which nobody listened.
    """

    def __init__(
        self,
        server: Any,
        *,
        wants: Callable[[str], bool],
        heard: Callable[[str, bytes], None],
        names: Callable[[], list[str]],
        again: Callable[[], None],
    ) -> None:
        self._server = server
        self._wants, self._heard, self._names, self._again = wants, heard, names, again
        self._pubsub: Any = server.pubsub(ignore_subscribe_messages=True)
        self._subscribing = asyncio.Lock()

    async def subscribe(self, name: str) -> None:
        """Hear a channel from now on; without a connection that is done when there is one again."""
        try:
            # One at a time: two that found no connection yet would each make one, and only one is listened to.
            async with self._subscribing:
                if self._wants(name):
                    await self._pubsub.subscribe(name)
        except (aioredis.RedisError, OSError) as error:
            logger.warning("no announcements for now, heads are polled instead: %s", error)

    async def unsubscribe(self, name: str) -> None:
        """Hear a channel no longer, unless somebody came meanwhile who needs it."""
        with contextlib.suppress(aioredis.RedisError, OSError):
            async with self._subscribing:
                if not self._wants(name):
                    await self._pubsub.unsubscribe(name)

    async def listen(self) -> None:
        """Take announcements until cancelled."""
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

    async def close(self) -> None:
        """End the subscription; the client stays open."""
        await self._pubsub.aclose()

    async def _subscribe_again(self) -> None:
        with contextlib.suppress(aioredis.RedisError, OSError):
            await self._pubsub.aclose()
        self._pubsub = self._server.pubsub(ignore_subscribe_messages=True)
        for name in self._names():
            await self.subscribe(name)
        self._again()

    def _hear(self, message: dict[str, Any]) -> None:
        """Take one announcement; one that cannot be understood does not end the listening."""
        try:
            self._heard(message["channel"].decode(), message["data"])
        except Exception:
            logger.exception("an announcement on %s could not be understood", message.get("channel"))
