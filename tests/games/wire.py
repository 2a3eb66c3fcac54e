"""A WebSocket spoken byte by byte, so that tests can also say what no well-behaved client says."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
from typing import Any

KEY = base64.b64encode(b"the key of tests").decode()
"""Always the same: among random letters a search of logs for cards finds one now and then."""

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(
    payload: bytes | str, opcode: int = TEXT, *, fin: bool = True, reserved: int = 0, masked: bool = True
) -> bytes:
    """Return one frame as it goes over the line; the mask is zero, which leaves the payload readable."""
    data = payload.encode("utf-8", "surrogatepass") if isinstance(payload, str) else payload
    size, mask = len(data), 0x80 if masked else 0
    head = bytes([(0x80 if fin else 0) | reserved << 4 | opcode])
    if size < 126:
        head += bytes([mask | size])
    elif size < 65536:
        head += bytes([mask | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([mask | 127]) + size.to_bytes(8, "big")
    return head + (b"\0\0\0\0" if masked else b"") + data


def request(port: int, path: str, *, session: str = "", **changes: str | None) -> bytes:
    """Return the request that opens a socket; ``changes`` replace headers or (``None``) leave them out."""
    host = f"127.0.0.1:{port}"
    headers: dict[str, str | None] = {
        "Host": host,
        "Origin": f"http://{host}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": KEY,
        "Cookie": f"sessionid={session}" if session else None,
        **{name.replace("_", "-"): value for name, value in changes.items()},
    }
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode("latin-1")


class Line:
    """One connection to a web process: what is written goes out as it is, what comes back is read frame by frame."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, *, window: int | None = None) -> Line:
        """Connect, and say nothing yet; ``window`` is how many bytes the system may hold that were not read."""
        end = socket.socket()
        if window is not None:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        end.setblocking(False)
        await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", port))
        return cls(*await asyncio.open_connection(sock=end, limit=2**22))

    @classmethod
    async def at_table(
        cls, port: int, table_id: Any, *, session: str = "", window: int | None = None
    ) -> Line:
        """Open a table's socket; raises ``ConnectionError`` with the status line when the upgrade is refused."""
        line = await cls.open(port, window=window)
        line.write(request(port, f"/ws/tables/{table_id}/", session=session))
        status = await line.status()
        if " 101 " not in status:
            line.drop()
            raise ConnectionError(status)
        return line

    async def status(self) -> str:
        """Return the first line of the answer to a request and skip its headers."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        return head.split(b"\r\n", 1)[0].decode("latin-1")

    def write(self, data: bytes) -> None:
        """Write bytes without waiting for the other side."""
        self.writer.write(data)

    def say(self, **message: Any) -> None:
        """Write one message."""
        self.write(frame(json.dumps(message)))

    async def next(self) -> tuple[int, bytes]:
        """Return opcode and payload of the next frame; raises ``EOFError`` at the end of the connection."""
        try:
            first, size = await self.reader.readexactly(2)
            if size > 125:
                size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
            opcode, payload = first & 0x0F, await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise EOFError from error
        if opcode == PING:
            self.write(frame(payload, PONG))
        return opcode, payload

    def drop(self) -> None:
        """Let the connection go without a good-bye."""
        self.writer.transport.abort()
