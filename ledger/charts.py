"""Geometry of the charts of chips by day, in user units, for templates that draw them as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 640, 200


@dataclass(frozen=True)
class Bar:
    """One day of the chart: where its bar stands and what it says."""

    day: date
    chips: int
    x: float
    y: float
    height: float


@dataclass(frozen=True)
class Chart:
    """A bar chart in a box of ``width`` by ``height``; ``bar`` is the width of a bar, ``base`` where 0 is.

    ``top`` is what the axis ends at above, ``bottom`` below: 0 where no day ended below 0.
    """

    bars: list[Bar]
    bar: float
    top: int
    bottom: int
    base: float
    width: int
    height: int


def bars(days: Sequence[tuple[date, int]]) -> Chart | None:
    """Lay out one bar a day on an axis that ends at round numbers; None when there is nothing to show."""
    top = round_up(max((chips for _day, chips in days), default=0))
    bottom = -round_up(-min((chips for _day, chips in days), default=0))
    if top == bottom:
        return None
    step = WIDTH / len(days)
    base = HEIGHT * top / (top - bottom)
    laid = [
        Bar(
            day,
            chips,
            round(n * step + step * 0.1, 2),
            round(base - max(tall, 0.0), 2),
            round(abs(tall), 2),
        )
        for n, (day, chips) in enumerate(days)
        for tall in [HEIGHT * chips / (top - bottom)]
    ]
    return Chart(laid, round(step * 0.8, 2), top, bottom, round(base, 2), WIDTH, HEIGHT)


def round_up(number: int) -> int:
    """The next 1, 2 or 5 times a power of ten; 0 for what is not above it."""
    if number <= 0:
        return 0
    power = int("1" + "0" * (len(str(number)) - 1))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= number)
