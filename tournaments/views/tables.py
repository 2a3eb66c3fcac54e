"""One table of a round: its seats, every deal in its versions, and the sheets by which results are entered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.models import Deal
from games.views.addresses import whole
from tournaments import selectors, services
from tournaments.errors import EventRefusal, message_for
from tournaments.forms import SHEETS, Players, ScoresForm, SheetForm
from tournaments.models import Entry, EventTable, Result, Round, Tournament
from tournaments.selectors import DealLine, TableView
from tournaments.views.asking import (
    Refused,
    of_event,
    organises,
    own_entry,
    page,
    person_of,
    refused,
    round_of,
)
from tournaments.views.rounds import held_back, ring_of

T = EventTable.State


@dataclass(frozen=True)
class Cell:
    """A player's score of a deal; ``dealt`` says that the player dealt it."""

    score: int | None
    dealt: bool


@dataclass(frozen=True)
class Row:
    """A deal's line: its cells in seat order, who entered it, and whether it was corrected."""

    line: DealLine
    cells: tuple[Cell, ...]
    replay: tuple[str, int] | None


class BadSheet(EventRefusal):
    """A sheet whose fields say themselves what is wrong."""

    def __init__(self, form: SheetForm) -> None:
        self.form = form
        super().__init__("bad_sheet")


@require_GET
@of_event
def table_page(request: HttpRequest, tournament: Tournament, number: int, table: int) -> HttpResponse:
    """A table: who sits where, its deals, and for those who may the sheet of the next one."""
    return draw_table(request, tournament, number, table)


def draw_table(
    request: HttpRequest,
    tournament: Tournament,
    number: int,
    table_number: int,
    refusal: Refused | None = None,
    wrong: SheetForm | None = None,
) -> HttpResponse:
    """Draw the page of a table."""
    organiser = organises(request)
    row = round_of(tournament, number, drafts=False)
    view = _view_of(row, table_number)
    mine = own_entry(request, tournament)
    sits_here = mine is not None and any(seat.entry.number == mine.number for seat in view.seats)
    hidden = held_back(tournament, row) and not organiser and not sits_here
    entries = {entry.number: entry for entry in selectors.entries_of(tournament)}
    lines = [] if hidden else selectors.deals_of(view.table)
    players = _players_seen(view, lines)
    deal, dealer, dealt_to = selectors.next_deal(view.table)
    open_now = view.table.state in (T.PLAYING, T.REPORTED, T.DISPUTED)
    may_enter = (organiser or sits_here) and not tournament.online and open_now and not tournament.is_over
    forms = _forms(request, tournament, view, lines, refusal, wrong) if may_enter else {}
    context = {
        "round": row,
        "view": view,
        "ring": ring_of(view, mine.number if mine else None),
        "mine": mine,
        "sits_here": sits_here,
        "hidden": hidden,
        "totals": tournament.standings_live or tournament.is_over or (sits_here and tournament.eliminates),
        "columns": [entries[player] for player in players if player in entries],
        "rows": _rows(lines, players),
        "next": (deal, entries.get(dealer), [entries[p] for p in dealt_to if p in entries]),
        "may_enter": may_enter,
        "may_confirm": may_enter
        and (view.table.state == T.REPORTED or (organiser and view.table.state == T.DISPUTED))
        and _is_second(request, view),
        "may_correct": organiser and row.state != Round.State.CONFIRMED and not tournament.is_over,
        **forms,
        **(_correction(request, tournament, lines, entries, refusal, wrong) if organiser else {}),
    }
    return page(request, "tournaments/table.html", tournament, context, refusal=refusal)


def _view_of(row: Round, number: int) -> TableView:
    view = next((each for each in selectors.round_view(row).tables if each.table.number == number), None)
    if view is None:
        raise Http404(message_for("no_such_table"))
    view.table.round = row
    return view


