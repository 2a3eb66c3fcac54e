"""The clients of the measurements: sockets as light as they can be, so that they take little from the server.

A client answers protocol pings, sends the application's ping 2.5 s after each
pong and the pong's word back at once, as a browser does, and keeps what it was shown: version, moment and events.
Frames that are the same bytes as another client's at the table are decoded once.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
from collections import OrderedDict
from typing import Any
from uuid import UUID

PING_SECONDS = 2.5
KEPT_FRAMES = 24
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
LOST = "a socket was lost"


class Shown:
    """What one table's clients were shown: decoded frames by their bytes, and views by who saw them."""

    def __init__(self) -> None:
        self._frames: OrderedDict[bytes, dict[str, Any]] = OrderedDict()
        self._views: OrderedDict[tuple[int | None, int], Any] = OrderedDict()
        self.differences: list[str] = []
        self.compared = 0

    def decode(self, payload: bytes) -> dict[str, Any]:
        """Return the frame in ``payload``; an equal view must have been shown to all who may see the same."""
        known = self._frames.get(payload)
        if known is not None:
            return known
        frame: dict[str, Any] = json.loads(payload)
        if frame["t"] == "state":
            self._compare(frame)
            self._frames[payload] = frame
            if len(self._frames) > KEPT_FRAMES:
                self._frames.popitem(last=False)
        return frame

    def _compare(self, frame: dict[str, Any]) -> None:
        table, key = frame["table"], (frame["table"]["you"], frame["v"])
        other = self._views.setdefault(key, table)
        if other is not table:
            self.compared += 1
            if other != table:
                wrong = [name for name in table if table[name] != other.get(name)]
                self.differences.append(f"seat {key[0]} version {key[1]}: {', '.join(wrong)}")
        if len(self._views) > KEPT_FRAMES:
            self._views.popitem(last=False)


class Client(asyncio.Protocol):
    """One socket at a table; ``seat`` is ``None`` for a watcher."""

    def __init__(self, table_id: UUID, shown: Shown, *, host: str, session: str, seat: int | None) -> None:
        self.table_id = table_id
        self.shown = shown
        self.seat = seat
        self.session = session
        self.state: dict[str, Any] | None = None
        self.seen: list[tuple[int, float, list[Any]]] = []
        self.deadlines: dict[int, tuple[int, float]] = {}
        """For each version that a watcher was shown: who was on turn, and until when (epoch ms)."""
        self.closed = ""
        self.leaving = False
        self.ready = asyncio.get_running_loop().create_future()
        self.on_state: Any = None
        self.on_answer: Any = None
        self._transport: Any = None
        self._buffer = b""
        self._open = False
        self._ping: asyncio.TimerHandle | None = None
        self._request = _handshake(table_id, host, session)

    def connection_made(self, transport: Any) -> None:
        """Ask for the upgrade."""
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        """Note a socket that ended although nobody here closed it."""
        if self._ping is not None:
            self._ping.cancel()
        if not self.leaving:
            self.closed = self.closed or LOST
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(self.closed or LOST))

    def data_received(self, data: bytes) -> None:
        """Take every whole frame out of what has arrived."""
        now = time.monotonic()
        buffer = self._buffer + data if self._buffer else data
        if not self._open:
            head, found, buffer = buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.closed = head.split(b"\r\n", 1)[0].decode("latin-1")
                self._transport.close()
                return
            self._open = True
            self._ping = asyncio.get_running_loop().call_later(PING_SECONDS, self._send_ping)
        at = 0
        while (frame := _next_frame(buffer, at)) is not None:
            code, payload, at = frame
            self._take(code, payload, now)
        self._buffer = buffer[at:]

    def _take(self, code: int, payload: bytes, now: float) -> None:
        if code == TEXT:
            self._hear(self.shown.decode(payload), now)
        elif code == PING:
            self._transport.write(bytes((0x80 | PONG, 0x80 | len(payload), 0, 0, 0, 0)) + payload)
        elif code == CLOSE:
            self.closed = self.closed or f"closed with {int.from_bytes(payload[:2], 'big')}"
            self._transport.close()

    def _hear(self, frame: dict[str, Any], now: float) -> None:
        kind = frame["t"]
        if kind == "state":
            self.seen.append((frame["v"], now, frame["events"]))
            self.state = frame
            clock = frame["table"]["clock"]
            if self.seat is None and clock:
                self.deadlines[frame["v"]] = (clock["seat"], clock["deadline"])
            if not self.ready.done():
                self.ready.set_result(None)
            if self.on_state is not None:
                self.on_state(self, frame, now)
        elif kind == "pong":
            if word := frame.get("k"):
                self.say({"t": "echo", "k": word})
            self._ping = asyncio.get_running_loop().call_later(PING_SECONDS, self._send_ping)
        elif kind == "bye":
            self.closed = frame["code"]
        elif kind in ("ok", "refused") and self.on_answer is not None:
            self.on_answer(self, frame, now)

    def _send_ping(self) -> None:
        self.say({"t": "ping"})

    def say(self, frame: dict[str, Any]) -> None:
        """Send one text frame (with the mask 0, which leaves it as it is)."""
        payload = json.dumps(frame).encode()
        size = len(payload)
        head = (
            bytes((0x80 | TEXT, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
        )
        self._transport.write(head + b"\0\0\0\0" + payload)

    def leave(self) -> None:
        """Close the socket from this side."""
        self.leaving = True
        self._transport.write(bytes((0x80 | CLOSE, 0x82, 0, 0, 0, 0, 0x03, 0xE8)))
        self._transport.close()


async def connect(
    port: int, table_id: UUID, shown: Shown, *, session: str = "", seat: int | None = None
) -> Client:
    """Open a socket and return it once it has shown the table for the first time."""
    host = f"127.0.0.1:{port}"
    _, client = await asyncio.get_running_loop().create_connection(
        lambda: Client(table_id, shown, host=host, session=session, seat=seat), "127.0.0.1", port
    )
    await asyncio.wait_for(client.ready, 60)
    return client


def _handshake(table_id: UUID, host: str, session: str) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    cookie = f"Cookie: sessionid={session}\r\n" if session else ""
    return (
        f"GET /ws/tables/{table_id}/ HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{cookie}"
        "Accept-Language: en\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\n\r\n"
    ).encode()


def _next_frame(buffer: bytes, at: int) -> tuple[int, bytes, int] | None:
    """Return code, payload and end of the frame at ``at``, or ``None`` while it is not whole; servers mask nothing."""
    if len(buffer) < at + 2:
        return None
    size, start = buffer[at + 1], at + 2
    if size > 125:
        wide = 2 if size == 126 else 8
        if len(buffer) < start + wide:
            return None
        size, start = int.from_bytes(buffer[start : start + wide], "big"), start + wide
    if len(buffer) < start + size:
        return None
    return buffer[at] & 0x0F, buffer[start : start + size], start + size
