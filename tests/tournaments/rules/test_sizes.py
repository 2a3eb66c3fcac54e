import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.errors import BadDraw
from tournaments.rules.sizes import check_limits, check_numbers, sit_out_number, split_evenly, table_sizes


@given(st.integers(2, 256), st.integers(2, 16))
def test_sizes_add_up_are_within_one_and_come_larger_first(players, ideal):
    sizes = table_sizes(players, ideal=ideal)
    assert sum(sizes) == players
    assert sizes[0] - sizes[-1] <= 1
    assert list(sizes) == sorted(sizes, reverse=True)
    assert 2 <= sizes[-1] <= sizes[0] <= 16


@given(st.integers(2, 100), st.integers(2, 8), st.integers(0, 3), st.integers(0, 3))
def test_sizes_keep_the_limits_or_say_how_many_must_sit_out(players, ideal, below, above):
    smallest, largest = max(2, ideal - below), ideal + above
    out = sit_out_number(players, smallest=smallest, largest=largest)
    if out == 0:
        sizes = table_sizes(players, ideal=ideal, smallest=smallest, largest=largest)
        assert smallest <= min(sizes) <= max(sizes) <= largest
    else:
        with pytest.raises(BadDraw) as refusal:
            table_sizes(players, ideal=ideal, smallest=smallest, largest=largest)
        assert refusal.value.code == "sizes_impossible"
    if out < players:
        rest = table_sizes(players - out, ideal=ideal, smallest=smallest, largest=largest)
        assert sum(rest) == players - out


@pytest.mark.parametrize(
    ("players", "ideal", "sizes"),
    [
        (24, 4, (4,) * 6),
        (22, 4, (4, 4, 4, 4, 3, 3)),
        (10, 4, (4, 3, 3)),
        (23, 5, (5, 5, 5, 4, 4)),
        (11, 16, (11,)),
    ],
)
def test_the_average_nearest_to_the_ideal_is_taken(players, ideal, sizes):
    assert table_sizes(players, ideal=ideal) == sizes


def test_split_evenly_gives_the_larger_tables_first():
    assert split_evenly(11, 3) == (4, 4, 3)


@pytest.mark.parametrize(
    ("players", "rounds", "code"),
    [
        (1, 3, "too_few_players"),
        (0, 3, "too_few_players"),
        (-7, 3, "too_few_players"),
        (1000, 3, "too_many_players"),
        (10**12, 3, "too_many_players"),
        (24, 0, "bad_rounds"),
        (24, -1, "bad_rounds"),
        (24, 10**9, "bad_rounds"),
    ],
)
def test_impossible_numbers_are_refused_at_once(players, rounds, code):
    with pytest.raises(BadDraw) as refusal:
        check_numbers(players, rounds)
    assert refusal.value.code == code


@pytest.mark.parametrize("limits", [(5, 6, 8), (5, 2, 4), (1, 1, 4), (17, 2, 17), (40, 2, 16), (-3, 2, 16)])
def test_table_sizes_out_of_order_are_refused(limits):
    ideal, smallest, largest = limits
    with pytest.raises(BadDraw) as refusal:
        check_limits(ideal, smallest, largest)
    assert refusal.value.code == "bad_size"
