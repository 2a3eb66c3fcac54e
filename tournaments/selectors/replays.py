"""Every deal of an event that was played at the site's tables, for its archive of replays."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from tournaments.models import EventTable, Result, Tournament


@dataclass(frozen=True)
class ReplayLine:
    """A table of a round and the deals played there: (number in the event, site's table, number there)."""

    round: int
    table: int
    deals: tuple[tuple[int, UUID, int], ...]


def replays_of(tournament: Tournament) -> list[ReplayLine]:
    """Return the deals that were taken over from the site's tables, by round and table, in one query."""
    rows = (
        Result.objects.filter(
            event_table__round__tournament=tournament,
            event_table__take=F("event_table__round__current"),
            deal__isnull=False,
            version=1,
        )
        .exclude(event_table__state=EventTable.State.VOID)
        .order_by("event_table__round__number", "event_table__number", "number")
        .values_list(
            "event_table__round__number", "event_table__number", "number", "deal__table_id", "deal__number"
        )
    )
    lines: dict[tuple[int, int], list[tuple[int, UUID, int]]] = {}
    for round_number, table, number, site_table, deal in rows:
        lines.setdefault((round_number, table), []).append((number, site_table, deal))
    return [ReplayLine(*place, tuple(deals)) for place, deals in lines.items()]
