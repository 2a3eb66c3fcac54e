"""The course of rounds: released and taken back, undone and redone with every version, clocks, cuts."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from games.models import Table
from ledger.models import Account
from ledger.services.sources import check_sources
from tests.tournaments.events import (
    LOO,
    drive,
    enter_all,
    enter_table,
    event,
    members,
    organiser,
    play_deal,
    played,
    released,
    transactions,
    with_players,
)
from tests.tournaments.services.refusals import refused
from tournaments import selectors, services
from tournaments.models import Draw, Entry, EventTable, KnockedOut, Result, Round, Tournament
from tournaments.selectors.field import tables_of
from tournaments.selectors.standings import standings_of

pytestmark = pytest.mark.django_db


def at(tournament: Tournament, by: Any, number: int = 1, **more: Any) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "by": by, "round_number": number, **more}


def online_event(by: Any, people: list[Any], bots: int = 0, **terms: Any) -> Tournament:
    tournament = event(by, venue="online", bots_allowed=True, **terms)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    names = [f"Bot {n}" for n in range(bots)]
    services.add_bots(tournament_id=tournament.pk, by=by, level="random", names=names)
    return services.start_tournament(tournament_id=tournament.pk, by=by)


def test_a_round_is_released_only_as_drawn_and_confirmed() -> None:
    by = organiser()
    tournament = with_players(by, 8, rounds=2)
    assert refused(services.release_round, **at(tournament, by)) == "no_such_round"
    draw = services.draw(tournament_id=tournament.pk, by=by)
    assert refused(services.release_round, **at(tournament, by)) == "not_fixed"
    services.confirm_draw(**at(tournament, by))
    services.release_round(**at(tournament, by))
    assert refused(services.release_round, **at(tournament, by)) == "released"
    row = Round.objects.get(number=1)
    assert [table.seats for table in tables_of(row)] == draw.rounds[0]
    services.confirm_draw(**at(tournament, by, 2))
    assert refused(services.release_round, **at(tournament, by, 2)) == "unconfirmed"
    assert refused(services.confirm_round, **at(tournament, by)) == "tables_open"


def test_online_tables_open_with_the_players_the_dealer_and_the_deals_that_were_drawn() -> None:
    by = organiser()
    tournament = online_event(by, members(2), bots=5, rounds=1, orbits=2)
    released(by, tournament, 1)
    row = Round.objects.get(number=1)
    view = selectors.round_view(row)
    assert [len(table.seats) for table in view.tables] == [4, 3]
    for table in view.tables:
        site = Table.objects.get(pk=table.site_table)
        seated = {seat.number: seat.shown_name for seat in site.seats.all()}
        assert seated == {s.number: s.entry.shown_name for s in table.seats}
        assert site.deal_limit == 2 * len(table.seats)
    drive(tournament)
    row.refresh_from_db()
    assert row.state == "complete"
    for table in tables_of(row):
        deals = Result.objects.filter(event_table=table)
        assert [deal.dealer for deal in deals] == [*table.seats, *table.seats]
    assert {row.dealt for row in standings_of(tournament).rows} == {2}


def test_loo_is_played_online_for_the_events_own_chips() -> None:
    """Every stake of the event is in the book; when a round is over nobody keeps any of its chips."""
    by = organiser()
    terms = {**LOO, "size_min": 5, "size_ideal": 5, "size_max": 5, "event_chips": 100, "rounds": 1}
    tournament = online_event(by, members(1), bots=4, **terms)
    released(by, tournament, 1)
    site = Table.objects.get()
    assert site.staked and site.options["rotations"] == 1
    drive(tournament)
    assert Round.objects.get().state == "complete"
    rows = standings_of(tournament).rows
    assert sum(row.score for row in rows) == 0 and any(row.score for row in rows)
    accounts = Account.objects.filter(asset__code=site.asset)
    assert accounts.count() >= 9 and all(account.balance == 0 for account in accounts)
    assert check_sources() >= 2


def test_an_event_that_is_cancelled_in_mid_round_leaves_none_of_its_own_chips_behind() -> None:
    by = organiser()
    terms = {**LOO, "size_min": 5, "size_ideal": 5, "size_max": 5, "event_chips": 100, "rounds": 1}
    tournament = online_event(by, members(1), bots=4, **terms)
    released(by, tournament, 1)
    play_deal(Table.objects.get())
    services.cancel_tournament(tournament_id=tournament.pk, by=by, reason="no light")
    assert Table.objects.get().status == "finished"
    accounts = Account.objects.filter(asset__code=Table.objects.get().asset)
    assert all(account.balance == 0 for account in accounts)
    group = f"tournament/{tournament.pk}/"
    assert list(services.check_event(group, transactions(tournament))) == []
    assert services.sweep() == 0


def test_a_release_is_taken_back_before_any_result_and_comes_again() -> None:
    by = organiser()
    tournament = online_event(by, members(3), rounds=1)
    released(by, tournament, 1)
    site = Table.objects.get()
    services.unrelease_round(**at(tournament, by), reason="a player is missing")
    site.refresh_from_db()
    assert site.status == "finished" and Round.objects.get().state == "drawn"
    assert EventTable.objects.get().state == "void"
    released(by, tournament, 1)
    assert Round.objects.get().take == 2 and EventTable.objects.count() == 2
    drive(tournament)
    assert refused(services.unrelease_round, **at(tournament, by), reason="x") == "not_released"
    assert Round.objects.get().state == "complete"


def test_any_round_is_undone_and_redone_with_its_versions_kept() -> None:
    by = organiser()
    tournament = with_players(by, 8, rounds=3)
    played(by, tournament, 1)
    released(by, tournament, 2)
    enter_all(by, tournament, 2)
    services.confirm_round(**at(tournament, by, 2))
    before = [(row.entry.number, row.score) for row in standings_of(tournament).rows]
    results = Result.objects.count()
    assert refused(services.undo_round, **at(tournament, by, 1), reason="x") == "later_round"
    assert refused(services.undo_round, **at(tournament, by, 2), reason=" ") == "reason_missing"

    services.undo_round(**at(tournament, by, 2), reason="wrong seats at table 1")
    assert Result.objects.count() == results and Round.objects.get(number=2).state == "drawn"
    assert all(set(row.rounds) == {1} for row in standings_of(tournament).rows)
    services.redo_round(**at(tournament, by, 2), reason="it was right after all")
    assert [(row.entry.number, row.score) for row in standings_of(tournament).rows] == before
    assert refused(services.redo_round, **at(tournament, by, 2), reason="x") == "nothing_undone"

    services.undo_round(**at(tournament, by, 2), reason="no, wrong seats")
    services.draw(tournament_id=tournament.pk, by=by)
    played(by, tournament, 2)
    assert Round.objects.get(number=2).take == 2 and Result.objects.count() == results + 2
    assert Draw.objects.count() == 2


def test_a_round_half_played_online_is_undone_and_its_tables_close() -> None:
    """pantheon 778: wrong seats found hands later: cancel, re-seat, replay."""
    by = organiser()
    tournament = online_event(by, members(1), bots=5, rounds=1)
    released(by, tournament, 1)
    for site in Table.objects.all():
        play_deal(site)
    services.undo_round(**at(tournament, by), reason="wrong seats")
    assert not Table.objects.exclude(status="finished").exists()
    assert refused(services.redo_round, **at(tournament, by), reason="x") == "nothing_undone"
    services.draw(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    drive(tournament)
    assert Round.objects.get().state == "complete"
    assert {row.dealt for row in standings_of(tournament).rows} == {1}


def test_the_rounds_clock_stops_goes_on_and_gives_extra_time() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=1, round_minutes=30)
    row = released(by, tournament, 1)
    assert row.ends_at is not None and row.released_at is not None
    assert row.ends_at - row.released_at == dt.timedelta(minutes=30)
    stopped = services.stop_clock(**at(tournament, by))
    ends = stopped.ends_at
    going = services.stop_clock(**at(tournament, by))
    assert (
        going.paused_at is None and going.ends_at is not None and ends is not None and going.ends_at >= ends
    )
    services.give_extra_time(**at(tournament, by), table_number=1, seconds=120)
    assert services.give_extra_time(**at(tournament, by), table_number=1, seconds=60).extra_seconds == 180
    bad = {**at(tournament, by), "table_number": 1, "seconds": 0}
    assert refused(services.give_extra_time, **bad) == "bad_term"


def test_a_round_opens_by_itself_on_time_and_one_that_cannot_is_noted() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=2)
    services.draw(tournament_id=tournament.pk, by=by)
    now = timezone.now()
    assert refused(services.schedule_round, **at(tournament, by), opens_at=now) == "not_fixed"
    services.confirm_draw(**at(tournament, by))
    services.confirm_draw(**at(tournament, by, 2))
    services.schedule_round(**at(tournament, by), opens_at=now + dt.timedelta(hours=1))
    assert services.sweep() == 0 and Round.objects.get(number=1).state == "fixed"
    services.schedule_round(**at(tournament, by), opens_at=now)
    services.schedule_round(**at(tournament, by, 2), opens_at=now)
    assert services.sweep() == 1
    assert Round.objects.get(number=1).state == "playing"
    assert tournament.actions.get(kind="not_opened").reason == "unconfirmed"
    assert Round.objects.get(number=2).opens_at is None


def test_held_back_standings_show_only_rounds_that_are_complete() -> None:
    by = organiser()
    tournament = with_players(by, 8, rounds=1, scoring="places", tie_breaks=["best_round"])
    row = released(by, tournament, 1)
    first, second = tables_of(row)
    enter_table(by, tournament, first)
    hidden = standings_of(tournament)
    assert hidden.held_back and all(row.score == 0 for row in hidden.rows)
    services.change_tournament(tournament_id=tournament.pk, by=by, standings_live=True)
    tournament.refresh_from_db()
    live = standings_of(tournament)
    assert not live.held_back and sum(row.score for row in live.rows) == 2
    enter_table(by, tournament, second)
    done = standings_of(tournament)
    assert [row.rank for row in done.rows] == [1, 1, 3, 3, 5, 5, 7, 7] and done.complete == 1


CUT = {"family": "elimination", "rounds": 2, "final_size": 4}


@pytest.mark.parametrize(
    ("advance", "count", "left"),
    [("table_best", 2, 4), ("table_worst", 1, 6), ("overall_best", 5, 5), ("overall_best", 3, 4)],
)
def test_the_cut_is_made_when_results_are_confirmed(advance: str, count: int, left: int) -> None:
    """Two tables of four with 0, 10, 20 and 30 points each: ties at the line extend the cut while a table has room."""
    by = organiser()
    tournament = with_players(by, 8, **CUT, advance=advance, advance_count=count)
    played(by, tournament, 1)
    assert Entry.objects.filter(status="entered").count() == left
    step = KnockedOut.objects.get()
    assert step.why == "cut" and len(step.survivors) == left
    services.reopen_round(**at(tournament, by), reason="a wrong line")
    assert Entry.objects.filter(status="entered").count() == 8
    services.confirm_round(**at(tournament, by))
    assert Entry.objects.filter(status="entered").count() == left
    services.undo_round(**at(tournament, by), reason="wrong seats")
    assert Entry.objects.filter(status="out").count() == 0


def test_a_tie_at_the_cut_that_no_rule_decides_falls_by_a_lot_on_record() -> None:
    by = organiser()
    sizes = {"size_min": 3, "size_ideal": 4, "size_max": 4}
    tournament = with_players(by, 8, **{**CUT, **sizes}, advance="overall_best", advance_count=4)
    row = released(by, tournament, 1)
    for table in tables_of(row):
        enter_table(by, tournament, table, dict.fromkeys(table.seats, 7))
    services.confirm_round(**at(tournament, by))
    step = KnockedOut.objects.get()
    assert step.seed is not None and len(step.survivors) == 4 and len(step.out) == 1


def test_the_last_round_of_a_cut_event_decides_the_places() -> None:
    by = organiser()
    tournament = with_players(by, 8, **CUT, advance="table_best", advance_count=2)
    played(by, tournament, 1)
    services.draw(tournament_id=tournament.pk, by=by)
    played(by, tournament, 2)
    services.finish_tournament(tournament_id=tournament.pk, by=by)
    places = sorted(Entry.objects.values_list("place", flat=True))
    assert places[0] == 1 and places[4:] == [5, 5, 7, 7]
