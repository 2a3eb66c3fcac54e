"""What can be read of deals that are over: their logs and records, and the pages that list them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Prefetch, Q, QuerySet

from games.errors import TableRefusal
from games.models import Deal, LogEntry, Seat, Table
from games.rules import GAMES
from games.rules.record import Record
from games.selectors.archive import archived_entries


def ended_deal(table_id: UUID, number: int) -> tuple[Table, Deal]:
    """Return a table and one of its deals that is over; raises ``TableRefusal`` (``no_such_deal``, ``deal_running``)."""
    deal = Deal.objects.select_related("table").filter(table_id=table_id, number=number).first()
    if deal is None:
        raise TableRefusal("no_such_deal")
    if deal.ended_at is None:
        raise TableRefusal("deal_running")
    return deal.table, deal


def log_of(deal: Deal) -> list[LogEntry]:
    """Return the log entries of a deal, oldest first, from the archive where they are there."""
    return list(LogEntry.objects.filter(deal=deal).order_by("version")) or archived_entries([deal])


def seats_at(table: Table) -> list[Seat]:
    """Return the seats of a table with their members, by number."""
    return list(Seat.objects.filter(table=table).select_related("user").order_by("number"))


def names_at(table: Table) -> dict[int, str]:
    """Return the shown names of a table by seat."""
    return {seat.number: seat.shown_name for seat in seats_at(table)}


def record_of(table: Table, deal: Deal) -> Record:
    """Return the record of a deal that is over: deck and moves, replayable by ``manage.py replay``."""
    moves = LogEntry.objects.filter(deal=deal, ply__isnull=False).order_by("ply")
    texts = list(moves.values_list("move", flat=True))
    return Record(
        game=table.game,
        options=GAMES[table.game].parse_options(table.options),
        seats=tuple(deal.seats),
        dealer=deal.dealer,
        deck=tuple(deal.deck),
        moves=tuple(texts or (entry.move for entry in archived_entries([deal]) if entry.move)),
        carried=deal.carried,
    )


# Pages of what is over ----------------------------------------------------------------------------------------------

PAGE_SIZE = 30


@dataclass(frozen=True)
class DealsPage:
    """Ended deals of a table, the newest first, and the number before which older ones are found (``None``: none)."""

    deals: Sequence[Deal]
    before: int | None


def over(table_id: UUID, until: dt.datetime | None = None) -> QuerySet[Deal]:
    """Return a table's deals that are over, of those that ended later than ``until`` (if given) none."""
    ended = Deal.objects.filter(table_id=table_id, ended_at__isnull=False)
    return ended if until is None else ended.filter(ended_at__lte=until)


def ended_deals(
    table: Table, *, before: int | None = None, until: dt.datetime | None = None, size: int | None = None
) -> DealsPage:
    """Return a page of a table's ended deals (see ``over``) with numbers below ``before``, without their cards."""
    size = size or PAGE_SIZE
    ended = over(table.pk, until)
    if before is not None:
        ended = ended.filter(number__lt=before)
    found = list(ended.defer("deck", "nonces", "match_after").order_by("-number")[: size + 1])
    return DealsPage(found[:size], found[size - 1].number if len(found) > size else None)


def neighbours(deal: Deal, until: dt.datetime | None = None) -> tuple[int | None, int | None]:
    """Return the numbers of the ended deals (see ``over``) before and after ``deal`` at its table."""
    close = over(deal.table_id, until)
    numbers = set(
        close.filter(number__in=(deal.number - 1, deal.number + 1)).values_list("number", flat=True)
    )
    return (
        deal.number - 1 if deal.number - 1 in numbers else None,
        deal.number + 1 if deal.number + 1 in numbers else None,
    )


class Place(NamedTuple):
    """Where a page of tables begins: after the table that was opened at ``at`` and has the id ``table``."""

    at: dt.datetime
    table: UUID


@dataclass(frozen=True)
class TablesPage:
    """Tables of one member, the newest first, and where the older ones begin (``None``: there are none)."""

    tables: Sequence[Table]
    following: Place | None


def past_tables(user_id: int, *, after: Place | None = None, size: int | None = None) -> TablesPage:
    """Return a page of the tables at which a member was dealt in, each with its seats and ``ended`` deals counted.

    Nothing about results is read.
    """
    tables = Table.objects.filter(seats__user_id=user_id, deal_number__gt=0)
    if after is not None:
        tables = tables.filter(Q(opened_at__lt=after.at) | Q(opened_at=after.at, id__lt=after.table))
    ended = Count("deals", filter=Q(deals__ended_at__isnull=False), distinct=True)
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    wanted = tables.defer("match", "chain_end").annotate(ended=ended).prefetch_related(seats)
    size = size or PAGE_SIZE
    found = list(wanted.order_by("-opened_at", "-id")[: size + 1])
    shown = found[:size]
    more = len(found) > size
    return TablesPage(shown, Place(shown[-1].opened_at, shown[-1].id) if more else None)
