from itertools import pairwise, permutations
from random import Random

import pytest

from tournaments.rules.board import Board
from tournaments.rules.catalogue import to_rounds
from tournaments.rules.meetings import count_back_to_back, measure
from tournaments.rules.polish import best_order, polish
from tournaments.rules.search import anneal


def random_rows(rng, rounds, players=12, tables=3):
    return [
        rng.sample([t for t in range(tables) for _ in range(players // tables)], players)
        for _ in range(rounds)
    ]


def length(rows, order, before):
    chain = ([before] if before else []) + [rows[r] for r in order]
    names = tuple(range(len(rows[0])))
    return sum(count_back_to_back(to_rounds(pair, names)) for pair in pairwise(chain))


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_rounds_is_the_best_of_all(seed):
    rng = Random(seed)
    rows = random_rows(rng, 5)
    before = random_rows(rng, 1)[0] if seed % 2 else None
    best = min(length(rows, order, before) for order in permutations(range(5)))
    assert length(rows, best_order(rows, before), before) == best


def test_many_rounds_are_ordered_at_least_as_well_as_they_came():
    rows = random_rows(Random(3), 12)
    order = best_order(rows, None)
    assert sorted(order) == list(range(12))
    assert length(rows, order, None) <= length(rows, list(range(12)), None)


@pytest.mark.parametrize("seed", range(5))
def test_polishing_keeps_q_and_visits_and_makes_nothing_finer_worse(seed):
    rng = Random(seed)
    board = Board([(5, 4, 4)] * 5, [frozenset()] * 5, [[0] * 13 for _ in range(13)], [0] * 13)
    board.seat_at_random(rng)
    found = anneal(board, goal=0, rng=rng, budget=40_000)
    board.load(found.rows)
    names = tuple(range(13))
    before = measure(to_rounds(board.table, names), names)
    polish(board, before=None, rng=rng, tries=3000)
    after = measure(to_rounds(board.table, names), names)
    assert after.q == before.q and after.larger_spread <= 1
    assert after.key <= before.key


def test_third_meetings_are_traded_for_second_ones_of_the_same_q():
    # Q cannot tell three second meetings from one third; the polish can.
    board = Board([(2, 2, 2)] * 6, [frozenset()] * 6, [[0] * 6 for _ in range(6)], [0] * 6)
    board.seat_at_random(Random(2))
    names = tuple(range(6))
    found = anneal(board, goal=3, rng=Random(2), budget=200_000)
    board.load(found.rows)
    polish(board, before=None, rng=Random(2), tries=5000)
    assert measure(to_rounds(board.table, names), names).third == 0
