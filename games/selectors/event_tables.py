"""What events read of their tables."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet

from games.models import Deal, Table


class PlayedDeal(NamedTuple):
    """A deal that was played to its end: its number at the table, its dealer, who was dealt in and its outcome.

    ``void`` deals (S11) count for nothing and are dealt again.
    """

    id: int
    number: int
    dealer: int
    seats: tuple[int, ...]
    outcome: dict[str, Any]
    void: bool


def tables_waiting_for(origin_prefix: str) -> QuerySet[Table]:
    """Return the tables of events whose name begins so that wait for their event or are over."""
    waiting = Q(stepwise=True, status=Table.Status.BETWEEN, due_at__isnull=True, paused_at__isnull=True)
    return Table.objects.filter(origin__startswith=origin_prefix).filter(
        waiting | Q(status=Table.Status.FINISHED)
    )


def waits(table: Table) -> bool:
    """Whether a table has no deal to play: it waits for its event, or its match is over."""
    if table.status == Table.Status.FINISHED:
        return True
    between = table.status == Table.Status.BETWEEN and table.due_at is None and table.paused_at is None
    return table.stepwise and between


def tables_by_id(table_ids: Collection[UUID]) -> dict[UUID, Table]:
    """Return the tables with these ids."""
    return Table.objects.in_bulk(list(table_ids))


def deals_played(table_id: UUID, after: int = 0) -> list[PlayedDeal]:
    """Return the deals of a table that are over, from the one after number ``after``, in order."""
    rows = Deal.objects.filter(table_id=table_id, number__gt=after, ended_at__isnull=False).order_by("number")
    return [_played(deal) for deal in rows]


def _played(deal: Deal) -> PlayedDeal:
    outcome = deal.outcome or {}
    void = bool(outcome.get("void"))
    return PlayedDeal(deal.pk, deal.number, deal.dealer, tuple(deal.seats), outcome, void)
