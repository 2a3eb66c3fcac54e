"""The course of a match outside its socket: the match that follows, and the lines of the log after a lost line."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from games import selectors, services
from games.errors import TableRefusal
from games.models import Table
from games.selectors.course import recent_events
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


@require_GET
def table_log(request: HttpRequest, table_id: UUID) -> JsonResponse:
    """What happened last at a table, as the viewer's page would have been told it.

    Those who watch with a delay are told by their socket alone.
    """
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        raise Http404
    seat = selectors.seat_of(table_id, request.user.pk)
    if seat is None and table.watch_delay:
        return JsonResponse({"v": 0, "events": []})
    number = seat.number if seat is not None else None
    events = recent_events(table_id, number, until=table.version)
    return JsonResponse({"v": table.version, "events": events}, headers={"Cache-Control": "no-store"})
