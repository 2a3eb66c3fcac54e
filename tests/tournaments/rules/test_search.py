from random import Random

import pytest

from tournaments.rules.board import Board
from tournaments.rules.search import anneal


def board(players, sizes, rounds, seed):
    made = Board(
        [sizes] * rounds, [frozenset()] * rounds, [[0] * players for _ in range(players)], [0] * players
    )
    made.seat_at_random(Random(seed))
    return made


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_and_budget_give_the_same_rows(seed):
    found = [
        anneal(board(21, (6, 5, 5, 5), 4, seed), goal=0, rng=Random(seed), budget=60_000) for _ in range(2)
    ]
    assert found[0] == found[1]


def test_it_stops_at_the_goal():
    found = anneal(board(24, (4,) * 6, 4, 1), goal=0, rng=Random(1), budget=10_000_000)
    assert found.stopped == "bound" and found.price == 0
    assert found.looks < 1_000_000


def test_it_stops_when_the_budget_is_used_up():
    found = anneal(board(8, (4, 4), 3, 1), goal=0, rng=Random(1), budget=20_000)
    assert found.stopped == "budget"
    assert 20_000 <= found.looks < 30_000


def test_a_deadline_is_recorded_because_only_it_depends_on_the_clock():
    found = anneal(board(8, (4, 4), 3, 1), goal=0, rng=Random(1), budget=10**9, expired=lambda: True)
    assert found.stopped == "deadline"
    assert found.looks < 10_000


def test_the_rows_found_have_the_price_claimed():
    start = board(20, (5,) * 4, 4, 3)
    found = anneal(start, goal=0, rng=Random(3), budget=100_000)
    start.load(found.rows)
    assert start.price == found.price


@pytest.mark.parametrize("seed", range(4))
def test_only_seatings_with_fair_visits_are_returned(seed):
    start = board(10, (4, 3, 3), 5, seed)
    found = anneal(start, goal=20, rng=Random(seed), budget=100_000)
    start.load(found.rows)
    assert max(start.visits) - min(start.visits) <= 1
    assert found.price == start.price


def test_visits_that_are_all_equal_do_not_freeze_who_sits_at_larger_tables():
    # 10 players, 5 rounds of 4, 3, 3: two visits each. Swaps that keep all visits equal reach 23 or 28 only.
    assert {
        anneal(board(10, (4, 3, 3), 5, s), goal=20, rng=Random(s), budget=300_000).price for s in range(4)
    } == {20}
