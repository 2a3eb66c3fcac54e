"""The picture of a table: every name is there, and no line of one lies on another."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tournaments.charts import seat_ring

NAME = "Bernhard Põldsaar-Kuusemets"
HIGH = 12
"""The height of a capital letter, about."""


@pytest.mark.parametrize("count", range(2, 17))
def test_long_names_were_cut_where_there_was_room(count: int) -> None:
    ring = seat_ring([(n, NAME) for n in range(1, count + 1)], first=1)
    shown = {" ".join(text for text, _height, _width in seat.lines) for seat in ring.seats}
    assert shown <= {NAME, "Bernhard Põldsaar- Kuusemets"} or count > 6, "a narrow line rather than a cut one"
    assert {seat.name for seat in ring.seats} == {NAME}, "and the whole name is each seat's title"
    for anchor in ("start", "end"):
        heights = sorted(
            height for seat in ring.seats if seat.anchor == anchor for _text, height, _width in seat.lines
        )
        assert all(below - above > HIGH for above, below in pairwise(heights))
