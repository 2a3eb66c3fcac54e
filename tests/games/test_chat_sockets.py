"""The chat over sockets: members, a muter and watchers, each in the own language."""

from __future__ import annotations

import datetime as dt
import threading
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.utils import timezone, translation

from clubs.models import User
from games import services
from games.errors import TableRefusal
from games.models import ChatLine, Silence, Table
from games.services.clockwork import _database_time
from tests.games.chatting import finish, guest, organiser, said_just_now, say
from tests.games.sockets import Client, connected
from tests.games.tables import member, open_table, start

pytestmark = [pytest.mark.committed, pytest.mark.usefixtures("closed_hub")]


@pytest.fixture
def running_table() -> tuple[Table, User, User]:
    """A table of two members and a bot, with a deal being played."""
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan)
    start(table)
    return table, mari, jaan


async def joined(table: Table, user: User | None = None, **changes: Any) -> Client:
    """Connect and read the chat's first frame."""
    client = await connected(table, user, **changes)
    client.chat = await client.kind("chat")  # type: ignore[attr-defined]
    return client


async def write(client: Client, text: str = "", **changes: Any) -> dict[str, Any]:
    """Say something and return the answer."""
    words = {} if "phrase" in changes else {"text": text}
    command = str(uuid4())
    await client.say(t="say", **{"id": command, **words, **changes})
    return await client.read(
        lambda frame: frame["t"] in ("ok", "refused") and frame["id"] == changes.get("id", command)
    )


async def line_of(client: Client, text: str) -> dict[str, Any]:
    """Read until the chat brings a line with that text and return it."""
    frame = await client.read(lambda f: f["t"] == "chat" and any(line["text"] == text for line in f["lines"]))
    return next(line for line in frame["lines"] if line["text"] == text)


async def leave(*clients: Client) -> None:
    for client in clients:
        await client.socket.disconnect()


def texts(client: Client) -> list[str]:
    """Return every text of the chat that the socket was ever sent."""
    return [line["text"] for frame in client.frames if frame["t"] == "chat" for line in frame["lines"]]


