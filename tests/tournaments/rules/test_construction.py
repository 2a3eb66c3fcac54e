import pytest

from tournaments.rules.catalogue import larger_first, to_rounds
from tournaments.rules.construction import net_rounds
from tournaments.rules.meetings import count_meetings

CASES = [(n, q) for q in (4, 5, 7, 8, 9, 11, 13, 16) for n in range(3 * q, q * q + 1)]


def test_all_570_constructions_have_no_repeat_and_sizes_within_one():
    assert len(CASES) == 570
    for players, q in CASES:
        rows = net_rounds(players, q, q + (players == q * q))
        assert rows is not None
        rounds = to_rounds(larger_first(rows), tuple(range(players)))
        assert max(count_meetings(rounds).values()) == 1
        for tables in rounds:
            sizes = [len(table) for table in tables]
            assert sum(sizes) == players and len(sizes) == q and max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    ("players", "tables", "rounds"), [(24, 6, 2), (17, 4, 2), (4, 4, 2), (20, 5, 6), (16, 4, 6), (40, 10, 2)]
)
def test_there_is_none_outside_its_reach(players, tables, rounds):
    assert net_rounds(players, tables, rounds) is None
