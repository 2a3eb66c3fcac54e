"""Both sockets, asked by everybody, of a closed club and of an open one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session

from clubs.models import Club
from clubs.services import ban, set_terms
from games.broadcast import DOORS, announce_lobby
from games.hub import hub
from games.lobby import lobby
from tests.games.sockets import ORIGIN, PATIENCE, Client, Socket, signed_in
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
        message = await socket.receive_output(PATIENCE)
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


async def looking(world: World, name: str) -> tuple[Client, Socket]:
    """Return sockets of a person at the club's table and in its lobby."""
    user = world.people[name]
    key = await sync_to_async(signed_in)(user) if user else None
    client = Client(world.table, key)
    assert await client.connect()
    await client.kind("state")
    seen = Socket("/ws/lobby/", headers_of(key), query=f"club={world.club.pk}")
    assert await seen.connect()
    assert json.loads(await seen.receive_from())["t"] == "lobby"
    return client, seen


async def shown_out(seen: Socket) -> int:
    """Wait until the server closes the lobby's socket; returns the code."""
    while True:
        message = await seen.receive_output(PATIENCE)
        if message["type"] == "websocket.close":
            return int(message["code"])


async def told_pong(seen: Socket) -> None:
    """Read on to the answer to a ping: the socket lives."""
    while json.loads(await seen.receive_from())["t"] != "pong":
        pass


async def test_a_ban_closes_the_sockets_of_who_watches_the_clubs_tables() -> None:
    """A watcher once stayed and read on for as long as the line held, and longer still in the lobby."""
    world: World = await sync_to_async(World)(sealed=False)
    member, owner = world.person("member"), world.person("owner")
    client, seen = await looking(world, "member")
    _kept, stays = await looking(world, "owner")
    club = await Club.objects.aget(pk=world.club.pk)
    await sync_to_async(ban)(club=club, by=owner, user_id=member.pk, why="x")
    assert await client.closed() == 1008
    assert client.frames[-1]["code"] == "club_left"
    assert await shown_out(seen) == 4404
    await stays.send_to('{"t": "ping"}')
    await told_pong(stays)


async def test_a_club_that_closes_its_doors_shows_strangers_out() -> None:
    """Whoever had come in before once watched on, and saw in the lobby which tables were opened since."""
    world: World = await sync_to_async(World)(sealed=False)
    await sync_to_async(world.open)()
    lines = {name: await looking(world, name) for name in ("visitor", "guest", "outsider", "member")}
    club = await Club.objects.aget(pk=world.club.pk)
    await sync_to_async(set_terms)(club=club, by=world.person("owner"), welcomes_guests=False)
    for name in ("visitor", "guest", "outsider"):
        client, seen = lines[name]
        assert (await client.closed(), await shown_out(seen)) == (1008, 4404), name
    client, seen = lines["member"]
    await client.say(t="ping")
    assert (await client.kind("pong"))["t"] == "pong"
    await seen.send_to('{"t": "ping"}')
    await told_pong(seen)


async def test_a_session_that_ended_reads_no_lobby() -> None:
    """An end of all sessions reached the tables, and not a lobby that was left open elsewhere."""
    world: World = await sync_to_async(World)(sealed=False)
    _client, seen = await looking(world, "member")
    await Session.objects.all().adelete()
    await sync_to_async(announce_lobby)(DOORS)
    assert await shown_out(seen) == 4404
