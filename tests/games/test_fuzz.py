"""A short run of ``benchmarks/fuzz_sockets.py`` on one web process: everything answered, nothing changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from games import services
from games.models import Deal, LogEntry, Seat, Table
from games.rules import GAMES
from tests.conftest import CommittedDatabase
from tests.games.fuzzing import Target, fuzz
from tests.games.processes import WebProcess, web_processes
from tests.games.sockets import signed_in
from tests.games.tables import first_legal, member, play, start, state_of

pytestmark = pytest.mark.committed
FRAMES = 2_000


def standing_table() -> tuple[Table, dict[str, str]]:
    """Open a table of three members at which nothing happens by itself, after a first move; return who knocks."""
    people = {name: member(name) for name in ("mari", "jaan", "tiit", "stranger")}
    seated = {seat: people[name] for seat, name in enumerate(("mari", "jaan", "tiit"), start=1)}
    table = services.open_table(
        game="least_score",
        options={},
        clock="days",
        members=seated,
        bots={},
        opened_by=people["mari"],
        pace_ms=0,
    )
    start(table)
    moved = table.turn_seat
    assert moved is not None
    play(table, seated[moved], first_legal(table))
    table.refresh_from_db()
    on_turn = GAMES[table.game].actor(state_of(table))
    assert on_turn is not None and on_turn != moved
    keys = {
        "on_turn": signed_in(seated[on_turn]),
        "waiting": signed_in(seated[moved]),
        "stranger": signed_in(people["stranger"]),
        "nobody": "",
    }
    return table, keys


def make_target(port: int) -> Target:
    table, people = standing_table()
    used = LogEntry.objects.filter(table=table, command_id__isnull=False).values_list("command_id", flat=True)
    return Target(port, table.id, uuid4(), table.version, people, [str(each) for each in used])


def rows() -> list[Any]:
    """Return every row that a move could change."""
    return [list(model.objects.order_by("pk").values()) for model in (Table, Seat, Deal, LogEntry)]


async def test_two_thousand_frames_of_nonsense_are_answered_and_change_nothing(
    committed_database: CommittedDatabase, tmp_path: Path
) -> None:
    with web_processes(1, committed_database.environment, tmp_path) as [web]:
        await run_fuzz(web)


async def run_fuzz(web: WebProcess) -> None:
    target = await sync_to_async(make_target)(web.port)
    before = await sync_to_async(rows)()
    report = await fuzz(target, frames=FRAMES, seed=20_261_130)
    assert report.faults == []
    assert web.process.poll() is None
    assert await sync_to_async(rows)() == before
    assert {"bad_message", "not_seated", "pong"} <= report.answers.keys(), report.answers
    assert {"1002", "1008", "1009"} & report.closes.keys(), report.closes
    text = web.said.read_text()
    assert "ERROR games" not in text and "Exception in ASGI" not in text, text[-3000:]
