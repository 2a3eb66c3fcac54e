"""League tables: the best n of m, places shared, equal sums equal."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tournaments.rules.errors import BadEvent
from tournaments.rules.season import PointsRule, event_points, league_table


def test_a_place_is_worth_the_players_who_are_not_better() -> None:
    assert event_points([(1, 5), (2, 6), (2, 7), (4, 8)], PointsRule()) == {
        5: 4,
        6: Fraction(5, 2),
        7: Fraction(5, 2),
        8: 1,
    }


def test_points_by_place_are_shared_by_equals() -> None:
    points = event_points([(1, 5), (1, 6), (3, 7), (4, 8)], PointsRule((10, 6, 3)))
    assert points == {5: 8, 6: 8, 7: 3, 8: 0}


def test_only_the_best_results_count_and_equal_sums_share_a_rank() -> None:
    events = [
        {1: Fraction(10), 2: Fraction(4), 3: Fraction(6)},
        {1: Fraction(1), 2: Fraction(8)},
        {2: Fraction(2), 3: Fraction(5)},
    ]
    rows = league_table(events, 2)
    assert [(row.rank, row.player, row.points) for row in rows] == [(1, 2, 12), (2, 1, 11), (2, 3, 11)]
    assert rows[0].left_out == (2,)
    assert league_table(events, 0)[0].points == 14


def test_points_below_zero_are_refused() -> None:
    with pytest.raises(BadEvent):
        PointsRule((5, -1))
