"""Geometry of seating pictures in user units, for templates that draw them as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

WIDTH = 300
"""The whole picture; names need room at the left and right."""

RING_X = 54
RING_Y = {8: 66, 12: 122, 16: 190}
"""Half axes of the ring on which the seats stand: the taller one, the more seats there are."""

MARGIN = 44
"""Room above and below the ring, for a seat and its name."""

LETTERS = 8
"""As many letters of a name fit on a line beside a seat."""

NARROWEST = 0.75
"""A longer line is written narrower, down to this share of its width, rather than cut; the whole name is the seat's title."""

FEW = 6
"""At so many seats at most three lines of a name come near no other."""

LETTER = 9.4
"""The width of a letter, about."""

LINE = 18
"""From one line of a name to the next."""

WIDEST = 24
"""As many letters fit above the ring and below it."""


@dataclass(frozen=True)
class SeatMark:
    """A seat in the picture: its circle, its number, its name and the lines of it, each with its height and, where it is
    written narrower than usual, its width."""

    number: int
    name: str
    x: float
    y: float
    lines: tuple[tuple[str, float, float | None], ...]
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
        _mark(
            seat, name, place / max(1, count), half, few=count <= FEW, first=seat == first, mine=seat == mine
        )
        for place, (seat, name) in enumerate(names)
    ]
    return Ring(WIDTH, 2 * centre, WIDTH / 2, centre, RING_X - 20, half - 20, tuple(marks))


def _mark(seat: int, name: str, turn: float, half: int, *, few: bool, first: bool, mine: bool) -> SeatMark:
    """Return a seat that stands ``turn`` of the way round the ring; beside ``few`` seats names have three lines, else two."""
    across, down = -math.sin(2 * math.pi * turn), math.cos(2 * math.pi * turn)
    x, y = WIDTH / 2 + RING_X * across, half + MARGIN + half * down
    if abs(across) < 0.2:
        texts, most, beside, anchor = [name], WIDEST, x, "middle"
        top = y + (31 if down > 0 else -20)
    else:
        texts, most, beside = _lines(name, 3 if few else 2), LETTERS, x + math.copysign(18, across)
        top, anchor = y + 5 - LINE * (len(texts) - 1) / 2, "end" if across < 0 else "start"
    lines = tuple(_line(text, most, round(top + LINE * n, 1)) for n, text in enumerate(texts))
    return SeatMark(seat, name, round(x, 1), round(y, 1), lines, round(beside, 1), anchor, first, mine)


def _lines(name: str, most: int) -> list[str]:
    """Return a name on as few lines as hold it, at most ``most``, which end at spaces and hyphens; if none hold it, on
    those of which the longest is shortest."""
    if len(name) <= LETTERS:
        return [name]
    breaks = [at for at, letter in enumerate(name, start=1) if letter in " -"]
    splits = (
        [name[a:b].rstrip() for a, b in pairwise((0, *some, len(name)))]
        for many in range(most)
        for some in combinations(breaks, many)
    )
    return min(splits, key=lambda lines: (max(LETTERS, *map(len, lines)), len(lines), max(map(len, lines))))


def _line(text: str, letters: int, height: float) -> tuple[str, float, float | None]:
    """Return a line of which ``letters`` are seen in full width: a longer one is narrower, and cut beyond that."""
    if len(text) <= letters:
        return text, height, None
    most = int(letters / NARROWEST)
    return text if len(text) <= most else f"{text[: most - 1]}…", height, letters * LETTER
