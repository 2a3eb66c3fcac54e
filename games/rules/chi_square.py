"""Pearson's test: how often chance alone gives counts that lie so far from what is expected (Pearson 1900)."""

from __future__ import annotations

import math
from collections.abc import Sequence


def chi_square(counts: Sequence[int], expected: Sequence[float]) -> float:
    """Return the sum of (count - expected)^2 / expected; both list the same categories, none expected 0 times."""
    return sum((count - wanted) ** 2 / wanted for count, wanted in zip(counts, expected, strict=True))


def tail(value: float, degrees: int) -> float:
    """Return the probability of a sum of at least ``value`` under chance, for ``degrees`` of freedom from 1 up.

    The exact sums for whole degrees (Abramowitz and Stegun 1964, 26.4.4 and
    26.4.5): erfc(sqrt(x/2)) for one degree, exp(-x/2) for two, and a term more
    for every two degrees.
    """
    if degrees < 1 or value < 0:
        raise ValueError("degrees begin at 1, values at 0")
    half = value / 2
    odd = degrees % 2
    total = math.erfc(math.sqrt(half)) if odd else math.exp(-half)
    if half == 0:
        return 1.0
    for step in range(1, (degrees - 1) // 2 + 1):
        power = step - odd / 2
        total += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return min(total, 1.0)
