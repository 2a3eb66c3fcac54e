"""Pearson's test against tables and against counting by hand."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.chi_square import chi_square, tail

# Upper 5 % and 1 % points of the distribution, as printed in every statistics book.
TABLE = [
    (3.841, 1, 0.05),
    (6.635, 1, 0.01),
    (5.991, 2, 0.05),
    (9.210, 2, 0.01),
    (7.815, 3, 0.05),
    (11.345, 3, 0.01),
    (9.488, 4, 0.05),
    (21.026, 12, 0.05),
    (26.217, 12, 0.01),
    (67.505, 50, 0.05),
]


@pytest.mark.parametrize(("value", "degrees", "chance"), TABLE)
def test_tail_agrees_with_printed_tables(value: float, degrees: int, chance: float) -> None:
    assert tail(value, degrees) == pytest.approx(chance, abs=2e-5)


def test_the_sum_is_that_of_a_loaded_die_counted_by_hand() -> None:
    assert chi_square([16, 18, 16, 14, 12, 12], [16, 16, 16, 16, 8, 16]) == pytest.approx(3.5)


@given(st.integers(1, 60), st.floats(0, 300), st.floats(0, 300))
def test_larger_sums_are_rarer(degrees: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= tail(high, degrees) <= tail(low, degrees) <= 1


@given(st.integers(1, 60))
def test_nothing_is_certain_but_a_sum_of_at_least_nothing(degrees: int) -> None:
    assert tail(0, degrees) == 1
    assert tail(4000, degrees) < 1e-100


def test_fair_throws_are_spread_as_the_tail_says() -> None:
    dice = random.Random(20)
    chances = []
    for _sample in range(400):
        counts = [0] * 6
        for _throw in range(120):
            counts[dice.randrange(6)] += 1
        chances.append(tail(chi_square(counts, [20.0] * 6), 5))
    below = sum(chance < 0.25 for chance in chances)
    assert abs(below - 100) < 4 * math.sqrt(400 * 0.25 * 0.75)


@pytest.mark.parametrize(("value", "degrees"), [(1.0, 0), (-1.0, 3)])
def test_what_has_no_meaning_is_refused(value: float, degrees: int) -> None:
    with pytest.raises(ValueError):
        tail(value, degrees)
