"""What is over: a table's deals with records and proofs, one's own tables, and the numbers of all deals."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from clubs.api.access import ClubSlug, own_club, person, reads
from clubs.api.paging import USUAL_PAGE as USUAL
from clubs.api.paging import Cursor, Limit, Page, read_cursor, whole, write_cursor
from clubs.api.problems import PROBLEMS
from games import selectors
from games.api.routes import router
from games.api.seeing import seen_table
from games.api.shapes import DealLine, GameNumbers, PastTableLine, TableId, TableLine
from games.errors import TableRefusal
from games.models import Deal, Table
from games.rules.proof import dump_proof
from games.rules.record import dump_record

TAGS = ["history"]


@router.get(
    "/tables/{uuid:table}/deals",
    tags=TAGS,
    auth=reads,
    response={200: Page[DealLine], **PROBLEMS},
    summary="Deals of a table",
)
def deals(
    request: HttpRequest, table_id: TableId, limit: Limit = USUAL, cursor: Cursor = None
) -> dict[str, Any]:
    """The deals that are over, the newest first, with how they ended."""
    table, until = seen_table(request, table_id, "games:table_history")
    place = read_cursor(cursor, whole)
    page = selectors.ended_deals(table, before=place[0] if place else None, until=until, size=limit)
    return {
        "items": [_deal_line(deal) for deal in page.deals],
        "next": None if page.before is None else write_cursor(page.before),
    }


@router.get(
    "/tables/{uuid:table}/deals/{int:number}/record",
    tags=TAGS,
    auth=reads,
    response={200: dict[str, Any], **PROBLEMS},
    summary="The record of a deal",
)
def record(request: HttpRequest, table_id: TableId, number: int) -> dict[str, Any]:
    """Deck and moves of a deal that is over, for `manage.py replay` and other programs."""
    return dump_record(selectors.record_of(*_ended(request, table_id, number, "games:deal_record")))


@router.get(
    "/tables/{uuid:table}/deals/{int:number}/proof",
    tags=TAGS,
    auth=reads,
    response={200: dict[str, Any], **PROBLEMS},
    summary="The proof of a deal",
)
def proof(request: HttpRequest, table_id: TableId, number: int) -> dict[str, Any]:
    """Commitment, seed, nonces and cards of a deal that is over (docs/fair_deal.md)."""
    return dump_proof(selectors.proof_of(*_ended(request, table_id, number, "games:deal_proof")))


@router.get(
    "/me/history",
    tags=TAGS,
    auth=reads,
    response={200: Page[PastTableLine], **PROBLEMS},
    summary="My history",
)
def own_history(request: HttpRequest, limit: Limit = USUAL, cursor: Cursor = None) -> dict[str, Any]:
    """The tables at which I was dealt in, the newest first."""
    place = read_cursor(cursor, _moment, UUID)
    after = selectors.Place(*place) if place else None
    page = selectors.past_tables(person(request).pk, after=after, size=limit)
    following = page.following
    return {
        "items": [_past_line(table) for table in page.tables],
        "next": None if following is None else write_cursor(following.at.isoformat(), str(following.table)),
    }


@router.get(
    "/statistics", tags=TAGS, auth=reads, response={200: list[GameNumbers], **PROBLEMS}, summary="Statistics"
)
def statistics(request: HttpRequest, club: ClubSlug = None) -> list[dict[str, Any]]:
    """What was counted of all deals of a club of mine, game by game."""
    found = selectors.club_statistics(own_club(request, club))
    return [{**vars(numbers), "deals": numbers.deals} for numbers in found.values()]


def _deal_line(deal: Deal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "dealer": deal.dealer,
        "seats": deal.seats,
        "started_at": deal.started_at,
        "ended_at": deal.ended_at,
        "outcome": deal.outcome,
    }


def _past_line(table: Any) -> PastTableLine:
    return PastTableLine(**TableLine.of(table).dict(), deals=table.ended)


def _ended(request: HttpRequest, table_id: UUID, number: int, page: str) -> tuple[Table, Deal]:
    """Return a deal that is over for whoever asks; raises ``TableRefusal`` (``no_such_deal``, ``deal_running``)."""
    seen = seen_table(request, table_id, page)
    if number >= 2**31:
        raise TableRefusal("no_such_deal")
    _table, deal = selectors.ended_deal(table_id, number)
    if seen.until is not None and deal.ended_at is not None and deal.ended_at > seen.until:
        raise TableRefusal("deal_running")
    return seen.table, deal


def _moment(text: Any) -> dt.datetime:
    found = dt.datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found
