"""The course of a match outside its socket: the match that follows, and the lines of the log after a lost line."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from games import selectors, services
from games.errors import TableRefusal
from games.models import Table
from games.selectors.course import recent_events
from games.snapshots import TableSnapshot
from games.views.addresses import whole


@require_POST
def again(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """Go on to the next match with the others; at a staked table ``buy_in`` says that its price is agreed to."""
    get_object_or_404(Table, pk=table_id)
    buy_in = whole(request.POST["buy_in"]) if request.POST.get("buy_in") else None
    try:
        following = services.play_again(table_id=table_id, user_id=request.user.pk or 0, buy_in=buy_in)
    except TableRefusal as refusal:
        messages.error(request, refusal.message)
        return redirect("games:table", table_id=table_id)
    return redirect("games:table", table_id=following)


@require_safe
def table_log(request: HttpRequest, table_id: UUID) -> JsonResponse:
    """What happened last at a table, as the viewer's page would have been told it."""
    try:
        snapshot = TableSnapshot(table_id)
    except TableRefusal as refusal:
        raise Http404(refusal.message) from refusal
    seat = selectors.seat_of(table_id, request.user.pk)
    if seat is None:
        snapshot = snapshot.for_watchers()
    number = seat.number if seat is not None else None
    told = {"v": snapshot.version, "events": recent_events(table_id, number, until=snapshot.version)}
    return JsonResponse(told, headers={"Cache-Control": "no-store"})
