"""Presence: who is at a table, shared by all processes through Valkey."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
import redis.asyncio as aioredis
from asgiref.sync import sync_to_async
from django.conf import settings

from clubs.models import User
from games import presence
from games.attendance import Keeper, difference_frame, whole_frame
from games.broadcast import channel, connection
from games.models import Table
from games.presence import Attendance, attendance_of, next_change, read_trips
from games.rooms import Room, Viewer
from tests.games.sockets import PATIENCE, Client, connected

NOW = 1_000_000.0
FRESH, QUIET = NOW + presence.GONE_MS, NOW + presence.GONE_MS - presence.QUIET_MS


# Pure -----------------------------------------------------------------------------------------------------------------
def test_a_seat_is_here_while_one_of_its_lines_was_heard_of() -> None:
    lines = {"1:a": FRESH, "1:b": NOW - 5, "2:a": QUIET, "3:a": NOW - 1, "0:x": FRESH, "0:y": NOW - 1}
    assert attendance_of(lines, NOW) == Attendance({1: None, 2: QUIET, 3: NOW - 1}, 1)


def test_silence_changes_something_when_the_next_line_falls_quiet_or_a_watcher_is_gone() -> None:
    assert next_change({"1:a": FRESH, "2:a": FRESH + 500}, NOW) == NOW + presence.QUIET_MS
    assert next_change({"1:a": QUIET}, NOW) is None
    assert next_change({"0:a": NOW + 100, "1:a": FRESH}, NOW) == NOW + 100


def test_a_difference_names_only_what_changed_and_a_whole_frame_everything() -> None:
    before, after = Attendance({1: None, 2: 50.0}, 1), Attendance({1: None, 2: None, 3: 70.0}, 1)
    assert difference_frame(before, before, 0) is None
    assert difference_frame(before, after, 1000) == {"t": "presence", "seats": {"2": None, "3": 1070}}
    assert difference_frame(after, Attendance(after.seats, 4), 0) == {
        "t": "presence",
        "seats": {},
        "watchers": 4,
    }
    assert whole_frame(after, 0)["seats"] == {"1": None, "2": None, "3": 70}


def test_a_round_trip_is_forgotten_when_it_is_no_longer_confirmed() -> None:
    stored = {b"1": f"80 {NOW - 100}".encode(), b"2": f"90 {NOW - presence.LAG_KEPT_MS}".encode()}
    assert read_trips(stored, NOW) == {1: 80}


# With sockets ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def late_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let who does not ping be shown as leaving much later: a page pings, these clients do not, however slow the machine is."""
    monkeypatch.setattr(presence, "QUIET_MS", presence.GONE_MS - presence.CLOSED_MS - 5_000)


async def hears(client: Client, wanted: Any) -> dict[str, Any]:
    """Read until what the client knows of presence (diffs put together) is ``wanted``; returns it."""
    known: dict[str, Any] = getattr(client, "presence", {"seats": {}, "watchers": 0})
    async with asyncio.timeout(PATIENCE):
        while not wanted(known):
            frame = await client.kind("presence")
            before = {"seats": {}, "watchers": 0} if frame.get("whole") else known
            known = {
                "seats": {**before["seats"], **frame["seats"]},
                "watchers": frame.get("watchers", before["watchers"]),
            }
    client.presence = known  # type: ignore[attr-defined]
    return known


