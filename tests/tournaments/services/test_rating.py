"""Rated events: every table of a confirmed round is a match; corrections, undone rounds, guests and leavers."""

from __future__ import annotations

from typing import Any

import pytest

from clubs.models import User
from games import services as tables
from games.models import RatedMatch, Rating, RatingChange
from tests.games.test_ratings import recompute
from tests.tournaments.events import (
    drive,
    enter_all,
    event,
    members,
    organiser,
    played,
    released,
)
from tests.tournaments.services.refusals import refused
from tournaments import services
from tournaments.models import Result, Sitting, Tournament
from tournaments.selectors.field import tables_of

pytestmark = pytest.mark.django_db


def rated_event(by: User, people: list[User], **terms: Any) -> Tournament:
    """A rated event of so many members, started."""
    tournament = event(by, rated=True, **terms)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    return services.start_tournament(tournament_id=tournament.pk, by=by)


def ratings() -> list[tuple[Any, ...]]:
    return list(Rating.objects.order_by("user_id").values_list("user_id", "mu", "sigma", "matches"))


def test_every_table_of_a_confirmed_round_counts_as_a_match() -> None:
    by, people = organiser(), members(8)
    tournament = rated_event(by, people, rounds=2)
    row = released(by, tournament, 1)
    enter_all(by, tournament, 1)
    assert not RatedMatch.objects.exists(), "results can still change"
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    assert RatedMatch.objects.count() == len(tables_of(row)) == 2
    numbers = {entry.number: entry.user_id for entry in tournament.entries.all()}
    for table in tables_of(row):
        changes = RatingChange.objects.filter(match__source=f"event:{tournament.pk}:1:{table.number}")
        # Whole rounds are entered so that the seats end in their order.
        assert [c.rating.user_id for c in changes.order_by("place")] == [numbers[n] for n in table.seats]
    played(by, tournament, 2)
    assert {matches for *_rest, matches in ratings()} == {2}
    assert recompute("--check")[0] == 0


def test_a_corrected_round_corrects_the_ratings_and_an_undone_one_takes_them_back() -> None:
    by, people = organiser(), members(4)
    tournament = rated_event(by, people, rounds=2)
    played(by, tournament, 1)
    first = ratings()
    at: dict[str, Any] = {"tournament_id": tournament.pk, "by": by, "round_number": 1}
    services.reopen_round(**at, reason="misread")
    table = tables_of(tournament.event_rounds.get(number=1))[0]
    result = Result.objects.filter(event_table=table).get()
    turned = {int(n): 30 - score for n, score in result.scores.items()}
    services.correct_deal(**at, table_number=1, deal=result.number, scores=turned, reason="turned")
    assert ratings() == first, "a correction counts when the round is confirmed"
    services.confirm_round(**at)
    assert ratings() != first
    assert RatedMatch.objects.count() == 1
    services.reopen_round(**at, reason="again")
    services.undo_round(**at, reason="wrong cards")
    assert {matches for *_rest, matches in ratings()} == {0}
    assert recompute("--check")[0] == 0


def test_a_table_with_somebody_who_has_no_account_does_not_count() -> None:
    by, people = organiser(), members(7)
    tournament = event(by, rated=True, rounds=1)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.register_by_hand(tournament_id=tournament.pk, by=by, name="Visitor")
    services.start_tournament(tournament_id=tournament.pk, by=by)
    played(by, tournament, 1)
    assert RatedMatch.objects.count() == 1
    assert RatingChange.objects.count() == 4


def test_an_event_that_is_not_rated_moves_no_rating() -> None:
    by = organiser()
    tournament = event(by, rounds=1)
    for person in members(4):
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=by)
    played(by, tournament, 1)
    assert not RatedMatch.objects.exists()


def test_an_elimination_cannot_be_rated() -> None:
    by = organiser()
    terms = {"family": "elimination", "thresholds": [50], "rated": True}
    tournament = event(by)
    assert (
        refused(services.change_tournament, tournament_id=tournament.pk, by=by, **terms) == "rated_in_rounds"
    )


def test_who_leaves_an_online_table_of_a_rated_event_comes_last() -> None:
    by, people = organiser(), members(3)
    tournament = rated_event(by, people, venue="online", rounds=1, size_min=3, size_ideal=3, size_max=3)
    released(by, tournament, 1)
    sitting = Sitting.objects.get()
    gone = sitting.table.seats.get(number=2)
    tables.leave_table(table_id=sitting.table_id, user_id=gone.user_id)
    drive(tournament)
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    change = RatingChange.objects.get(rating__user=gone.user_id)
    assert (change.place, change.abandoned) == (3, True)
    assert not RatedMatch.objects.filter(table__isnull=False).exists(), (
        "the table itself counts no second time"
    )