async def test_a_line_reaches_members_and_watchers_and_its_author_gets_an_answer(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    clients = [await joined(table, mari), await joined(table, jaan), await joined(table)]
    answer = await write(clients[0], "Good cards to all", room="table")
    line = answer["line"]
    assert (line["room"], line["seat"], line["name"], line["own"]) == ("table", 1, "mari", True)
    for client in clients:
        got = await line_of(client, "Good cards to all")
        assert got == {**line, "own": client is clients[0]}
        assert client.frames[-1]["after"] < client.frames[-1]["to"] == line["id"]
    await leave(*clients)


async def test_a_phrase_is_read_by_each_in_the_own_language(running_table: tuple[Table, User, User]) -> None:
    table, mari, jaan = running_table
    with translation.override("et"):
        estonian = ChatLine(phrase="well_played").words
    clients = [await joined(table, mari), await joined(table, jaan, language="et")]
    answer = await write(clients[0], phrase="well_played")
    assert answer["line"]["text"] == "Well played!"
    got = await line_of(clients[1], estonian)
    assert got["phrase"] == "well_played"
    await leave(*clients)


async def test_watchers_chat_never_reaches_who_sits_until_the_match_is_over(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, _ = running_table
    tiit = await sync_to_async(member)("tiit")
    player, watcher, nobody = await joined(table, mari), await joined(table, tiit), await joined(table)
    assert player.chat["rooms"] == ["table"] and player.chat["room"] == "table"  # type: ignore[attr-defined]
    assert watcher.chat["rooms"] == ["table", "watchers"]  # type: ignore[attr-defined]
    assert (await write(watcher, "Mari holds the joker"))["line"]["room"] == "watchers"
    await line_of(nobody, "Mari holds the joker")
    await player.say(t="chat_since", id=0)
    await player.kind("chat")
    await player.say(t="resync")
    await player.kind("chat")
    second = await joined(table, mari)
    await write(player, "What a hand")
    for client in (player, second):
        await line_of(client, "What a hand")
        assert "Mari holds the joker" not in texts(client)
    await sync_to_async(finish)(table)
    await player.say(t="chat_since", id=0)
    got = await line_of(player, "Mari holds the joker")
    assert got["room"] == "watchers"
    await leave(player, watcher, nobody, second)


async def test_a_muted_author_never_reaches_the_muter_again_in_any_window_or_language(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    muter, other_window, muted = (
        await joined(table, mari),
        await joined(table, mari),
        await joined(table, jaan),
    )
    insult = (await write(muted, "Ha ha"))["line"]["id"]
    await line_of(muter, "Ha ha")
    await muter.say(t="mute", line=insult, id="m1")
    for client in (muter, other_window):
        anew = await client.read(lambda frame: frame["t"] == "chat" and frame["all"])
        assert anew["lines"] == []
    assert (await write(muted, "Nobody answers"))["t"] == "ok"
    await write(muter, "Quiet here")
    for client in (muter, other_window):
        await line_of(client, "Quiet here")
        assert "Nobody answers" not in texts(client)
    fresh = await joined(table, mari)
    assert [line["text"] for line in fresh.chat["lines"]] == ["Quiet here"]  # type: ignore[attr-defined]
    await leave(muter, other_window, muted, fresh)


async def test_who_joins_is_sent_the_last_fifty_lines_and_can_ask_for_what_came_since(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    lines = await sync_to_async(many_lines)(table, mari, 60)
    client = await joined(table, jaan)
    first = client.chat  # type: ignore[attr-defined]
    assert [line["id"] for line in first["lines"]] == lines[10:]
    assert (first["all"], first["to"], first["write"], first["closed"]) == (True, lines[-1], "text", False)
    await client.say(t="chat_since", id=lines[57])
    since = await client.kind("chat")
    assert [line["id"] for line in since["lines"]] == lines[58:]
    assert (since["all"], since["after"], since["to"]) == (False, lines[57], lines[-1])
    await leave(client)


def many_lines(table: Table, author: User, count: int) -> list[int]:
    rows = [
        ChatLine(table=table, room="table", author=author, seat=1, text=f"{n}", at=timezone.now())
        for n in range(count)
    ]
    return [line.pk for line in ChatLine.objects.bulk_create(rows)]


async def test_lines_that_a_reader_may_not_read_leave_no_gap_in_what_it_is_told(
    running_table: tuple[Table, User, User],
) -> None:
    """A client takes a frame that begins after what it has for a loss, and would ask again for nothing."""
    table, mari, _ = running_table
    tiit = await sync_to_async(member)("tiit")
    player, watcher = await joined(table, mari), await joined(table, tiit)
    for n in range(3):
        await write(watcher, f"among us {n}")
    await write(player, "one")
    await line_of(player, "one")
    chats = [frame for frame in player.frames if frame["t"] == "chat"]
    assert [frame["after"] for frame in chats[1:]] == [frame["to"] for frame in chats[:-1]]
    await leave(player, watcher)


async def test_refusals_name_their_command(running_table: tuple[Table, User, User]) -> None:
    table, mari, _ = running_table
    visitor = await sync_to_async(guest)()
    player, watcher, nobody = await joined(table, mari), await joined(table, visitor), await joined(table)
    cases: list[tuple[Client, dict[str, Any], str]] = [
        (player, {"text": "x", "room": "watchers"}, "chat_watchers_only"),
        (player, {"text": "x", "room": "kitchen"}, "chat_bad_room"),
        (player, {"text": "a" * 201}, "chat_bad_text"),
        (player, {"phrase": "curse"}, "chat_bad_phrase"),
        (watcher, {"text": "x"}, "chat_guests"),
        (watcher, {"phrase": "hello", "room": "table"}, "chat_members_only"),
        (nobody, {"phrase": "hello"}, "chat_sign_in"),
    ]
    for client, words, code in cases:
        command = str(uuid4())
        await client.say(t="say", id=command, **words)
        refusal = await client.kind("refused")
        assert (refusal["code"], refusal["id"]) == (code, command)
        assert refusal["message"]
    await nobody.say(t="mute", line=1, id="m1")
    assert (await nobody.kind("refused"))["code"] == "chat_sign_in"
    await player.say(t="mute", line=1, id="m2")
    refusal = await player.kind("refused")
    assert (refusal["code"], refusal["id"]) == ("no_such_line", "m2")
    await leave(player, watcher, nobody)


async def test_the_silenced_are_told_until_when_in_the_zone_of_their_page(
    running_table: tuple[Table, User, User],
) -> None:
    """The page told its times in the zone of the account, the refusal in that of the site."""
    table, mari, _ = running_table
    until = timezone.now() + dt.timedelta(hours=3)
    await sync_to_async(Silence.objects.create)(user=mari, table=table, until=until, why="shouting")
    player = await joined(table, mari, zone="Asia/Kathmandu")
    refusal = await write(player, phrase="sorry")
    assert f"{until.astimezone(ZoneInfo('Asia/Kathmandu')):%H:%M}" in refusal["message"]
    await leave(player)


async def test_a_repeated_command_is_answered_with_the_same_line(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, _ = running_table
    client = await joined(table, mari)
    command = str(uuid4())
    answers = [await write(client, "Once", id=command) for _ in range(2)]
    assert answers[0]["line"]["id"] == answers[1]["line"]["id"]
    assert await ChatLine.objects.acount() == 1
    await leave(client)


async def test_the_rate_holds_for_one_person_over_two_sockets(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, _ = running_table
    clients = [await joined(table, mari), await joined(table, mari)]
    answers = [await write(clients[n % 2], f"line {n}") for n in range(5)]
    await sync_to_async(said_just_now)()
    answers += [await write(client, "One more") for client in clients]
    assert [answer["t"] for answer in answers] == ["ok"] * 5 + ["refused"] * 2
    assert answers[-1]["code"] == "chat_too_fast"
    await leave(*clients)


async def test_a_hidden_line_goes_from_every_open_page(running_table: tuple[Table, User, User]) -> None:
    table, mari, jaan = running_table
    client, other = await joined(table, mari), await joined(table)
    line = (await write(client, "Something ugly"))["line"]["id"]
    for reader in (client, other):
        await line_of(reader, "Something ugly")
    await sync_to_async(hide)(table, jaan, line)
    for reader in (client, other):
        anew = await reader.read(lambda frame: frame["t"] == "chat" and frame["all"])
        assert anew["lines"] == []
    await leave(client, other)


def hide(table: Table, reporter: User, line_id: int) -> None:
    made = services.report(table_id=table.id, reporter_id=reporter.pk, reason="abuse", line_ids=[line_id])
    services.hide_reported_lines(organiser=organiser(), report_id=made.pk, why="ugly")


async def test_watchers_with_a_delay_are_sent_a_line_when_its_time_has_come(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    await Table.objects.filter(pk=table.pk).aupdate(watch_delay=1)
    player, other, watcher = await joined(table, mari), await joined(table, jaan), await joined(table)
    await write(player, "Nice lead")
    await line_of(other, "Nice lead")
    await line_of(watcher, "Nice lead")
    arrived = await sync_to_async(_database_time)()
    assert arrived - (await ChatLine.objects.aget()).at >= dt.timedelta(seconds=1)
    await leave(player, other, watcher)


def test_connections_that_count_together_write_no_more_than_one_may() -> None:
    """Each writes at a table of its own: without the person's lock all would count four lines and write a fifth."""
    mari = member("mari")
    tables = [open_table("least_score", mari) for _ in range(4)]
    for n in range(4):
        say(tables[0], mari, f"line {n}")
    said_just_now()
    at_once = threading.Barrier(len(tables))
    answers: list[str] = []

    def say_now(table: Table) -> None:
        try:
            at_once.wait()
            say(table, mari, "now")
            answers.append("ok")
        except TableRefusal as refusal:
            answers.append(refusal.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=say_now, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["chat_too_fast"] * 3 + ["ok"]
    assert ChatLine.objects.count() == 5
