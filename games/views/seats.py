"""What is done with seats before the first deal, each by one form: sit, move, call and dismiss bots, start, wait."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.models import User
from clubs.views.qr import qr_code
from games import selectors, services, stakes
from games.bots import BOTS
from games.forms import LEVELS
from games.models import Table, WaitingPlace
from games.phrases import PHRASES
from games.rules import GAMES
from games.snapshots import TableSnapshot
from games.views.asking import at_table, number_in, profiles_at, sitter_at


@require_POST
def sit(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Sit down in a free seat; at a staked table with a buy-in."""
    number, buy_in = number_in(request, "seat"), number_in(request, "buy_in")

    def act(table: Table) -> object:
        person = sitter_at(request, table)
        return services.sit_down(table_id=table_id, user=person, number=number, buy_in=buy_in)

    return at_table(request, table_id, act)


@require_POST
def move(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Change to another free seat."""
    number = number_in(request, "seat")
    wanted = -1 if number is None else number
    return at_table(
        request,
        table_id,
        lambda _: services.move_seat(table_id=table_id, user_id=_id(request), number=wanted),
    )


@require_POST
def fill(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Give free seats to bots of a chosen level."""
    level, count = request.POST.get("level") or "steady", number_in(request, "count")
    return at_table(
        request,
        table_id,
        lambda _: services.fill_with_bots(table_id=table_id, user_id=_id(request), level=level, count=count),
    )


@require_POST
def dismiss(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Send a bot away."""
    number = number_in(request, "seat") or 0
    return at_table(
        request,
        table_id,
        lambda _: services.remove_bot(table_id=table_id, user_id=_id(request), number=number),
    )


@require_POST
def start(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Start with those who sit here."""
    return at_table(
        request, table_id, lambda _: services.start_early(table_id=table_id, user_id=_id(request))
    )


@require_POST
def wait(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Join the line for a seat."""
    return at_table(
        request,
        table_id,
        lambda table: services.join_line(table_id=table_id, user=sitter_at(request, table)),
    )


@require_POST
def wait_no_longer(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Leave the line, or refuse the seat that is offered."""
    return at_table(request, table_id, lambda _: services.leave_line(table_id=table_id, user_id=_id(request)))


def seating_page(request: HttpRequest, snapshot: TableSnapshot, number: int | None) -> HttpResponse:
    """The page of a table whose seats are filling; it keeps itself up to date by the table's socket."""
    table, line = snapshot.table, selectors.line_at(snapshot.table.pk)
    least, _most = GAMES[table.game].seat_range(GAMES[table.game].parse_options(table.options))
    taken = sum(not seat.is_free for seat in snapshot.seats)
    place = next((n for n, waiting in enumerate(line, start=1) if waiting.user_id == request.user.pk), None)
    link = request.build_absolute_uri(request.path)
    if number is not None or place is not None:
        services.note_waiting(table.pk)
    context = {
        "table": table,
        "phrases": PHRASES.items(),
        "seats": _seat_rows(request, snapshot, line),
        "you": number,
        "free_seats": len(snapshot.seats) - taken,
        "open_seats": len(snapshot.seats) - taken - sum(1 for waiting in line if waiting.offered_seat),
        "taken": taken,
        "least": least,
        "missing": max(0, least - taken),
        "host": _id(request) in services.hosts_of(table, snapshot.seats),
        "levels": [(name, LEVELS.get(name, name)) for name in BOTS[table.game]],
        "line": line,
        "place": place,
        "offer": line[place - 1] if place is not None and line[place - 1].offered_seat else None,
        "offer_left_ms": _left_ms(line[place - 1]) if place is not None else 0,
        "stakes": _stakes(request, table, len(snapshot.seats)),
        "member": isinstance(request.user, User) and not request.user.is_guest,
        "steps": link.split("/"),
        "qr": qr_code(link),
        "socket_path": f"/ws/tables/{table.pk}/",
    }
    return render(request, "games/seating.html", context)


def _seat_rows(
    request: HttpRequest, snapshot: TableSnapshot, line: list[WaitingPlace]
) -> list[dict[str, Any]]:
    kept = {place.offered_seat: place.user for place in line if place.offered_seat is not None}
    profiles = profiles_at(request, snapshot.table, snapshot.seats)
    return [
        {"seat": seat, "kept_for": kept.get(seat.number), "profile": profiles.get(seat.user_id or 0)}
        for seat in snapshot.seats
    ]


def _left_ms(place: WaitingPlace) -> int:
    if place.offered_until is None:
        return 0
    return max(0, round((place.offered_until - timezone.now()).total_seconds() * 1000))


def _stakes(request: HttpRequest, table: Table, seats: int) -> dict[str, int] | None:
    """Return what somebody who buys in wants to know: chips at hand and the worst first deal, in chips and stakes."""
    if not table.staked:
        return None
    rules = GAMES[table.game]
    worst = services.least_stack(rules, rules.parse_options(table.options), seats)
    purse = 0
    if isinstance(request.user, User):
        purse = stakes.purses_of(request.user, club=table.club).get(table.asset, 0)
    return {"purse": purse, "worst": worst * table.stake, "worst_stakes": worst}


def _id(request: HttpRequest) -> int:
    return request.user.pk or 0
