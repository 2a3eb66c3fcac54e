"""Prizes by the published rule: nothing is lost, ties share, odd chips fall by lot."""

from __future__ import annotations

import itertools
import random

import pytest

from tournaments.rules.errors import BadEvent
from tournaments.rules.prizes import check_prizes, prize_amounts, row_for, share_prizes

TABLE = {1: [100], 8: [60, 40], 16: [50, 30, 20]}


@pytest.mark.parametrize(
    ("entries", "row"), [(1, (100,)), (7, (100,)), (8, (60, 40)), (15, (60, 40)), (99, (50, 30, 20))]
)
def test_the_row_with_the_most_entries_that_fits_holds(entries: int, row: tuple[int, ...]) -> None:
    assert row_for(TABLE, entries) == row


def test_without_a_table_the_winner_takes_all() -> None:
    assert row_for({}, 30) == (100,)


def test_what_rounding_leaves_goes_to_the_first() -> None:
    assert prize_amounts(101, (50, 30, 20)) == (51, 30, 20)


def test_tied_places_share_their_prizes() -> None:
    won = share_prizes([(1, 7), (2, 3), (2, 9), (4, 5)], (50, 30, 20), seed=1)
    assert won == {7: 50, 3: 25, 9: 25}


def test_odd_chips_go_one_each_by_a_lot_of_the_seed() -> None:
    places = [(1, player) for player in (4, 5, 6)]
    seen = {tuple(sorted(share_prizes(places, (100,), seed=seed).items())) for seed in range(50)}
    assert len(seen) == 3 and all(sorted(n for _p, n in one) == [33, 33, 34] for one in seen)
    assert share_prizes(places, (100,), seed=7) == share_prizes(list(reversed(places)), (100,), seed=7)


def test_a_tie_over_the_last_paid_place_shares_what_is_left() -> None:
    assert share_prizes([(1, 1), (2, 2), (2, 3), (2, 4)], (60, 40), seed=3) != {}
    assert sum(share_prizes([(1, 1), (2, 2), (2, 3), (2, 4)], (60, 40), seed=3).values()) == 100


def test_prizes_of_places_nobody_reached_go_to_the_first() -> None:
    assert share_prizes([(1, 8)], (50, 30, 20), seed=1) == {8: 100}
    assert share_prizes([], (50, 30, 20), seed=1) == {}


def test_whatever_ties_there_are_the_whole_pool_is_given_out() -> None:
    rng = random.Random(5)
    for seed in range(300):
        n = rng.randint(1, 12)
        keys = sorted(rng.randint(1, 5) for _ in range(n))
        places = [(keys.index(key) + 1, player) for player, key in enumerate(keys)]
        amounts = prize_amounts(rng.randint(1, 1000), rng.choice([(100,), (60, 40), (40, 25, 20, 15)]))
        won = share_prizes(places, amounts, seed=seed)
        assert sum(won.values()) == sum(amounts)
        order = [won.get(player, 0) for _place, player in places]
        assert all(a >= b - 1 for a, b in itertools.pairwise(order))


@pytest.mark.parametrize(
    "table", [{1: [99]}, {0: [100]}, {1: []}, {1: [40, 60]}, {1: [50.0, 50]}, {1: [100, 0]}, {1: [True, 99]}]
)
def test_a_table_that_does_not_give_out_the_pool_is_refused(table: dict[int, list[int]]) -> None:
    with pytest.raises(BadEvent) as refused:
        check_prizes(table)
    assert refused.value.code == "bad_prizes"


def test_a_good_table_passes() -> None:
    check_prizes(TABLE)