@pytest.mark.committed
@pytest.mark.usefixtures("closed_hub", "late_quiet")
async def test_coming_closing_on_purpose_and_coming_back_are_shown_to_the_others(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    own = await connected(table, mari)
    await hears(own, lambda known: known["seats"].get("1", 0) is None)
    other, watcher = await connected(table, jaan), await connected(table)
    for client in (own, other, watcher):
        await hears(client, lambda known: known == {"seats": {"1": None, "2": None}, "watchers": 1})
    before = time.time() * 1000
    await other.socket.disconnect()
    await watcher.socket.disconnect()
    known = await hears(own, lambda known: known["seats"]["2"] is not None and known["watchers"] == 0)
    gone_at = known["seats"]["2"] - presence.CLOSED_MS
    assert before - 100 < gone_at < time.time() * 1000 + 100
    back = await connected(table, jaan)
    await hears(own, lambda known: known["seats"]["2"] is None)
    second, read = await connected(table, jaan), len(own.frames)
    await back.socket.disconnect()
    await asyncio.sleep(1.5)
    await own.say(t="ping")
    await own.kind("pong")
    later = [frame["seats"] for frame in own.frames[read:] if frame["t"] == "presence"]
    assert not any(seats.get("2") for seats in later), "a tab is left"
    for client in (own, second):
        await client.socket.disconnect()


@pytest.mark.committed
@pytest.mark.usefixtures("closed_hub", "late_quiet")
async def test_a_killed_process_leaves_its_people_to_go_by_themselves_and_its_watchers_too(
    running_table: tuple[Table, User, User],
) -> None:
    """The line of a process that died is only a moment in Valkey, which passes."""
    table, mari, _ = running_table
    own = await connected(table, mari)
    await hears(own, lambda known: known["seats"].get("1", 0) is None)

    async def heard_long_ago(ms: float) -> float:
        """Write the lines of that process, last heard of ``ms`` ago; returns when the seat counts as gone."""
        now = await valkey_now()
        gone_at = now + presence.GONE_MS - ms
        lines = {"2:dead": gone_at, "0:dead": gone_at - presence.GONE_MS + presence.QUIET_MS}
        await sync_to_async(connection().zadd)(presence.presence_key(table.id), lines)
        await sync_to_async(connection().publish)(channel(table.id), '{"kind":"presence"}')
        return gone_at

    await heard_long_ago(0)
    await hears(own, lambda known: known["seats"].get("2", 0) is None and known["watchers"] == 1)
    began = time.time() * 1000
    least = began - await valkey_now()
    gone_at = await heard_long_ago(presence.QUIET_MS - 1_500)
    known = await hears(own, lambda known: known["seats"]["2"] is not None and known["watchers"] == 0)
    # How far the two clocks are apart is known to the time that asking took, and to the process as well.
    most = least + 2 * (time.time() * 1000 - began)
    assert least - 1 <= known["seats"]["2"] - gone_at <= most + 1, (
        "it is shown as going until 40 s after the last ping"
    )
    await own.socket.disconnect()


async def valkey_now() -> float:
    return presence.clock_ms(await sync_to_async(connection().time)())


@pytest.mark.committed
@pytest.mark.usefixtures("closed_hub", "late_quiet")
async def test_everything_in_valkey_may_vanish_and_the_next_pings_bring_it_back(
    running_table: tuple[Table, User, User],
) -> None:
    table, mari, jaan = running_table
    clients = [await connected(table, mari), await connected(table, jaan)]
    for client in clients:
        await hears(client, lambda known: known["seats"] == {"1": None, "2": None})
    await sync_to_async(connection().flushdb)()
    await sync_to_async(connection().publish)(channel(table.id), '{"kind":"presence"}')
    for client in clients:
        await client.say(t="ping")
    seats: list[int] = []
    async with asyncio.timeout(PATIENCE):
        while seats != [1, 2]:
            await asyncio.sleep(0.1)
            stored = await sync_to_async(connection().zrange)(presence.presence_key(table.id), 0, -1)
            seats = sorted(presence.seat_of_line(line.decode()) for line in stored)
    for client in clients:
        await client.say(t="resync")
        await client.kind("state")
        assert not any(any(f["seats"].values()) for f in client.frames if f["t"] == "presence")
        await client.socket.disconnect()


async def test_two_processes_see_each_others_people() -> None:
    """Two keepers share nothing but Valkey, as two processes do."""
    table_id = Table().id
    servers = [aioredis.from_url(settings.REDIS_URL) for _ in range(2)]
    rooms = [Room(table_id) for _ in range(2)]
    keepers = [Keeper(server, lambda room=room: [room]) for server, room in zip(servers, rooms, strict=True)]  # type: ignore[misc]
    viewers = [Viewer(seat=seat, user_id=seat, language="en") for seat in (1, 2)]
    for keeper, room, viewer in zip(keepers, rooms, viewers, strict=True):
        room.viewers.add(viewer)
        keeper.heard(room, viewer)
        await keeper.batch()
    rooms[0].look = True
    await keepers[0].batch()
    assert rooms[0].attendance == rooms[1].attendance == Attendance({1: None, 2: None}, 0)
    keepers[1].left(rooms[1], viewers[1], deliberate=True)
    for keeper, room in zip(reversed(keepers), reversed(rooms), strict=True):
        room.look = True
        await keeper.batch()
    gone_at = rooms[0].attendance.seats[2]
    assert gone_at is not None and gone_at == rooms[1].attendance.seats[2]
    for server in servers:
        await server.aclose()


async def test_notes_that_could_not_be_written_are_written_later() -> None:
    room, viewer = Room(Table().id), Viewer(seat=3, user_id=3, language="en")
    away = aioredis.from_url("redis://127.0.0.1:1/0")
    keeper = Keeper(away, lambda: [room])
    keeper.heard(room, viewer)
    with pytest.raises(aioredis.RedisError):
        await keeper.batch()
    keeper._server = aioredis.from_url(settings.REDIS_URL)
    await keeper.batch()
    assert room.attendance.seats == {3: None}
    await keeper._server.aclose()
    await away.aclose()
