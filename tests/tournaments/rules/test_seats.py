from collections import Counter
from fractions import Fraction
from math import ceil, floor
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.rules.seats import (
    first_dealers,
    seat_counts,
    seat_rounds,
    seat_spread,
)
from tournaments.rules.sizes import split_evenly


def random_rounds(rng, players, sizes, rounds):
    """Return rounds seated at random: seats must come out fair whoever meets whom."""
    result = []
    for _ in range(rounds):
        order = rng.sample(range(players), players)
        tables, start = [], 0
        for size in sizes:
            tables.append(tuple(order[start : start + size]))
            start += size
        result.append(tuple(tables))
    return result


def same_tables(before, after):
    return [[set(table) for table in one] for one in before] == [
        [set(table) for table in one] for one in after
    ]


@settings(deadline=None)
@given(st.integers(2, 8), st.integers(1, 6), st.integers(1, 12), st.integers(0, 10**6))
def test_equal_tables_have_a_seat_spread_of_at_most_one_after_every_round(size, tables, rounds, seed):
    before = random_rounds(Random(seed), size * tables, (size,) * tables, rounds)
    after = seat_rounds(before)
    assert same_tables(before, after)
    for played in range(1, rounds + 1):
        assert seat_spread(after[:played]) <= 1


@settings(deadline=None)
@given(st.integers(5, 30), st.integers(2, 6), st.integers(1, 10), st.integers(0, 10**6))
def test_unequal_tables_have_fair_first_dealers(players, tables, rounds, seed):
    sizes = split_evenly(players, min(tables, players // 2))
    before = random_rounds(Random(seed), players, sizes, rounds)
    after = seat_rounds(before)
    assert same_tables(before, after)
    if len(set(sizes)) > 1:
        owed = Counter()
        first = Counter(table[0] for one in after for table in one)
        for one in before:
            for table in one:
                for player in table:
                    owed[player] += Fraction(1, len(table))
        for player in range(players):
            assert floor(owed[player]) <= first[player] <= ceil(owed[player])


def test_a_player_is_never_first_dealer_four_times_running():
    # Eight rounds at two tables of four: the same player must not deal first again before all seats are had.
    rounds = [((1, 2, 3, 4), (5, 6, 7, 8))] * 8
    after = seat_rounds(rounds)
    for player in range(1, 9):
        seats = [table.index(player) for one in after for table in one if player in table]
        assert sorted(seats[:4]) == sorted(seats[4:]) == [0, 1, 2, 3]


def test_seats_of_a_replanned_event_even_out_what_was_had():
    played = [((1, 2, 3, 4),), ((1, 2, 3, 4),)]
    had = {p: [count[s] for s in range(1, 5)] for p, count in seat_counts(played).items()}
    later = seat_rounds([((1, 2, 3, 4),), ((1, 2, 3, 4),)], had)
    total = seat_counts([*played, *later])
    assert all(max(count[s] for s in range(1, 5)) == 2 for count in total.values())
    assert sum(count[1] == 2 for count in total.values()) <= 2


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 12), min_size=2, max_size=6, unique=True), min_size=1, max_size=25))
def test_the_carpool_gives_everybody_the_floor_or_ceiling_of_what_is_owed(tables):
    chosen = first_dealers([tuple(table) for table in tables])
    assert all(player in table for player, table in zip(chosen, tables, strict=True))
    owed, count = Counter(), Counter(chosen)
    for table in tables:
        for player in table:
            owed[player] += Fraction(1, len(table))
    for player, share in owed.items():
        assert floor(share) <= count[player] <= ceil(share)


def test_a_greedy_choice_of_first_dealers_would_not_be_fair():
    # Taking the most owed at each table in turn gives somebody two deals of one owed here; passing deals mends it.
    tables = [(0, 1), (0, 2), (1, 2), (0, 1, 2), (0, 1, 2), (0, 1, 2)]
    assert sorted(Counter(first_dealers(tables)).values()) == [2, 2, 2]


def test_no_tables_no_seats():
    assert seat_rounds([]) == ()
    assert seat_spread([]) == 0
