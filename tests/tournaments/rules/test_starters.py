from collections import Counter
from itertools import combinations

import pytest

from tournaments.rules.starters import Plan, develop

TURN = (1, 2, 0)
# With the seeds that find a starter in the fewest steps; the catalogue's own take longer and are checked as shipped.
PLANS = [
    (Plan(4, 7, TURN, TURN), 1),
    (Plan(4, 9, TURN, (0,), multiplier=2), 1),
    (Plan(5, 6, (1, 2, 3, 4, 0)), 1),
    (Plan(4, 5, (1, 0, 3, 2, 4, 5), (0, 1), multiplier=4, starters=2), 2),
    (Plan(4, 11, TURN, TURN), 1),
    (Plan(4, 13, TURN, (0,), multiplier=4), 1),
]


@pytest.mark.parametrize(("plan", "seed"), PLANS)
def test_a_starter_develops_into_rounds_without_a_repeat(plan, seed):
    rows = develop(plan, seed, 200_000)
    assert rows is not None and len(rows) == plan.modulus * plan.starters
    meetings = Counter()
    for row in rows:
        assert sorted(Counter(row).values()) == [plan.size] * (plan.players // plan.size)
        meetings.update(pair for pair in combinations(range(plan.players), 2) if row[pair[0]] == row[pair[1]])
    assert max(meetings.values()) == 1


def test_28_players_in_nine_rounds_of_fours_meet_everybody_exactly_once():
    rows = develop(Plan(4, 9, TURN, (0,), multiplier=2), 1, 200_000)
    pairs = {pair for row in rows for pair in combinations(range(28), 2) if row[pair[0]] == row[pair[1]]}
    assert len(pairs) == 28 * 27 // 2


def test_where_there_is_none_none_is_returned():
    assert develop(Plan(4, 7, TURN, TURN, multiplier=3), 1, 50_000) is None
    assert develop(Plan(4, 13, TURN, (0,), multiplier=4), 1, 1) is None
