"""A small proxy in front of several web processes: each connection goes to the next of them, byte for byte.

What stands in front of a larger site does the same. It neither reads nor changes what passes, so that
WebSockets go through it as they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Iterable

READ = 64 * 1024


class Proxy:
    """Spreads connections over ``ports`` of this machine, one after the other; ``taken`` counts them by port."""

    def __init__(self, ports: Iterable[int]) -> None:
        self._ports = itertools.cycle(ports)
        self._connections: set[asyncio.Task[None]] = set()
        self.taken: dict[int, int] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until both sides have ended."""
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        port = next(self._ports)
        self.taken[port] = self.taken.get(port, 0) + 1
        try:
            with contextlib.suppress(OSError):
                inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
                await asyncio.gather(_carry(reader, inner_writer), _carry(inner_reader, writer))
        finally:
            self._connections.discard(task)
            writer.close()

    async def close(self) -> None:
        """Cut every connection that is still open."""
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(READ):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        with contextlib.suppress(OSError):
            writer.close()


@contextlib.asynccontextmanager
async def in_front_of(ports: list[int]) -> AsyncIterator[tuple[int, Proxy]]:
    """Listen on a free port of this machine; yields the port and the proxy."""
    proxy = Proxy(ports)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, backlog=4096)
    try:
        yield server.sockets[0].getsockname()[1], proxy
    finally:
        server.close()
        await proxy.close()
