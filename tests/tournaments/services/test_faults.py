"""Stopped between any two statements, an event is as before or as after, never between; the next call does the work."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import override_settings

from games.models import Table
from tests.tournaments.events import (
    enter_all,
    event,
    give,
    members,
    organiser,
    play_deal,
    played,
    released,
    with_players,
)
from tournaments import services
from tournaments.models import EventTable, Round, Sitting, Tournament
from tournaments.services import fault_points

PROJECT = Path(__file__).resolve().parents[3]
TABLES = (
    *("tournament", "entry", "draw", "round", "eventtable", "sitting", "result", "knockedout"),
    *("action", "payout", "keptapart"),
)
OTHERS = ("games_table", "games_seat", "games_logentry", "games_deal", "ledger_account", "ledger_transaction")
Act = Callable[[], Any]


class Stopped(Exception):
    """The process ends here."""


@contextmanager
def stopping_at(point: str, stop: Callable[[], None]) -> Iterator[None]:
    fault_points.armed[point] = stop
    try:
        yield
    finally:
        fault_points.armed.clear()


def stop() -> None:
    raise Stopped


def everything() -> list[str]:
    """Return a digest of each table: what an event, its tables and the book hold."""
    names = [f"tournaments_{name}" for name in TABLES] + list(OTHERS)
    digest = "SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM {} t"
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(digest.format(name) for name in names))
        return [row[0] for row in cursor.fetchall()]


def stopped_everywhere(act: Act, *points: str) -> None:
    """Stop ``act`` at each of its points; nothing may have changed. Then let it finish."""
    before = everything()
    for point in points:
        with stopping_at(point, stop), pytest.raises(Stopped):
            act()
        assert everything() == before, point
    act()
    assert everything() != before


def paid_event(by: Any, **terms: Any) -> Tournament:
    """An event with a fee, four members and one who does not come."""
    people = members(5, chips=100)
    tournament = event(by, asset="CHIPS", fee=20, check_in_needed=True, **terms)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.open_check_in(tournament_id=tournament.pk, by=by)
    for number in range(1, 5):
        services.check_in(tournament_id=tournament.pk, by=by, number=number)
    return tournament


@pytest.mark.django_db
def test_start_payout_and_its_undoing() -> None:
    by = organiser()
    tournament = paid_event(by, rounds=1)
    at = {"tournament_id": tournament.pk, "by": by}
    stopped_everywhere(
        lambda: services.start_tournament(**at),
        *("check_in.between", "start.before_fees", "start.between_fees", "start.after_fees"),
    )
    played(by, tournament, 1)
    stopped_everywhere(lambda: services.finish_tournament(**at), "finish.after_places")
    stopped_everywhere(lambda: services.pay_prizes(**at), "payout.between", "payout.after_row")
    back: Act = lambda: services.take_prizes_back(**at, reason="a wrong result")  # noqa: E731
    stopped_everywhere(back, "payout.between_back")


@pytest.mark.django_db
def test_cancelling() -> None:
    by = organiser()
    tournament = paid_event(by, rounds=1)
    cancel: Act = lambda: services.cancel_tournament(  # noqa: E731
        tournament_id=tournament.pk, by=by, reason="no cards"
    )
    stopped_everywhere(cancel, "cancel.between_fees")


@pytest.mark.django_db
def test_draws_swaps_and_rounds_at_the_club() -> None:
    by = organiser()
    tournament = with_players(by, 8, rounds=2)
    at = {"tournament_id": tournament.pk, "by": by}
    first = {**at, "round_number": 1}
    stopped_everywhere(
        lambda: services.draw(**at), "draw.between", "draw.between_rounds", "draw.after_rounds"
    )
    tables = Round.objects.get(number=1).drawn_tables
    swap = {**first, "one": tables[0][0], "other": tables[1][0]}
    stopped_everywhere(lambda: services.swap(**swap), "swap.between", "draw.between_rounds")
    services.confirm_draw(**first)
    stopped_everywhere(
        lambda: services.release_round(**first),
        *("release.after_round", "release.between_tables", "release.between_table_and_sitting"),
    )
    stopped_everywhere(lambda: services.unrelease_round(**first, reason="early"), "unrelease.between")
    released(by, tournament, 1)
    table = EventTable.objects.filter(state="playing").order_by("number").first()
    assert table is not None
    sheet = {"totals": dict.fromkeys(table.seats, 5), "declarer": table.seats[0]}
    entered = {**first, "table_number": 1, "deal": 1, "sheet": sheet}
    stopped_everywhere(lambda: services.enter_deal(**entered), "entry.between")
    fix = {**first, "table_number": 1, "deal": 1, "strike": True, "reason": "misdeal"}
    stopped_everywhere(lambda: services.correct_deal(**fix), "correct.between")
    stopped_everywhere(lambda: services.undo_round(**first, reason="wrong seats"), "undo.between")
    released(by, tournament, 1)
    enter_all(by, tournament, 1)
    services.withdraw(**at, number=5)
    stopped_everywhere(
        lambda: services.confirm_round(**first), "confirm.after_cut", "confirm.before_plan", "draw.between"
    )
    stopped_everywhere(lambda: services.reopen_round(**first, reason="a wrong line"), "reopen.between")
    services.undo_round(**first, reason="wrong seats")
    stopped_everywhere(lambda: services.redo_round(**first, reason="it was right"), "redo.between")


@pytest.mark.django_db
def test_the_end_of_the_time() -> None:
    by = organiser()
    tournament = with_players(by, 8, rounds=1, orbits=2)
    released(by, tournament, 1)
    call: Act = lambda: services.call_time(  # noqa: E731
        tournament_id=tournament.pk, by=by, round_number=1
    )
    stopped_everywhere(call, "time.between")


@pytest.mark.django_db
def test_rounds_online() -> None:
    by = organiser()
    tournament = online(by, bots=6, rounds=1)
    at = {"tournament_id": tournament.pk, "by": by, "round_number": 1}
    services.draw(tournament_id=tournament.pk, by=by)
    services.confirm_draw(**at)
    stopped_everywhere(lambda: services.release_round(**at), "sitting.opened", "release.between_tables")
    for table in Table.objects.all():
        while table.status != Table.Status.FINISHED:
            play_deal(table)
    stopped_everywhere(
        lambda: services.settle(tournament_id=tournament.pk), "take.between_deals", "settle.between_tables"
    )


FLOOR = {
    "floor.after_end",
    "floor.after_knock_out",
    "floor.after_moves",
    "floor.between_closed",
    "floor.between_deals",
    "floor.between_result_and_knock_out",
    "floor.between_sittings",
    "floor.saved",
    "settle.before_complete",
}


def online(by: Any, bots: int, **terms: Any) -> Tournament:
    tournament = event(by, venue="online", bots_allowed=True, size_max=4, size_ideal=3, **terms)
    names = [f"Bot {n}" for n in range(bots)]
    services.add_bots(tournament_id=tournament.pk, by=by, level="steady", names=names)
    return services.start_tournament(tournament_id=tournament.pk, by=by)


def deal_everywhere(tournament: Tournament) -> bool:
    """Play the next deal at every table that has one; returns whether there was any."""
    sittings = Sitting.objects.filter(event_table__round__tournament=tournament, open=True)
    ready = [s.table for s in sittings.select_related("table") if s.table.due_at is not None]
    for table in ready:
        play_deal(table)
    return bool(ready)


def points_on_the_way(act: Act) -> set[str]:
    """Return the points that ``act`` would come by; what it does is taken back."""
    seen: set[str] = set()
    for point in FLOOR:
        fault_points.armed[point] = lambda point=point: seen.add(point)
    try:
        with transaction.atomic():
            act()
            raise Stopped
    except Stopped:
        return seen
    finally:
        fault_points.armed.clear()


@pytest.mark.django_db
def test_knock_outs_breaks_and_balances_online() -> None:
    by = organiser()
    terms = {"family": "elimination", "thresholds": [6], "rounds": 1, "final_size": 3}
    tournament = online(by, bots=9, **terms)
    released(by, tournament, 1)
    settle: Act = lambda: services.settle(tournament_id=tournament.pk)  # noqa: E731
    left = set(FLOOR)
    while deal_everywhere(tournament):
        before = everything()
        for point in sorted(left & points_on_the_way(settle)):
            with stopping_at(point, stop), pytest.raises(Stopped):
                settle()
            assert everything() == before, point
            left.discard(point)
        settle()
    assert Round.objects.get().state == "complete" and left == set()


def test_every_point_is_tested() -> None:
    source = "".join(path.read_text() for path in (PROJECT / "tournaments/services").glob("*.py"))
    points = set(re.findall(r'fault_point\("([a-z_.]+)"\)', source))
    assert points and {point for point in points if f'"{point}"' not in Path(__file__).read_text()} == set()


KILLED = """
import os, signal, sys
import django; django.setup()
from clubs.models import User
from tournaments import services
from tournaments.services import fault_points
point, act, event = sys.argv[1:]
fault_points.armed[point] = lambda: os.kill(os.getpid(), signal.SIGKILL)
by = User.objects.get(username="organiser")
at = {"tournament_id": event, "by": by}
if act == "settle":
    services.settle(tournament_id=event)
