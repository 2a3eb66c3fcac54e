"""The draw: its certificate, its versions, the draft that organisers change by hand, and a check for everybody."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.views.addresses import whole
from tournaments import selectors, services, wording
from tournaments.errors import EventRefusal
from tournaments.models import Draw, Round, Tournament
from tournaments.selectors.checking import check_draw, public_draws, published, seats_by_player
from tournaments.services.drawing import swapped
from tournaments.views.acts import round_act
from tournaments.views.asking import (
    Refused,
    for_organisers,
    of_event,
    organises,
    page,
    person_of,
    refused,
    round_of,
    told,
)
from tournaments.views.steps import next_step, situation_of


@require_safe
@of_event
def draw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The certificates of the draws that were played, for organisers of all versions."""
    return draw_page(request, tournament)


def draw_page(request: HttpRequest, tournament: Tournament, refusal: Refused | None = None) -> HttpResponse:
    """Draw the page of the draw."""
    organiser = organises(request)
    draws = selectors.draws_of(tournament) if organiser else public_draws(tournament)
    rounds = selectors.rounds_of(tournament)
    context = {
        "draws": [_certificate(each, organiser) for each in draws],
        "rounds": rounds if organiser else [row for row in rounds if row.current is not None],
        "in_use": {row.draw_id for row in rounds},
        "step": next_step(tournament, situation_of(tournament, rounds)) if organiser else None,
    }
    return page(request, "tournaments/draw.html", tournament, context, refusal=refusal)


def _certificate(each: Draw, organiser: bool) -> dict[str, Any]:
    """Return a draw with its figures in words; its seed would tell the rounds that are not released."""
    return {
        "draw": each,
        "method": wording.method_in_words(each),
        "figures": figures_in_words({**each.figures, "q": each.q}),
        "bounds": [(wording.BOUNDS[name], value) for name, value in each.bounds.items()],
        "bound": max(each.bounds.values(), default=0),
        "seed_shown": organiser or published(each),
        "sizes": [[len(table) for table in one] for one in each.rounds],
        "last_round": each.first_round + len(each.rounds) - 1,
    }


def figures_in_words(figures: dict[str, int]) -> list[tuple[Any, int]]:
    """Return figures with their names, in the order in which pages tell them."""
    return [(label, figures[name]) for name, label in wording.FIGURES.items() if name in figures]


@require_safe
@of_event
def draw_check(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The draw counted again from the published tables, here and in the visitor's browser."""
    found = check_draw(tournament)
    names = {entry.number: entry.shown_name for entry in selectors.entries_of(tournament)}
    seats = seats_by_player(found.rounds)
    context = {
        "found": found,
        "figures": figures_in_words({"q": found.figures.q, **vars(found.figures)}),
        "claims": [(wording.FIGURES[claim.name], claim) for claim in found.claims],
        "seats": [(names.get(player, str(player)), own) for player, own in seats.items()],
        "width": range(1, max((len(own) for own in seats.values()), default=0) + 1),
        "data": {
            "rounds": found.rounds,
            "counted": {
                "q": found.figures.q,
                "repeats": found.figures.repeats,
                "pairs": found.bounds["pairs"],
                "rounds": found.bounds["rounds"],
                "spread": found.seat_spread,
            },
            "words": {
                "q": str(wording.FIGURES["q"]),
                "repeats": str(wording.FIGURES["repeats"]),
                "pairs": _("lower bound by pairs"),
                "rounds": _("lower bound by rounds"),
                "spread": _("spread of seats"),
            },
        },
    }
    return page(request, "tournaments/draw_check.html", tournament, context)


@login_required
@require_http_methods(["GET", "POST"])
@of_event
@for_organisers
def draft(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The draft of a round with its repeats, and the form that swaps two players by hand."""
    row = round_of(tournament, number, drafts=True)
    if row.current is not None:
        return redirect("tournaments:round", event_id=tournament.pk, number=number)
    if request.method != "POST":
        return _draft_page(request, tournament, row, None)
    try:
        services.swap(
            tournament_id=tournament.pk,
            by=person_of(request),
            round_number=number,
            one=whole(request.POST.get("one", "")),
            other=whole(request.POST.get("other", "")),
            reason=request.POST.get("reason", "")[:500],
        )
    except EventRefusal as refusal:
        return _draft_page(request, tournament, row, refused(request, "swap", refusal))
    messages.success(request, _("Swapped. The draft has a new version."))
    return redirect("tournaments:draft", event_id=tournament.pk, number=number)


def _draft_page(
    request: HttpRequest, tournament: Tournament, row: Round, refusal: Refused | None
) -> HttpResponse:
    view = selectors.round_view(row)
    entries = {seat.entry.number: seat.entry for table in view.tables for seat in table.seats}
    entries |= {entry.number: entry for entry in view.sitting_out}
    met = selectors.repeats_in(row.draw, row.number)
    context = {
        "round": row,
        "view": view,
        "tables": [
            (
                table,
                [(entries[i], entries[j], times) for i, j, times in pairs if i in entries and j in entries],
            )
            for table, pairs in zip(view.tables, met, strict=True)
        ],
        "people": sorted(entries.values(), key=lambda entry: entry.shown_name.casefold()),
        "certificate": _certificate(row.draw, True),
        "confirm": round_act(
            tournament, row.number, "release" if row.state == Round.State.FIXED else "confirm_draw"
        ),
        "loosen": round_act(tournament, row.number, "loosen_draw"),
        "fixed": row.state == Round.State.FIXED,
    }
    return page(request, "tournaments/draft.html", tournament, context, refusal=refusal)


@login_required
@require_safe
@of_event
@for_organisers
def figures(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """What a swap would do to the figures of the draft, as a fragment."""
    row = round_of(tournament, number, drafts=True)
    one, other = whole(request.GET.get("one", "")), whole(request.GET.get("other", ""))
    context: dict[str, Any] = {}
    try:
        rounds, _sitting = swapped(row.draw, number, one, other)
    except EventRefusal as refusal:
        context["message"] = told(refusal)
    else:
        new = selectors.figures_of_swap(row.draw, rounds)
        old = {**row.draw.figures, "apart_met": row.draw.apart_met}
        labels = {**wording.FIGURES, "apart_met": _("meetings of pairs kept apart")}
        context["changes"] = [
            (label, old.get(name, 0), new[name], new[name] - old.get(name, 0))
            for name, label in labels.items()
            if name in new
        ]
    return render(request, "tournaments/_figures.html", context)


@login_required
@require_POST
@of_event
@for_organisers
def use_draw(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Go back to an earlier version of the draw."""
    try:
        services.use_draw(
            tournament_id=tournament.pk,
            by=person_of(request),
            version=version,
            reason=request.POST.get("reason", ""),
        )
    except EventRefusal as refusal:
        return draw_page(request, tournament, refused(request, f"use-{version}", refusal))
    messages.success(request, _("The rounds follow version %(n)d again.") % {"n": version})
    return redirect("tournaments:draw", event_id=tournament.pk)
