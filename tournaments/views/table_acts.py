"""What players and organisers do at one table: enter, confirm, dispute and correct results; give more time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.views.addresses import whole
from tournaments import selectors, services
from tournaments.errors import EventRefusal, message_for
from tournaments.forms import SHEETS, ScoresForm, SheetForm
from tournaments.models import EventTable, Tournament
from tournaments.views.asking import of_event, organises, person_of, refused, round_of
from tournaments.views.tables import BadSheet, correction_form, draw_table

Place = dict[str, Any]
TableAct = Callable[[HttpRequest, Tournament, Place], Any]


def _enter(request: HttpRequest, tournament: Tournament, place: Place) -> Any:
    table = _table_at(tournament, place)
    names = {e.number: e.shown_name for e in selectors.entries_of(tournament)}
    players = [(p, names.get(p, str(p))) for p in selectors.next_deal(table)[2]]
    form = SHEETS[tournament.game](request.POST, players=players)
    if not form.is_valid():
        raise BadSheet(form)
    return services.enter_deal(**place, deal=whole(request.POST.get("deal", "")), sheet=form.sheet())


def _enter_whole(request: HttpRequest, tournament: Tournament, place: Place) -> Any:
    table = _table_at(tournament, place)
    names = {e.number: e.shown_name for e in selectors.entries_of(tournament)}
    form = ScoresForm(request.POST, players=[(p, names.get(p, str(p))) for p in table.seats])
    if not form.is_valid():
        raise BadSheet(form)
    return services.enter_whole(**place, scores=form.scores())


def _correct(request: HttpRequest, tournament: Tournament, place: Place) -> Any:
    table = _table_at(tournament, place)
    deal, reason = whole(request.POST.get("deal", "")), request.POST.get("reason", "")
    common = {**place, "deal": deal, "reason": reason}
    if request.POST.get("strike"):
        return services.correct_deal(**common, strike=True)
    line = next((each for each in selectors.deals_of(table) if each.number == deal), None)
    if line is None:
        raise EventRefusal("no_such_result")
    entries = {entry.number: entry for entry in selectors.entries_of(tournament)}
    asked, _values = correction_form(tournament, line.newest, entries)
    form: SheetForm = asked["kind"](request.POST, players=asked["players"])
    if not form.is_valid():
        raise BadSheet(form)
    if isinstance(form, ScoresForm):
        return services.correct_deal(**common, scores=form.scores())
    return services.correct_deal(**common, sheet=form.sheet())  # type: ignore[attr-defined]


def _table_at(tournament: Tournament, place: Place) -> EventTable:
    row = round_of(tournament, place["round_number"], drafts=False)
    table = EventTable.objects.filter(round=row, take=row.current or 0, number=place["table_number"]).first()
    if table is None:
        raise EventRefusal("no_such_table")
    return table


def _extra_time(request: HttpRequest, tournament: Tournament, place: Place) -> Any:
    minutes = whole(request.POST.get("minutes", ""))
    return services.give_extra_time(**place, seconds=minutes * 60)


TABLE_ACTS: dict[str, TableAct] = {
    "enter": _enter,
    "whole": _enter_whole,
    "correct": _correct,
    "extra_time": _extra_time,
    "confirm": lambda request, tournament, place: services.confirm_table(**place),
    "dispute": lambda request, tournament, place: services.dispute_table(
        **place, reason=request.POST.get("reason", "")
    ),
    "resolve": lambda request, tournament, place: services.resolve_dispute(
        **place, reason=request.POST.get("reason", "")
    ),
}
ORGANISERS_ACTS = ("correct", "extra_time", "resolve")


@login_required
@require_POST
@of_event
def table_act(
    request: HttpRequest, tournament: Tournament, number: int, table: int, act: str
) -> HttpResponse:
    """Enter, confirm, dispute or correct results; give a table time."""
    if act not in TABLE_ACTS:
        raise Http404
    if act in ORGANISERS_ACTS and not organises(request):
        raise PermissionDenied(message_for("not_organiser"))
    place = {
        "tournament_id": tournament.pk,
        "by": person_of(request),
        "round_number": number,
        "table_number": table,
    }
    try:
        TABLE_ACTS[act](request, tournament, place)
    except EventRefusal as refusal:
        wrong = refusal.form if isinstance(refusal, BadSheet) else None
        return draw_table(request, tournament, number, table, refused(request, act, refusal), wrong)
    messages.success(request, _("Saved."))
    # On a telephone the sheet of the next deal lies far below the top, where who enters a whole evening would start anew.
    below = "#enter" if act == "enter" else ""
    return redirect(reverse("tournaments:table", args=[tournament.pk, number, table]) + below)
