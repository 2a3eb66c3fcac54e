"""Seasons: their list, their tables, and the organiser's part: make one, put events in and take them out."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.views.asking import club_of, seen_club
from tournaments import selectors, services
from tournaments.errors import EventRefusal, message_for
from tournaments.forms.seasons import SeasonForm
from tournaments.models import Season, Tournament
from tournaments.views.asking import check_organiser, organises, person_of, told

STATE = Tournament.State
ON_A_PAGE = 20
LINES = 60
CHOICES = 60
"""Events that the organiser may choose from: the newest ones that are in no season."""


@require_http_methods(["GET", "POST"])
def seasons(request: HttpRequest) -> HttpResponse:
    """All seasons; organisers make new ones here."""
    form = SeasonForm(request.POST or None)
    if request.method == "POST":
        check_organiser(request)
        made = _create(request, form) if form.is_valid() else None
        if made is not None:
            messages.success(request, _("The season is there. Put events in."))
            return redirect("tournaments:season", season_id=made.pk)
    rows = Paginator(selectors.seasons(seen_club(request)), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": rows, "form": form, "organises": organises(request)}
    return render(request, "tournaments/seasons.html", context, status=422 if form.errors else 200)


def _create(request: HttpRequest, form: SeasonForm) -> Season | None:
    """Make the season; a refusal becomes the form's error."""
    try:
        return services.create_season(by=person_of(request), club=club_of(request), **form.cleaned_data)
    except EventRefusal as refusal:
        form.add_error("name" if refusal.code in ("season_name_taken", "bad_name") else None, told(refusal))
        return None


@require_safe
def season(request: HttpRequest, season_id: int) -> HttpResponse:
    """A season: its rule, its events, its table with every result."""
    found = _season(season_id)
    league = selectors.league_of(found)
    organiser = organises(request)
    states = [STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING, *([STATE.DRAFT] if organiser else [])]
    lines = Paginator(league.lines, LINES).get_page(request.GET.get("page"))
    context = {
        "season": found,
        "rule": rule_in_words(found),
        "league": league,
        "page": lines,
        "coming": found.events.filter(state__in=states).order_by("created_at", "pk"),
        "organises": organiser,
        "choices": _choices(found) if organiser else [],
    }
    return render(request, "tournaments/season.html", context)


def _season(season_id: int) -> Season:
    found = Season.objects.filter(pk=season_id).first()
    if found is None:
        raise Http404(message_for("no_such_season"))
    return found


def _choices(season: Season) -> Any:
    """Return the events that can be put in: those that are in no season and were not cancelled."""
    rows = Tournament.objects.filter(club=season.club_id, season__isnull=True).exclude(state=STATE.CANCELLED)
    return rows.order_by("-created_at", "-pk")[:CHOICES]


def rule_in_words(found: Season) -> list[str]:
    """Return how points are won and which of them count, a sentence each."""
    if found.by_place:
        points = ", ".join(f"{place}. {points}" for place, points in enumerate(found.by_place, 1))
        first = _("Points by place: %(points)s; no points after that.") % {"points": points}
    else:
        first = _("A place is worth one point for each player of the event who is not better.")
    if found.best:
        counted = ngettext(
            "The best result of each player counts.",
            "The best %(count)d results of each player count.",
            found.best,
        ) % {"count": found.best}
    else:
        counted = _("All results count.")
    shared = _("Who shares places shares their points. Members are ranked; bots and guests are left out.")
    return [first, counted, shared]


@login_required
@require_POST
def season_put(request: HttpRequest, season_id: int) -> HttpResponse:
    """Put an event in."""
    return _change(request, _season(season_id), in_it=True)


@login_required
@require_POST
def season_take(request: HttpRequest, season_id: int) -> HttpResponse:
    """Take an event out; its results stay its own."""
    return _change(request, _season(season_id), in_it=False)


def _change(request: HttpRequest, found: Season, *, in_it: bool) -> HttpResponse:
    check_organiser(request)
    tournament = _event(found, request.POST.get("event", ""))
    if not in_it and tournament.season_id != found.pk:
        raise Http404(message_for("no_such_event"))
    services.put_in_season(
        tournament_id=tournament.pk, by=person_of(request), season=found if in_it else None
    )
    said = _("%(event)s counts in this season.") if in_it else _("%(event)s no longer counts in this season.")
    messages.success(request, said % {"event": tournament.name})
    return redirect("tournaments:season", season_id=found.pk)


def _event(season: Season, text: str) -> Tournament:
    """Return the event of the season's club that a form names. Raises ``Http404``."""
    try:
        found = selectors.get_event(UUID(text))
    except ValueError:
        found = None
    if found is None or found.club_id != season.club_id:
        raise Http404(message_for("no_such_event"))
    return found
