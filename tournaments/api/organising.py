"""What a program does for an organiser: create an event, enter players, and lead it round by round."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Status

from clubs.api.access import organises, own_club, person
from clubs.api.problems import PROBLEMS
from clubs.selectors import people_at
from tournaments import services
from tournaments.api.reading import body_of
from tournaments.api.routes import EVENT, EventId, RoundNumber, event_at, round_at, router
from tournaments.api.shapes import (
    EntryLine,
    EventBody,
    NewEntry,
    NewEvent,
    Reason,
    RoundLine,
    Scores,
)
from tournaments.errors import EventRefusal
from tournaments.selectors import get_event

TAGS = ["organising"]
ROUND = f"{EVENT}/rounds/{{int:number}}"
EntryNumber = Annotated[int, Path(alias="entry", ge=1, lt=2**15)]
TableNumber = Annotated[
    int, Path(alias="place", ge=1, lt=2**15, description="The table's number in its round.")
]


@router.post(
    "/events", tags=TAGS, auth=organises, response={201: EventBody, **PROBLEMS}, summary="Create an event"
)
def create(request: HttpRequest, wanted: NewEvent) -> Status[EventBody]:
    """Create a draft; `open` lets players enter it."""
    terms = {"game": wanted.terms.game, **wanted.terms.dict(exclude_unset=True, exclude_none=True)}
    club = own_club(request, wanted.club)
    made = services.create_tournament(by=person(request), name=wanted.name, club=club, **terms)
    return Status(201, _body(request, made.pk))


@router.post(
    f"{EVENT}/open",
    tags=TAGS,
    auth=organises,
    response={200: EventBody, **PROBLEMS},
    summary="Open registration",
)
def open_registration(request: HttpRequest, event_id: EventId) -> EventBody:
    """Let players enter."""
    event_at(request, event_id)
    services.open_registration(tournament_id=event_id, by=person(request))
    return _body(request, event_id)


@router.post(
    f"{EVENT}/start", tags=TAGS, auth=organises, response={200: EventBody, **PROBLEMS}, summary="Start"
)
def start(request: HttpRequest, event_id: EventId) -> EventBody:
    """Begin: check-in closes, and entry fees are paid."""
    event_at(request, event_id)
    services.start_tournament(tournament_id=event_id, by=person(request))
    return _body(request, event_id)


@router.post(
    f"{EVENT}/finish", tags=TAGS, auth=organises, response={200: EventBody, **PROBLEMS}, summary="Finish"
)
def finish(request: HttpRequest, event_id: EventId, why: Reason) -> EventBody:
    """End the event; before all its rounds were played only with a reason."""
    event_at(request, event_id)
    services.finish_tournament(tournament_id=event_id, by=person(request), early=why.reason)
    return _body(request, event_id)


@router.post(
    f"{EVENT}/entries",
    tags=TAGS,
    auth=organises,
    response={201: EntryLine, **PROBLEMS},
    summary="Enter a player",
)
def enter_player(request: HttpRequest, event_id: EventId, wanted: NewEntry) -> Status[EntryLine]:
    """Enter a member by user name, or at the club a player by name."""
    event = event_at(request, event_id)
    user = None
    if wanted.username is not None:
        # Of other clubs' people an organiser hears nothing, not even that they are there.
        user = people_at(event.club).filter(username=wanted.username).first()
        if user is None:
            raise EventRefusal("no_such_member")
    entry = services.register_by_hand(
        tournament_id=event_id, by=person(request), user=user, name="" if user else wanted.name
    )
    return Status(201, EntryLine.of(entry))


@router.delete(
    f"{EVENT}/entries/{{int:entry}}",
    tags=TAGS,
    auth=organises,
    response={200: EntryLine, **PROBLEMS},
    summary="Withdraw a player",
)
def withdraw_player(request: HttpRequest, event_id: EventId, number: EntryNumber) -> EntryLine:
    """Take a player out of the event; results stay."""
    event_at(request, event_id)
    return EntryLine.of(services.withdraw(tournament_id=event_id, by=person(request), number=number))


@router.post(
    f"{EVENT}/draw", tags=TAGS, auth=organises, response={200: list[RoundLine], **PROBLEMS}, summary="Draw"
)
def draw(request: HttpRequest, event_id: EventId, why: Reason) -> list[RoundLine]:
    """Draw the rounds that can be drawn now; drawing anew asks for a reason."""
    event_at(request, event_id)
    services.draw(tournament_id=event_id, by=person(request), reason=why.reason)
    rows = event_at(request, event_id).event_rounds.order_by("number")
    return [RoundLine.from_orm(row) for row in rows]


@router.post(
    f"{ROUND}/fix", tags=TAGS, auth=organises, response={200: RoundLine, **PROBLEMS}, summary="Confirm a draw"
)
def confirm_draw(request: HttpRequest, event_id: EventId, round_number: RoundNumber) -> RoundLine:
    """Confirm the draw of a round, which can then be released."""
    round_at(request, event_id, round_number)
    row = services.confirm_draw(tournament_id=event_id, by=person(request), round_number=round_number)
    return RoundLine.from_orm(row)


@router.post(
    f"{ROUND}/release",
    tags=TAGS,
    auth=organises,
    response={200: RoundLine, **PROBLEMS},
    summary="Release a round",
)
def release(request: HttpRequest, event_id: EventId, round_number: RoundNumber) -> RoundLine:
    """Release a round: players see their seats, and online tables open."""
    round_at(request, event_id, round_number)
    row = services.release_round(tournament_id=event_id, by=person(request), round_number=round_number)
    return RoundLine.from_orm(row)


@router.post(
    f"{ROUND}/confirm",
    tags=TAGS,
    auth=organises,
    response={200: RoundLine, **PROBLEMS},
    summary="Confirm a round",
)
def confirm_round(request: HttpRequest, event_id: EventId, round_number: RoundNumber) -> RoundLine:
    """Confirm all results of a round."""
    round_at(request, event_id, round_number)
    row = services.confirm_round(tournament_id=event_id, by=person(request), round_number=round_number)
    return RoundLine.from_orm(row)


@router.post(
    f"{ROUND}/tables/{{int:place}}/results",
    tags=TAGS,
    auth=organises,
    response={204: None, **PROBLEMS},
    summary="Enter results",
)
def results(
    request: HttpRequest,
    event_id: EventId,
    round_number: RoundNumber,
    table_number: TableNumber,
    told: Scores,
) -> Status[None]:
    """Enter the results of a whole round at a table of the club, and confirm them as organiser."""
    round_at(request, event_id, round_number)
    where: dict[str, Any] = {
        "tournament_id": event_id,
        "round_number": round_number,
        "table_number": table_number,
    }
    services.enter_whole(
        by=person(request), scores={int(n): score for n, score in told.scores.items()}, **where
    )
    return Status(204, None)


def _body(request: HttpRequest, event_id: Any) -> EventBody:
    found = get_event(event_id)
    assert found is not None, "it was there a moment ago"
    return body_of(request, found)
