from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.errors import BadDraw
from tournaments.rules.meetings import (
    check_rounds,
    count_back_to_back,
    count_meetings,
    count_strangers,
    larger_visits,
    measure,
    pairs_of,
)


@st.composite
def events(draw):
    players = draw(st.integers(4, 10))
    rounds = []
    for _ in range(draw(st.integers(1, 4))):
        order = draw(st.permutations(range(players)))
        cut = draw(st.integers(2, players - 2))
        rounds.append((tuple(order[:cut]), tuple(order[cut:])))
    return players, tuple(rounds)


@given(events())
def test_figures_agree_with_their_definitions(event):
    players, rounds = event
    meetings = {
        (i, j): sum(any(i in table and j in table for table in one) for one in rounds)
        for i, j in combinations(range(players), 2)
    }
    figures = measure(rounds, range(players))
    assert dict(count_meetings(rounds)) == {pair: m for pair, m in meetings.items() if m}
    assert figures.q == sum(m * (m - 1) // 2 for m in meetings.values())
    assert figures.repeats == sum(max(0, m - 1) for m in meetings.values())
    assert figures.third == sum(max(0, m - 2) for m in meetings.values())
    met = {
        i: {j for j in range(players) if i != j and meetings[min(i, j), max(i, j)]} for i in range(players)
    }
    strangers = sum(j not in met[i] and not met[i] & met[j] for i, j in meetings)
    assert figures.strangers == strangers


@given(events())
def test_q_is_the_number_of_pairs_common_to_two_rounds_summed_over_pairs_of_rounds(event):
    players, rounds = event
    common = sum(len(set(pairs_of(a)) & set(pairs_of(b))) for a, b in combinations(rounds, 2))
    assert measure(rounds, range(players)).q == common


def test_back_to_back_counts_successive_rounds_only():
    a, b = ((1, 2), (3, 4)), ((1, 3), (2, 4))
    assert count_back_to_back((a, b, a)) == 0
    assert count_back_to_back((a, a, b)) == 2
    assert count_back_to_back((a, a), players=(1, 2, 3)) == 1


def test_larger_visits_count_tables_above_the_smallest_of_the_round():
    rounds = (((1, 2, 3), (4, 5)), ((1, 2), (3, 4)))
    assert larger_visits(rounds, (1, 3, 4, 9)) == {1: 1, 3: 1, 4: 0, 9: 0}


def test_strangers_of_nobody_met_are_all_pairs():
    assert count_strangers((), (5, 6, 7)) == 3
    assert count_strangers([(5, 6), (6, 7)], (5, 6, 7)) == 0


def test_players_who_left_do_not_count():
    rounds = (((1, 2, 9),), ((1, 9, 2),))
    assert measure(rounds, (1, 2)).q == 1


@pytest.mark.parametrize("rounds", [[((1, 2), (2, 3))], [((1, 1),)], [((1, 2), ())]])
def test_a_history_that_seats_somebody_twice_is_refused(rounds):
    with pytest.raises(BadDraw) as refusal:
        check_rounds(rounds)
    assert refusal.value.code == "bad_history"
