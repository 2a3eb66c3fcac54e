"""Lag compensation: what a slow line costs nobody, and what saying one has a slow line cannot gain."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from clubs.models import User
from games import presence, round_trips, services
from games.broadcast import connection
from games.hub import hub
from games.models import Table
from games.round_trips import KEPT, RoundTrips
from games.rules.clock import PRESETS, RTT_ALLOWANCE, new_quota, quota_refill
from games.selectors import statements
from games.services import Line
from tests.games.sockets import connected
from tests.games.tables import first_legal, member, on_turn, play, play_bots_until

CONTROL = PRESETS["club"]
QUOTA, REFILL = new_quota(CONTROL).left, quota_refill(CONTROL)

StandsStill = Callable[[Table, int], None]


@pytest.fixture
def mari() -> User:
    return member("mari")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StandsStill:
    """Let the time at which tables are locked stand still so many milliseconds after the running turn began.

    Milliseconds are counted here, and what the test itself takes must not be among them.
    """
    running = statements._TABLE

    def stands_still(table: Table, ms: int) -> None:
        table.refresh_from_db()
        assert table.turn_started_at is not None
        moment = table.turn_started_at + dt.timedelta(milliseconds=ms)
        still = running.replace("clock_timestamp()", f"timestamptz '{moment.isoformat()}'")
        assert still != running
        monkeypatch.setattr(statements, "_TABLE", still)

    return stands_still


def bank_spent(table: Table, user: User, clock: StandsStill, *, over: int, line: Line) -> int:
    """Let ``user`` move ``over`` ms after the move's own time; return how much bank it cost."""
    clock(table, CONTROL.per_move + over)
    before = int(table.banks["1"])
    assert not play(table, user, first_legal(table), line=line).code
    table.refresh_from_db()
    return before - int(table.banks["1"])


def quota_left(table: Table) -> int:
    return int(table.lag_quotas["1"])


@pytest.mark.django_db
def test_the_lag_of_an_honest_line_costs_no_bank_and_is_taken_from_the_quota(
    mari: User, clock: StandsStill
) -> None:
    table = on_turn("least_score", mari)
    assert bank_spent(table, mari, clock, over=2_000, line=Line(stated=200, measured=180)) == 1_800
    assert quota_left(table) == QUOTA - 200 + REFILL


@pytest.mark.django_db
def test_a_liar_gains_no_more_than_the_measured_round_trip_and_the_allowance(
    mari: User, clock: StandsStill
) -> None:
    table = on_turn("least_score", mari)
    spent = bank_spent(table, mari, clock, over=2_000, line=Line(stated=60_000, measured=40))
    assert spent == 2_000 - (40 + RTT_ALLOWANCE)


@pytest.mark.django_db
@pytest.mark.parametrize("line", [Line(60_000, None), Line(0, 5_000)], ids=["unmeasured", "unstated"])
def test_a_lag_that_nobody_measured_or_nobody_claimed_is_not_forgiven(
    mari: User, clock: StandsStill, line: Line
) -> None:
    table = on_turn("least_score", mari)
    assert bank_spent(table, mari, clock, over=2_000, line=line) == 2_000


@pytest.mark.django_db
def test_a_lagger_gains_nothing_beyond_the_quota_however_often(mari: User, clock: StandsStill) -> None:
    """Moves that always arrive late by far more than the quota forgives: the bank pays for the rest."""
    moves = 0
    while moves < 4:
        # A match may be short; what a table forgave ends with it.
        table, moves, forgiven = on_turn("least_score", mari), 0, 0
        while table.status == Table.Status.PLAYING and moves < 4:
            forgiven += 1_500 - bank_spent(table, mari, clock, over=1_500, line=Line(5_000, 5_000))
            assert forgiven <= QUOTA + moves * REFILL
            moves += 1
            play_bots_until(table, 1)


@pytest.mark.django_db
def test_a_move_that_needs_no_forgiving_spends_no_quota(mari: User, clock: StandsStill) -> None:
    table = on_turn("least_score", mari)
    assert bank_spent(table, mari, clock, over=-5_000, line=Line(800, 800)) == 0
    assert quota_left(table) == QUOTA + REFILL


@pytest.mark.django_db
def test_a_move_is_in_time_when_only_the_line_made_it_late(mari: User, clock: StandsStill) -> None:
    table = on_turn("least_score", mari)
    clock(table, CONTROL.per_move + CONTROL.bank + 50)
    assert not play(table, mari, first_legal(table), line=Line(700, 700)).code
    table.refresh_from_db()
    assert table.banks["1"] == 650, "700 ms were forgiven of 50 ms above the whole bank"


