"""The page of one table of a round: its seats, every deal in its versions, and the sheets by which results are entered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.models import Deal
from games.views.addresses import whole
from tournaments import selectors
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
    round_of,
)
from tournaments.views.rounds import held_back, ring_of

T = EventTable.State


@dataclass(frozen=True)
class Cell:
    """A player's score of a deal; ``dealt`` says that the player dealt it."""

    name: str
    score: int | None
    dealt: bool


@dataclass(frozen=True)
class Row:
    """A deal's line: its cells in seat order, its versions with everybody's score by name, and the way to its replay."""

    line: DealLine
    cells: tuple[Cell, ...]
    versions: tuple[tuple[Result, list[tuple[str, int]]], ...]
    replay: tuple[str, int] | None


class BadSheet(EventRefusal):
    """A sheet whose fields say themselves what is wrong."""

    def __init__(self, form: SheetForm) -> None:
        self.form = form
        super().__init__("bad_sheet")


@require_safe
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
    players = [player for player in _players_seen(view, lines) if player in entries]
    deal, dealer, dealt_to = selectors.next_deal(view.table)
    open_now = view.table.state in (T.PLAYING, T.REPORTED, T.DISPUTED)
    may_enter = (organiser or sits_here) and not tournament.online and open_now and not tournament.is_over
    may_correct = organiser and row.state != Round.State.CONFIRMED and not tournament.is_over
    rows = _rows(lines, {player: entries[player].shown_name for player in players})
    forms = _forms(request, tournament, view, lines, refusal, wrong) if may_enter else {}
    context = {
        "round": row,
        "view": view,
        "ring": ring_of(view, mine.number if mine else None),
        "mine": mine,
        "sits_here": sits_here,
        "hidden": hidden,
        "totals": tournament.standings_live or tournament.is_over or (sits_here and tournament.eliminates),
        "columns": [entries[player] for player in players],
        "rows": rows,
        "marked": any(cell.dealt for each in rows for cell in each.cells),
        "further": may_correct or any(each.replay or len(each.versions) > 1 for each in rows),
        "next": (deal, entries.get(dealer), [entries[p] for p in dealt_to if p in entries]),
        "may_enter": may_enter,
        "may_confirm": may_enter and view.table.state == T.REPORTED and _is_second(request, view),
        "may_correct": may_correct,
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


def _rows(lines: list[DealLine], names: dict[int, str]) -> list[Row]:
    """Return the lines as rows of a table, each with the way to its replay if it was played online."""
    played = Deal.objects.only("table_id", "number").in_bulk([line.newest.deal_id for line in lines])
    rows = []
    for line in lines:
        newest = line.newest
        cells = [
            Cell(name, newest.scores.get(str(player)), player == newest.dealer)
            for player, name in names.items()
        ]
        versions = [(version, _scores_by_name(version, names)) for version in line.versions]
        deal = played.get(newest.deal_id)
        replay = (str(deal.table_id), deal.number) if deal is not None else None
        rows.append(Row(line, tuple(cells), tuple(versions), replay))
    return rows


def _scores_by_name(version: Result, names: dict[int, str]) -> list[tuple[str, int]]:
    """Return who scored what, in seat order."""
    return [
        (name, version.scores[str(player)]) for player, name in names.items() if str(player) in version.scores
    ]


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
