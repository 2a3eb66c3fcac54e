"""Tables for programs that read: the lobby, one's own tables, one table's view."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest
from django.utils import timezone

from clubs.api.access import ClubSlug, own_club, person, reads
from clubs.api.problems import PROBLEMS
from games import selectors
from games.api.routes import router
from games.api.seeing import table_at
from games.api.shapes import ClockName, GameName, OwnTableLine, TableId, TableLine, TableView
from games.snapshots import TableSnapshot
from games.table_view import state_frame

TAGS = ["tables"]


@router.get(
    "/tables", tags=TAGS, auth=reads, response={200: list[TableLine], **PROBLEMS}, summary="The lobby"
)
def lobby(
    request: HttpRequest,
    club: ClubSlug = None,
    game: GameName | None = None,
    clock: ClockName | None = None,
    stakes: Literal["with", "without"] | None = None,
    rating: Literal["rated", "casual"] | None = None,
    free: bool = False,
) -> list[TableLine]:
    """The listed tables of a club, those with free seats first; at most 100."""
    wanted = {"game": game or "", "clock": clock or "", "stakes": stakes or "", "rating": rating or ""}
    club_id = own_club(request, club).pk
    return [TableLine.of(table) for table in selectors.lobby(club_id=club_id, **wanted, free=free)]


@router.get(
    "/me/tables", tags=TAGS, auth=reads, response={200: list[OwnTableLine], **PROBLEMS}, summary="My tables"
)
def own_tables(request: HttpRequest) -> list[OwnTableLine]:
    """The unfinished tables at which I sit, those where it is my turn first."""
    found: list[Any] = selectors.tables_of(person(request).pk)
    return [
        OwnTableLine(**TableLine.of(table).dict(), seat=table.own_seat, my_turn=table.my_turn)
        for table in found
    ]


@router.get(
    "/tables/{uuid:table}",
    tags=TAGS,
    auth=reads,
    response={200: TableView, **PROBLEMS},
    summary="One table",
)
def table(request: HttpRequest, table_id: TableId) -> dict[str, Any]:
    """The table as my seat sees it, or as a watcher does, who may be shown it some seconds later."""
    table_at(request, table_id)
    snapshot = TableSnapshot(table_id)
    seat = selectors.seat_of(table_id, person(request).pk)
    if seat is None:
        snapshot = snapshot.for_watchers()
    number = seat.number if seat is not None else None
    return state_frame(snapshot, seat=number, events=[], now=timezone.now())