@pytest.mark.django_db
def test_a_move_later_than_its_lag_is_too_late_and_spends_no_quota(mari: User, clock: StandsStill) -> None:
    table = on_turn("least_score", mari)
    clock(table, CONTROL.per_move + CONTROL.bank + 500)
    assert play(table, mari, first_legal(table), line=Line(60_000, 40)).code == "too_late"
    table.refresh_from_db()
    assert "1" not in table.lag_quotas


def note_round_trip(table: Table, trip: int) -> None:
    """Write a measured round trip of seat 1 as the web process of its socket does."""
    now = presence.clock_ms(connection().time())
    connection().hset(presence.lag_key(table.id), "1", f"{trip} {now}")


@pytest.mark.django_db
def test_the_time_out_waits_as_long_as_a_move_of_a_living_line_may_still_come(
    mari: User, clock: StandsStill, django_capture_on_commit_callbacks: Any
) -> None:
    table = on_turn("least_score", mari)
    clock(table, CONTROL.per_move + CONTROL.bank + 50)
    note_round_trip(table, 100)
    with django_capture_on_commit_callbacks() as arranged:
        assert not services.time_out(table_id=table.id, turn_version=table.turn_version)
    assert arranged, "it looks again by itself"
    clock(table, CONTROL.per_move + CONTROL.bank + 100 + RTT_ALLOWANCE)
    assert services.time_out(table_id=table.id, turn_version=table.turn_version)


@pytest.mark.django_db
def test_nobody_waits_for_a_seat_without_a_line(mari: User, clock: StandsStill) -> None:
    table = on_turn("least_score", mari)
    connection().delete(presence.lag_key(table.id))
    clock(table, CONTROL.per_move + CONTROL.bank)
    assert services.time_out(table_id=table.id, turn_version=table.turn_version)


# Measuring ------------------------------------------------------------------------------------------------------------
@pytest.fixture
def asked_at(monkeypatch: pytest.MonkeyPatch) -> float:
    """The moment at which every question is asked: its answer's time is then known to the millisecond."""
    moment = 1000.0
    monkeypatch.setattr(round_trips, "time", SimpleNamespace(monotonic=lambda: moment))
    return moment


def test_only_the_word_that_was_asked_for_is_a_measurement_and_only_once(asked_at: float) -> None:
    trips = RoundTrips()
    word = trips.ask()
    trips.answered("00000000", asked_at)
    trips.answered("éééééééé", asked_at)
    assert trips.usual is None
    trips.answered(word, asked_at + 0.25)
    trips.answered(word, asked_at + 9)
    assert trips.usual == 250


def test_one_slow_answer_among_the_last_ones_changes_nothing(asked_at: float) -> None:
    trips = RoundTrips()
    for ms in (40, 40, 5_000, 40, 40):
        trips.answered(trips.ask(), asked_at + ms / 1000)
    assert KEPT == 5 and trips.usual == 40


def test_a_question_that_the_server_itself_held_up_is_forgotten(asked_at: float) -> None:
    trips = RoundTrips()
    word = trips.ask()
    trips.spoil()
    trips.answered(word, asked_at + 3)
    assert trips.usual is None


@pytest.mark.committed
@pytest.mark.usefixtures("closed_hub")
async def test_over_the_socket_a_stated_lag_counts_only_as_far_as_the_line_was_measured(
    mari: User, clock: StandsStill
) -> None:
    table = await sync_to_async(on_turn)("least_score", mari)
    client = await connected(table, mari)
    for _ in range(3):
        await client.say(t="ping")
        pong = await client.kind("pong")
        await client.say(t="echo", k=pong["k"])
    await sync_to_async(clock)(table, CONTROL.per_move + 9_000)
    move = await sync_to_async(first_legal)(table)
    command = "00000000-0000-4000-8000-000000000001"
    said_at = time.monotonic()
    await client.say(t="move", id=command, v=client.state["v"], m=move, lag=9_000)
    await client.kind("ok")
    # A move has arrived when its frame has, and not only when the table is locked for it.
    lasted = (time.monotonic() - said_at) * 1000
    room = hub().room(table.id)
    assert room is not None
    (viewer,) = room.viewers
    measured = viewer.round_trips.usual
    assert measured is not None
    await sync_to_async(table.refresh_from_db)()
    gained = 9_000 - (CONTROL.bank - int(table.banks["1"]))
    assert 0 <= gained - min(QUOTA, measured + RTT_ALLOWANCE) <= lasted + 1
    await client.socket.disconnect()
