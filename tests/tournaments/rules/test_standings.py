from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.errors import BadEvent
from tournaments.rules.standings import (
    TIE_BREAKS,
    Row,
    TableResult,
    check_tie_breaks,
    liveness,
    place_points,
    standings,
)

F = Fraction


@given(st.dictionaries(st.integers(1, 20), st.integers(-5, 5), min_size=2, max_size=9), st.booleans())
def test_place_points_of_a_table_add_up_to_half_its_size(scores, low_wins):
    points = place_points(scores, low_wins=low_wins)
    assert sum(points.values()) == F(len(scores), 2)
    assert all(0 <= own <= 1 for own in points.values())
    for a in scores:
        for b in scores:
            better = scores[a] < scores[b] if low_wins else scores[a] > scores[b]
            assert not better or points[a] < points[b]


def test_place_points_are_the_place_over_the_others():
    assert place_points({1: 0, 2: 5, 3: 9}, low_wins=True) == {1: F(0), 2: F(1, 2), 3: F(1)}
    assert place_points({1: 5, 2: 5, 3: 9}, low_wins=True) == {1: F(1, 4), 2: F(1, 4), 3: F(1)}
    assert place_points({1: 9, 2: 5, 3: 5, 4: 0}, low_wins=False)[1] == 0
    assert place_points({1: 9}, low_wins=True) == {1: F(0)}


def test_loo_adds_net_stakes_and_the_most_is_best():
    rows = standings(
        [TableResult(1, {1: 6, 2: -3, 3: -3}), TableResult(2, {1: -1, 2: 4, 3: -3})],
        [1, 2, 3],
        scoring="high",
    )
    assert rows == (Row(1, 1, F(5), ()), Row(2, 2, F(1), ()), Row(3, 3, F(-6), ()))


def test_equals_share_a_rank_and_the_next_rank_counts_them():
    rows = standings([TableResult(1, {1: 3, 2: 3, 3: 9, 4: 9, 5: 12})], range(1, 6), scoring="low")
    assert [(row.rank, row.player) for row in rows] == [(1, 1), (1, 2), (3, 3), (3, 4), (5, 5)]


def test_the_order_of_tie_breaks_is_the_published_one():
    results = [
        TableResult(1, {1: 0, 2: 4}),
        TableResult(1, {3: 2, 4: 9}),
        TableResult(2, {1: 6, 3: 4}),
        TableResult(2, {2: 2, 4: 9}),
    ]
    # 1, 2 and 3 all have 6 points; 1 beat 2, 3 beat 1 and won two tables.
    by_best = standings(results, [1, 2, 3, 4], scoring="low", order=["best_round"])
    assert [row.player for row in by_best][:3] == [1, 2, 3]
    assert [row.rank for row in by_best] == [1, 2, 2, 4]
    by_head = standings(results, [1, 2, 3, 4], scoring="low", order=["head_to_head", "best_round"])
    assert [row.player for row in by_head][:3] == [3, 1, 2]
    by_wins = standings(results, [1, 2, 3, 4], scoring="low", order=["wins", "last_round"])
    assert [row.player for row in by_wins][:3] == [3, 2, 1]


def test_head_to_head_looks_at_those_still_tied_only():
    results = [TableResult(1, {1: 1, 2: 2, 9: 0}), TableResult(2, {1: 2, 2: 1, 9: 9})]
    rows = standings(results, [1, 2, 9], scoring="low", order=["head_to_head"])
    assert [(row.rank, row.player) for row in rows] == [(1, 1), (1, 2), (3, 9)]


def test_stronger_opponents_break_a_tie():
    results = [
        TableResult(1, {1: 0, 3: 1}),
        TableResult(1, {2: 0, 4: 9}),
        TableResult(2, {3: 0, 4: 0}),
    ]
    rows = standings(results, [1, 2, 3, 4], scoring="low", order=["opponents"])
    assert [row.player for row in rows][:2] == [1, 2] and rows[1].rank == 2


