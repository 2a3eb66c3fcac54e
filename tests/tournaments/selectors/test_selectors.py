"""What pages read: lists, seats with names, where a player has to be, history, seasons, an event as a file."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.selectors import first_club
from games.models import Table
from tests.tournaments.events import (
    enter_all,
    enter_table,
    event,
    give,
    members,
    organiser,
    play_deal,
    played,
    released,
    treasurer,
    with_players,
)
from tournaments import selectors, services
from tournaments.models import EventTable, Round

pytestmark = pytest.mark.django_db


def test_lists_show_drafts_to_organisers_only_and_count_entries() -> None:
    by = organiser()
    person, other = members(2)
    tournament = event(by, capacity=2)
    draft = services.create_tournament(by=by, name="Next", game="least_score")
    for someone in (person, other):
        services.register(tournament_id=tournament.pk, user=someone)
    services.register_by_hand(tournament_id=tournament.pk, by=by, name="Guest")
    (shown,) = selectors.events(first_club())
    assert (shown.entered, shown.waiting) == (2, 1)
    assert {each.pk for each in selectors.events(first_club(), drafts=True)} == {tournament.pk, draft.pk}
    assert list(selectors.events_of(person)) == [tournament] == list(selectors.open_events(first_club()))
    mine = selectors.entry_for(tournament, person)
    assert mine is not None and mine.number == 1
    assert selectors.get_event(draft.pk) == draft
    assert next(a.kind for a in selectors.actions_of(tournament)) == "entered"


def test_a_player_is_told_where_to_be() -> None:
    by = organiser()
    people = members(4)
    tournament = event(by, venue="online", rounds=1, size_min=3, size_ideal=3, size_max=3)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=by)
    assert selectors.whereabouts(tournament, people[0]) is None
    released(by, tournament, 1)
    row = Round.objects.get()
    places = {n: selectors.whereabouts(tournament, people[n - 1]) for n in range(1, 5)}
    (rest,) = row.sitting_out
    site = Table.objects.get()
    for number, place in places.items():
        assert place is not None
        if number == rest:
            assert place.sits_out and place.table is None
            assert selectors.my_tables(people[number - 1]) == []
        else:
            assert (place.site_table, place.seat) == (site.pk, row.drawn_tables[0].index(number) + 1)
            assert selectors.my_tables(people[number - 1]) == [place]
    found = selectors.event_of_site_table(site.pk)
    assert found is not None and found.round == row
    assert selectors.whereabouts(tournament, by) is None


def test_after_a_knock_out_players_are_told_of_their_new_table() -> None:
    by = organiser()
    people = members(2)
    tournament = event(
        by,
        venue="online",
        bots_allowed=True,
        family="elimination",
        thresholds=[2],
        rounds=1,
        size_ideal=3,
        size_max=4,
        final_size=2,
    )
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    names = [f"Bot {n}" for n in range(5)]
    services.add_bots(tournament_id=tournament.pk, by=by, level="steady", names=names)
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    for table in Table.objects.all():
        play_deal(table)
    services.settle(tournament_id=tournament.pk)
    for person in people:
        place = selectors.whereabouts(tournament, person)
        if place is not None and place.table is not None and place.site_table is not None:
            seats = Table.objects.get(pk=place.site_table).seats
            assert seats.filter(user=person).exists()
    view = selectors.round_view(Round.objects.get())
    assert view.knocked_out and all(not entry.counts for entry in view.knocked_out)


def test_a_round_is_shown_as_drawn_and_as_played() -> None:
    by = organiser()
    tournament = with_players(by, 8, rounds=1)
    services.draw(tournament_id=tournament.pk, by=by)
    drawn = selectors.round_view(selectors.rounds_of(tournament)[0])
    assert [len(table.seats) for table in drawn.tables] == [4, 4]
    assert drawn.tables[0].seats[0].first_dealer and drawn.tables[0].site_table is None
    released(by, tournament, 1)
    enter_all(by, tournament, 1)
    shown = selectors.round_view(Round.objects.get())
    assert [seat.score for seat in shown.tables[0].seats] == [0, 10, 20, 30]
    assert [seat.entry for t in shown.tables for seat in t.seats] == [
        seat.entry for t in drawn.tables for seat in t.seats
    ]


def test_the_page_of_a_round_asks_as_often_for_many_tables_as_for_two() -> None:
    by = organiser()
    asked = []
    for players in (8, 24):
        tournament = with_players(by, players, rounds=1)
        released(by, tournament, 1)
        enter_all(by, tournament, 1)
        row = Round.objects.select_related("tournament", "draw").get(tournament=tournament)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            selectors.round_view(row)
            selectors.standings_of(tournament)
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 20


def test_a_players_history_and_the_ledger_of_dealers() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=2)
    released(by, tournament, 1)
    table = EventTable.objects.get()
    for deal in range(1, 5):
        sheet = {"totals": {p: 3 + (p == table.seats[1]) for p in table.seats}, "declarer": table.seats[0]}
        services.enter_deal(
            tournament_id=tournament.pk, by=by, round_number=1, table_number=1, deal=deal, sheet=sheet
        )
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    (first,) = selectors.history_of_player(tournament, table.seats[1])
    assert (first.score, first.dealt, first.owed, len(first.opponents)) == (4, 1, 1, 3)
    assert [(line.dealt, line.owed, line.ahead) for line in selectors.dealer_ledger(tournament)] == [
        (1, Fraction(1), 0.0)
    ] * 4


def test_a_season_counts_the_best_events_of_members() -> None:
    by = organiser()
    people = members(3)
    season = services.create_season(by=by, name="2030", by_place=[10, 6, 3], best=1)
    for _ in range(2):
        tournament = event(by, rounds=1)
        for person in people:
            services.register(tournament_id=tournament.pk, user=person)
        services.register_by_hand(tournament_id=tournament.pk, by=by, name="Guest")
        services.put_in_season(tournament_id=tournament.pk, by=by, season=season)
        services.start_tournament(tournament_id=tournament.pk, by=by)
        played(by, tournament, 1)
        services.finish_tournament(tournament_id=tournament.pk, by=by)
    lines = selectors.league_of(season).lines
    assert {line.user for line in lines} == set(people)
    assert all(sorted(won.counts for won in line.won) == [False, True] for line in lines)
    assert lines[0].rank == 1 and float(lines[0].points) == max(float(line.points) for line in lines)
    services.put_in_season(tournament_id=tournament.pk, by=by, season=None)
    assert all([won.counts for won in line.won] == [True] for line in selectors.league_of(season).lines)


def test_prizes_are_announced_for_the_people_who_are_entered() -> None:
    by = organiser()
    people = members(3)
    for person in people:
        give(person, 50)
    tournament = event(by, asset="CHIPS", fee=40, prizes={"1": [100], "3": [70, 30]})
    for person in people[:2]:
        services.register(tournament_id=tournament.pk, user=person)
    assert [(p.place, p.share, p.chips) for p in selectors.prizes_of(tournament)] == [(1, 100, 80)]
    services.register(tournament_id=tournament.pk, user=people[2])
    assert [(p.place, p.chips) for p in selectors.prizes_of(tournament)] == [(1, 84), (2, 36)]


def test_nobody_is_safe_or_out_before_it_is_certain() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=2, scoring="places", prizes={"1": [100]})
    played(by, tournament, 1)
    assert {row.still for row in selectors.standings_of(tournament).rows} == {"alive"}
    played(by, tournament, 2)
    still = [row.still for row in selectors.standings_of(tournament).rows]
    assert "alive" not in still[1:] or still[0] != "safe"
    assert still[-1] == "out"


def test_a_guest_who_leads_takes_no_prize_from_those_behind() -> None:
    """Chips are won by accounts only: guests ahead were counted when it was said who is safe and who is out."""
    by = treasurer()
    people = members(2)
    give(people[0], 1)
    tournament = event(by, rounds=1, asset="CHIPS", guaranteed=100, prizes={"1": [100], "3": [60, 40]})
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    for name in ("Guest A", "Guest B"):
        services.register_by_hand(tournament_id=tournament.pk, by=by, name=name)
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    points = {3: 0, 4: 5, 1: 10, 2: 20}
    enter_table(by, tournament, EventTable.objects.get(), points)
    still = {row.entry.number: row.still for row in selectors.standings_of(tournament, seen="all").rows}
    assert still == {1: "safe", 2: "out", 3: "out", 4: "out"}
