"""What a program does for a player of an event: enter, check in, withdraw."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Status

from clubs.api.access import person, plays
from clubs.api.problems import PROBLEMS
from tournaments import selectors, services
from tournaments.api.routes import EVENT, EventId, event_at, router
from tournaments.api.shapes import EntryLine
from tournaments.errors import EventRefusal
from tournaments.models import Entry

TAGS = ["entering"]


@router.post(
    f"{EVENT}/entry", tags=TAGS, auth=plays, response={201: EntryLine, **PROBLEMS}, summary="Enter an event"
)
def enter(request: HttpRequest, event_id: EventId) -> Status[EntryLine]:
    """Enter; when all places are taken, on the waiting list. Accounts of bots enter where bots take part."""
    event_at(request, event_id)
    entry = services.register(tournament_id=event_id, user=person(request))
    return Status(201, EntryLine.of(entry))


@router.delete(
    f"{EVENT}/entry", tags=TAGS, auth=plays, response={200: EntryLine, **PROBLEMS}, summary="Withdraw"
)
def withdraw(request: HttpRequest, event_id: EventId) -> EntryLine:
    """Withdraw; in mid-round the seat is played on."""
    mine = _mine(request, event_id)
    return EntryLine.of(services.withdraw(tournament_id=event_id, by=person(request), number=mine.number))


@router.post(
    f"{EVENT}/check-in", tags=TAGS, auth=plays, response={200: EntryLine, **PROBLEMS}, summary="Check in"
)
def check_in(request: HttpRequest, event_id: EventId) -> EntryLine:
    """Say that I am here, while check-in is open."""
    mine = _mine(request, event_id)
    return EntryLine.of(services.check_in(tournament_id=event_id, by=person(request), number=mine.number))


def _mine(request: HttpRequest, event_id: EventId) -> Entry:
    found = selectors.entry_for(event_at(request, event_id), person(request))
    if found is None:
        raise EventRefusal("not_entered")
    return found
