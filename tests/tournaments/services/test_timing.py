"""Time is up: the orbit is finished, or only full orbits count; extra time and a stopped clock are respected."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from games.models import Table
from tests.tournaments.events import (
    LOO,
    drive,
    enter_table,
    event,
    organiser,
    play_deal,
    released,
    with_players,
)
from tests.tournaments.services.refusals import refused
from tournaments import selectors, services
from tournaments.models import EventTable, Result, Round, Tournament
from tournaments.selectors.standings import standings_of

pytestmark = pytest.mark.django_db


def at(tournament: Tournament, by: Any) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "by": by, "round_number": 1}


def enter(by: Any, tournament: Tournament, deals: int) -> None:
    """Enter the next deals of table 1: the dealer declares with 5, the others have 9."""
    for _ in range(deals):
        number, dealer, players = selectors.next_deal(EventTable.objects.get(number=1))
        totals = {player: 5 if player == dealer else 9 for player in players}
        sheet = {"totals": totals, "declarer": dealer}
        services.enter_deal(**at(tournament, by), table_number=1, deal=number, sheet=sheet)


def time_runs_out(row: Round) -> None:
    Round.objects.filter(pk=row.pk).update(ends_at=timezone.now() - dt.timedelta(seconds=1))


def test_at_the_club_the_orbit_that_runs_is_finished() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=1, orbits=3, round_minutes=30)
    row = released(by, tournament, 1)
    enter(by, tournament, 2)
    assert services.sweep() == 0
    time_runs_out(row)
    assert services.sweep() == 1 and services.sweep() == 0
    assert EventTable.objects.get().deals_due == 4
    enter(by, tournament, 2)
    assert EventTable.objects.get().state == "done"
    assert {line.dealt for line in selectors.dealer_ledger(tournament)} == {1}


def test_where_only_full_orbits_count_what_lies_beyond_is_struck() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=1, orbits=3, round_minutes=30, full_orbits_only=True)
    row = released(by, tournament, 1)
    enter(by, tournament, 6)
    time_runs_out(row)
    assert services.sweep() == 1
    assert Round.objects.get().state == "complete" and Result.objects.filter(struck=True).count() == 2
    assert {(row.dealt, row.score) for row in standings_of(tournament).rows} == {(1, 12)}
    assert refused(services.call_time, **at(tournament, by)) == "not_released"


@pytest.mark.parametrize("full_only", [False, True])
def test_time_that_runs_out_before_anything_is_entered_leaves_the_first_orbit(full_only: bool) -> None:
    """Every table of an evening of slips was closed without a result when the clock ran out."""
    by = organiser()
    tournament = with_players(by, 8, rounds=1, orbits=3, round_minutes=30, full_orbits_only=full_only)
    time_runs_out(released(by, tournament, 1))
    enter(by, tournament, 2)
    assert services.sweep() == 1
    assert {(t.state, t.deals_due) for t in EventTable.objects.all()} == {("playing", 4)}
    enter(by, tournament, 2)
    enter_table(by, tournament, EventTable.objects.get(number=2))
    assert Round.objects.get().state == "complete" and not Result.objects.filter(struck=True).exists()


def test_extra_time_and_a_stopped_clock_are_respected() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=1, orbits=2, round_minutes=30)
    row = released(by, tournament, 1)
    enter(by, tournament, 1)
    services.give_extra_time(**at(tournament, by), table_number=1, seconds=600)
    time_runs_out(row)
    assert services.sweep() == 0
    services.stop_clock(**at(tournament, by))
    EventTable.objects.update(extra_seconds=0)
    assert services.sweep() == 0
    assert services.call_time(**at(tournament, by)) == [1]
    assert services.call_time(**at(tournament, by)) == []


@pytest.mark.parametrize("full_only", [False, True])
def test_online_tables_stop_and_loo_shares_the_pot_that_counts(full_only: bool) -> None:
    by = organiser()
    sizes = {"size_min": 5, "size_ideal": 5, "size_max": 5}
    terms = {**LOO, **sizes, "venue": "online", "bots_allowed": True, "orbits": 2, "rounds": 1}
    tournament = event(by, **terms, full_orbits_only=full_only)
    names = [f"Bot {n}" for n in range(5)]
    services.add_bots(tournament_id=tournament.pk, by=by, level="random", names=names)
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    table = Table.objects.get()
    for _ in range(6 if full_only else 3):
        play_deal(table)
    assert services.call_time(**at(tournament, by)) == [1]
    drive(tournament)
    assert Round.objects.get().state == "complete"
    assert {row.dealt for row in standings_of(tournament).rows} == {1}
    assert sum(row.score for row in standings_of(tournament).rows) == 0
    assert Result.objects.filter(struck=True).count() == (1 if full_only else 0)


def test_an_elimination_by_threshold_has_no_time_to_be_called() -> None:
    by = organiser()
    tournament = with_players(by, 4, family="elimination", thresholds=[30], rounds=1)
    released(by, tournament, 1)
    assert refused(services.call_time, **at(tournament, by)) == "not_released"
