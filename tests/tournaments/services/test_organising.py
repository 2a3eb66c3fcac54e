"""Terms and states: every term that cannot be played is refused at once, every change of state is on record."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from clubs.models import User
from ledger import services as ledger
from tests.tournaments.events import (
    LEAST,
    LOO,
    chips_of,
    event,
    give,
    members,
    organiser,
    played,
    released,
    transactions,
    treasurer,
    with_players,
)
from tests.tournaments.services.refusals import refused
from tournaments import services
from tournaments.errors import MESSAGES
from tournaments.models import Action, Entry, Tournament

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2030, 1, 1, 12, tzinfo=dt.UTC)
ELIMINATION = {"family": "elimination", "thresholds": [50]}


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"name": " "}, "bad_name"),
        ({"name": "x" * 81}, "bad_name"),
        ({"game": "whist"}, "bad_game"),
        ({"options": {"jokers": 2}}, "bad_options"),
        ({"options": []}, "bad_options"),
        ({**LOO, "options": {"min_players": 3}}, "bad_options"),
        ({"size_min": 1}, "bad_sizes"),
        ({"size_min": 5, "size_ideal": 4}, "bad_sizes"),
        ({"size_max": 7}, "bad_sizes"),
        ({"size_max": "6"}, "bad_term"),
        ({"rounds": 0}, "bad_rounds"),
        ({"rounds": 65}, "bad_rounds"),
        ({"orbits": 0}, "bad_rounds"),
        ({"orbits": 10**9}, "bad_term"),
        ({"rounds": -1}, "bad_term"),
        ({**LOO, "venue": "online", "orbits": 6}, "bad_rounds"),
        ({**LOO, "scoring": "low"}, "bad_scoring"),
        ({"scoring": "high"}, "bad_scoring"),
        ({"scoring": "most"}, "bad_term"),
        ({"tie_breaks": ["luck"]}, "bad_tie_break"),
        ({"tie_breaks": ["wins", "wins"]}, "bad_tie_break"),
        ({"tie_breaks": [["wins"]]}, "bad_tie_break"),
        ({"thresholds": [50]}, "bad_thresholds"),
        ({**ELIMINATION, "thresholds": [50, 25]}, "bad_thresholds"),
        ({**ELIMINATION, "thresholds": [0]}, "bad_thresholds"),
        ({**ELIMINATION, "thresholds": "50"}, "bad_thresholds"),
        ({**ELIMINATION, **LOO}, "bad_thresholds"),
        ({**ELIMINATION, "scoring": "places"}, "bad_scoring"),
        ({**ELIMINATION, "final_size": 6}, "bad_elimination"),
        ({"family": "elimination"}, "bad_elimination"),
        ({"family": "elimination", "advance": "table_best"}, "bad_elimination"),
        (
            {"family": "elimination", "advance": "table_best", "advance_count": 2, "round_end": "outs"},
            "bad_elimination",
        ),
        ({**ELIMINATION, "round_end": "outs", "round_end_count": 0}, "bad_elimination"),
        ({**ELIMINATION, "late_until": 2}, "bad_term"),
        ({"absent": "bot"}, "bad_term"),
        ({"capacity": 1}, "bad_capacity"),
        ({"capacity": 1000}, "bad_capacity"),
        ({"check_in_opens_at": NOON, "check_in_closes_at": NOON}, "bad_window"),
        ({"fee": 5}, "bad_fee"),
        ({"fee": 5, "asset": "GOLD"}, "bad_fee"),
        ({"prizes": {"1": [50, 49]}}, "bad_prizes"),
        ({"prizes": {"x": [100]}}, "bad_prizes"),
        ({"prizes": [100]}, "bad_prizes"),
        ({"clock": "sundial"}, "bad_clock"),
        ({"event_chips": 500}, "bad_event_chips"),
        ({**LOO, "venue": "online", "event_chips": 10, "size_min": 5}, "bad_event_chips"),
        ({"bands": 0}, "bad_term"),
        ({"state": "running"}, "bad_term"),
    ],
)
def test_terms_that_cannot_be_played_are_refused_at_once(terms: dict[str, Any], code: str) -> None:
    sizes = {} if terms.get("game") == "three_card_loo" else LEAST
    wanted = {"name": "Friday", **sizes, "venue": "club", **terms}
    assert refused(services.create_tournament, by=organiser(), **wanted) == code
    assert not Tournament.objects.exists() and code in MESSAGES


def test_only_organisers_organise() -> None:
    by, stranger = organiser(), User.objects.create_user(username="stranger")
    tournament = event(by)
    acts: list[tuple[Any, dict[str, Any]]] = [
        (services.create_tournament, {"name": "x", **LEAST}),
        (services.change_tournament, {"tournament_id": tournament.pk, "rounds": 2}),
        (services.copy_tournament, {"tournament_id": tournament.pk, "name": "x"}),
        (services.open_check_in, {"tournament_id": tournament.pk}),
        (services.start_tournament, {"tournament_id": tournament.pk}),
        (services.finish_tournament, {"tournament_id": tournament.pk}),
        (services.cancel_tournament, {"tournament_id": tournament.pk, "reason": "x"}),
        (services.draw, {"tournament_id": tournament.pk}),
        (services.pay_prizes, {"tournament_id": tournament.pk}),
        (services.register_by_hand, {"tournament_id": tournament.pk, "name": "x"}),
        (services.import_entries, {"tournament_id": tournament.pk, "text": "x"}),
        (services.undo_round, {"tournament_id": tournament.pk, "round_number": 1, "reason": "x"}),
        (services.create_season, {"name": "2030"}),
    ]
    for act, arguments in acts:
        assert refused(act, by=stranger, **arguments) == "not_organiser"


def test_a_guarantee_is_new_chips_and_needs_the_treasurer() -> None:
    ledger.create_asset(code="CHIPS")
    ledger.open_house_account(kind="mint", asset="CHIPS")
    terms = {**LEAST, "asset": "CHIPS", "guaranteed": 500}
    assert refused(services.create_tournament, by=organiser(), name="x", **terms) == "treasurer_needed"
    assert services.create_tournament(by=treasurer(), name="x", **terms).guaranteed == 500


def test_what_was_published_before_round_1_cannot_change_afterwards() -> None:
    by = organiser()
    tournament = event(by)
    assert refused(services.change_tournament, tournament_id=tournament.pk, by=by, fee=0, asset="CHIPS") == (
        "terms_fixed"
    )
    services.change_tournament(tournament_id=tournament.pk, by=by, tie_breaks=["wins"])
    for n in range(4):
        services.register_by_hand(tournament_id=tournament.pk, by=by, name=f"Guest {n}")
    services.start_tournament(tournament_id=tournament.pk, by=by)
    for term, value in {"tie_breaks": [], "rounds": 9, "scoring": "places", "prizes": {"1": [100]}}.items():
        assert (
            refused(services.change_tournament, tournament_id=tournament.pk, by=by, **{term: value})
            == "terms_fixed"
        )
    changed = services.change_tournament(tournament_id=tournament.pk, by=by, round_minutes=40)
    assert changed.round_minutes == 40
    action = Action.objects.filter(tournament=tournament, kind="changed").last()
    assert action is not None and (action.before, action.after) == (
        {"round_minutes": None},
        {"round_minutes": 40},
    )


@pytest.mark.parametrize(
    ("players", "code"), [(0, "too_few_players"), (1, "too_few_players"), (2, "too_few_players")]
)
def test_too_few_players_are_told_at_once(players: int, code: str) -> None:
    assert refused(with_players, by=organiser(), count=players) == code


def test_a_thousand_players_are_told_at_once() -> None:
    by = organiser()
    tournament = event(by)
    text = "\n".join(f"Guest {n}" for n in range(1000))
    assert (
        refused(services.import_entries, tournament_id=tournament.pk, by=by, text=text) == "too_many_players"
    )
    assert not Entry.objects.exists()


def test_when_all_have_withdrawn_nobody_is_paired() -> None:
    """lila 10812: all withdraw and everybody is paired anyway."""
    by = organiser()
    tournament = with_players(by, 4)
    for number in range(1, 5):
        services.withdraw(tournament_id=tournament.pk, by=by, number=number)
    assert refused(services.draw, tournament_id=tournament.pk, by=by) == "nobody_left"


def test_states_follow_each_other_and_each_step_is_on_record() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=1)
    assert refused(services.open_registration, tournament_id=tournament.pk, by=by) == "not_now"
    assert refused(services.finish_tournament, tournament_id=tournament.pk, by=by) == "rounds_left"
    assert refused(services.archive_tournament, tournament_id=tournament.pk, by=by) == "not_now"
    played(by, tournament, 1)
    services.finish_tournament(tournament_id=tournament.pk, by=by)
    assert refused(services.draw, tournament_id=tournament.pk, by=by) == "not_now"
    services.archive_tournament(tournament_id=tournament.pk, by=by)
    kinds = list(Action.objects.filter(tournament=tournament).values_list("kind", flat=True))
    steps = ("created", "registration_opened", "started", "drawn", "draw_confirmed", "released")
    assert [kind for kind in kinds if kind in (*steps, "round_confirmed", "finished", "archived")] == [
        *steps,
        "round_confirmed",
        "finished",
        "archived",
    ]
    assert list(Action.objects.values_list("number", flat=True)) == list(range(1, len(kinds) + 1))


def test_an_event_that_ends_early_needs_a_reason_and_no_open_round() -> None:
    by = organiser()
    tournament = with_players(by, 4, rounds=3)
    played(by, tournament, 1)
    assert refused(services.finish_tournament, tournament_id=tournament.pk, by=by) == "rounds_left"
    released(by, tournament, 2)
    ended = {"tournament_id": tournament.pk, "by": by, "early": "the room closes"}
    assert refused(services.finish_tournament, **ended) == "rounds_left"
    services.undo_round(tournament_id=tournament.pk, by=by, round_number=2, reason="the room closes")
    assert services.finish_tournament(**ended).state == "finished"
    assert Entry.objects.filter(place=1).count() == 1


def test_a_cancelled_event_sends_every_chip_back() -> None:
    by = organiser()
    people = members(4)
    for person in people:
        give(person, 30)
    tournament = event(by, asset="CHIPS", fee=20)
    for person in people[:3]:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=by)
    assert refused(services.cancel_tournament, tournament_id=tournament.pk, by=by, reason=" ") == (
        "reason_missing"
    )
    services.cancel_tournament(tournament_id=tournament.pk, by=by, reason="no cards")
    assert {chips_of(person) for person in people} == {30}
    assert list(services.check_event(f"tournament/{tournament.pk}/", transactions(tournament))) == []


def test_last_months_event_is_copied_in_one_call() -> None:
    by = organiser()
    old = event(by, rounds=4, tie_breaks=["wins"], prizes={"1": [100]})
    new = services.copy_tournament(tournament_id=old.pk, by=by, name="December")
    assert (new.state, new.rounds, new.tie_breaks, new.copied_from_id) == ("draft", 4, ["wins"], old.pk)
    assert new.seed != old.seed and not new.entries.exists()


def test_nobody_changes_or_deletes_the_record() -> None:
    event(organiser())
    for attempt in (
        lambda: Action.objects.update(reason="never mind"),
        lambda: Action.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
            attempt()


def test_forgetting_an_organiser_leaves_what_was_done() -> None:
    by = organiser()
    event(by)
    before = Action.objects.count()
    by.delete()
    assert Action.objects.count() == before and Action.objects.filter(by=None).count() == before
