"""A browser's end of a table's socket, for tests: the real application, spoken to over ASGI."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import redis
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from clubs.models import User
from clubs.rules.zones import TIME_ZONE_COOKIE
from config.asgi import application
from games.models import Table

ORIGIN = b"http://localhost"

PATIENCE = 120
"""Seconds in which an answer comes on the busiest machine: a test that waits in vain fails after them."""


class Socket(ApplicationCommunicator):
    """A WebSocket's events as the server sees them."""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]], *, query: str = "") -> None:
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": query.encode(),
            "headers": headers,
            "subprotocols": [],
        }
        super().__init__(application, scope)

    async def connect(self, timeout: float = PATIENCE) -> bool:
        """Shake hands; returns whether the server accepted."""
        await self.send_input({"type": "websocket.connect"})
        return bool((await self.receive_output(timeout))["type"] == "websocket.accept")

    async def send_to(self, text: str) -> None:
        """Send one text frame."""
        await self.send_input({"type": "websocket.receive", "text": text})

    async def receive_from(self, timeout: float = PATIENCE) -> str:
        """Return the next text frame."""
        message = await self.receive_output(timeout)
        assert message["type"] == "websocket.send", message
        return str(message["text"])

    async def disconnect(self) -> None:
        """Close from the browser's side and wait for the server to be done."""
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(PATIENCE)


def signed_in(user: User) -> str:
    """Return the key of a session that signs ``user`` in."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    assert session.session_key
    return session.session_key


class Client:
    """A socket as a browser holds it: the last whole view, and every frame it was sent."""

    def __init__(
        self,
        table: Table,
        session_key: str | None = None,
        *,
        origin: bytes = ORIGIN,
        language: str = "en",
        zone: str = "",
    ):
        cookie = f"{settings.LANGUAGE_COOKIE_NAME}={language}; {TIME_ZONE_COOKIE}={zone}"
        if session_key:
            cookie += f"; {settings.SESSION_COOKIE_NAME}={session_key}"
        headers = [(b"origin", origin), (b"host", b"localhost"), (b"cookie", cookie.encode())]
        self.session_key = session_key
        self.socket = Socket(f"/ws/tables/{table.id}/", headers)
        self.frames: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}

    async def connect(self) -> bool:
        return await self.socket.connect()

    async def read(
        self, wanted: Callable[[dict[str, Any]], bool], timeout: float = PATIENCE
    ) -> dict[str, Any]:
        """Read frames until one is ``wanted`` and return it."""
        while True:
            frame = json.loads(await self.socket.receive_from(timeout=timeout))
            self.frames.append(frame)
            if frame["t"] == "state":
                self.state = frame
            if wanted(frame):
                return frame

    async def kind(self, kind: str) -> dict[str, Any]:
        return await self.read(lambda frame: frame["t"] == kind)

    async def version(self, version: int) -> dict[str, Any]:
        return await self.read(lambda frame: frame["t"] == "state" and frame["v"] >= version)

    async def say(self, **frame: Any) -> None:
        await self.socket.send_to(json.dumps(frame))

    async def closed(self) -> int:
        """Wait until the server closes the socket and return the code."""
        while True:
            message = await self.socket.receive_output(PATIENCE)
            if message["type"] == "websocket.close":
                return int(message.get("code") or 1000)
            self.frames.append(json.loads(message["text"]))


def kill_subscribers() -> None:
    """Cut the lines on which announcements come: those of this test's site, and of none beside it on the server."""
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        number = server.connection_pool.connection_kwargs.get("db") or 0
        found: Any = server.client_list(_type="pubsub")
        for line in found:
            if int(line["db"]) == number:
                server.client_kill_filter(_id=line["id"])


async def connected(table: Table, user: User | None = None, **changes: Any) -> Client:
    key = await sync_to_async(signed_in)(user) if user else None
    client = Client(table, key, **changes)
    assert await client.connect()
    await client.kind("state")
    return client
