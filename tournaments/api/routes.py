"""The one router of the events' API, and which events a program may look at."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from django.http import HttpRequest
from ninja import Path

from clubs.api.access import person
from clubs.api.routing import ScopedRouter
from tournaments import selectors
from tournaments.errors import EventRefusal
from tournaments.models import Round, Tournament
from tournaments.selectors.entrance import event_gate

router = ScopedRouter()

EventId = Annotated[UUID, Path(alias="event", description="The event's id.")]
RoundNumber = Annotated[int, Path(alias="number", ge=1, le=64)]
EVENT = "/events/{uuid:event}"
RIGHT = "tournaments.organise"


def event_at(request: HttpRequest, event_id: UUID) -> Tournament:
    """Return an event that the person may see, drafts for organisers of its club alone; raises ``EventRefusal("no_such_event")``."""
    user = person(request)
    found = selectors.get_event(event_id) if event_gate(event_id, user, "") is not None else None
    if found is None or (found.state == Tournament.State.DRAFT and not user.has_perm(RIGHT, found)):
        raise EventRefusal("no_such_event")
    return found


def round_at(request: HttpRequest, event_id: UUID, number: int) -> Round:
    """Return a round; one that is not released is there for organisers alone. Raises ``EventRefusal``."""
    event = event_at(request, event_id)
    row = Round.objects.filter(tournament=event, number=number).select_related("draw").first()
    if row is None or (row.current is None and not person(request).has_perm(RIGHT, event)):
        raise EventRefusal("no_such_round")
    row.tournament = event
    return row
