"""What a program does at tables: open one, sit down, move, speak, leave."""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest
from ninja import Status

from clubs.api.access import own_club, person, plays
from clubs.api.problems import PROBLEMS
from games import services
from games.api.routes import router
from games.api.seeing import check_programs_play, table_at
from games.api.shapes import (
    Bots,
    Line,
    Move,
    NewTable,
    Nonce,
    Opened,
    Place,
    Said,
    Seated,
    Seating,
    TableId,
    Version,
)
from games.errors import TableRefusal
from games.forms import USUAL_SEATS
from games.presets import PRESETS

TAGS = ["playing"]
TABLE = "/tables/{uuid:table}"


@router.post("/tables", tags=TAGS, auth=plays, response={201: Opened, **PROBLEMS}, summary="Open a table")
def open_table(request: HttpRequest, wanted: NewTable) -> Status[dict[str, Any]]:
    """Open a casual table of a club of mine and sit down in seat 1."""
    preset = PRESETS[wanted.preset] if wanted.preset is not None else None
    game = wanted.game or (preset.game if preset is not None else None)
    if game is None or (preset is not None and game != preset.game):
        raise TableRefusal("bad_game")
    seats = wanted.seats or (preset.seats if preset is not None else USUAL_SEATS[game])
    bots = wanted.bots if wanted.bots is not None else (preset.bots if preset is not None else 0)
    if bots >= seats:
        raise TableRefusal("bad_seats")
    user = person(request)
    table = services.open_table(
        game=game,
        options={**(preset.options if preset is not None else {}), **wanted.options},
        clock=wanted.clock or (preset.clock if preset is not None else "club"),
        members={1: user},
        bots=dict.fromkeys(range(seats - bots + 1, seats + 1), wanted.level),
        opened_by=user,
        seats=seats,
        listed=wanted.listed,
        watch_delay=wanted.watch_delay,
        pace_ms=wanted.pace_ms,
        bot_think_ms=wanted.bot_think_ms,
        club=own_club(request, wanted.club),
    )
    return Status(201, {"id": table.pk, "seat": 1})


@router.post(f"{TABLE}/seat", tags=TAGS, auth=plays, response={200: Seated, **PROBLEMS}, summary="Sit down")
def sit_down(request: HttpRequest, table_id: TableId, wanted: Seating) -> dict[str, int]:
    """Take a free seat before the first deal."""
    table_at(request, table_id)
    check_programs_play(request, table_id)
    seat = services.sit_down(table_id=table_id, user=person(request), number=wanted.seat)
    return {"seat": seat}


@router.delete(
    f"{TABLE}/seat", tags=TAGS, auth=plays, response={200: Version, **PROBLEMS}, summary="Leave the seat"
)
def leave(request: HttpRequest, table_id: TableId) -> dict[str, int]:
    """Leave; once cards are dealt a bot plays the match to its end and the seat comes last."""
    table_at(request, table_id, "games:leave")
    return {"v": services.leave_table(table_id=table_id, user_id=person(request).pk)}


@router.post(
    f"{TABLE}/line", tags=TAGS, auth=plays, response={200: Place, **PROBLEMS}, summary="Wait for a seat"
)
def wait(request: HttpRequest, table_id: TableId) -> dict[str, int]:
    """Join the line at a full table; a seat that is offered is taken with `seat`."""
    table_at(request, table_id)
    check_programs_play(request, table_id)
    return {"place": services.join_line(table_id=table_id, user=person(request))}


@router.delete(
    f"{TABLE}/line", tags=TAGS, auth=plays, response={204: None, **PROBLEMS}, summary="Wait no longer"
)
def wait_no_longer(request: HttpRequest, table_id: TableId) -> Status[None]:
    """Leave the line, or refuse the seat that is offered."""
    table_at(request, table_id, "games:leave")
    services.leave_line(table_id=table_id, user_id=person(request).pk)
    return Status(204, None)


