"""Pages of the tables: parse, call one service, answer."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from clubs.models import User
from games import selectors, services, stakes
from games.errors import TableRefusal
from games.models import Table
from games.phrases import PHRASES
from games.selectors.course import recent_events
from games.snapshots import TableSnapshot
from games.table_view import state_frame
from games.views.asking import at_table, number_in, players_at
from games.views.seats import seating_page


@require_safe
def table(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """The table's page; everything after the first view comes over its socket."""
    try:
        snapshot = TableSnapshot(table_id)
    except TableRefusal as refusal:
        raise Http404(refusal.message) from refusal
    seat = selectors.seat_of(table_id, request.user.pk)
    number = seat.number if seat is not None else None
    if seat is None:
        snapshot = snapshot.for_watchers()
    if snapshot.table.status == Table.Status.SEATING:
        return seating_page(request, snapshot, number)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = {
        "table": snapshot.table,
        "purse": _purse(request, snapshot.table),
        "socket_path": f"/ws/tables/{table_id}/",
        "in_line": number is None and _in_line(request, table_id),
        "snapshot": state_frame(snapshot, seat=number, events=[], now=timezone.now()),
        "phrases": PHRASES.items(),
        "players": players_at(request, snapshot.table, snapshot.seats),
        "past": recent_events(table_id, number, until=snapshot.version),
    }
    return render(request, "games/table.html", context)


@require_POST
def buy(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Bring more chips to one's seat between two deals."""
    chips = number_in(request, "chips") or 0
    return at_table(
        request,
        table_id,
        lambda _: services.buy_chips(table_id=table_id, user_id=request.user.pk or 0, chips=chips),
    )


@require_POST
def leave(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Leave one's seat; a bot plays the deal to its end."""
    get_object_or_404(Table, pk=table_id)
    try:
        services.leave_table(table_id=table_id, user_id=request.user.pk or 0)
    except TableRefusal as refusal:
        messages.error(request, refusal.message)
        return redirect("games:table", table_id=table_id)
    return redirect("games:home")


def _purse(request: HttpRequest, table: Table) -> int:
    """Return the chips that the person could bring to a staked table."""
    if not table.staked or not isinstance(request.user, User):
        return 0
    return stakes.purses_of(request.user, club=table.club).get(table.asset, 0)


def _in_line(request: HttpRequest, table_id: UUID) -> int:
    """Return the person's place in the table's line, 0 without one."""
    line = selectors.line_at(table_id) if request.user.is_authenticated else []
    return next((n for n, place in enumerate(line, start=1) if place.user_id == request.user.pk), 0)
