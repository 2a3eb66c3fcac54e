"""Geometry of charts in user units, for templates that draw them as inline SVG; and the check of counts by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format

from games.rules.chi_square import chi_square, tail

WIDTH, HEIGHT = 340, 190
LEFT, RIGHT, TOP, BOTTOM = 2, 2, 22, 24
"""Room round the bars; numbers stand above them and names below."""

WIDEST_BAR = 56
LETTER = 9
"""About how wide a letter or digit is; texts that would touch each other are left out."""

CURVE_STEPS = (10, 20, 50, 100, 200, 500, 1000)
"""Distances between the heights that a line chart names; some five of them fill it."""

CURVE_LEFT, CURVE_BOTTOM, CURVE_DOT = 44, 8, 4
"""Room beside a curve for the heights' names, below it, and round its last point."""

LEAST_EXPECTED = 5
"""Below that many expected cases Pearson's test says nothing reliable."""


@dataclass(frozen=True)
class Bar:
    """One bar: a rectangle, its name below, its number above, and the line of what was expected (or ``None``)."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    name: str
    shown: str
    expected_y: float | None

    @property
    def number_y(self) -> float:
        """Where the number stands: above the bar and above the line of what was expected."""
        top = self.y if self.expected_y is None else min(self.y, self.expected_y)
        return round(top - 6, 1)

    @property
    def expected_from(self) -> float:
        """Where the line of what was expected begins: a little left of the bar."""
        return round(self.x - 3, 1)

    @property
    def expected_to(self) -> float:
        """Where that line ends."""
        return round(self.x + self.width + 3, 1)


@dataclass(frozen=True)
class Chart:
    """A chart of ``width`` by ``height`` units whose bars stand on ``base``."""

    width: int
    height: int
    base: float
    bars: tuple[Bar, ...]

    @property
    def name_y(self) -> float:
        """Where the names stand below the bars."""
        return self.base + 17

    @property
    def has_expected(self) -> bool:
        """Whether any bar has a line of what was expected."""
        return any(bar.expected_y is not None for bar in self.bars)


def _number(value: float) -> str:
    """A whole number without a decimal place, any other with one, as the active language writes it."""
    whole = value == round(value)
    return number_format(round(value) if whole else value, decimal_pos=0 if whole else 1, force_grouping=True)


def bar_chart(
    names: Sequence[str],
    values: Sequence[float],
    *,
    shown: Sequence[str] | None = None,
    expected: Sequence[float] | None = None,
) -> Chart:
    """Return the chart of ``values``, none negative; ``shown`` are their texts (default: the numbers themselves).

    Where bars stand close, only every so many is named, and none has a number.
    """
    tallest = max([*values, *(expected or ()), 0]) or 1
    slot = (WIDTH - LEFT - RIGHT) / max(1, len(values))
    bar = min(WIDEST_BAR, slot * 0.72)
    base = HEIGHT - BOTTOM
    room = base - TOP
    texts = shown if shown is not None else [_number(value) for value in values]
    every = max(1, math.ceil(_longest(names) / slot))
    numbered = _longest(texts) <= slot

    def height(value: float) -> float:
        return round(room * value / tallest, 1)

    bars = []
    for place, (name, value, text) in enumerate(zip(names, values, texts, strict=True)):
        middle = LEFT + slot * (place + 0.5)
        bars.append(
            Bar(
                x=round(middle - bar / 2, 1),
                y=round(base - height(value), 1),
                width=round(bar, 1),
                height=height(value),
                middle=round(middle, 1),
                name=name if place % every == 0 else "",
                shown=text if numbered else "",
                expected_y=None if expected is None else round(base - height(expected[place]), 1),
            )
        )
    return Chart(WIDTH, HEIGHT, base, tuple(bars))


def _longest(texts: Sequence[str]) -> int:
    """Return the width of the longest text with a little room beside it."""
    return (max((len(text) for text in texts), default=0) + 1) * LETTER


@dataclass(frozen=True)
class Mark:
    """A height in a line chart with its number."""

    y: float
    shown: str

    @property
    def text_y(self) -> float:
        """Where the number stands: just above its line."""
        return round(self.y - 4, 1)


@dataclass(frozen=True)
class Curve:
    """A line chart: the corners of the line as SVG takes them, its last point, and the heights that are named."""

    width: int
    height: int
    points: str
    last_x: float
    last_y: float
    marks: tuple[Mark, ...]


def curve(values: Sequence[int]) -> Curve:
    """Return the chart of ``values``, at least one, from the left edge to the right one; round heights are named."""
    step = next((step for step in CURVE_STEPS if max(values) - min(values) <= 4 * step), CURVE_STEPS[-1])
    low, high = min(values) // step * step, -(-max(values) // step) * step
    high = max(high, low + step)

    def y(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - CURVE_BOTTOM) * (high - value) / (high - low), 1)

    wide = WIDTH - CURVE_LEFT - RIGHT - CURVE_DOT
    places = [
        (round(CURVE_LEFT + wide * n / max(1, len(values) - 1), 1), y(value))
        for n, value in enumerate(values)
    ]
    marks = tuple(Mark(y(value), str(value)) for value in range(low, high + 1, step))
    return Curve(WIDTH, HEIGHT, " ".join(f"{x},{y}" for x, y in places), *places[-1], marks)


@dataclass(frozen=True)
class Check:
    """Pearson's test of counts: the sum, its degrees of freedom, and how often chance alone gives at least as much."""

    value: float
    degrees: int
    chance: float


def check(groups: Sequence[tuple[Sequence[int], Sequence[float]]]) -> Check | None:
    """Return the test of one or more independent groups of (counts, expected); ``None`` if too little was counted.

    Groups with fewer than ``LEAST_EXPECTED`` expected cases in a category are left out.
    """
    fit = [(counts, expected) for counts, expected in groups if min(expected) >= LEAST_EXPECTED]
    if not fit:
        return None
    value = sum(chi_square(counts, expected) for counts, expected in fit)
    degrees = sum(len(counts) - 1 for counts, _expected in fit)
    return Check(value, degrees, tail(value, degrees))