def _is_second(request: HttpRequest, view: TableView) -> bool:
    return organises(request) or view.table.reported_by_id != request.user.pk


def _players_seen(view: TableView, lines: list[DealLine]) -> list[int]:
    """Return everybody who sat at the table: as it began, then who came later."""
    seen = list(view.table.seats)
    for line in lines:
        seen += [player for player in line.newest.players if player not in seen]
    return seen + [seat.entry.number for seat in view.seats if seat.entry.number not in seen]


def _rows(lines: list[DealLine], players: list[int]) -> list[Row]:
    """Return the lines as rows of a table, each with the way to its replay if it was played online."""
    played = Deal.objects.only("table_id", "number").in_bulk([line.newest.deal_id for line in lines])
    rows = []
    for line in lines:
        newest = line.newest
        cells = [Cell(newest.scores.get(str(player)), player == newest.dealer) for player in players]
        deal = played.get(newest.deal_id)
        rows.append(Row(line, tuple(cells), (str(deal.table_id), deal.number) if deal is not None else None))
    return rows


def _forms(
    request: HttpRequest,
    tournament: Tournament,
    view: TableView,
    lines: list[DealLine],
    refusal: Refused | None,
    wrong: SheetForm | None,
) -> dict[str, Any]:
    """Return the sheets that can be filled in now: of the next deal, of the whole round."""
    act = refusal.act if refusal else ""
    found: dict[str, Any] = {}
    names = {seat.entry.number: seat.entry.shown_name for seat in view.seats}
    _number, _dealer, dealt_to = selectors.next_deal(view.table)
    left = view.deals_due is None or len([x for x in lines if x.newest.kind == "deal"]) < view.deals_due
    if view.table.state == T.PLAYING and dealt_to and left:
        players = [(p, names.get(p, str(p))) for p in dealt_to]
        found["sheet"] = _shown(SHEETS[tournament.game], players, request, act == "enter", wrong)
    if not lines and not tournament.thresholds:
        players = [(p, names.get(p, str(p))) for p in view.table.seats]
        found["whole"] = _shown(ScoresForm, players, request, act == "whole", wrong)
    return found


def _shown(
    form: type[SheetForm], players: Players, request: HttpRequest, again: bool, wrong: SheetForm | None
) -> SheetForm:
    """Return an empty sheet, or the one that was refused with everything that was typed."""
    if again and wrong is not None:
        return wrong
    return form(request.POST, players=players) if again else form(players=players)


def _correction(
    request: HttpRequest,
    tournament: Tournament,
    lines: list[DealLine],
    entries: dict[int, Entry],
    refusal: Refused | None,
    wrong: SheetForm | None,
) -> dict[str, Any]:
    """Return the form that corrects the deal that ``?correct=`` names, filled in as it stands."""
    again = refusal is not None and refusal.act == "correct"
    asked = whole((request.POST if again else request.GET).get("deal" if again else "correct", ""))
    line = next((each for each in lines if each.number == asked), None)
    if line is None:
        return {}
    form, values = correction_form(tournament, line.newest, entries)
    made: SheetForm = form["kind"](request.POST if again else None, players=form["players"], initial=values)
    return {"correcting": line, "correction": wrong or made}


def correction_form(
    tournament: Tournament, result: Result, entries: dict[int, Entry]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the kind of sheet and the players by which a result is corrected, and the values that stand now."""
    by_sheet = result.sheet is not None and result.kind == Result.Kind.DEAL
    seated = [player for player in result.players if by_sheet or str(player) in result.scores]
    numbers = seated + [int(player) for player in result.scores if int(player) not in seated and not by_sheet]
    players = [(p, entries[p].shown_name) for p in numbers if p in entries]
    if by_sheet:
        kind: Any = SHEETS[tournament.game]
        return {"kind": kind, "players": players}, kind.values_of(result.sheet)
    return {"kind": ScoresForm, "players": players}, ScoresForm.values_of(result.scores)


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
