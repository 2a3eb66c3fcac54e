"""Events for programs that read: lists, terms, players, rounds, standings and draws."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest

from clubs.api.access import ClubSlug, own_club, person, reads
from clubs.api.paging import USUAL_PAGE as USUAL
from clubs.api.paging import Cursor, Limit, Page, read_cursor, write_cursor
from clubs.api.problems import PROBLEMS
from tournaments import selectors
from tournaments.api.routes import EVENT, EventId, RoundNumber, event_at, round_at, router
from tournaments.api.shapes import (
    DrawLine,
    EntryLine,
    EventBody,
    EventLine,
    RoundBody,
    RoundLine,
    StandingLine,
    StandingsBody,
)
from tournaments.models import Tournament
from tournaments.selectors.checking import public_draws, published
from tournaments.services.terms import TERMS, as_json

TAGS = ["events"]


@router.get("/events", tags=TAGS, auth=reads, response={200: Page[EventLine], **PROBLEMS}, summary="Events")
def events(
    request: HttpRequest, club: ClubSlug = None, limit: Limit = USUAL, cursor: Cursor = None
) -> dict[str, Any]:
    """The events of a club of mine, the newest first; drafts are left out."""
    chosen = own_club(request, club)
    found = Tournament.objects.filter(club=chosen).exclude(state=Tournament.State.DRAFT)
    place = read_cursor(cursor, _moment, UUID)
    if place:
        at, event_id = place
        found = found.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=event_id))
    rows = list(found.select_related("club").order_by("-created_at", "-pk")[: limit + 1])
    last = rows[limit - 1] if len(rows) > limit else None
    return {
        "items": [EventLine.of(row) for row in rows[:limit]],
        "next": write_cursor(last.created_at.isoformat(), str(last.pk)) if last is not None else None,
    }


@router.get(EVENT, tags=TAGS, auth=reads, response={200: EventBody, **PROBLEMS}, summary="One event")
def event(request: HttpRequest, event_id: EventId) -> EventBody:
    """An event with its terms and my entry."""
    return body_of(request, event_at(request, event_id))


@router.get(
    f"{EVENT}/entries", tags=TAGS, auth=reads, response={200: list[EntryLine], **PROBLEMS}, summary="Players"
)
def entries(request: HttpRequest, event_id: EventId) -> list[EntryLine]:
    """Everybody who entered, by number."""
    return [EntryLine.of(entry) for entry in selectors.entries_of(event_at(request, event_id))]


@router.get(
    f"{EVENT}/rounds", tags=TAGS, auth=reads, response={200: list[RoundLine], **PROBLEMS}, summary="Rounds"
)
def rounds(request: HttpRequest, event_id: EventId) -> list[RoundLine]:
    """The rounds that were released, in order."""
    rows = selectors.rounds_of(event_at(request, event_id))
    return [RoundLine.from_orm(row) for row in rows if row.current is not None]


@router.get(
    f"{EVENT}/rounds/{{int:number}}",
    tags=TAGS,
    auth=reads,
    response={200: RoundBody, **PROBLEMS},
    summary="One round",
)
def one_round(request: HttpRequest, event_id: EventId, round_number: RoundNumber) -> RoundBody:
    """A round with its tables; one that is only drawn is told to organisers alone."""
    return RoundBody.of(selectors.round_view(round_at(request, event_id, round_number)))


@router.get(
    f"{EVENT}/standings",
    tags=TAGS,
    auth=reads,
    response={200: StandingsBody, **PROBLEMS},
    summary="Standings",
)
def standings(request: HttpRequest, event_id: EventId) -> dict[str, Any]:
    """The standings as everybody may see them now."""
    found = selectors.standings_of(event_at(request, event_id))
    rows = [StandingLine.of(row) for row in found.rows]
    return {"complete": found.complete, "held_back": found.held_back, "rows": rows}


@router.get(
    f"{EVENT}/draws", tags=TAGS, auth=reads, response={200: list[DrawLine], **PROBLEMS}, summary="Draws"
)
def draws(request: HttpRequest, event_id: EventId) -> list[DrawLine]:
    """Every version of the draw once its first round was released, oldest first; none is ever changed."""
    found = event_at(request, event_id)
    released = {row.number for row in selectors.rounds_of(found) if row.current is not None}
    return [
        DrawLine(
            version=draw.number,
            kind=draw.kind,
            first_round=draw.first_round,
            rounds=[
                tables for number, tables in enumerate(draw.rounds, draw.first_round) if number in released
            ],
            sitting=[
                sitting for number, sitting in enumerate(draw.sitting, draw.first_round) if number in released
            ],
            seed=draw.seed if published(draw) else None,
        )
        for draw in public_draws(found)
    ]


def body_of(request: HttpRequest, event: Tournament) -> EventBody:
    """Return an event as a program reads it."""
    mine = selectors.entry_for(event, person(request))
    return EventBody(
        **EventLine.of(event).dict(),
        description=event.description,
        version=event.version,
        terms={term: as_json(getattr(event, term)) for term in TERMS if term not in ("name", "description")},
        me=EntryLine.of(mine) if mine is not None else None,
    )


def _moment(text: Any) -> dt.datetime:
    found = dt.datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found
