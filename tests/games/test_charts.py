"""Charts stay inside their frame, and what is said of counts by chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.charts import HEIGHT, WIDTH, bar_chart, check

counts = st.lists(st.integers(0, 10**9), max_size=40)


@given(counts, st.booleans())
def test_bars_and_lines_stay_inside_the_frame(values: list[int], with_expected: bool) -> None:
    expected = [value * 1.5 for value in values] if with_expected else None
    chart = bar_chart([str(value) for value in values], values, expected=expected)
    for bar in chart.bars:
        assert bar.x >= 0 and bar.x + bar.width <= WIDTH
        assert 0 <= bar.y <= chart.base < HEIGHT
        assert bar.y + bar.height == pytest.approx(chart.base, abs=0.11)
        assert bar.number_y > 0
        if bar.expected_y is not None:
            assert 0 <= bar.expected_y <= chart.base
            assert bar.expected_from < bar.x and bar.x + bar.width < bar.expected_to


def test_a_bar_twice_as_long_stands_for_twice_as_much() -> None:
    small, large = bar_chart(["a", "b"], [30, 60]).bars
    assert large.height == pytest.approx(2 * small.height)


def test_names_and_numbers_that_would_touch_are_left_out() -> None:
    names = [str(place) for place in range(1, 41)]
    crowded = bar_chart(names, [1000] * 40)
    assert 0 < sum(bool(bar.name) for bar in crowded.bars) < 40
    assert not any(bar.shown for bar in crowded.bars)
    roomy = bar_chart(names[:4], [1000] * 4)
    assert all(bar.name and bar.shown for bar in roomy.bars)


def test_nothing_counted_makes_an_empty_chart() -> None:
    assert bar_chart([], []).bars == ()
    assert [bar.height for bar in bar_chart(["a"], [0]).bars] == [0]


def test_too_little_is_not_judged() -> None:
    assert check([([3, 1, 0, 0], [1.0] * 4)]) is None
    assert check([]) is None


def test_groups_are_judged_together_and_thin_ones_left_out() -> None:
    fair = ([10, 10], [10.0, 10.0])
    found = check([fair, ([12, 8, 10], [10.0] * 3), ([1, 2], [1.5, 1.5])])
    assert found is not None
    assert found.degrees == 3
    assert found.value == pytest.approx(0.8)


def test_a_loaded_shuffle_is_found() -> None:
    found = check([([400, 200, 200, 200], [250.0] * 4)])
    assert found is not None and found.chance < 1e-20
