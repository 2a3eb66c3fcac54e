"""The tables of an elimination as JSON values, for storing between two deals."""

from collections.abc import Mapping
from typing import Any

from tournaments.rules.rotation import DealTable


def dump_table(table: DealTable) -> dict[str, Any]:
    """Return a table as JSON values; ``load_table`` is the inverse."""
    return {
        "seats": list(table.seats),
        "dealer": table.dealer,
        "due": sorted(table.due),
        "leaving": sorted(table.leaving),
        "entering": [list(pair) for pair in table.entering],
        "orbits": table.orbits,
        "in_deal": table.in_deal,
    }


def load_table(raw: Mapping[str, Any]) -> DealTable:
    """Return the table that ``dump_table`` wrote."""
    return DealTable(
        seats=tuple(raw["seats"]),
        dealer=raw["dealer"],
        due=frozenset(raw["due"]),
        leaving=frozenset(raw["leaving"]),
        entering=tuple((player, seat) for player, seat in raw["entering"]),
        orbits=raw["orbits"],
        in_deal=raw["in_deal"],
    )
