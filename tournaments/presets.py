"""Events that clubs often hold: a name, and everything that the form then has filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l


@dataclass(frozen=True)
class Preset:
    """One usual event; ``terms`` are those that differ from what its game suggests."""

    title: Promise
    note: Promise
    game: str
    terms: Mapping[str, Any] = field(default_factory=dict)


PRESETS: dict[str, Preset] = {
    "loo_evening": Preset(
        title=_l("Loo evening at the club"),
        note=_l("4 planned rounds with real cards, tables of about 6"),
        game="three_card_loo",
        terms={
            "venue": "club",
            "rounds": 4,
            "size_min": 5,
            "size_ideal": 6,
            "size_max": 8,
            "round_minutes": 45,
            "tie_breaks": ["head_to_head", "wins", "best_round"],
        },
    ),
    "loo_online": Preset(
        title=_l("Loo online"),
        note=_l("3 planned rounds at the site’s tables"),
        game="three_card_loo",
        terms={"rounds": 3, "size_min": 5, "size_ideal": 6, "size_max": 8, "tie_breaks": ["head_to_head"]},
    ),
    "least_evening": Preset(
        title=_l("Least Score evening at the club"),
        note=_l("5 planned rounds, tables of 4"),
        game="least_score",
        terms={"venue": "club", "rounds": 5, "scoring": "places", "tie_breaks": ["head_to_head", "wins"]},
    ),
    "least_swiss": Preset(
        title=_l("Least Score online, Swiss"),
        note=_l("5 rounds, neighbours in the standings meet"),
        game="least_score",
        terms={"rounds": 5, "seating": "swiss", "scoring": "places", "tie_breaks": ["opponents", "wins"]},
    ),
    "knock_out": Preset(
        title=_l("Knock-out to the last one"),
        note=_l("Least Score online, out above 50 points"),
        game="least_score",
        terms={"family": "elimination", "rounds": 1, "thresholds": [50], "final_size": 4},
    ),
    "three_thresholds": Preset(
        title=_l("Knock-out in three rounds"),
        note=_l("out above 25, then 50, then 100 points"),
        game="least_score",
        terms={"family": "elimination", "rounds": 3, "thresholds": [25, 50, 100], "final_size": 4},
    ),
}
