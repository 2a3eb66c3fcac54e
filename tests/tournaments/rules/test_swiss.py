from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.rules.seatings import all_seatings
from tournaments.rules.errors import BadDraw
from tournaments.rules.exact import cheapest_seating
from tournaments.rules.meetings import count_meetings, larger_visits
from tournaments.rules.sizes import split_evenly
from tournaments.rules.swiss import order_by_score, swiss_round


def random_meetings(rng, players, share):
    return {pair: rng.choice((1, 1, 2)) for pair in combinations(range(players), 2) if rng.random() < share}


def price(tables, met):
    return sum(met.get((min(i, j), max(i, j)), 0) for table in tables for i, j in combinations(table, 2))


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([(6, 2), (8, 4), (8, 2), (9, 3)]))
def test_one_band_is_seated_as_cheaply_as_any_seating(seed, shape):
    players, size = shape
    met = random_meetings(Random(seed), players, 0.5)
    sizes = (size,) * (players // size)
    made = swiss_round(range(players), sizes, met=met, seed=seed, tables_per_band=99)
    least = min(price(tables, met) for tables in all_seatings(range(players), sizes))
    assert made.price == price(made.tables, met) == least
    assert made.proved


def test_a_greedy_pairing_would_leave_an_avoidable_rematch():
    # phase-rs 7937: pairing from the top leaves the last two a rematch; 1-3 and 2-4 avoids it.
    met = {(1, 2): 0, (3, 4): 1, (1, 4): 1, (2, 3): 1}
    made = swiss_round([1, 2, 3, 4], (2, 2), met=met, seed=1)
    assert made.repeats == 0
    assert sorted(sorted(table) for table in made.tables) == [[1, 3], [2, 4]]


def test_a_rematch_avoidable_only_across_bands_is_avoided():
    # Inside the top band (1-4) every pairing repeats; the bands are joined and each gives up two players.
    met = dict.fromkeys(combinations(range(1, 5), 2), 1)
    made = swiss_round(range(1, 9), (2, 2, 2, 2), met=met, seed=3)
    assert made.repeats == 0
    assert made.joined == ((0, 1),)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 6), st.integers(1, 3))
def test_players_stay_in_their_band_unless_bands_are_joined(seed, size, tables, width):
    rng = Random(seed)
    players = size * tables
    ranked = rng.sample(range(players), players)
    met = random_meetings(rng, players, 0.3)
    made = swiss_round(ranked, (size,) * tables, met=met, seed=seed, tables_per_band=width, budget=20_000)
    assert sorted(p for table in made.tables for p in table) == list(range(players))
    start = 0
    for bands in made.joined:
        seats = sum(len(ranked[n * width * size : (n + 1) * width * size]) for n in bands)
        seated = {p for table in made.tables[start // size : (start + seats) // size] for p in table}
        assert seated == set(ranked[start : start + seats])
        start += seats


def test_bands_without_repeats_are_not_joined():
    made = swiss_round(range(24), (4,) * 6, met={}, seed=5)
    assert made.joined == ((0,), (1,), (2,))
    assert made.price == 0 and made.proved


def test_within_joined_bands_players_keep_to_their_side():
    # One rematch makes one exchange enough: the others stay.
    met = {(0, 1): 1, (0, 2): 1, (0, 3): 1}
    made = swiss_round(range(8), (2, 2, 2, 2), met=met, seed=2)
    astray = sum(player >= 4 for table in made.tables[:2] for player in table)
    assert made.repeats == 0 and astray == 1


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.integers(7, 23))
def test_visits_to_larger_tables_stay_within_one_over_a_swiss_event(seed, players):
    rng = Random(seed)
    sizes = split_evenly(players, max(2, players // 4))
    rounds = []
    for r in range(4):
        cost = {player: Fraction(rng.randrange(5)) for player in range(players)}
        made = swiss_round(
            order_by_score(cost, rng),
            sizes,
            met=count_meetings(rounds),
            visits=larger_visits(rounds, range(players)),
            seed=seed + r,
            budget=5_000,
        )
        rounds.append(made.tables)
        visits = larger_visits(rounds, range(players)).values()
        assert max(visits) - min(visits) <= 1


def test_pairs_kept_apart_do_not_meet():
    made = swiss_round(range(8), (4, 4), met={}, seed=1, apart=[(0, 1), (2, 3)])
    assert not any({0, 1} <= set(table) or {2, 3} <= set(table) for table in made.tables)
    assert made.repeats == 0


def test_the_same_seed_gives_the_same_round():
    met = random_meetings(Random(1), 20, 0.4)
    rounds = [swiss_round(range(20), (4,) * 5, met=met, seed=s, budget=20_000) for s in (7, 7, 8)]
    assert rounds[0] == rounds[1] != rounds[2]


def test_equal_scores_are_ordered_by_lot_not_by_number():
    orders = {tuple(order_by_score(dict.fromkeys(range(5), Fraction(1)), Random(s))) for s in range(20)}
    assert len(orders) > 10
    assert order_by_score({1: Fraction(3), 2: Fraction(1), 3: Fraction(2)}, Random(0)) == [2, 3, 1]


def test_the_draw_does_not_trade_repeats_for_sides():
    # cobra 517: seat balance overpowered repeats. Seats are given after the tables are fixed, so they cannot.
    met = Counter({(0, 1): 1})
    made = swiss_round(range(4), (2, 2), met=met, seed=0)
    assert made.repeats == 0


@pytest.mark.parametrize(
    ("ranked", "sizes", "width"),
    [(range(7), (4, 4), 2), ([1, 1, 2, 3], (2, 2), 2), (range(8), (5, 3), 2), (range(8), (4, 4), 0)],
)
def test_impossible_rounds_are_refused(ranked, sizes, width):
    with pytest.raises(BadDraw):
        swiss_round(ranked, sizes, met={}, seed=0, tables_per_band=width)


@pytest.mark.parametrize("seed", range(10))
def test_the_exact_search_finds_the_least_price_or_proves_there_is_none_below(seed):
    met_pairs = random_meetings(Random(seed), 8, 0.6)
    met = [[met_pairs.get((min(i, j), max(i, j)), 0) for j in range(8)] for i in range(8)]
    least = min(price(tables, met_pairs) for tables in all_seatings(range(8), (4, 4)))
    better, proved = cheapest_seating(met, 4, least + 1, 100_000)
    assert proved and price(better, met_pairs) == least
    assert cheapest_seating(met, 4, least, 100_000) == (None, True)
    assert cheapest_seating(met, 4, least + 1, 1)[1] is False
