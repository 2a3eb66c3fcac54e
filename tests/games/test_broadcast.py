"""Announcements: the one connection to Valkey that all threads of a process share."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest

from games import broadcast

THREADS = 16


@pytest.fixture
def unconnected() -> Iterator[None]:
    """A process that has no connection yet, and threads that take turns as often as they can."""
    broadcast._connection.cache_clear()
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_threads_that_connect_in_the_same_moment_share_one_connection(unconnected: None) -> None:
    """Each had its own, and those of all but one were closed under the hands of their users."""
    together, found = threading.Barrier(THREADS), []

    def connect() -> None:
        together.wait()
        found.append(broadcast.connection())

    threads = [threading.Thread(target=connect) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == THREADS and len(set(map(id, found))) == 1
