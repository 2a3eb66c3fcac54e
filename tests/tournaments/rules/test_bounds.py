from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.rules.seatings import all_seatings, least_q
from tournaments.rules.bounds import (
    Bounds,
    history_bound,
    meetings_of,
    pairs_bound,
    rounds_bound,
    split_repeats,
    visits_bound,
)
from tournaments.rules.meetings import count_meetings, measure
from tournaments.rules.sizes import split_evenly

SMALL = [
    (6, 2, 2),
    (6, 2, 3),
    (7, 2, 2),
    (7, 2, 3),
    (8, 2, 2),
    (8, 2, 3),
    (9, 3, 2),
    (10, 3, 2),
    (8, 3, 2),
    (7, 3, 3),
]


@given(st.integers(0, 16), st.integers(1, 8))
def test_split_repeats_is_the_least_over_all_ways_to_split(size, tables):
    def least(left, parts):
        if parts == 1:
            return meetings_of(left)
        return min(meetings_of(k) + least(left - k, parts - 1) for k in range(left + 1))

    if size <= 8 and tables <= 4:
        assert split_repeats(size, tables) == least(size, tables)
    even = [size // tables + (t < size % tables) for t in range(tables)]
    assert split_repeats(size, tables) == sum(map(meetings_of, even))


@pytest.mark.parametrize(("players", "tables", "rounds"), SMALL)
def test_no_bound_is_above_the_least_q_of_all_events(players, tables, rounds):
    sizes = split_evenly(players, tables)
    meetings = rounds * sum(map(meetings_of, sizes))
    free = least_q(range(players), sizes, rounds, fair_visits=False)
    fair = least_q(range(players), sizes, rounds, fair_visits=True)
    assert pairs_bound(players, meetings) <= free
    assert rounds_bound([sizes] * rounds, [0] * rounds) <= free
    assert visits_bound(players, sizes, rounds) <= fair


@pytest.mark.parametrize(("players", "tables", "rounds"), [(7, 2, 2), (7, 2, 3), (10, 3, 2)])
def test_fair_visits_to_larger_tables_cost_repeats_and_the_visits_bound_proves_it(players, tables, rounds):
    sizes = split_evenly(players, tables)
    assert visits_bound(players, sizes, rounds) == least_q(range(players), sizes, rounds, fair_visits=True)
    assert visits_bound(players, sizes, rounds) > rounds_bound([sizes] * rounds, [0] * rounds)


def test_the_pairs_bound_is_the_formula():
    # 24 players, 9 rounds of fours: 324 meetings on 276 pairs, so 48 pairs at least meet twice.
    assert pairs_bound(24, 9 * 6 * 6) == 48
    assert pairs_bound(24, 7 * 36) == 0
    players, meetings = 7, 50
    q, e = divmod(meetings, 21)
    assert pairs_bound(players, meetings) == (21 - e) * meetings_of(q) + e * meetings_of(q + 1)


@given(st.lists(st.integers(0, 3), min_size=3, max_size=10), st.integers(0, 8))
def test_the_pairs_bound_with_a_history_fills_the_cheapest_pairs_first(met, meetings):
    players = 5
    met = [m for m in met if m]
    levels = sorted(met + [0] * (10 - len(met)))
    for _ in range(meetings):
        levels[0] += 1
        levels.sort()
    assert pairs_bound(players, meetings, met) == sum(map(meetings_of, levels))


@given(st.integers(0, 10**6))
def test_the_bounds_with_a_history_hold_for_every_next_round(seed):
    rng = Random(seed)
    players = list(range(8))
    history = []
    for _ in range(rng.randrange(1, 4)):
        order = rng.sample(range(9), 9)
        cut = rng.choice([3, 4, 5])
        history.append((tuple(order[:cut]), tuple(order[cut:])))
    sizes = rng.choice([(4, 4), (3, 3, 2), (4, 3), (3, 3)])
    met = [m for (i, j), m in count_meetings(history).items() if max(i, j) < 8]
    meetings = sum(map(meetings_of, sizes))
    present = players[: sum(sizes)] if rng.random() < 0.5 else rng.sample(players, sum(sizes))
    least = min(measure((*history, one), players).q for one in all_seatings(sorted(present), sizes))
    assert pairs_bound(8, meetings, met) <= least
    assert history_bound(history, [sizes], players) <= least


def test_a_player_who_sits_out_weakens_the_rounds_bound():
    assert rounds_bound([(5, 5), (5, 5)], [0, 0]) == 2 * split_repeats(5, 2)
    assert rounds_bound([(5, 5), (5, 5)], [1, 1]) == 2 * split_repeats(4, 2)


def test_the_best_bound_is_the_strongest():
    assert Bounds(3, 5, 4).best == 5


def test_a_single_player_has_nobody_to_meet():
    assert pairs_bound(1, 0) == 0


def test_bounds_of_the_published_tables():
    assert visits_bound(24, (4,) * 6, 7) == 0
    assert rounds_bound([(12, 12)] * 3, [0] * 3) == 3 * 2 * 30