elif act == "release_round":
    services.release_round(**at, round_number=1)
else:
    getattr(services, act)(**at)
"""


@pytest.mark.committed
def test_a_process_that_is_killed_leaves_the_database_as_it_was(committed_database: Any) -> None:
    environment = {**os.environ, **committed_database.environment, "DB_POOL_SIZE": "0"}

    def killed(point: str, act: str, tournament: Tournament) -> None:
        before = everything()
        command = [sys.executable, "-c", KILLED, point, act, str(tournament.pk)]
        ended = subprocess.run(command, cwd=PROJECT, env=environment, timeout=120, check=False)
        assert ended.returncode == -signal.SIGKILL and everything() == before, point

    with override_settings(CELERY_TASK_ALWAYS_EAGER=False):
        by = organiser()
        people = members(3)
        for person in people:
            give(person, 100)
        terms = {"family": "elimination", "thresholds": [5], "rounds": 1, "final_size": 3, "fee": 20}
        tournament = event(
            by, venue="online", bots_allowed=True, asset="CHIPS", size_max=3, size_ideal=3, **terms
        )
        at = {"tournament_id": tournament.pk, "by": by}
        for person in people:
            services.register(tournament_id=tournament.pk, user=person)
        services.add_bots(**at, level="steady", names=["One", "Two", "Three"])
        services.start_tournament(**at)
        services.draw(**at)
        services.confirm_draw(**at, round_number=1)
        killed("release.between_tables", "release_round", tournament)
        services.release_round(**at, round_number=1)
        deal_everywhere(tournament)
        killed("floor.saved", "settle", tournament)
        while services.settle(tournament_id=tournament.pk) or deal_everywhere(tournament):
            pass
        services.confirm_round(**at, round_number=1)
        services.finish_tournament(**at)
        killed("payout.after_row", "pay_prizes", tournament)
        assert sum(services.pay_prizes(**at).awards.values()) == 60
