"""Every process says every few seconds that it lives, what its clock shows, and what it has counted.

What it says lies in Redis for half a minute, under the process's own name. `manage.py doctor` reads there who is alive
and whose clock is wrong, /metrics and the keeper's page what was counted: no process must be asked, wherever it runs.
Beat has a pulse too, so nothing here imports Django.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import redis

logger = logging.getLogger(__name__)

PULSE_SECONDS = 5
# A process that was silent for so long is gone.
LIFETIME_SECONDS = 30
PREFIX = "pulse:"

# Returns what the process has counted so far, JSON-ready.
Counted = Callable[[], Any]


class Pulse(NamedTuple):
    """What one process said last: its name, where it runs, how far its clock is ahead of Redis (s), what it counted."""

    name: str
    host: str
    pid: int
    ahead: float
    counted: Any

    @property
    def label(self) -> str:
        """What tells the process from all others."""
        return f"{self.name}@{self.host}:{self.pid}"


def start(name: str, url: str, counted: Counted = dict) -> None:
    """Begin to say so every `PULSE_SECONDS`, from a thread of its own, until the process ends."""
    line = redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)
    threading.Thread(target=_go_on, args=(line, name, counted), name="pulse", daemon=True).start()
    atexit.register(_try, line, name, counted)


def _go_on(line: redis.Redis, name: str, counted: Counted) -> None:
    while True:
        _try(line, name, counted)
        time.sleep(PULSE_SECONDS)


def _try(line: redis.Redis, name: str, counted: Counted) -> None:
    """Beat once; a Redis that is away is noticed by everybody else, so that one line at the lowest level is enough."""
    try:
        beat(line, name, counted)
    except redis.RedisError as error:
        logger.debug("no pulse: %s", error)


def beat(line: redis.Redis, name: str, counted: Counted = dict) -> None:
    """Say once that this process lives."""
    host, pid = socket.gethostname(), os.getpid()
    said = {
        "name": name,
        "host": host,
        "pid": pid,
        "ahead": round(clock_ahead(line), 4),
        "counted": counted(),
    }
    line.set(f"{PREFIX}{name}:{host}:{pid}", json.dumps(said), ex=LIFETIME_SECONDS)


def clock_ahead(line: redis.Redis) -> float:
    """Return how many seconds this process's clock is ahead of the server's, half a round trip allowed for."""
    before = time.time()
    seconds, microseconds = line.time()
    return (before + time.time()) / 2 - (seconds + microseconds / 1_000_000)


def living(line: redis.Redis) -> list[Pulse]:
    """Return what every living process said last, by name, host and number."""
    keys = list(line.scan_iter(f"{PREFIX}*", count=1000))
    said = line.mget(keys) if keys else []
    return sorted((Pulse(**json.loads(text)) for text in said if text), key=lambda pulse: pulse[:3])
