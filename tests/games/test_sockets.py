"""Sockets at tables: two members and a watcher on the real Redis and the real database."""

from __future__ import annotations

from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore

from clubs.models import User
from games.models import Table
from tests.games.sockets import Client, connected, kill_subscribers
from tests.games.tables import first_legal, member, play_one

pytestmark = [pytest.mark.committed, pytest.mark.usefixtures("closed_hub")]
ORIGIN = b"http://localhost"


async def test_two_members_and_a_watcher_see_a_move_each_through_their_own_eyes(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    clients = [await connected(table, mari), await connected(table, jaan), await connected(table)]
    own, other, watcher = clients
    assert [client.state["table"]["you"] for client in clients] == [1, 2, None]
    assert own.state["table"]["deal"]["hand"] and other.state["table"]["deal"]["hand"]
    assert not watcher.state["table"]["deal"].get("hand")
    move = await sync_to_async(first_legal)(table)
    command = str(uuid4())
    await own.say(t="move", id=command, v=own.state["v"], m=move)
    answer = await own.kind("ok")
    assert answer["id"] == command
    for client in (other, watcher):
        frame = await client.version(answer["v"])
        assert any(event["type"] == "discard" and event["seat"] == 1 for event in frame["events"])
    for client in clients:
        await client.socket.disconnect()


async def test_a_refusal_goes_to_its_sender_alone_with_its_code(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    own, other = await connected(table, mari), await connected(table, jaan)
    command = str(uuid4())
    await own.say(t="move", id=command, v=own.state["v"], m="declare")
    refused = await own.kind("refused")
    assert (refused["code"], refused["id"]) == ("first_turn", command)
    await other.say(t="ping")
    await other.kind("pong")
    assert "refused" not in {frame["t"] for frame in other.frames}
    for client in (own, other):
        await client.socket.disconnect()


async def test_a_watcher_cannot_act(running_table: tuple[Table, User, User]) -> None:
    table, _, _ = running_table
    tiit = await sync_to_async(member)("tiit")
    for user in (None, tiit):
        client = await connected(table, user)
        for frame in (
            {"t": "move", "id": str(uuid4()), "v": client.state["v"], "m": "declare"},
            {"t": "ready"},
            {"t": "back"},
            {"t": "nonce", "value": "x"},
        ):
            await client.say(**frame)
            assert (await client.kind("refused"))["code"] == "not_seated"
        await client.socket.disconnect()


async def test_a_reload_shows_the_same_view(running_table: tuple[Table, User, User]) -> None:
    table, mari, _ = running_table
    first, second = await connected(table, mari), await connected(table, mari)
    assert first.state["table"] == second.state["table"]
    await first.say(t="resync")
    assert (await first.kind("state"))["table"] == second.state["table"]
    for client in (first, second):
        await client.socket.disconnect()


async def test_subscribers_cut_off_by_the_server_come_back_by_themselves(
    running_table: tuple[Table, User, User],
) -> None:
    table, _, _ = running_table
    watcher = await connected(table)
    await sync_to_async(kill_subscribers)()
    await sync_to_async(play_one)(await sync_to_async(Table.objects.get)(pk=table.pk))
    await watcher.version(watcher.state["v"] + 1)
    await watcher.socket.disconnect()


async def test_a_ping_is_answered_with_the_head_of_the_table(running_table: tuple[Table, User, User]) -> None:
    table, _, _ = running_table
    watcher = await connected(table)
    await watcher.say(t="ping")
    assert (await watcher.kind("pong"))["v"] == watcher.state["v"]
    await watcher.socket.disconnect()


NO_MESSAGES = (
    "",
    "nonsense",
    "[]",
    "null",
    '"move"',
    '{"t": 7}',
    '{"t": "fly"}',
    '{"t": ["ping"]}',
    '{"t": "move"}',
    '{"t": "move", "id": "1", "v": 1, "m": "AS"}',
    '{"t": "move", "id": "%(id)s", "v": "1", "m": "AS"}',
    '{"t": "move", "id": "%(id)s", "v": true, "m": "AS"}',
    '{"t": "move", "id": "%(id)s", "v": -1, "m": "AS"}',
    '{"t": "move", "id": "%(id)s", "v": 1e999, "m": "AS"}',
    '{"t": "move", "id": "%(id)s", "v": 99999999999999999999, "m": "AS"}',
    '{"t": "move", "id": "%(id)s", "v": 1, "m": ["AS"]}',
    '{"t": "move", "id": "%(id)s", "v": 1, "m": "' + "A" * 65 + '"}',
    '{"t": "nonce", "value": "\\u0000"}',
    '{"t": "nonce", "value": {"a": 1}}',
    "[" * 5000 + "]" * 5000,
)


async def test_a_frame_that_is_not_a_message_is_answered_with_bad_message(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, _ = running_table
    client = await connected(table, mari)
    for text in NO_MESSAGES:
        read = len(client.frames)
        await client.socket.send_to(text.replace("%(id)s", str(uuid4())))
        await client.say(t="ping")
        await client.kind("pong")
        codes = [frame["code"] for frame in client.frames[read:] if frame["t"] == "refused"]
        assert codes == ["bad_message"], text[:80]
    await client.socket.disconnect()


async def test_a_socket_from_a_foreign_page_is_refused(running_table: tuple[Table, User, User]) -> None:
    table, _, _ = running_table
    assert not await Client(table, origin=b"https://evil.example").connect()


async def test_a_table_that_does_not_exist_says_so_and_closes() -> None:
    client = Client(Table(id=uuid4()))
    assert await client.connect()
    assert (await client.kind("bye"))["code"] == "no_such_table"
    assert await client.closed() == 4404


async def test_too_many_frames_close_the_socket(running_table: tuple[Table, User, User]) -> None:
    table, _, _ = running_table
    watcher = await connected(table)
    for _ in range(200):
        await watcher.say(t="ping")
    assert await watcher.closed() == 1008
    assert watcher.frames[-1]["code"] == "too_fast"


async def test_a_signed_out_members_next_command_closes_the_socket(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, _ = running_table
    client = await connected(table, mari)
    await sync_to_async(SessionStore.get_model_class().objects.all().delete)()
    await client.say(t="move", id=str(uuid4()), v=client.state["v"], m="declare")
    assert await client.closed() == 1008
    assert any(frame.get("code") == "signed_out" for frame in client.frames)


async def test_a_changed_password_ends_the_socket_too(running_table: tuple[Table, User, User]) -> None:
    table, mari, _ = running_table
    client = await connected(table, mari)
    mari.set_password("something else entirely")
    await sync_to_async(mari.save)()
    await client.say(t="ready")
    assert await client.closed() == 1008


async def test_refusals_come_in_the_language_of_the_page(running_table: tuple[Table, User, User]) -> None:
    table, _, _ = running_table
    texts = []
    for language in ("en", "et"):
        client = await connected(table, language=language)
        await client.say(t="ready")
        texts.append((await client.kind("refused"))["message"])
        await client.socket.disconnect()
    assert texts[0] != texts[1]
