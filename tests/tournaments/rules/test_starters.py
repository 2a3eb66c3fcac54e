from collections import Counter
from itertools import combinations

import pytest

from tournaments.rules.starters import Plan, develop

PLANS = [
    Plan(24, 4, 7, 3, 1, True),
    Plan(28, 4, 9, 3, 2, True),
    Plan(30, 5, 6, 5, 1, True),
    Plan(36, 4, 11, 3, 1, True),
]


@pytest.mark.parametrize("plan", PLANS)
def test_a_starter_develops_into_rounds_without_a_repeat(plan):
    rows = develop(plan, 1, 200_000)
    assert rows is not None and len(rows) == plan.modulus
    meetings = Counter()
    for row in rows:
        assert sorted(Counter(row).values()) == [plan.size] * (plan.players // plan.size)
        meetings.update(pair for pair in combinations(range(plan.players), 2) if row[pair[0]] == row[pair[1]])
    assert max(meetings.values()) == 1


def test_28_players_in_nine_rounds_of_fours_meet_everybody_exactly_once():
    rows = develop(Plan(28, 4, 9, 3, 2, True), 1, 200_000)
    pairs = {pair for row in rows for pair in combinations(range(28), 2) if row[pair[0]] == row[pair[1]]}
    assert len(pairs) == 28 * 27 // 2


def test_where_there_is_none_none_is_returned():
    assert develop(Plan(24, 4, 7, 3, 3, True), 1, 50_000) is None
