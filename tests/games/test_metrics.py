"""Everything that is counted at tables, made to move by what it counts."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db.models import F
from prometheus_client import REGISTRY

from games import services
from games.errors import TableRefusal
from games.hub import hub
from games.lobby import lobby
from games.models import SweepMark, Table
from games.rooms import Showing
from tests.games.sockets import PATIENCE, Client, Socket, connected
from tests.games.tables import first_legal, member, on_turn, play

Moved = Callable[..., float]


@pytest.fixture
def moved() -> Moved:
    """Return how far a number has moved since it was first asked for."""
    before: dict[Any, float] = {}

    def since(name: str, **labels: str) -> float:
        now = REGISTRY.get_sample_value(name, labels) or 0.0
        return now - before.setdefault((name, *labels.items()), now)

    return since


def moves(moved: Moved, by: str, outcome: str) -> float:
    return moved("cardclub_moves_total", game="least_score", by=by, outcome=outcome)


@pytest.mark.django_db
def test_a_move_counts_when_it_is_committed_and_not_when_it_is_undone(
    moved, django_capture_on_commit_callbacks
):
    mari = member("mari")
    table = on_turn("least_score", mari)
    moves(moved, "person", "played")
    with django_capture_on_commit_callbacks() as left_out:
        play(table, mari, first_legal(table))
    assert moves(moved, "person", "played") == 0
    for callback in left_out:
        callback()
    assert moves(moved, "person", "played") == 1


@pytest.mark.django_db
def test_bots_and_the_clock_count_by_who_they_are(moved, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        mari = member("mari")
        table = on_turn("least_score", mari)
    for by in ("bot", "clock"):
        moves(moved, by, "played")
    moved("cardclub_time_out_late_seconds_count")
    moved("cardclub_time_out_late_seconds_sum")
    Table.objects.update(due_at=F("due_at") - dt.timedelta(hours=1))
    table.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        assert services.time_out(table_id=table.id, turn_version=table.turn_version)
        table.refresh_from_db()
        assert services.play_bot(table_id=table.id, turn_version=table.turn_version)
    assert moves(moved, "clock", "played") == moves(moved, "bot", "played") == 1
    assert moved("cardclub_time_out_late_seconds_count") == 1
    assert moved("cardclub_time_out_late_seconds_sum") > 3000


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("move", "changes", "code"), [("no move", {}, "malformed_move"), (None, {"version": 0}, "stale")]
)
def test_a_refused_move_counts_by_its_code(moved, move, changes, code):
    mari = member("mari")
    table = on_turn("least_score", mari)
    for outcome in (code, "played"):
        moves(moved, "person", outcome)
    with pytest.raises(TableRefusal):
        play(table, mari, move or first_legal(table), **changes)
    assert (moves(moved, "person", code), moves(moved, "person", "played")) == (1, 0)


@pytest.mark.django_db
def test_every_refusal_of_a_table_counts_by_its_code(moved):
    moved("cardclub_table_refusals_total", code="no_such_table")
    with pytest.raises(TableRefusal):
        services.play_bot(table_id=uuid4(), turn_version=1)
    assert moved("cardclub_table_refusals_total", code="no_such_table") == 1


@pytest.mark.django_db
def test_the_time_between_two_sweeps_is_measured(moved):
    services.sweep()
    SweepMark.objects.update(at=F("at") - dt.timedelta(seconds=4))
    moved("cardclub_sweep_gap_seconds_sum")
    services.sweep()
    assert 4 <= moved("cardclub_sweep_gap_seconds_sum") < 60


@pytest.fixture
async def closed_hub() -> AsyncIterator[None]:
    yield
    await hub().close()


@pytest.mark.committed
async def test_sockets_count_by_kind_and_a_move_is_timed_until_the_last_of_them_has_it(
    moved, closed_hub, running_table, monkeypatch
):
    # A look at the heads in the moment of the move would show it to nobody a second time, and measure that.
    monkeypatch.setattr("games.hub.HEADS_SECONDS", 10 * PATIENCE)
    table, mari, _jaan = running_table
    kinds = ("player", "watcher", "lobby")
    for kind in kinds:
        moved("cardclub_sockets", kind=kind)
    for name in ("committed", "shown"):
        moved(f"cardclub_move_{name}_seconds_count")
    clients: list[Client] = [await connected(table, mari), await connected(table)]
    room = Socket("/ws/lobby/", [(b"origin", b"http://localhost"), (b"host", b"localhost")])
    assert await room.connect()
    await room.receive_from()
    assert [moved("cardclub_sockets", kind=kind) for kind in kinds] == [1, 1, 1]
    own = clients[0]
    await own.say(t="move", id=str(uuid4()), v=own.state["v"], m=await sync_to_async(first_legal)(table))
    answer = await own.kind("ok")
    for client in clients:
        await client.version(answer["v"])
    assert moved("cardclub_move_committed_seconds_count") == 1
    assert moved("cardclub_move_shown_seconds_count") == 1
    for socket in (*(client.socket for client in clients), room):
        await socket.disconnect()
    assert [moved("cardclub_sockets", kind=kind) for kind in kinds] == [0, 0, 0]
    await lobby().close()


def test_a_showing_is_over_when_its_last_frame_was_sent_whoever_asks_first(moved):
    moved("cardclub_move_shown_seconds_count")
    showing = Showing(7)
    frames = [showing.frame(text) for text in ("mari's view", "the watchers' view", "the watchers' view")]
    assert frames[1] is frames[2] and frames[0] == "mari's view"
    showing.time(0.0)
    for frame in frames:
        assert moved("cardclub_move_shown_seconds_count") == 0
        frame.showing.sent()
    assert moved("cardclub_move_shown_seconds_count") == 1
    showing.time(0.0)
    assert moved("cardclub_move_shown_seconds_count") == 2