@router.post(f"{TABLE}/bots", tags=TAGS, auth=plays, response={200: Version, **PROBLEMS}, summary="Call bots")
def call_bots(request: HttpRequest, table_id: TableId, wanted: Bots) -> dict[str, int]:
    """Give free seats to bots, which the table's host may do."""
    table_at(request, table_id)
    user_id = person(request).pk
    v = services.fill_with_bots(table_id=table_id, user_id=user_id, level=wanted.level, count=wanted.count)
    return {"v": v}


@router.post(
    f"{TABLE}/start", tags=TAGS, auth=plays, response={200: Version, **PROBLEMS}, summary="Start early"
)
def start(request: HttpRequest, table_id: TableId) -> dict[str, int]:
    """Start with those who sit here, which the table's host may do."""
    table_at(request, table_id)
    return {"v": services.start_early(table_id=table_id, user_id=person(request).pk)}


@router.post(f"{TABLE}/moves", tags=TAGS, auth=plays, response={200: Version, **PROBLEMS}, summary="Move")
def move(request: HttpRequest, table_id: TableId, made: Move) -> dict[str, int]:
    """Play a move. `stale` and `too_late` say that the table has gone on: look at it again."""
    arrived = time.monotonic()
    check_programs_play(request, table_id)
    answer = services.play_move(
        table_id=table_id,
        user_id=person(request).pk,
        move=made.m,
        version=made.v,
        command_id=made.id,
        arrived_at=arrived,
    )
    if answer.code:
        raise TableRefusal(answer.code, answer.detail)
    return {"v": answer.version}


@router.post(f"{TABLE}/ready", tags=TAGS, auth=plays, response={200: Version, **PROBLEMS}, summary="Be ready")
def ready(request: HttpRequest, table_id: TableId) -> dict[str, int]:
    """Say that the next deal need not be waited for."""
    table_at(request, table_id)
    return {"v": services.make_ready(table_id=table_id, user_id=person(request).pk)}


@router.post(
    f"{TABLE}/nonce", tags=TAGS, auth=plays, response={200: Version, **PROBLEMS}, summary="Choose a nonce"
)
def nonce(request: HttpRequest, table_id: TableId, chosen: Nonce) -> dict[str, int]:
    """Choose the own text for the next shuffle, between deals."""
    table_at(request, table_id)
    v = services.choose_nonce(table_id=table_id, user_id=person(request).pk, nonce=chosen.value)
    return {"v": v}


@router.post(
    f"{TABLE}/stand-in",
    tags=TAGS,
    auth=plays,
    response={200: Version, **PROBLEMS},
    summary="Ask for a stand-in",
)
def ask_stand_in(request: HttpRequest, table_id: TableId) -> dict[str, int]:
    """Let a bot of the site play until the seat is taken back."""
    table_at(request, table_id)
    return {"v": services.ask_stand_in(table_id=table_id, user_id=person(request).pk)}


@router.delete(
    f"{TABLE}/stand-in",
    tags=TAGS,
    auth=plays,
    response={200: Version, **PROBLEMS},
    summary="Take the seat back",
)
def take_back(request: HttpRequest, table_id: TableId) -> dict[str, int]:
    """Play again after a bot stood in."""
    check_programs_play(request, table_id)
    return {"v": services.take_back_seat(table_id=table_id, user_id=person(request).pk)}


@router.post(
    f"{TABLE}/chat", tags=TAGS, auth=plays, response={201: Line, **PROBLEMS}, summary="Say something"
)
def say(request: HttpRequest, table_id: TableId, said: Said) -> Status[dict[str, Any]]:
    """Write a line in the chat, or the code of a phrase; a repeated `id` writes nothing."""
    table_at(request, table_id)
    if bool(said.text) == bool(said.phrase):
        raise TableRefusal("chat_bad_text")
    words = {"room": said.room, "text": said.text, "phrase": said.phrase}
    line = services.say(table_id=table_id, user_id=person(request).pk, command_id=said.id, **words)
    return Status(201, {"id": line.pk, "room": line.room})
