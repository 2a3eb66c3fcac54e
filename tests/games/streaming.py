"""A program's end of a stream, for tests: the real application, asked over ASGI and read line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from asgiref.testing import ApplicationCommunicator

from config.asgi import application
from tests.games.sockets import PATIENCE


class Stream(ApplicationCommunicator):
    """One answer that goes on: its status, and the lines that came so far."""

    def __init__(self, path: str, token: str, *, language: str = "en") -> None:
        headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())]
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": f"/api/v1{path}",
            "raw_path": f"/api/v1{path}".encode(),
            "query_string": b"",
            "headers": [*headers, (b"accept-language", language.encode())],
            "scheme": "http",
            "server": ("localhost", 80),
        }
        super().__init__(application, scope)
        self.status = 0
        self.headers: dict[str, str] = {}
        self.frames: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}
        self.over = False
        self._waiting: list[str] = []
        self._rest = ""

    async def open(self) -> int:
        """Ask, and return the status of the answer."""
        await self.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await self.receive_output(PATIENCE)
        self.status = start["status"]
        self.headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return self.status

    async def next(self, timeout: float = PATIENCE) -> dict[str, Any] | None:
        """Return the next line, ``None`` at the end of the answer."""
        while not self._waiting:
            if self.over:
                return None
            message = await self.receive_output(timeout)
            self.over = not message.get("more_body", False)
            *lines, self._rest = (self._rest + message.get("body", b"").decode()).split("\n")
            self._waiting += lines
        frame: dict[str, Any] = json.loads(self._waiting.pop(0))
        self.frames.append(frame)
        if frame["t"] == "state":
            self.state = frame
        return frame

    async def read(
        self, wanted: Callable[[dict[str, Any]], bool], timeout: float = PATIENCE
    ) -> dict[str, Any]:
        """Read lines until one is ``wanted`` and return it."""
        while (frame := await self.next(timeout)) is not None:
            if wanted(frame):
                return frame
        raise EOFError(self.frames[-3:])

    async def kind(self, kind: str) -> dict[str, Any]:
        """Read on to a line of this kind."""
        return await self.read(lambda frame: frame["t"] == kind)

    async def version(self, version: int) -> dict[str, Any]:
        """Read on to a view that is not older than ``version``."""
        return await self.read(lambda frame: frame["t"] == "state" and frame["v"] >= version)

    async def rest(self) -> None:
        """Read to the end of the answer."""
        while await self.next() is not None:
            pass

    async def hang_up(self) -> None:
        """Break the connection off, and wait for the server to be done with it."""
        await self.send_input({"type": "http.disconnect"})
        await self.wait(PATIENCE)
