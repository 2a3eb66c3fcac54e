"""Geometry of seating pictures in user units, for templates that draw them as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 300
"""The whole picture; names need room at the left and right."""

RING_X = 54
RING_Y = {8: 66, 12: 122, 16: 190}
"""Half axes of the ring on which the seats stand: the taller one, the more seats there are."""

MARGIN = 44
"""Room above and below the ring, for a seat and its name."""

LETTERS = 8
"""As many letters of a name fit on a line beside a seat; the whole name stands in the list beside the picture."""

LINE = 18
"""From one line of a name to the next."""

WIDEST = 20
"""As many letters fit above the ring and below it."""


@dataclass(frozen=True)
class SeatMark:
    """A seat in the picture: its circle, its number, the lines of its name, each with its height."""

    number: int
    x: float
    y: float
    lines: tuple[tuple[str, float], ...]
    name_x: float
    anchor: str
    first: bool
    mine: bool


@dataclass(frozen=True)
class Ring:
    """A table from above: seat 1 at the bottom, the others to its left, which is clockwise."""

    width: int
    height: int
    centre_x: float
    centre_y: float
    felt_x: float
    felt_y: float
    seats: tuple[SeatMark, ...]


def seat_ring(names: Sequence[tuple[int, str]], *, first: int | None, mine: int | None = None) -> Ring:
    """Return the picture of a table: ``names`` are (seat, name) in order, ``first`` the seat that deals first."""
    count = len(names)
    half = next((axis for most, axis in RING_Y.items() if count <= most), max(RING_Y.values()))
    centre = half + MARGIN
    marks = [
        _mark(seat, name, place / max(1, count), half, first=seat == first, mine=seat == mine)
        for place, (seat, name) in enumerate(names)
    ]
    return Ring(WIDTH, 2 * centre, WIDTH / 2, centre, RING_X - 20, half - 20, tuple(marks))


def _mark(seat: int, name: str, turn: float, half: int, *, first: bool, mine: bool) -> SeatMark:
    """Return a seat that stands ``turn`` of the way round the ring."""
    across, down = -math.sin(2 * math.pi * turn), math.cos(2 * math.pi * turn)
    x, y = WIDTH / 2 + RING_X * across, half + MARGIN + half * down
    if abs(across) < 0.2:
        drop = 31 if down > 0 else -20
        lines: tuple[tuple[str, float], ...] = ((_short(name, WIDEST), round(y + drop, 1)),)
        return SeatMark(seat, round(x, 1), round(y, 1), lines, round(x, 1), "middle", first, mine)
    texts = _two_lines(name)
    start = y + 5 - LINE * (len(texts) - 1) / 2
    lines = tuple((text, round(start + LINE * n, 1)) for n, text in enumerate(texts))
    beside = round(x + math.copysign(18, across), 1)
    return SeatMark(
        seat, round(x, 1), round(y, 1), lines, beside, "end" if across < 0 else "start", first, mine
    )


def _two_lines(name: str) -> list[str]:
    """Return a name on one line, or on two if it is long and has a space."""
    head, space, tail = name.partition(" ")
    if len(name) < LETTERS or not space:
        return [_short(name, LETTERS)]
    return [_short(head, LETTERS), _short(tail, LETTERS)]


def _short(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
