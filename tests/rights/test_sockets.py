"""Both sockets, asked by everybody, of a closed club and of an open one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings

from clubs.models import Club
from clubs.services import ban
from games.hub import hub
from games.lobby import lobby
from tests.games.sockets import ORIGIN, Client, Socket, signed_in
from tests.rights.world import PEOPLE, World

pytestmark = pytest.mark.committed

INSIDE = frozenset(PEOPLE) - {"visitor", "guest", "outsider", "banned"}


@pytest.fixture(autouse=True)
async def closed() -> Any:
    """Each test has an event loop of its own."""
    yield
    await lobby().close()
    await hub().close()


async def let_in(socket: Socket) -> bool:
    """Whether the first frame is a view: else the socket says good-bye and closes with 4404."""
    assert await socket.connect()
    while True:
        message = await socket.receive_output(10)
        if message["type"] == "websocket.close":
            assert message["code"] == 4404
            return False
        frame = json.loads(message["text"])
        if frame["t"] in ("state", "lobby"):
            await socket.disconnect()
            return True
        # Who is there may be told before the view is made.
        assert frame["t"] == "presence" or (frame["t"] == "bye" and frame["code"] == "no_such_table")


@pytest.mark.parametrize("is_open", [False, True], ids=["closed club", "open club"])
async def test_only_who_may_be_at_the_club_looks_at_its_tables_and_its_lobby(is_open: bool) -> None:
    world: World = await sync_to_async(World)(sealed=False)
    if is_open:
        await sync_to_async(world.open)()
    expected = frozenset(PEOPLE) - {"banned"} if is_open else INSIDE
    tables, lobbies = set(), set()
    for name, user in world.people.items():
        key = await sync_to_async(signed_in)(user) if user else None
        client = Client(world.table, key)
        if await let_in(client.socket):
            tables.add(name)
        seen = Socket("/ws/lobby/", headers_of(key), query=f"club={world.club.pk}")
        if await let_in(seen):
            lobbies.add(name)
    assert (tables, lobbies) == (expected, expected)


def headers_of(key: str | None) -> list[tuple[bytes, bytes]]:
    cookie = f"{settings.SESSION_COOKIE_NAME}={key}".encode() if key else b""
    return [(b"origin", ORIGIN), (b"host", b"localhost"), (b"cookie", cookie)]


async def test_a_ban_closes_the_sockets_of_who_watches_the_clubs_tables() -> None:
    """A watcher once stayed and read on for as long as the line held."""
    world: World = await sync_to_async(World)(sealed=False)
    member, owner = world.person("member"), world.person("owner")
    client = Client(world.table, await sync_to_async(signed_in)(member))
    assert await client.connect()
    await client.kind("state")
    await sync_to_async(ban)(
        club=await Club.objects.aget(pk=world.club.pk), by=owner, user_id=member.pk, why="x"
    )
    assert await client.closed() == 1008
    assert client.frames[-1]["code"] == "club_left"
