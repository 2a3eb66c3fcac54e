"""Sockets at real web processes: two of them at one table, a subscription that is cut, a process that is killed."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore

from clubs.models import User
from games.broadcast import close_sockets_after_commit
from games.models import Table
from tests.conftest import CommittedDatabase
from tests.games.processes import WebProcess, web_processes
from tests.games.sockets import PATIENCE, kill_subscribers, signed_in
from tests.games.tables import play_one, start, table_on_turn
from tests.games.wire import CLOSE, TEXT, Line

pytestmark = pytest.mark.committed


@pytest.fixture(autouse=True)
async def no_line_left() -> AsyncIterator[None]:
    """Let go of every line that a test opened, also of one that failed."""
    yield
    for line in opened:
        line.drop()
    await asyncio.sleep(0.05)
    opened.clear()


opened: list[Line] = []


async def until(
    line: Line, wanted: Callable[[dict[str, Any]], bool], seconds: float = PATIENCE
) -> dict[str, Any]:
    """Read a line until a frame is ``wanted`` and return it."""
    heard = []
    try:
        async with asyncio.timeout(seconds):
            while True:
                opcode, payload = await line.next()
                assert opcode != CLOSE, f"closed with {int.from_bytes(payload[:2], 'big')}"
                if opcode == TEXT and wanted(frame := json.loads(payload)):
                    return dict(frame)
                heard.append(payload[:40])
    except TimeoutError:
        raise AssertionError(f"not among {heard}") from None


async def close_code(line: Line, seconds: float = PATIENCE) -> int:
    """Read until the server closes and return its code."""
    async with asyncio.timeout(seconds):
        while True:
            opcode, payload = await line.next()
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big")


async def seated_at(web: WebProcess, table: Table, user: User, window: int | None = None) -> Line:
    key = await sync_to_async(signed_in)(user)
    line = await Line.at_table(web.port, table.id, session=key, window=window)
    opened.append(line)
    await until(line, lambda frame: frame["t"] == "state")
    return line


def newer(version: int) -> Callable[[dict[str, Any]], bool]:
    return lambda frame: frame["t"] == "state" and frame["v"] > version


async def test_two_processes_serve_one_table(committed_database: CommittedDatabase, tmp_path: Path) -> None:
    """Moves, presence, quiet minutes, cut subscriptions, log-out and a killed process, each across both."""
    table, mari, jaan = await sync_to_async(table_on_turn)()
    with web_processes(2, committed_database.environment, tmp_path) as [first, second]:
        own, other = await seated_at(first, table, mari), await seated_at(second, table, jaan)
        await both_are_shown_as_here(own, other)
        await a_move_reaches_both(table, own, other)
        await asyncio.to_thread(kill_subscribers)
        await a_move_reaches_both(table, own, other)
        await seven_quiet_seconds_cut_nobody_off(table, own, other)
        await closing_reaches_the_other_process(jaan, other)
        await seated_at(second, table, jaan)
        second.signal(signal.SIGKILL)
        await people_of_a_killed_process_come_back_at_the_other(table, first, own, jaan)


async def both_are_shown_as_here(own: Line, other: Line) -> None:
    """Both ping as pages do: a process that starts slowly would else find the first one quiet."""
    known: dict[str, Any] = {}
    async with asyncio.timeout(PATIENCE):
        while known.get("1", 0) is not None or known.get("2", 0) is not None:
            for line in (own, other):
                line.say(t="ping")
                heard: dict[str, Any] = {}
                while heard.get("t") != "pong":
                    heard = await until(line, lambda frame: frame["t"] in ("presence", "pong"))
                    known |= heard.get("seats", {})
            await asyncio.sleep(0.5)


async def a_move_reaches_both(table: Table, own: Line, other: Line) -> None:
    seen = await one_thing_happens(table)
    for line in {own, other}:
        await until(line, newer(seen))


async def one_thing_happens(table: Table) -> int:
    """Let a move be made or a deal start; returns the version before it (``start`` brings the row up to date)."""
    row = await sync_to_async(Table.objects.get)(pk=table.pk)
    seen = row.version
    await sync_to_async(play_one if row.status == Table.Status.PLAYING else start)(row)
    return seen


async def seven_quiet_seconds_cut_nobody_off(table: Table, own: Line, other: Line) -> None:
    """A subscriber with the Redis client's usual 5 s socket timeout is cut off by then."""
    await asyncio.sleep(7)
    await a_move_reaches_both(table, own, other)


async def closing_reaches_the_other_process(jaan: User, other: Line) -> None:
    """Logging out (in this process) closes the socket (in that one), which would not look for minutes."""

    def log_out() -> None:
        for session in SessionStore.get_model_class().objects.all():
            if str(session.get_decoded()["_auth_user_id"]) == str(jaan.pk):
                SessionStore(session.session_key).flush()

    await sync_to_async(log_out)()
    assert (await until(other, lambda frame: frame["t"] == "bye"))["code"] == "signed_out"
    assert await close_code(other) == 1008


async def people_of_a_killed_process_come_back_at_the_other(
    table: Table, first: WebProcess, own: Line, jaan: User
) -> None:
    moved = await seated_at(first, table, jaan)
    await a_move_reaches_both(table, own, moved)
    await sync_to_async(close_sockets_after_commit)(user_id=jaan.pk, code="removed", table_id=table.id)
    assert await close_code(moved) == 1008


async def test_a_client_that_does_not_read_keeps_nobody_waiting(
    committed_database: CommittedDatabase, tmp_path: Path
) -> None:
    table, mari, jaan = await sync_to_async(table_on_turn)()
    with web_processes(1, committed_database.environment, tmp_path) as [web]:
        slow = await seated_at(web, table, jaan, window=4096)
        own = await seated_at(web, table, mari)
        slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(95):
            slow.say(t="resync")
        for _ in range(12):
            seen = await one_thing_happens(table)
            await until(own, newer(seen))
        slow.writer.transport.resume_reading()  # type: ignore[attr-defined]
        await until(slow, newer(seen))