def test_worst_round_prefers_the_steady_player():
    results = [TableResult(1, {1: 5, 2: 0}), TableResult(2, {1: 5, 2: 10})]
    assert standings(results, [1, 2], scoring="low", order=["worst_round"])[0].player == 1


def test_shared_wins_are_shared():
    assert TIE_BREAKS["wins"].__doc__
    rows = standings([TableResult(1, {1: 2, 2: 2, 3: 5})], [1, 2, 3], scoring="low", order=["wins"])
    assert [row.tie_breaks for row in rows] == [(F(-1, 2),), (F(-1, 2),), (F(0),)]


def test_a_round_sat_out_counts_as_the_mean_round():
    results = [TableResult(1, {1: 4, 2: 6}), TableResult(2, {2: 0, 3: 5}), TableResult(3, {1: 2, 3: 1, 2: 3})]
    rows = {
        row.player: row.score for row in standings(results, [1, 2, 3], scoring="low", sat_out={1: 1, 3: 1})
    }
    assert rows == {1: F(9), 2: F(9), 3: F(9)}


def test_who_has_not_played_counts_the_middle():
    (row,) = standings([], [7], scoring="places", sat_out={7: 2})
    assert row.score == 1


def test_a_player_who_left_keeps_his_history():
    # liwords 855: a player removed in mid-event lost his results.
    results = [TableResult(1, {1: 0, 2: 5})]
    assert [row.player for row in standings(results, [1], scoring="low")] == [1]
    assert [row.score for row in standings(results, [1, 2], scoring="low")] == [F(0), F(5)]


def test_places_of_unequal_tables_weigh_the_same():
    big = TableResult(1, {player: player for player in range(1, 7)})
    small = TableResult(1, {11: 1, 12: 2, 13: 3})
    rows = standings([big, small], [*range(1, 7), 11, 12, 13], scoring="places")
    assert [row.player for row in rows if row.rank == 1] == [1, 11]
    assert [row.player for row in rows if row.score == 1] == [6, 13]


@pytest.mark.parametrize("order", [["luck"], ["wins", "wins"]])
def test_unknown_and_repeated_tie_breaks_are_refused(order):
    with pytest.raises(BadEvent) as refusal:
        check_tie_breaks(order)
    assert refusal.value.code == "bad_tie_break"


def test_two_results_of_one_player_in_a_round_are_refused():
    with pytest.raises(BadEvent) as refusal:
        standings([TableResult(1, {1: 0, 2: 1}), TableResult(1, {1: 3, 3: 1})], [1], scoring="low")
    assert refusal.value.code == "two_results"


def test_what_is_still_possible():
    cost = {1: F(0), 2: F(10), 3: F(11), 4: F(40)}
    kinds = liveness(cost, rounds_left=1, best=F(0), worst=F(9), places=1)
    assert kinds == {1: "safe", 2: "out", 3: "out", 4: "out"}
    kinds = liveness(cost, rounds_left=2, best=F(0), worst=F(9), places=2)
    assert kinds == {1: "alive", 2: "alive", 3: "alive", 4: "out"}
    assert set(liveness(cost, rounds_left=1, best=None, worst=None, places=1).values()) == {"alive"}
    assert liveness(cost, rounds_left=0, best=None, worst=None, places=2) == {
        1: "safe",
        2: "safe",
        3: "out",
        4: "out",
    }


@given(
    st.lists(st.integers(0, 6), min_size=2, max_size=5),
    st.lists(st.integers(0, 3), min_size=5, max_size=5),
    st.integers(1, 3),
)
def test_nobody_safe_misses_the_cut_and_nobody_out_makes_it(totals, last, places):
    cost = {player: F(own) for player, own in enumerate(totals)}
    kinds = liveness(cost, rounds_left=1, best=F(0), worst=F(3), places=places)
    final = {player: own + last[player] for player, own in cost.items()}
    for player, kind in kinds.items():
        surely_ahead = sum(final[other] < final[player] for other in cost if other != player)
        ahead_or_level = sum(final[other] <= final[player] for other in cost if other != player)
        assert kind != "safe" or ahead_or_level < places
        assert kind != "out" or surely_ahead >= places
