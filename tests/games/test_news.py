"""News: what sockets are told besides the table's log, and doors that close at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore

from clubs.models import User
from games import rooms
from games.broadcast import (
    announce_news_after_commit,
    channel,
    close_sockets_after_commit,
    publish_news,
    user_channel,
)
from games.consumers import TableConsumer
from games.hub import Hub, hub
from games.models import Table
from games.rooms import News, Room, Viewer
from tests.games.sockets import PATIENCE, Client, connected, signed_in
from tests.games.tables import open_table, play_one

pytestmark = [pytest.mark.committed, pytest.mark.usefixtures("closed_hub")]


@pytest.fixture
def weather() -> Iterator[None]:
    """A kind of news that tells each viewer the weather and the own seat, and newcomers that it is unknown."""

    async def told(room: Room, news: News) -> None:
        await asyncio.sleep(news.get("slow", 0))
        for viewer in room.viewers:
            viewer.put(json.dumps({"t": "weather", "sky": news["sky"], "you": viewer.seat}))

    async def joined(room: Room, viewer: Viewer) -> None:
        viewer.put(json.dumps({"t": "weather", "sky": "unknown", "you": viewer.seat}))

    rooms.on_news("weather", told, joined)
    yield
    del rooms.handlers["weather"]


@pytest.mark.usefixtures("weather")
async def test_news_reach_every_viewer_in_order_and_newcomers_hear_what_counts(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, _ = running_table
    clients = [await connected(table, mari), await connected(table)]
    for client, you in zip(clients, (1, None), strict=True):
        assert await client.kind("weather") == {"t": "weather", "sky": "unknown", "you": you}
    tell = sync_to_async(announce_news_after_commit)
    await tell(table.id, {"kind": "weather", "sky": "rain", "slow": 0.2})
    await tell(table.id, {"kind": "weather", "sky": "sun"})
    for client in clients:
        assert [(await client.kind("weather"))["sky"] for _ in range(2)] == ["rain", "sun"]
        await client.socket.disconnect()


async def test_news_of_an_unknown_kind_and_nonsense_do_not_end_the_listening(
    running_table: tuple[Table, User, User],
) -> None:
    table, _, _ = running_table
    watcher = await connected(table)
    await sync_to_async(publish_news)(channel(table.id), {"kind": "nobody knows this"})
    await sync_to_async(publish_news)(channel(table.id), {})
    await sync_to_async(publish_news)(user_channel(0), {})
    await sync_to_async(play_one)(await sync_to_async(Table.objects.get)(pk=table.pk))
    await watcher.version(watcher.state["v"] + 1)
    await watcher.socket.disconnect()


async def closes_with(client: Client, code: str) -> None:
    """Fail unless the server closes the socket by itself, saying why: the client says nothing meanwhile."""
    assert await client.closed() == 1008
    assert client.frames[-1]["code"] == code
    assert client.frames[-1]["message"]


async def test_a_removed_member_loses_the_sockets_at_that_table_only(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    elsewhere = await sync_to_async(open_table)("least_score", mari)
    here, there, other = (
        await connected(table, mari),
        await connected(elsewhere, mari),
        await connected(table, jaan),
    )
    close: Any = sync_to_async(close_sockets_after_commit)
    await close(user_id=mari.pk, code="removed", table_id=table.id)
    await closes_with(here, "removed")
    for client in (there, other):
        await client.say(t="ping")
        await client.kind("pong")
        await client.socket.disconnect()


async def test_logging_out_closes_the_sockets_of_that_session_and_leaves_the_others(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, _ = running_table
    first, second, elsewhere = [await connected(table, mari) for _ in range(3)]
    keys = await sync_to_async(
        lambda: [s.session_key for s in SessionStore.get_model_class().objects.all()]
    )()
    assert len(keys) == 3
    await sync_to_async(SessionStore(first.session_key).flush)()
    await closes_with(first, "signed_out")
    for client in (second, elsewhere):
        await client.say(t="ping")
        await client.kind("pong")
        await client.socket.disconnect()


async def test_deactivating_a_member_closes_every_socket(running_table: tuple[Table, User, User]) -> None:
    table, mari, jaan = running_table
    clients = [await connected(table, mari), await connected(table, mari)]
    other = await connected(table, jaan)
    mari.is_active = False
    await sync_to_async(mari.save)()
    for client in clients:
        await closes_with(client, "deactivated")
    await other.say(t="ping")
    await other.kind("pong")
    await other.socket.disconnect()


async def test_a_fault_in_a_handler_leaves_nothing_behind(
    running_table: tuple[Table, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Channels skips ``disconnect`` after an exception: the socket must leave the hub all the same."""
    table, mari, _ = running_table
    client = await connected(table, mari)
    room = hub().room(table.id)
    assert room is not None and len(room.viewers) == 1

    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("made to fail")

    monkeypatch.setattr(TableConsumer, "receive", broken)
    await client.say(t="ping")
    with pytest.raises(RuntimeError, match="made to fail"):
        await client.socket.wait(PATIENCE)
    assert hub().room(table.id) is None and not room.viewers


async def test_a_fault_while_joining_says_so_and_closes(
    running_table: tuple[Table, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, mari, _ = running_table

    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("made to fail")

    monkeypatch.setattr(Hub, "_refresh", broken)
    key = await sync_to_async(signed_in)(mari)
    client = Client(table, key)
    assert await client.connect()
    assert (await client.kind("bye"))["code"] == "unavailable"
    assert await client.closed() == 1011
    assert hub().room(table.id) is None
