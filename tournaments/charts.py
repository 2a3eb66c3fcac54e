"""Geometry of seating pictures in user units, for templates that draw them as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 340, 250
"""The whole picture; names need room at the left and right."""

RING_X, RING_Y = 92, 84
"""Half axes of the ring on which the seats stand."""

LETTERS = 13
"""As many letters of a name fit beside a seat; the whole name stands in the list below."""


@dataclass(frozen=True)
class SeatMark:
    """A seat in the picture: its circle, its number, its name and where that stands."""

    number: int
    x: float
    y: float
    name: str
    name_x: float
    name_y: float
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
    seats: tuple[SeatMark, ...]


def seat_ring(names: Sequence[tuple[int, str]], *, first: int | None, mine: int | None = None) -> Ring:
    """Return the picture of a table: ``names`` are (seat, name) in order, ``first`` the seat that deals first."""
    count = len(names)
    marks = [
        _mark(seat, name, 2 * math.pi * place / max(1, count), first=seat == first, mine=seat == mine)
        for place, (seat, name) in enumerate(names)
    ]
    return Ring(WIDTH, HEIGHT, WIDTH / 2, HEIGHT / 2, tuple(marks))


def _mark(seat: int, name: str, angle: float, *, first: bool, mine: bool) -> SeatMark:
    across, down = -math.sin(angle), math.cos(angle)
    x, y = WIDTH / 2 + RING_X * across, HEIGHT / 2 + RING_Y * down
    anchor = "middle" if abs(across) < 0.2 else "end" if across < 0 else "start"
    shift = 0 if anchor == "middle" else math.copysign(18, across)
    drop = math.copysign(20, down) + (5 if down < 0 else 8) if anchor == "middle" else 5
    return SeatMark(
        seat,
        round(x, 1),
        round(y, 1),
        name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…",
        round(x + shift, 1),
        round(y + drop, 1),
        anchor,
        first,
        mine,
    )
