"""Ports for sites that tests start: chosen by one process, and bound a moment later by another."""

from __future__ import annotations

import random
import socket
from contextlib import suppress

# Linux, macOS and BSD give none of these to a connection or to who asks for any port, and no browser refuses them.
PORTS = range(20_000, 32_000)
# One more socket for each port that was chosen, kept for as long as this process lives.
_kept: list[socket.socket] = []


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on, and that no other process gets from here meanwhile.

    A port that the system chooses is free again until the site binds it, and by then it may be somebody else's. That
    a port is chosen is told by a UDP socket of the same number, which nothing here speaks through.
    """
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        mark = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with suppress(OSError):
            mark.bind(("127.0.0.1", port))
            socket.create_server(("127.0.0.1", port)).close()
            _kept.append(mark)
            return port
        mark.close()
    raise OSError(f"no port from {PORTS.start} to {PORTS.stop} is free")
