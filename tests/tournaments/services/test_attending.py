"""Check-in, no-shows, leaving in mid-round, coming back, substitutes."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from games.models import Seat, Table
from tests.tournaments.events import (
    drive,
    enter_all,
    event,
    members,
    organiser,
    played,
    released,
    with_players,
)
from tests.tournaments.services.refusals import refused
from tournaments import selectors, services
from tournaments.models import Entry, Round, Tournament
from tournaments.selectors.standings import standings_of

pytestmark = pytest.mark.django_db


def wanted(tournament: Tournament, by: Any) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "by": by}


def statuses() -> list[str]:
    return list(Entry.objects.order_by("number").values_list("status", flat=True))


def test_players_check_in_while_it_is_open_and_the_organiser_always() -> None:
    by = organiser()
    tournament = event(by, check_in_needed=True)
    one, two, three = members(3)
    for person in (one, two, three):
        services.register(tournament_id=tournament.pk, user=person)
    assert refused(services.check_in, **wanted(tournament, one), number=1) == "check_in_closed"
    services.open_check_in(**wanted(tournament, by))
    assert services.check_in(**wanted(tournament, one), number=1).present
    assert refused(services.check_in, **wanted(tournament, one), number=2) == "not_organiser"
    assert not services.check_in(**wanted(tournament, one), number=1, present=False).present
    assert services.check_in_all(**wanted(tournament, by)) == 3
    assert services.check_in_all(**wanted(tournament, by)) == 0
    later = timezone.now() + dt.timedelta(hours=1)
    services.change_tournament(**wanted(tournament, by), check_in_opens_at=later)
    assert refused(services.check_in, **wanted(tournament, two), number=2) == "check_in_closed"


def test_who_does_not_come_loses_the_place_to_the_waiting_list() -> None:
    by = organiser()
    tournament = event(by, check_in_needed=True, capacity=3)
    people = members(6)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.open_check_in(**wanted(tournament, by))
    for number in (1, 3, 6):
        services.check_in(**wanted(tournament, by), number=number)
    assert services.close_check_in(**wanted(tournament, by)) == [2]
    assert statuses() == ["entered", "no_show", "entered", "no_show", "no_show", "entered"]
    services.return_entry(**wanted(tournament, people[1]), number=2)
    assert statuses()[1] == "waiting"
    started = services.start_tournament(**wanted(tournament, by))
    assert started.state == "running" and statuses()[1] == "waiting"


def test_a_player_who_leaves_in_mid_round_does_not_block_the_next_round() -> None:
    """liwords 1039 (blocks the next round), 855 (loses the history)."""
    by = organiser()
    tournament = with_players(by, 8, rounds=3)
    released(by, tournament, 1)
    leaving = services.withdraw(**wanted(tournament, by), number=3, reason="called home")
    assert leaving.leaving and leaving.status == "entered"
    assert refused(services.withdraw, **wanted(tournament, by), number=3) == "has_left"
    services.return_entry(**wanted(tournament, by), number=3)
    services.withdraw(**wanted(tournament, by), number=3)
    enter_all(by, tournament, 1)
    services.confirm_round(**wanted(tournament, by), round_number=1)
    assert statuses()[2] == "withdrawn"
    played(by, tournament, 2)
    (first, second) = selectors.history_of_player(tournament, 3)
    assert first.score is not None and second.score is None and not second.sat_out
    row = next(row for row in standings_of(tournament).rows if row.entry.number == 3)
    assert row.rounds == {1: first.score} and row.still == "out"


def test_a_missed_round_costs_as_much_as_the_worst_result_of_it() -> None:
    """Leaving and coming back earns nothing; nobody is helped by having been away."""
    by = organiser()
    tournament = with_players(by, 9, rounds=3)
    played(by, tournament, 1)
    services.withdraw(**wanted(tournament, by), number=4)
    services.draw(**wanted(tournament, by))
    played(by, tournament, 2)
    services.return_entry(**wanted(tournament, by), number=4)
    row = next(row for row in standings_of(tournament).rows if row.entry.number == 4)
    worst = max(r.rounds[2] for r in standings_of(tournament).rows if 2 in r.rounds)
    assert row.score == row.rounds[1] + worst
    services.draw(**wanted(tournament, by))
    assert 4 in {player for table in Round.objects.get(number=3).drawn_tables for player in table}


def test_a_substitute_plays_and_the_result_stays_the_players() -> None:
    """mahjong-portal 174: substitutes counted as participants."""
    by = organiser()
    tournament = event(by, rounds=1)
    people = members(5)
    for person in people[:4]:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(**wanted(tournament, by))
    stand_by = people[4]
    made = services.substitute(**wanted(tournament, by), number=2, user=stand_by)
    assert (made.played_by, made.shown_name) == ("member5", "member2")
    assert (
        refused(services.substitute, **wanted(tournament, by), number=1, user=stand_by) == "already_entered"
    )
    released(by, tournament, 1)
    place = selectors.whereabouts(tournament, stand_by)
    assert place is not None and place.entry.number == 2
    enter_all(by, tournament, 1)
    assert len(standings_of(tournament).rows) == 4
    back = services.substitute(**wanted(tournament, by), number=2)
    assert back.played_by == "member2"


def test_online_a_bot_plays_on_for_who_withdraws() -> None:
    """L25, and the seat's result stays that player's."""
    by = organiser()
    people = members(3)
    tournament = event(by, venue="online", rounds=1, size_max=3, size_ideal=3)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(**wanted(tournament, by))
    released(by, tournament, 1)
    for number in (1, 2, 3):
        services.withdraw(**wanted(tournament, people[number - 1]), number=number)
    assert Seat.objects.filter(left=True).count() == 3
    assert Table.objects.get().status != "finished"
    drive(tournament)
    assert Round.objects.get().state == "complete"
    assert {row.dealt for row in standings_of(tournament).rows} == {1}
    services.confirm_round(**wanted(tournament, by), round_number=1)
    assert statuses() == ["withdrawn"] * 3


def test_who_is_absent_is_played_by_a_bot_where_the_event_says_so() -> None:
    by = organiser()
    people = members(3)
    tournament = event(by, venue="online", rounds=1, check_in_needed=True, absent="bot")
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.open_check_in(**wanted(tournament, by))
    services.check_in(**wanted(tournament, people[0]), number=1)
    services.start_tournament(**wanted(tournament, by))
    assert statuses() == ["entered"] * 3
    released(by, tournament, 1)
    standing_in = set(Seat.objects.filter(stand_in=True).values_list("user__username", flat=True))
    assert standing_in == {"member2", "member3"}
