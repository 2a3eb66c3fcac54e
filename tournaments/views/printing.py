"""Sheets of paper: table cards, score slips, where everybody sits, standings, diplomas; black on white, by the browser's print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from clubs.views.qr import qr_code
from games.views.addresses import whole
from tournaments import selectors, wording
from tournaments.errors import message_for
from tournaments.models import Entry, Round, Tournament
from tournaments.selectors import RoundView, StandingRow, TableView
from tournaments.views.asking import of_event, organises, page, round_of

OPEN_ENDED_ORBITS = 2
"""Where a table plays until somebody is knocked out nobody knows how many deals: a card has lines for so many orbits."""

MOST_DEALS = 64
"""Lines on a card at most; a table that plays longer takes a second card."""

DIPLOMAS = 3
"""So many places get a diploma unless ``?places=`` says otherwise."""


@dataclass(frozen=True)
class Card:
    """A table on paper: its QR code, and for each deal who deals it: a seat, 0 where that is not known before."""

    view: TableView
    address: str
    code: SafeString
    deals: tuple[tuple[int, int], ...]

    @property
    def steps(self) -> list[str]:
        """The parts of the address between which it is broken."""
        return self.address.split("/")


@dataclass(frozen=True)
class Place:
    """A line of the seating list: table and seat, or neither for who sits out."""

    entry: Entry
    table: int | None
    seat: int | None


@require_safe
@of_event
def printing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everything that there is to print."""
    rounds = selectors.rounds_of(tournament)
    seen = [row for row in rounds if row.current is not None or organises(request)]
    return page(request, "tournaments/printing.html", tournament, {"rounds": seen, "poll": ""})


@require_safe
@of_event
def print_round(request: HttpRequest, tournament: Tournament, number: int, what: str) -> HttpResponse:
    """A round on paper: ``cards``, ``slips`` or ``seats``; a draft for organisers only, and marked as one."""
    row = round_of(tournament, number, drafts=organises(request))
    view = selectors.round_view(row)
    context: dict[str, Any] = {"round": row, "view": view}
    if what == "cards":
        context["cards"] = [card_of(request, tournament, row, table) for table in view.tables]
    elif what == "seats":
        context["places"] = places_in(view)
    elif what != "slips":
        raise Http404
    return _paper(request, what, tournament, context)


@require_safe
@of_event
def print_standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The standings on paper, as everybody may see them."""
    found = selectors.standings_of(tournament)
    rounds = sorted({number for row in found.rows for number in row.rounds})
    lines = [(row, [row.rounds.get(number) for number in rounds]) for row in found.rows]
    context = {
        "found": found,
        "rounds": rounds,
        "lines": lines,
        "dealt": any(row.dealt for row in found.rows),
        "points": wording.points_in_words(tournament),
        "standings_rule": wording.standings_rule(tournament),
    }
    return _paper(request, "standings", tournament, context)


@require_safe
@of_event
def print_poster(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A poster for the door: its code leads a phone to the event's page, where one enters and checks in."""
    address = request.build_absolute_uri(reverse("tournaments:event", args=[tournament.pk]))
    return _paper(request, "poster", tournament, {"steps": address.split("/"), "code": qr_code(address)})


@require_safe
@of_event
def print_diplomas(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A diploma for everybody on the first places (``?places=``), a page each; of a finished event only."""
    if tournament.state not in (Tournament.State.FINISHED, Tournament.State.ARCHIVED):
        raise Http404(message_for("not_now"))
    asked = whole(request.GET.get("places", ""))
    most = asked if asked > 0 else DIPLOMAS
    return _paper(request, "diplomas", tournament, {"rows": winners_of(tournament, most), "places": most})


def winners_of(tournament: Tournament, places: int) -> list[StandingRow]:
    """Return the people (no bots) on the first places of the final table; who shares a place has one too."""
    rows = [row for row in selectors.standings_of(tournament, seen="all").rows if not row.entry.is_bot]
    return [row for row in rows if (row.entry.place or row.rank) <= places]


def card_of(request: HttpRequest, tournament: Tournament, row: Round, table: TableView) -> Card:
    """Return the card of a table; its code leads to where results are entered, on whatever address the site was asked at."""
    path = reverse("tournaments:table", args=[tournament.pk, row.number, table.table.number])
    address = request.build_absolute_uri(path)
    return Card(table, address, qr_code(address), tuple(deals_of_card(tournament, table)))


def deals_of_card(tournament: Tournament, table: TableView) -> list[tuple[int, int]]:
    """Return (deal, seat that deals) for each line of a card: seat 1 deals first, then the next on the left."""
    seats = len(table.table.seats)
    if tournament.thresholds:
        lines = min(MOST_DEALS, seats * OPEN_ENDED_ORBITS)
        return [(deal, 1 if deal == 1 else 0) for deal in range(1, lines + 1)]
    due = min(MOST_DEALS, table.deals_due or tournament.orbits * seats)
    return [(deal, (deal - 1) % seats + 1) for deal in range(1, due + 1)]


def places_in(view: RoundView) -> list[Place]:
    """Return where everybody sits, by name; who sits out stands there too."""
    places = [
        Place(seat.entry, table.table.number, seat.number) for table in view.tables for seat in table.seats
    ]
    places += [Place(entry, None, None) for entry in view.sitting_out]
    return sorted(places, key=lambda place: (place.entry.played_by.casefold(), place.entry.number))


def _paper(
    request: HttpRequest, what: str, tournament: Tournament, context: Mapping[str, Any]
) -> HttpResponse:
    return page(request, f"tournaments/print/{what}.html", tournament, context)
