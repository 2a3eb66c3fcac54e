"""Announcements: the one connection to Valkey that all threads of a process share."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
import redis
from django.conf import settings

from games import broadcast
from tests.games.sockets import PATIENCE
from tests.redis_numbers import BROWSED_SITE, redis_number

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


def test_two_sites_on_one_server_do_not_hear_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever was removed at one site lost the sockets of the member of the same number at the other."""
    neighbour = settings.LAYER_URL
    with (
        redis.Redis.from_url(neighbour) as server,
        server.pubsub(ignore_subscribe_messages=True) as listening,
    ):
        listening.subscribe(broadcast.user_channel(1), broadcast.lobby_channel())
        assert [listening.get_message(timeout=PATIENCE) for _ in range(2)] == [None, None], "subscribed"
        monkeypatch.setattr(settings, "LAYER_URL", redis_number(neighbour, BROWSED_SITE))
        broadcast._connection.cache_clear()
        say("there")
        monkeypatch.setattr(settings, "LAYER_URL", neighbour)
        broadcast._connection.cache_clear()
        say("here")
        heard = [listening.get_message(timeout=PATIENCE) for _ in range(2)]
    assert all(message and b"here" in message["data"] for message in heard)


def say(word: str) -> None:
    """Announce something to all lobbies and to one member, as this process would."""
    broadcast.announce_lobby(word)
    broadcast.publish_news(broadcast.user_channel(1), {"kind": word})
