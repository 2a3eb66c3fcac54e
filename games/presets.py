"""Tables that people often want: a name, and everything that the form then has filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l


@dataclass(frozen=True)
class Preset:
    """One usual table; ``options`` are those of its game that differ from the usual ones."""

    title: Promise
    note: Promise
    game: str
    seats: int
    clock: str
    bots: int = 0
    rated: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def choices(self) -> dict[str, Any]:
        """Return what the form has filled in, by field."""
        common = {"seats": self.seats, "clock": self.clock, "bots": self.bots, "rated": self.rated}
        return {**common, **self.options}


PRESETS: dict[str, Preset] = {
    "loo_with_bots": Preset(
        title=_l("Loo with bots"),
        note=_l("casual, room for a friend"),
        game="three_card_loo",
        seats=6,
        clock="relaxed",
        bots=4,
    ),
    "club_loo": Preset(
        title=_l("Club Loo"),
        note=_l("up to 8 players"),
        game="three_card_loo",
        seats=8,
        clock="club",
    ),
    "rated_loo": Preset(
        title=_l("Rated Loo"),
        note=_l("members only, no bots"),
        game="three_card_loo",
        seats=5,
        clock="club",
        rated=True,
    ),
    "least_score_evening": Preset(
        title=_l("Least Score evening"),
        note=_l("to 100 points, until one is left"),
        game="least_score",
        seats=6,
        clock="relaxed",
    ),
    "least_score_sprint": Preset(
        title=_l("Least Score sprint"),
        note=_l("to 50 points, until one is out"),
        game="least_score",
        seats=4,
        clock="blitz",
        options={"threshold": 50, "match": "first_out"},
    ),
}
