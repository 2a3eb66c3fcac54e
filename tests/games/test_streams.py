"""Streams for programs: what a socket would be sent, until the match, the token or the reader is at an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from clubs.models import User
from clubs.services.tokens import revoke_token
from games import services, streams
from games.hub import hub
from tests.games.sockets import PATIENCE
from tests.games.streaming import Stream
from tests.games.tables import member, on_turn, open_table, play, play_bots_until, play_to_the_end, start
from tests.programs import Program

pytestmark = pytest.mark.committed


@pytest.fixture(autouse=True)
async def closed_hub() -> AsyncIterator[None]:
    """Each test has an event loop of its own, and so a hub of its own."""
    yield
    await hub().close()


@pytest.fixture
async def mari() -> User:
    return await sync_to_async(member)("mari")


async def listening(user: User, path: str, **more: Any) -> Stream:
    program = await sync_to_async(Program)(user, "read")
    stream = Stream(path, program.text, **more)
    assert await stream.open() == 200, await stream.next()
    return stream


async def test_a_program_follows_its_table_through_its_own_eyes_to_the_end_of_the_match(mari):
    table = await sync_to_async(on_turn)("least_score", mari, threshold=25)
    own = await listening(mari, f"/tables/{table.id}/stream")
    watcher = await listening(await sync_to_async(member)("jaan"), f"/tables/{table.id}/stream")
    first, seen = await own.kind("state"), await watcher.kind("state")
    assert own.headers["content-type"] == "application/x-ndjson"
    assert (first["table"]["you"], seen["table"]["you"]) == (1, None)
    assert first["table"]["deal"]["legal"] and first["table"]["deal"]["hand"]
    assert (seen["table"]["deal"]["legal"], seen["table"]["deal"]["hand"]) == ([], None)

    answer = await sync_to_async(play)(table, mari, first["table"]["deal"]["legal"][0])
    assert (await own.version(answer.version))["events"]
    await sync_to_async(play_to_the_end)(table)
    for stream in (own, watcher):
        await stream.rest()
        assert stream.state["table"]["status"] == "finished"
        await stream.wait(PATIENCE)
    assert hub().room(table.id) is None


async def test_a_quiet_stream_beats_and_a_reader_who_hangs_up_is_let_go(mari, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.05)
    table = await sync_to_async(open_table)("three_card_loo", mari)
    stream = await listening(mari, f"/tables/{table.id}/stream")
    beat = await stream.kind("pong")
    assert beat["v"] == stream.state["v"]
    room = hub().room(table.id)
    assert room is not None and len(room.viewers) == 1
    await stream.hang_up()
    assert hub().room(table.id) is None
    assert not streams._open


async def test_a_reader_who_takes_nothing_more_is_cut_off(mari, monkeypatch):
    monkeypatch.setattr(streams, "LAST_LINES_SECONDS", 0.05)
    table = await sync_to_async(open_table)("three_card_loo", mari)
    stream = await listening(mari, f"/tables/{table.id}/stream")
    await stream.kind("state")
    room = hub().room(table.id)
    assert room is not None
    (viewer,) = room.viewers

    async def never(_message: Any) -> None:
        await asyncio.Event().wait()

    stream.output_queue.put = never  # type: ignore[method-assign]
    viewer.put('{"t":"taken by nobody"}')
    await asyncio.sleep(0.05)
    viewer.end(1013)
    await stream.wait(PATIENCE)
    assert hub().room(table.id) is None


@pytest.mark.parametrize("end", ["revoked", "closed", "over"])
async def test_a_stream_ends_with_its_token_and_says_why(mari, end, monkeypatch):
    table = await sync_to_async(open_table)("three_card_loo", mari)
    program = await sync_to_async(Program)(mari, "read")
    other = await listening(mari, f"/tables/{table.id}/stream")
    found = [Stream(f"/tables/{table.id}/stream", program.text), Stream("/stream/events", program.text)]
    for stream in found:
        assert await stream.open() == 200
        assert await stream.next() is not None
    if end == "revoked":
        await sync_to_async(revoke_token)(token_id=program.token.pk, user=mari)
    elif end == "closed":
        mari.is_active = False
        await sync_to_async(mari.save)()
    else:
        # The announcement of it was lost, so that the streams find out by themselves.
        monkeypatch.setattr(streams, "TOKEN_SECONDS", 0)
        monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.05)
        await sync_to_async(type(program.token).objects.filter(pk=program.token.pk).update)(
            revoked_at=program.token.created_at
        )
        for viewer in hub().room(table.id).viewers:  # type: ignore[union-attr]
            viewer.put('{"t":"something happened"}')
    wanted = {"revoked": "token_over", "closed": "deactivated", "over": "token_over"}[end]
    for stream in found:
        assert (await stream.kind("bye"))["code"] == wanted
        assert await stream.next() is None
        await stream.wait(PATIENCE)
    if end == "revoked":
        assert hub().room(table.id) is not None, "the stream of another token goes on"
    await other.hang_up()


async def test_what_waits_for_me_is_told_at_once(mari, monkeypatch):
    monkeypatch.setattr(streams, "LOOK_SECONDS", 1000)
    stream = await listening(mari, "/stream/events")
    assert (await stream.kind("calls"))["tables"] == []
    jaan = await sync_to_async(member)("jaan")
    table = await sync_to_async(open_table)("least_score", mari)
    told = await stream.read(lambda frame: frame["t"] == "calls" and bool(frame["tables"]))
    assert told["tables"][0]["table"] == str(table.id)
    await sync_to_async(start)(table)
    await sync_to_async(play_bots_until)(table, 1)
    assert await stream.read(lambda frame: frame["t"] == "calls" and frame["tables"][0]["my_turn"])

    full = await sync_to_async(services.open_table)(
        game="least_score",
        options={},
        clock="club",
        members={1: jaan, 2: await sync_to_async(member)("tiit")},
        bots={},
        opened_by=jaan,
        pace_ms=60_000,
    )
    await sync_to_async(services.join_line)(table_id=full.id, user=mari)
    await sync_to_async(services.leave_table)(table_id=full.id, user_id=jaan.pk)
    offered = await stream.read(lambda frame: frame["t"] == "calls" and bool(frame["offers"]))
    assert offered["offers"][0]["table"] == str(full.id)
    await stream.hang_up()


async def test_nobody_opens_streams_without_end(mari, monkeypatch):
    monkeypatch.setattr(streams, "MOST_STREAMS", 1)
    stream = await listening(mari, "/stream/events")
    await stream.next()
    program = await sync_to_async(Program)(mari, "read")
    second = Stream("/stream/events", program.text)
    assert await second.open() == 429
    await second.wait(PATIENCE)
    await stream.hang_up()


async def test_a_table_has_room_for_so_many_watching_programs(mari, settings):
    settings.WATCHERS_PER_TABLE = 0
    table = await sync_to_async(open_table)("least_score", await sync_to_async(member)("jaan"))
    stream = await listening(mari, f"/tables/{table.id}/stream")
    assert (await stream.next() or {})["code"] == "too_many_watchers"
    assert await stream.next() is None
    await stream.wait(PATIENCE)
