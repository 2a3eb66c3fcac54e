"""Pages of the chat for everybody: report lines or a deal, and the list of those whom one has muted."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games import selectors, services
from games.errors import TableRefusal, message_for
from games.models import Report, Table
from games.models.chat import NOTE_CHARACTERS
from games.views.addresses import whole
from games.views.seen import seen


@login_required
def report(request: HttpRequest, table_id: UUID) -> HttpResponse:
    """The form that tells the organisers of lines (``?line=``) or of a deal (``?deal=``), and the sending of it."""
    table = get_object_or_404(Table.objects.defer("match", "chain_end"), pk=table_id)
    if request.method != "POST":
        return _form(request, table, request.GET)
    number = _number(request.POST.get("deal", ""))
    if number is not None:
        _check_deal(request, table, number)
    try:
        services.report(
            table_id=table_id,
            reporter_id=request.user.pk or 0,
            reason=request.POST.get("reason", ""),
            note=request.POST.get("note", ""),
            line_ids=[whole(text) for text in request.POST.getlist("line")],
            deal_number=number,
            seat=_number(request.POST.get("seat", "")),
        )
    except TableRefusal as refusal:
        return _form(request, table, request.POST, error=refusal.message)
    messages.success(request, _("Thank you. The organisers have your report and look into it."))
    return redirect(f"{reverse('games:report', args=[table_id])}?sent=1")


def _form(request: HttpRequest, table: Table, said: Any, error: str = "") -> HttpResponse:
    me = request.user.pk or 0
    number = _number(said.get("deal", ""))
    if number is not None:
        _check_deal(request, table, number)
    chosen = {whole(text) for text in said.getlist("line")}
    lines = selectors.readable_lines(table.pk, me, also=chosen)
    context = {
        "table": table,
        "deal": number,
        "lines": [line for line in lines if line.author_id not in (None, me)],
        "chosen": chosen,
        "seats": [seat for seat in selectors.seats_at(table) if seat.user_id not in (None, me)],
        "seat": _number(said.get("seat", "")),
        "reasons": Report.Reason.choices,
        "reason": said.get("reason", ""),
        "note": said.get("note", ""),
        "note_characters": NOTE_CHARACTERS,
        "error": error,
        "sent": bool(said.get("sent")),
    }
    return render(request, "games/report.html", context, status=422 if error else 200)


def _check_deal(request: HttpRequest, table: Table, number: int) -> None:
    """Raise ``Http404`` unless the deal is over for whoever asks: a watcher with a delay hears of its end later."""
    try:
        _table, deal = selectors.ended_deal(table.pk, number)
    except TableRefusal as refusal:
        raise Http404(refusal.message) from refusal
    until = seen(request, table).until
    if until is not None and deal.ended_at is not None and deal.ended_at > until:
        raise Http404(message_for("deal_running"))


def _number(text: str) -> int | None:
    """Return the number that was sent, ``None`` if there is none; -1, which nothing allows, for other text."""
    return whole(text) if text else None


@login_required
@require_safe
def muted(request: HttpRequest) -> HttpResponse:
    """Those whom the member does not want to read, with a button for each."""
    return render(request, "games/muted.html", {"mutes": selectors.muted_by(request.user.pk or 0)})


@login_required
@require_POST
def unmute(request: HttpRequest, person_id: int) -> HttpResponse:
    """Read somebody again."""
    services.unmute(user_id=request.user.pk or 0, muted_id=person_id)
    return redirect("games:muted")
