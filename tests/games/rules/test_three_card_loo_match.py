"""Matches of 3-Card Loo: rotation, sat-out seats, the last split, ranking (L2, L19, L21, L22)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.rules import three_card_loo as loo
from games.rules.cards import PACK
from games.rules.errors import BadDeal
from games.rules.interface import Seat
from tests.games.rules.loo_deals import deal_of_match, of_type, result, shuffled

FIVE = (1, 2, 3, 4, 5)


def match(seats: tuple[Seat, ...] = FIVE, dealer: Seat = 5, **options: Any) -> loo.Match:
    started: loo.Match = loo.new_match(seats=seats, dealer=dealer, options=loo.parse_options(options)).match
    return started


def all_fold(match: loo.Match, live: tuple[Seat, ...] | None = None) -> loo.Match:
    """Play a deal in which the dealer takes the pot: nobody wins or loses but what lay there before."""
    return deal_of_match(match, ["fold"] * (len(live or match.seats) - 1), live=live)[0]


def with_a_loo(match: loo.Match) -> loo.Match:
    """Play the next deal of the match such that somebody is looed in it."""
    for seed in range(1000):
        after, state = deal_of_match(match, ["play", "play"], deck=shuffled(random.Random(seed)))
        if result(state)["looed"]:
            return after
    raise AssertionError("no deck in a thousand brings a loo")


def dealers(match: loo.Match, live: tuple[Seat, ...] | None = None) -> list[Seat]:
    """Return who deals until the match is over, all folding."""
    found = []
    while (dealer := loo.next_dealer(match, live)) is not None:
        found.append(dealer)
        match = all_fold(match, live)
    return found


# Rotation: L2, L21 --------------------------------------------------------------------


@pytest.mark.parametrize("rotations", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seats", [FIVE, (2, 3, 7, 8, 9, 12), tuple(range(1, 17))])
def test_the_deal_passes_to_the_left_and_every_seat_deals_as_often_l2_l21(
    seats: tuple[Seat, ...], rotations: int
) -> None:
    first = seats[2]
    assert dealers(match(seats, first, rotations=rotations)) == list(seats[2:] + seats[:2]) * rotations


def test_the_pot_goes_on_into_the_next_deal_l19() -> None:
    after = with_a_loo(match())
    assert after.pot % 3 == 0
    assert after.pot >= 3
    state = loo.match_deal(after, deck=PACK)
    assert state.deal.dealer == 1
    assert loo.view_for(state, None)["pot"] == after.pot + 3
    assert loo.carried(after) == {"pot": after.pot}


def test_net_stakes_add_up_over_deals_l19() -> None:
    after = with_a_loo(with_a_loo(match()))
    assert sum(after.net) + after.pot == 0
    assert after.deals == 2
    assert after.dealt == (1, 0, 0, 0, 1)


def test_a_sat_out_seat_is_skipped_and_loses_its_turn_to_deal_l22() -> None:
    live = (1, 2, 4, 5, 6)
    six = (1, 2, 3, 4, 5, 6)
    assert dealers(match(six, 2), live) == [2, 4, 5, 6, 1]
    back = all_fold(all_fold(match(six, 2), live), live)
    assert loo.next_dealer(back) == 5
    assert dealers(back) == [5, 6, 1]
    assert dealers(match(six, 2, rotations=2), live) == [2, 4, 5, 6, 1] * 2


def test_a_sat_out_seat_keeps_its_result_l22() -> None:
    six = (1, 2, 3, 4, 5, 6)
    before = match(six, 6)._replace(net=(4, 0, -9, 2, 0, 0), pot=3)
    after = all_fold(before, (1, 2, 4, 5, 6))
    assert after.net == (4, 0, -9, 2, 0, 3)
    assert loo.dealt_in(before, (1, 2, 4, 5, 6)) == (1, 2, 4, 5, 6)
    assert loo.dealt_in(before) == six


def test_no_deal_follows_when_too_few_seats_are_live_l1() -> None:
    assert loo.next_dealer(match(), (1, 2, 3, 4)) is None
    assert loo.next_dealer(match(min_players=3), (1, 2, 4)) == 1
    with pytest.raises(BadDeal) as refused:
        loo.match_deal(match(), deck=PACK, live=(1, 2, 3, 4))
    assert refused.value.code == "too_few_seats"


def test_a_seat_that_is_not_of_the_match_cannot_be_live() -> None:
    with pytest.raises(BadDeal) as refused:
        loo.next_dealer(match(), (1, 2, 3, 4, 6))
    assert refused.value.code == "bad_seats"


@pytest.mark.parametrize(
    ("seats", "dealer", "code"),
    [
        ((1, 2, 3, 4), 1, "too_few_seats"),
        (tuple(range(1, 18)), 1, "too_many_seats"),
        ((1, 2, 3, 4, 4), 1, "bad_seats"),
        (FIVE, 6, "bad_dealer"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(seats: tuple[Seat, ...], dealer: Seat, code: str) -> None:
    with pytest.raises(BadDeal) as refused:
        match(seats, dealer)
    assert refused.value.code == code


def test_only_the_next_deal_of_the_match_closes() -> None:
    before = match()
    state = loo.match_deal(before, deck=PACK)
    with pytest.raises(ValueError, match="not over"):
        loo.close_deal(before, state)
    after, over = deal_of_match(before, ["fold"] * 4)
    with pytest.raises(ValueError, match="not the next deal"):
        loo.close_deal(after, over)
    with pytest.raises(ValueError, match="not the next deal"):
        loo.close_deal(before._replace(pot=1), over)
    with pytest.raises(ValueError, match="not the next deal"):
        loo.close_deal(loo.end_match(before).match, over)


# The end: L21 -------------------------------------------------------------------------


def test_case_12_the_last_pot_is_split_with_odd_stakes_from_the_dealers_left_l21() -> None:
    seven = (1, 2, 3, 4, 5, 6, 7)
    before = match(seven, 6)._replace(pot=10, last_dealer=5, deals=7, turns=7, net=(-10, 0, 0, 0, 0, 0, 0))
    after, events = loo.end_match(before)
    assert after.net == (-8, 1, 1, 1, 1, 2, 2)
    assert after.pot == 0
    assert [(e["from"], e["to"], e["amount"], e["reason"]) for e in events[:-1]] == [
        (0, 6, 2, "split"),
        (0, 7, 2, "split"),
        (0, 1, 2, "split"),
        (0, 2, 1, "split"),
        (0, 3, 1, "split"),
        (0, 4, 1, "split"),
        (0, 5, 1, "split"),
    ]
    assert events[-1]["type"] == "match_over"
    assert events[-1]["ranking"] == [[1, 6], [1, 7], [3, 2], [3, 3], [3, 4], [3, 5], [7, 1]]


def test_a_small_pot_goes_to_the_seats_at_the_dealers_left_alone_l21() -> None:
    after, events = loo.end_match(match()._replace(pot=2, last_dealer=4))
    assert after.net == (1, 0, 0, 0, 1)
    assert [event["to"] for event in of_type(events, "stakes")] == [5, 1]


def test_the_looed_of_the_last_deal_still_pay_before_the_split_l21() -> None:
    before = match()._replace(turns=4, deals=4, last_dealer=3)
    assert loo.next_dealer(before) == 4
    after = with_a_loo(before)
    assert loo.match_over(after)
    assert after.pot == 0
    assert sum(after.net) == 0
    assert after.last_dealer == 4


def test_a_match_without_a_deal_ends_with_nothing_to_split_l21() -> None:
    after, events = loo.end_match(match())
    assert after.net == (0, 0, 0, 0, 0)
    assert [event["type"] for event in events] == ["match_over"]
    assert loo.end_match(after) == (after, ())
    assert loo.ranking(after) == ((1, 1), (1, 2), (1, 3), (1, 4), (1, 5))
    with pytest.raises(BadDeal) as refused:
        loo.match_deal(after, deck=PACK)
    assert refused.value.code == "match_over"


def test_a_fixed_match_ends_with_its_last_rotation_loo_or_not_l21() -> None:
    assert loo.match_over(with_a_loo(match()._replace(turns=4, last_dealer=3)))
    assert loo.match_over(all_fold(match()._replace(turns=4, last_dealer=3)))


def test_a_match_may_go_on_until_a_deal_without_a_loo_l21() -> None:
    last = match(finish="until_no_loo")._replace(turns=4, deals=4, last_dealer=3)
    assert loo.match_over(all_fold(last)), "no loo in the last deal: no further deal"
    on = with_a_loo(last)
    assert not loo.match_over(on)
    assert loo.next_dealer(on) == 5
    assert on.pot > 0
    on = with_a_loo(on)
    assert not loo.match_over(on)
    ended = all_fold(on)
    assert loo.match_over(ended)
    assert ended.deals == 7
    assert ended.pot == 0


def test_further_deals_last_one_rotation_at_most_l21() -> None:
    going = match(finish="until_no_loo")._replace(turns=4, deals=4, last_dealer=3)
    for further in range(6):
        assert not loo.match_over(going), further
        going = with_a_loo(going)
    assert loo.match_over(going)
    assert going.deals == 10


def test_a_loo_before_the_last_deal_opens_no_further_deals_l21() -> None:
    early = with_a_loo(match(finish="until_no_loo"))
    assert early.looed
    for _ in range(4):
        early = all_fold(early)
    assert loo.match_over(early)
    assert early.deals == 5


def test_equal_results_share_the_better_place_l21() -> None:
    assert loo.ranking(match()._replace(net=(0, 5, 0, -7, 2))) == ((1, 2), (2, 5), (3, 1), (3, 3), (5, 4))


# What a deal can cost: L22 ------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "pot", "dealer", "other"),
    [
        ({}, 0, 6, 3),
        ({"loo": 6}, 9, 9, 6),
        ({"loo": "pot"}, 0, 6, 3),
        ({"loo": "pot"}, 12, 18, 15),
        ({"loo": "pot"}, 40, 27, 24),
        ({"loo": "pot", "ante": "everyone"}, 0, 18, 18),
        ({"ante": "everyone"}, 0, 6, 6),
    ],
)
def test_the_worst_that_a_deal_can_cost_l22(
    options: dict[str, Any], pot: int, dealer: int, other: int
) -> None:
    before = match(**options)._replace(pot=pot)
    assert loo.worst_case(before, 5) == dealer
    assert loo.worst_case(before, 2) == other


def test_the_worst_case_of_a_seat_that_would_come_back_counts_it_in_l22() -> None:
    six = match((1, 2, 3, 4, 5, 6), 3)
    assert loo.worst_case(six, 3, (1, 2, 4, 5, 6)) == 6
    assert loo.worst_case(six, 4, (1, 2, 4, 5, 6)) == 6
    assert loo.worst_case(six, 4) == 3
    assert loo.worst_case(match(), 1, (1, 2, 3)) == 0, "no deal follows"
    assert loo.worst_case(loo.end_match(six).match, 3) == 0


@pytest.mark.parametrize("seed", range(300))
def test_no_deal_costs_more_than_its_worst_case_l22(seed: int) -> None:
    dice = random.Random(seed)
    table = tuple(range(1, dice.randint(3, 9) + 1))
    before = match(
        table, 1, min_players=3, loo=dice.choice((3, 6, "pot")), ante=dice.choice(("dealer", "everyone"))
    )._replace(pot=dice.choice((0, 1, 9, 50)))
    state = loo.match_deal(before, deck=shuffled(dice))
    while loo.actor(state) is not None:
        legal = loo.legal_moves(state)
        state = loo.apply(state, "play" if "play" in legal else dice.choice(legal)).state
    costs = {seat: -result(state)["deltas"][str(seat)] for seat in table}
    limits = {seat: loo.worst_case(before, seat) for seat in table}
    assert all(costs[seat] <= limits[seat] for seat in table)
    assert all(costs[seat] == limits[seat] for seat in result(state)["looed"]), (
        "the limit is no larger than it must be"
    )


# As data ------------------------------------------------------------------------------


def test_a_match_survives_json() -> None:
    for state in (
        match(loo="pot", rotations=3),
        with_a_loo(match()),
        loo.end_match(with_a_loo(match())).match,
    ):
        raw = json.loads(json.dumps(loo.dump_match(state)))
        assert loo.load_match(raw) == state
        assert loo.dump_match(loo.load_match(raw)) == raw


def test_the_public_facts_of_a_match() -> None:
    view = loo.match_view(all_fold(match(rotations=2)))
    assert view == {
        "game": "three_card_loo",
        "options": loo.dump_options(loo.parse_options({"rotations": 2})),
        "seats": [1, 2, 3, 4, 5],
        "deals": 1,
        "deals_in_all": 10,
        "dealer": 1,
        "last_dealer": 5,
        "dealt": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 1},
        "pot": 0,
        "net": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0},
        "over": False,
        "ranking": [[1, 1], [1, 2], [1, 3], [1, 4], [1, 5]],
    }


def test_the_events_of_a_match_tell_its_story() -> None:
    started = loo.new_match(seats=FIVE, dealer=5, options=loo.parse_options({}))
    assert started.events == (
        {"type": "match_begins", "seats": [1, 2, 3, 4, 5], "dealer": 5, "rotations": 1},
    )
    state = loo.match_deal(started.match, deck=PACK)
    for _ in range(4):
        state = loo.apply(state, "fold").state
    assert loo.close_deal(started.match, state).events == (
        {"type": "deal_scored", "deal": 1, "net": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0}, "pot": 0},
    )
