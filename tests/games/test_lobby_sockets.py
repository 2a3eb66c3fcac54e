"""The lobby's socket: two browsers on the real Redis and the real database, and what none of them may ever be sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import redis.asyncio as aioredis
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import transaction

from games import services
from games.broadcast import lobby_channel
from games.hub import hub
from games.lobby import lobby
from games.models import Table
from games.rooms import CLOSE_OVERLOADED, OUTBOX_FRAMES, Viewer
from tests.games.gatherings import gathering
from tests.games.sockets import ORIGIN, PATIENCE, Socket, kill_subscribers
from tests.games.tables import first_legal, member, play, start

pytestmark = pytest.mark.committed


@pytest.fixture(autouse=True)
async def closed() -> AsyncIterator[None]:
    """Each test has an event loop of its own, and so a lobby of its own."""
    yield
    await lobby().close()
    await hub().close()


class Visitor:
    """A browser in the lobby: what its page knows, put together as the page does, and every frame it was sent."""

    def __init__(self, language: str = "en") -> None:
        cookie = f"{settings.LANGUAGE_COOKIE_NAME}={language}".encode()
        headers = [(b"origin", ORIGIN), (b"host", b"localhost"), (b"cookie", cookie)]
        self.socket = Socket("/ws/lobby/", headers)
        self.frames: list[dict[str, Any]] = []
        self.order: dict[str, list[str]] = {}
        self.rows: dict[str, str] = {}

    async def read(
        self, wanted: Callable[[dict[str, Any]], bool], timeout: float = PATIENCE
    ) -> dict[str, Any]:
        """Read frames until one is ``wanted`` and return it."""
        while True:
            frame = json.loads(await self.socket.receive_from(timeout))
            self.frames.append(frame)
            if frame["t"] == "lobby":
                self.order = frame["order"]
                self.rows = {**({} if frame["whole"] else self.rows), **frame["rows"]}
            if wanted(frame):
                return frame

    async def until(self, seen: Callable[[], bool]) -> None:
        while not seen():
            await self.read(lambda frame: frame["t"] == "lobby")

    async def say(self, **frame: Any) -> None:
        await self.socket.send_to(json.dumps(frame))


async def arrived(language: str = "en") -> Visitor:
    visitor = Visitor(language)
    assert await visitor.socket.connect()
    await visitor.read(lambda frame: frame["t"] == "lobby")
    return visitor


@sync_to_async
def opened(*names: str, seats: int = 3, **changes: Any) -> Table:
    return gathering("least_score", seats, *[member(name) for name in names], **{"listed": True, **changes})


@sync_to_async
def sits(table: Table, name: str) -> None:
    services.sit_down(table_id=table.id, user=member(name))


@sync_to_async
def all_sit(table: Table, *names: str) -> None:
    """Let all sit down, and announce it of each, in one moment."""
    with transaction.atomic():
        for name in names:
            services.sit_down(table_id=table.id, user=member(name))


async def test_two_visitors_see_a_table_open_fill_begin_and_end_each_in_their_language() -> None:
    english, estonian = await arrived(), await arrived("et")
    table = await opened("mari", seats=2)
    key = str(table.id)
    for visitor in (english, estonian):
        await visitor.until(lambda visitor=visitor: key in visitor.order["open"])
    assert "1 of 2 seats free" in english.rows[key] and "mari" in english.rows[key]
    assert english.rows[key] != estonian.rows[key]
    await sits(table, "jaan")
    for visitor in (english, estonian):
        await visitor.until(lambda visitor=visitor: "jaan" in visitor.rows[key])
    assert "about to start" in english.rows[key]
    await sync_to_async(start)(table)
    await english.until(lambda: key in english.order["running"])
    assert "deal 1" in english.rows[key] and key not in english.order["open"]
    await sync_to_async(services.close_table)(table_id=table.id)
    await english.until(lambda: key not in english.order["running"])
    for visitor in (english, estonian):
        await visitor.socket.disconnect()


async def test_a_change_sends_its_own_row_and_not_the_whole_lobby() -> None:
    first, _second = await opened("mari"), await opened("jaan")
    visitor = await arrived()
    assert visitor.frames[0]["whole"] and len(visitor.frames[0]["rows"]) == 2
    await sits(first, "liis")
    frame = await visitor.read(lambda frame: frame["t"] == "lobby" and not frame["whole"])
    assert list(frame["rows"]) == [str(first.id)] and len(frame["order"]["open"]) == 2
    await visitor.socket.disconnect()


async def test_many_changes_in_a_moment_are_one_frame() -> None:
    table = await opened("mari", seats=6)
    visitor = await arrived()
    await asyncio.sleep(0.7)  # what the opening announced has been looked at
    await all_sit(table, "jaan", "liis", "kadri")
    await visitor.until(lambda: "kadri" in visitor.rows[str(table.id)])
    assert len([frame for frame in visitor.frames if not frame["whole"]]) <= 2
    await visitor.socket.disconnect()


async def test_a_private_table_is_in_no_frame_at_any_time() -> None:
    """Neither open, nor when somebody sits, nor when it is played, nor in a whole list."""
    visitor = await arrived()
    private = await opened("mari", listed=False, seats=2)
    await sits(private, "jaan")
    await sync_to_async(start)(private)
    public = await opened("liis")
    await visitor.until(lambda: str(public.id) in visitor.order["open"])
    await visitor.say(t="resync")
    await visitor.read(lambda frame: frame["t"] == "lobby" and frame["whole"])
    late = await arrived()
    for each in (visitor, late):
        assert each.frames and str(private.id) not in json.dumps(each.frames)
        assert str(public.id) in json.dumps(each.frames)
        await each.socket.disconnect()


async def test_moves_of_a_running_match_do_not_stir_the_lobby() -> None:
    table = await opened("mari", "jaan", seats=2)
    await sync_to_async(start)(table)
    server = aioredis.from_url(settings.REDIS_URL)
    channel = server.pubsub(ignore_subscribe_messages=True)
    await channel.subscribe(lobby_channel())
    user = await sync_to_async(lambda: table.seats.select_related("user").get(number=table.turn_seat).user)()
    move = await sync_to_async(first_legal)(table)
    assert (await sync_to_async(play)(table, user, move)).code == ""
    heard = [await channel.get_message(timeout=0.3) for _ in range(2)]
    assert heard == [None, None]
    await channel.aclose()
    await server.aclose()


async def test_a_lost_announcement_is_made_good_by_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.lobby.LOOK_SECONDS", 0.3)
    monkeypatch.setattr("games.services.locked.announce_lobby_after_commit", lambda: None)
    visitor = await arrived()
    table = await opened("mari")
    await visitor.until(lambda: str(table.id) in visitor.order["open"])
    await visitor.socket.disconnect()


async def test_a_cut_line_to_redis_is_taken_up_again() -> None:
    visitor = await arrived()
    server = aioredis.from_url(settings.REDIS_URL)
    for _ in range(20 * PATIENCE):
        if (await server.pubsub_numsub(lobby_channel()))[0][1]:
            break
        await asyncio.sleep(0.05)
    await sync_to_async(kill_subscribers)()
    table = await opened("mari")
    await visitor.until(lambda: str(table.id) in visitor.order["open"])
    await server.aclose()
    await visitor.socket.disconnect()


async def test_who_does_not_read_gets_a_whole_list_and_is_closed_the_second_time() -> None:
    viewer = Viewer(seat=None, user_id=None, language="en")
    await lobby().join(viewer)
    for _ in range(OUTBOX_FRAMES):
        viewer.put("{}")
    assert viewer.needs_snapshot and viewer.version == -1
    await lobby().resync(viewer)
    assert json.loads(viewer.outbox.get_nowait() or "")["whole"]
    for _ in range(OUTBOX_FRAMES + 1):
        viewer.put("{}")
    assert viewer.close_code == CLOSE_OVERLOADED
    await lobby().leave(viewer)


async def test_the_lobby_answers_pings_and_refuses_everything_else() -> None:
    visitor = await arrived()
    await visitor.say(t="ping")
    assert (await visitor.read(lambda frame: frame["t"] == "pong"))["now"] > 0
    for text in ("", "[]", '{"t": "ready"}', '{"t": "move", "id": "x"}', "\x00"):
        await visitor.socket.send_to(text)
        assert (await visitor.read(lambda frame: frame["t"] == "refused"))["code"] == "bad_message"
    for _ in range(200):
        await visitor.say(t="ping")
    assert (await visitor.read(lambda frame: frame["t"] == "bye"))["code"] == "too_fast"


async def test_nothing_is_left_behind_when_the_last_visitor_goes() -> None:
    visitor = await arrived()
    assert lobby().viewers
    await visitor.socket.disconnect()
    assert not lobby().viewers
    again = await arrived()
    table = await opened("mari")
    await again.until(lambda: str(table.id) in again.order["open"])
    await again.socket.disconnect()


async def test_a_strange_site_gets_no_socket() -> None:
    socket = Socket("/ws/lobby/", [(b"origin", b"https://evil.example"), (b"host", b"localhost")])
    assert not await socket.connect()
