"""The organiser's desk: a new event, its terms, what is next, everything done so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.views.asking import club_of
from games.views.asking import game_cards, game_named
from tournaments import selectors, services, stakes
from tournaments.errors import EventRefusal
from tournaments.forms import EventForm
from tournaments.models import Tournament
from tournaments.presets import PRESETS
from tournaments.selectors.field import missing_from
from tournaments.views.acts import done_in_words, event_act
from tournaments.views.asking import (
    Refused,
    check_organiser,
    for_organisers,
    of_event,
    page,
    person_of,
    refused,
    told,
)
from tournaments.views.record import told_actions
from tournaments.views.steps import news_of, next_step, other_acts, situation_of


@login_required
@require_http_methods(["GET", "POST"])
def new_event(request: HttpRequest) -> HttpResponse:
    """The form of a new event, filled in by a preset, and its creation as a draft."""
    check_organiser(request)
    preset = PRESETS.get(request.GET.get("preset", ""))
    game = preset.game if preset else game_named((request.POST or request.GET).get("game"))
    terms = EventForm.from_terms(preset.terms) if preset else {}
    form = EventForm(
        request.POST or None, game=game, assets=stakes.club_assets(club_of(request)), initial=terms
    )
    made = _create(request, form) if request.method == "POST" and form.is_valid() else None
    if made is not None:
        messages.success(request, _("The draft is there. Look at it, then open registration."))
        return redirect("tournaments:desk", event_id=made.pk)
    context = {
        "form": form,
        "presets": PRESETS,
        "preset": request.GET.get("preset", ""),
        "games": game_cards(),
        "copies": selectors.events(club_of(request), drafts=True)[:5],
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/new.html", context, status=status)


def _create(request: HttpRequest, form: EventForm) -> Tournament | None:
    """Create the event; a refusal becomes an error of the form."""
    try:
        return services.create_tournament(by=person_of(request), club=club_of(request), **form.terms())
    except EventRefusal as refusal:
        form.add_error(None, told(refusal))
        return None


@login_required
@require_http_methods(["GET", "POST"])
@of_event
@for_organisers
def terms(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The terms of an event; those that were published before it began are locked."""
    form = EventForm(
        request.POST or None,
        game=tournament.game,
        assets=_assets(tournament),
        tournament=tournament,
    )
    if request.method == "POST" and form.is_valid():
        try:
            services.change_tournament(tournament_id=tournament.pk, by=person_of(request), **form.terms())
        except EventRefusal as refusal:
            form.add_error(None, told(refusal))
        else:
            messages.success(request, _("The terms are saved."))
            return redirect("tournaments:desk", event_id=tournament.pk)
    locked = any(field.field.disabled for field in form)
    status = 422 if form.is_bound else 200
    return _page_of_form(request, tournament, form, locked, status)


def _page_of_form(
    request: HttpRequest, tournament: Tournament, form: EventForm, locked: bool, status: int
) -> HttpResponse:
    context = {"form": form, "locked": locked}
    return page(request, "tournaments/terms.html", tournament, context, status=status)


def _assets(tournament: Tournament) -> list[str]:
    found = stakes.club_assets(tournament.club)
    return found if not tournament.asset or tournament.asset in found else [*found, tournament.asset]


@login_required
@require_http_methods(["GET", "POST"])
@of_event
@for_organisers
def copy(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Make a draft with the terms of this event: the name is asked for, dates are left out."""
    if request.method != "POST":
        return page(request, "tournaments/copy.html", tournament, {"name": tournament.name})
    name = request.POST.get("name", "")
    try:
        made = services.copy_tournament(tournament_id=tournament.pk, by=person_of(request), name=name)
    except EventRefusal as refusal:
        again = refused(request, "copy", refusal)
        return page(request, "tournaments/copy.html", tournament, {"name": name}, refusal=again)
    messages.success(request, _("The copy is a draft. Set its dates, then open registration."))
    return redirect("tournaments:terms", event_id=made.pk)


@login_required
@require_safe
@of_event
@for_organisers
def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everything that the organiser may do now, what is next first."""
    return draw_desk(request, tournament)


def draw_desk(request: HttpRequest, tournament: Tournament, refusal: Refused | None = None) -> HttpResponse:
    """Draw the organiser's desk."""
    rounds = selectors.rounds_of(tournament)
    now = situation_of(tournament, rounds)
    context = {
        "rounds": rounds,
        "now": now,
        "step": next_step(tournament, now),
        "acts": other_acts(tournament, now),
        "announced": selectors.announcement_of(tournament),
        "news": news_of(tournament, now),
        "recent": told_actions(tournament, selectors.actions_of(tournament)[:8]),
        "prizes": selectors.prizes_of(tournament),
    }
    return page(request, "tournaments/desk.html", tournament, context, refusal=refusal)


EventAct = Callable[[HttpRequest, Tournament], Any]


def _plain(act: Callable[..., Any]) -> EventAct:
    return lambda request, tournament: act(tournament_id=tournament.pk, by=person_of(request))


def _with_reason(act: Callable[..., Any], name: str = "reason") -> EventAct:
    return lambda request, tournament: act(
        tournament_id=tournament.pk, by=person_of(request), **{name: request.POST.get("reason", "")}
    )


EVENT_ACTS: dict[str, EventAct] = {
    "open_registration": _plain(services.open_registration),
    "open_check_in": _plain(services.open_check_in),
    "close_check_in": _plain(services.close_check_in),
    "start": _plain(services.start_tournament),
    "draw": _with_reason(services.draw),
    "announce": lambda request, tournament: services.announce(
        tournament_id=tournament.pk, by=person_of(request), text=request.POST.get("text", "")
    ),
    "finish": _plain(services.finish_tournament),
    "finish_early": _with_reason(services.finish_tournament, "early"),
    "pay": _plain(services.pay_prizes),
    "take_back": _with_reason(services.take_prizes_back),
    "archive": _plain(services.archive_tournament),
    "cancel": _with_reason(services.cancel_tournament),
}
CLOSING = ("start", "close_check_in")
"""What takes their places from those who have not come: their names are shown first."""


@login_required
@require_POST
@of_event
@for_organisers
def act(request: HttpRequest, tournament: Tournament, act: str) -> HttpResponse:
    """Do something with the whole event as organiser."""
    if act not in EVENT_ACTS:
        raise Http404
    missing = missing_from(tournament, selectors.entries_of(tournament)) if act in CLOSING else []
    if missing and not request.POST.get("sure"):
        asked = {"act": event_act(tournament, act), "missing": missing}
        return page(request, "tournaments/sure.html", tournament, asked)
    try:
        EVENT_ACTS[act](request, tournament)
    except EventRefusal as refusal:
        return draw_desk(request, tournament, refused(request, act, refusal))
    messages.success(request, done_in_words(act))
    if act == "draw":
        first = next((row for row in selectors.rounds_of(tournament) if row.current is None), None)
        if first is not None:
            return redirect("tournaments:draft", event_id=tournament.pk, number=first.number)
    return redirect("tournaments:desk", event_id=tournament.pk)
