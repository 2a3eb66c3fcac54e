"""Pages of what is over: a table's deals, one deal with its replay, and a member's own tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games import selectors
from games.errors import TableRefusal
from games.models import Deal, LogEntry, Table
from games.rules.interface import POT
from games.rules.proof import dump_proof
from games.rules.record import dump_record
from games.selectors.leaderboard import changes_at
from games.views.addresses import whole
from games.views.asking import players_at
from games.views.seen import seen
from games.wording import PAYMENTS, move_in_words, outcome_in_words

UNSAID = {LogEntry.By.PERSON, LogEntry.By.TABLE, LogEntry.By.SHUFFLER}
"""Who moved in these cases needs no word beside the name."""


@require_safe
def table_history(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """The deals of a table that are over, the newest first; ``?results=hidden`` keeps how they ended to itself."""
    row = get_object_or_404(Table.objects.defer("match", "chain_end"), pk=table_id)
    table, until = seen(request, row)
    before = whole(request.GET.get("before", ""))
    page = selectors.ended_deals(table, before=before if before > 0 else None, until=until)
    names = selectors.names_at(table)
    hidden = request.GET.get("results") == "hidden"
    over = table.rated and table.status == Table.Status.FINISHED
    context = {
        "table": table,
        "names": names,
        "hidden": hidden,
        "page": page,
        "rows": [_row(table, deal, names, hidden=hidden) for deal in page.deals],
        "players": players_at(request, table, selectors.seats_at(table)),
        "running": table.status == Table.Status.PLAYING,
        "changes": changes_at(table_id) if over and not hidden else [],
    }
    return render(request, "games/history.html", context)


@login_required
@require_safe
def own_history(request: HttpRequest) -> HttpResponse:
    """The tables at which the member was dealt in, without any result; ``?after=`` is where older ones begin."""
    page = selectors.past_tables(request.user.pk or 0, after=_place(request.GET.get("after", "")))
    return render(request, "games/own_history.html", {"page": page})


@require_safe
def deal(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """The replay of one deal that is over, its moves as a list, record and proof; ``?v=`` marks a version of the log."""
    try:
        table, ended, until = _seen_deal(request, table_id, number)
    except TableRefusal as refusal:
        if refusal.code == "deal_running":
            messages.info(request, refusal.message)
            return redirect("games:table", table_id=table_id)
        raise Http404(refusal.message) from refusal
    seats = selectors.seats_at(table)
    names = {seat.number: seat.shown_name for seat in seats}
    earlier, later = selectors.neighbours(ended, until)
    context = {
        "table": table,
        "deal": ended,
        "dealer": names[ended.dealer],
        "seats": seats,
        "you": next((s.number for s in seats if s.user_id and s.user_id == request.user.pk), None),
        "steps": [_step(entry, names) for entry in selectors.log_of(ended)],
        "marked": whole(request.GET.get("v", "")),
        "earlier": earlier,
        "later": later,
    }
    return render(request, "games/deal.html", context)


@gzip_page
@require_safe
def deal_steps(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """The steps of a deal that is over as JSON, seen from ``?seat=`` (none: a watcher); ``&hands=open`` adds all hands."""
    seat = whole(request.GET["seat"]) if request.GET.get("seat") else None
    open_hands = request.GET.get("hands") == "open"
    return _deal_json(
        request, table_id, number, lambda *of: selectors.steps_of(*of, seat=seat, open_hands=open_hands)
    )


@require_safe
def deal_record(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """The record of a deal that is over, for ``manage.py replay`` and other programs."""
    return _deal_file(request, table_id, number, "record", lambda *of: dump_record(selectors.record_of(*of)))


@require_safe
def deal_proof(request: HttpRequest, table_id: UUID, number: int) -> HttpResponse:
    """The proof of a deal that is over, for ``manage.py check_deal`` and ``docs/check_deal.py``."""
    return _deal_file(request, table_id, number, "proof", lambda *of: dump_proof(selectors.proof_of(*of)))


def _row(table: Table, deal: Deal, names: Mapping[int, str], *, hidden: bool) -> dict[str, Any]:
    """One line of a table's history; with ``hidden`` the outcome is not even made into words."""
    assert deal.outcome is not None, "a deal that is over has an outcome"
    words = [] if hidden else outcome_in_words(table.game, deal.outcome, dealer=deal.dealer, names=names)
    return {"deal": deal, "dealer": names[deal.dealer], "outcome": words}


def _place(text: str) -> selectors.Place | None:
    """Return the place that an address names as ``moment~table``; the beginning for any other text."""
    moment, _tilde, table = text.partition("~")
    try:
        at = dt.datetime.fromisoformat(moment)
        return selectors.Place(at, UUID(table)) if at.tzinfo else None
    except ValueError:
        return None


def _step(entry: LogEntry, names: Mapping[int, str]) -> dict[str, object]:
    """One line of a deal's list: who moved, the move in words, and the stakes it moved."""
    places = {**names, POT: _("the pot")}
    paid = [
        {
            "from": places[event["from"]],
            "to": places[event["to"]],
            "amount": event["amount"],
            "why": PAYMENTS[event["reason"]],
        }
        for event in entry.events
        if event["type"] == "stakes"
    ]
    return {
        "version": entry.version,
        "at": entry.at,
        "who": names.get(entry.seat or 0, ""),
        "by": "" if entry.by in UNSAID else entry.get_by_display(),
        "move": move_in_words(entry.move) if entry.move else "",
        "paid": paid,
    }


def _seen_deal(request: HttpRequest, table_id: UUID, number: int) -> tuple[Table, Deal, dt.datetime | None]:
    """Return a deal that is over for whoever asks, its table, and until when deals are over for them.

    Raises ``TableRefusal`` (``no_such_deal``, ``deal_running``).
    """
    table, deal = selectors.ended_deal(table_id, number)
    shown = seen(request, table)
    if shown.until is not None and deal.ended_at is not None and deal.ended_at > shown.until:
        raise TableRefusal("deal_running")
    return shown.table, deal, shown.until


def _deal_json(
    request: HttpRequest, table_id: UUID, number: int, content: Callable[[Table, Deal], dict[str, Any]]
) -> JsonResponse:
    """Answer with what belongs to a deal that is over: 404 when there is none, 409 while it is being played."""
    try:
        table, deal, _until = _seen_deal(request, table_id, number)
        return JsonResponse(content(table, deal))
    except TableRefusal as refusal:
        status = 409 if refusal.code == "deal_running" else 404
        return JsonResponse({"code": refusal.code, "message": refusal.message}, status=status)


def _deal_file(
    request: HttpRequest,
    table_id: UUID,
    number: int,
    name: str,
    content: Callable[[Table, Deal], dict[str, Any]],
) -> JsonResponse:
    response = _deal_json(request, table_id, number, content)
    if response.status_code == 200:
        response["Content-Disposition"] = f'attachment; filename="{name}-{str(table_id)[:8]}-{number}.json"'
    return response
