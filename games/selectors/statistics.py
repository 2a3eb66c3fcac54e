"""The statistics of all deals that are over, as they were last counted (``services.count_deals``)."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from clubs.models import Club
from games.models import DealStatistics


@dataclass(frozen=True)
class Numbers:
    """Counts of one game by kind and key, and when the first and the last deal counted ended."""

    game: str
    since: dt.datetime
    until: dt.datetime
    kinds: Mapping[str, Mapping[str, int]]

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return self.count("deals")

    def count(self, kind: str, key: str = "") -> int:
        """Return one count, 0 if it never happened."""
        return self.kinds.get(kind, {}).get(key, 0)

    def numbered(self, kind: str) -> dict[int, int]:
        """Return the counts of a kind whose keys are numbers, in their order."""
        return dict(sorted((int(key), count) for key, count in self.kinds.get(kind, {}).items()))

    def by_pair(self, kind: str) -> dict[tuple[int, int], int]:
        """Return the counts of a kind whose keys are two numbers, ``seats:place``."""
        pairs = ((key.split(":"), count) for key, count in self.kinds.get(kind, {}).items())
        return {(int(seats), int(place)): count for (seats, place), count in pairs}


def club_statistics(club: Club) -> dict[str, Numbers]:
    """Return what is counted of a club's deals, by game; a game without an ended deal is not in it. One query."""
    kinds: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    dates: dict[str, tuple[dt.datetime, dt.datetime]] = {}
    for row in DealStatistics.objects.filter(club=club).order_by("game", "kind", "key"):
        kinds[row.game][row.kind][row.key] = row.count
        if row.kind == "deals":
            dates[row.game] = (row.since, row.until)
    return {game: Numbers(game, *dates[game], kinds=kinds[game]) for game in dates}
