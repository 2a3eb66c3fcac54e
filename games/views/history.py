"""Pages of deals that are over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games import selectors
from games.errors import TableRefusal
from games.models import Deal, LogEntry, Table
from games.rules.interface import POT
from games.rules.proof import dump_proof
from games.rules.record import dump_record
from games.views.addresses import whole


@require_GET
def deal(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """One deal that is over, move by move, with its record and its proof; ``?v=`` marks a version of the log."""
    try:
        table, ended = selectors.ended_deal(table_id, number)
    except TableRefusal as refusal:
        if refusal.code == "deal_running":
            messages.info(request, refusal.message)
            return redirect("games:table", table_id=table_id)
        raise Http404(refusal.message) from refusal
    names = selectors.names_at(table)
    context = {
        "table": table,
        "deal": ended,
        "dealer": names[ended.dealer],
        "steps": [_step(entry, names) for entry in selectors.log_of(ended)],
        "marked": whole(request.GET.get("v", "")),
    }
    return render(request, "games/deal.html", context)


@require_GET
def deal_record(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """The record of a deal that is over, for ``manage.py replay`` and other programs."""
    return _deal_file(table_id, number, "record", lambda *of: dump_record(selectors.record_of(*of)))


@require_GET
def deal_proof(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """The proof of a deal that is over, for ``manage.py check_deal`` and ``docs/check_deal.py``."""
    return _deal_file(table_id, number, "proof", lambda *of: dump_proof(selectors.proof_of(*of)))


def _step(entry: LogEntry, names: Mapping[int, str]) -> dict[str, object]:
    """One line of a deal's page: who moved, the move as in the record, and the stakes it moved."""
    places = {**names, POT: _("the pot")}
    paid = [event for event in entry.events if event["type"] == "stakes"]
    return {
        "version": entry.version,
        "who": names.get(entry.seat or 0, ""),
        "move": entry.move,
        "stakes": [{**event, "from": places[event["from"]], "to": places[event["to"]]} for event in paid],
    }


def _deal_file(
    table_id: UUID, number: int, name: str, content: Callable[[Table, Deal], dict[str, object]]
) -> HttpResponse:
    try:
        table, deal = selectors.ended_deal(table_id, number)
    except TableRefusal as refusal:
        status = 404 if refusal.code == "no_such_deal" else 409
        return JsonResponse({"code": refusal.code, "message": refusal.message}, status=status)
    response = JsonResponse(content(table, deal))
    response["Content-Disposition"] = f'attachment; filename="{name}-{str(table_id)[:8]}-{number}.json"'
    return response
