"""Drafts of a draw: certificates, swaps, versions that stay, new plans after drop-outs, fair sit-outs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from tests.tournaments.events import enter_all, event, organiser, played, released, with_players
from tests.tournaments.services.refusals import refused
from tournaments import selectors, services
from tournaments.models import Draw, Round, Tournament
from tournaments.rules.meetings import count_meetings
from tournaments.selectors.field import history_of
from tournaments.services import drawing

pytestmark = pytest.mark.django_db


def wanted(tournament: Tournament, by: Any) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "by": by}


def test_a_planned_event_is_drawn_whole_with_its_certificate() -> None:
    by = organiser()
    tournament = with_players(by, 16, rounds=5)
    draw = services.draw(**wanted(tournament, by))
    assert [len(one) for one in draw.rounds] == [4] * 5
    said = selectors.certificate(draw)
    assert said["q"] == 0 and said["optimal"] and said["method"] == "construction"
    assert said["bounds"] == {"pairs": 0, "rounds": 0, "visits": 0} and said["seat_spread"] <= 1
    assert Round.objects.filter(tournament=tournament, state="drawn", draw=draw).count() == 5


def test_the_same_event_draws_alike_and_a_redraw_does_not() -> None:
    by = organiser()
    tournament = with_players(by, 11, rounds=2)
    first = services.draw(**wanted(tournament, by))
    second = services.draw(**wanted(tournament, by), reason="again")
    assert (first.number, second.number, second.parent_id, second.reason) == (1, 2, first.pk, "again")
    assert first.seed != second.seed and Draw.objects.count() == 2
    back = services.use_draw(**wanted(tournament, by), version=1, reason="the first was announced")
    assert back == first and Round.objects.filter(draw=first).count() == 2
    assert refused(services.use_draw, **wanted(tournament, by), version=9, reason="x") == "no_such_draw"


def test_a_swap_by_hand_is_a_new_version_with_its_own_figures() -> None:
    by = organiser()
    tournament = with_players(by, 16, rounds=5)  # Everybody meets everybody once: no swap is free.
    draw = services.draw(**wanted(tournament, by))
    one, other = draw.rounds[1][0][0], draw.rounds[1][1][0]
    planned, _sitting = drawing.swapped(draw, 2, one, other)
    shown = selectors.figures_of_swap(draw, planned)
    made = services.swap(**wanted(tournament, by), round_number=2, one=one, other=other)
    assert made.parent == draw and made.kind == "swapped" and made.method == "by hand"
    assert {**made.figures, "apart_met": made.apart_met} == shown and made.q > draw.q
    assert other in made.rounds[1][0] and one in made.rounds[1][1] and made.rounds[0] == draw.rounds[0]
    repeats = [table for number in range(1, 6) for table in selectors.repeats_in(made, number)]
    assert sum(len(table) for table in repeats) == made.figures["repeats"]
    draw.refresh_from_db()
    assert draw.rounds[1][0][0] == one
    for pair, code in (((one, one), "same_player"), ((one, 99), "not_in_draw")):
        bad = {**wanted(tournament, by), "round_number": 2, "one": pair[0], "other": pair[1]}
        assert refused(services.swap, **bad) == code
    services.confirm_draw(**wanted(tournament, by), round_number=2)
    bad = {**wanted(tournament, by), "round_number": 2, "one": one, "other": other}
    assert refused(services.swap, **bad) == "not_drawn"
    services.loosen_draw(**wanted(tournament, by), round_number=2)
    assert services.swap(**bad).number == 3


def test_who_sits_out_can_be_swapped_in() -> None:
    by = organiser()
    tournament = with_players(by, 7, rounds=1, size_min=3, size_ideal=3, size_max=3)
    draw = services.draw(**wanted(tournament, by))
    (rest,) = draw.sitting[0]
    player = draw.rounds[0][0][0]
    made = services.swap(**wanted(tournament, by), round_number=1, one=rest, other=player)
    assert made.sitting == [[player]] and made.rounds[0][0][0] == rest


def test_a_swap_that_ends_fair_visits_does_not_keep_the_bound_that_needs_them() -> None:
    by = organiser()
    tournament = with_players(by, 9, rounds=2, size_min=4, size_ideal=5, size_max=5)
    draw = services.draw(**wanted(tournament, by))
    assert draw.bounds["visits"] > max(draw.bounds["pairs"], draw.bounds["rounds"]) and draw.optimal
    (large, small), (large_then, small_then) = (sorted(one, key=len, reverse=True) for one in draw.rounds)
    one = next(player for player in small_then if player in large)
    other = next(player for player in large_then if player in small)
    made = services.swap(**wanted(tournament, by), round_number=2, one=one, other=other)
    assert made.figures["larger_spread"] == 2
    assert made.bounds == {**draw.bounds, "visits": 0} and made.gap >= 0


def test_no_draw_is_ever_changed_or_deleted() -> None:
    """Tabbycat 2505: deleting a draw is irreversible."""
    by = organiser()
    services.draw(**wanted(with_players(by, 8), by))
    for attempt in (lambda: Draw.objects.update(q=0), lambda: Draw.objects.all()._raw_delete("default")):
        with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
            attempt()


def test_the_next_round_is_not_drawn_from_unconfirmed_results() -> None:
    """Tabbycat 72, cobra 439, OpenTourney 103."""
    by = organiser()
    tournament = with_players(by, 8, rounds=3, seating="swiss")
    released(by, tournament, 1)
    assert refused(services.draw, **wanted(tournament, by)) == "unconfirmed"
    enter_all(by, tournament, 1)
    assert refused(services.draw, **wanted(tournament, by)) == "unconfirmed"
    services.confirm_round(**wanted(tournament, by), round_number=1)
    assert services.draw(**wanted(tournament, by)).first_round == 2


def test_after_a_drop_out_the_rest_is_planned_anew_and_the_old_plan_stays_a_version() -> None:
    by = organiser()
    tournament = with_players(by, 16, rounds=4)
    first = services.draw(**wanted(tournament, by))
    played(by, tournament, 1)
    assert Draw.objects.count() == 1
    released(by, tournament, 2)
    services.withdraw(**wanted(tournament, by), number=5)
    enter_all(by, tournament, 2)
    services.confirm_round(**wanted(tournament, by), round_number=2)
    again = Draw.objects.get(number=2)
    assert (again.kind, again.first_round, again.parent) == ("replanned", 3, first)
    seated = {player for table in again.rounds[0] for player in table} | set(again.sitting[0])
    assert seated == set(range(1, 17)) - {5}
    played(by, tournament, 3)
    played(by, tournament, 4)
    assert refused(services.draw, **wanted(tournament, by)) == "no_more_rounds"


def test_a_draw_that_does_not_fit_the_field_any_more_is_not_confirmed() -> None:
    by = organiser()
    tournament = with_players(by, 8, rounds=2)
    services.draw(**wanted(tournament, by))
    services.withdraw(**wanted(tournament, by), number=3)
    confirm = {**wanted(tournament, by), "round_number": 1}
    assert refused(services.confirm_draw, **confirm) == "field_changed"
    services.draw(**wanted(tournament, by))
    services.confirm_draw(**confirm)
    services.withdraw(**wanted(tournament, by), number=4)
    assert refused(services.release_round, **confirm) == "field_changed"


def test_nobody_sits_out_twice_before_all_others_once_whoever_leaves_and_returns() -> None:
    """lila 6619, online-go 2412, lila 12497: free rounds for one player, for the leader, for who rejoins."""
    by = organiser()
    sizes = {"size_min": 3, "size_ideal": 3, "size_max": 3}
    tournament = with_players(by, 4, rounds=4, seating="swiss", **sizes)
    sat: Counter[int] = Counter()
    leaver = 0
    for number in range(1, 5):
        if number == 3:
            leaver = min(set(range(1, 5)) - sat.keys())
            services.withdraw(**wanted(tournament, by), number=leaver)
        if number == 4:
            services.return_entry(**wanted(tournament, by), number=leaver)
        services.draw(**wanted(tournament, by))
        sat.update(Round.objects.get(number=number).sitting_out)
        played(by, tournament, number)
    assert sat == dict.fromkeys(set(range(1, 5)) - {leaver}, 1)


def test_volunteers_sit_out_first() -> None:
    by = organiser()
    sizes = {"size_min": 3, "size_ideal": 3, "size_max": 3}
    tournament = event(by, rounds=1, **sizes)
    for n in range(1, 8):
        name = {"name": f"Guest {n}", "volunteers": n == 6}
        services.register_by_hand(**wanted(tournament, by), **name)
    services.start_tournament(**wanted(tournament, by))
    assert services.draw(**wanted(tournament, by)).sitting == [[6]]


def test_a_swiss_event_seats_neighbours_and_avoids_repeats() -> None:
    by = organiser()
    tournament = with_players(by, 16, rounds=3, seating="swiss", bands=2)
    for number in (1, 2, 3):
        services.draw(**wanted(tournament, by))
        played(by, tournament, number)
    meetings = count_meetings(history_of(tournament))
    assert sum(m - 1 for m in meetings.values()) <= 6
    newest = Draw.objects.order_by("number").last()
    assert newest is not None and newest.method == "swiss" and newest.q >= max(newest.bounds.values())


def test_impossible_sizes_are_told_at_once() -> None:
    by = organiser()
    tournament = event(by, size_min=5, size_ideal=5, size_max=5)
    for n in range(4):
        services.register_by_hand(**wanted(tournament, by), name=f"Guest {n}")
    assert refused(services.start_tournament, **wanted(tournament, by)) == "too_few_players"
