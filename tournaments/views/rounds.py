"""Rounds and their tables: who sits where, what was scored, and what organisers and players do about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments import selectors, services
from tournaments.charts import seat_ring
from tournaments.errors import EventRefusal
from tournaments.models import EventTable, Round, Tournament
from tournaments.selectors import TableView
from tournaments.views.acts import done_in_words
from tournaments.views.asking import (
    Refused,
    for_organisers,
    of_event,
    organises,
    own_entry,
    page,
    person_of,
    refused,
    round_of,
)
from tournaments.views.steps import news_of, next_step, round_acts, situation_of

MOST_PICTURES = 8
"""A page with more tables shows their lists only; each table's own page has its picture."""


@require_safe
@of_event
def rounds(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The way to the newest round that there is to be seen, or to the event before round 1."""
    drawn = selectors.rounds_of(tournament)
    seen = [row for row in drawn if row.current is not None]
    drafts = [row for row in drawn if row.current is None] if organises(request) else []
    newest = seen[-1] if seen else drafts[0] if drafts else None
    if newest is None:
        return redirect("tournaments:event", event_id=tournament.pk)
    return redirect("tournaments:round", event_id=tournament.pk, number=newest.number)


@require_safe
@of_event
def round_page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """A round: its clock, its tables (the own one first) with seats and results; ``?find=`` a player's table alone."""
    return draw_round(request, tournament, number)


def draw_round(
    request: HttpRequest, tournament: Tournament, number: int, refusal: Refused | None = None
) -> HttpResponse:
    """Draw the page of a round."""
    organiser = organises(request)
    row = round_of(tournament, number, drafts=organiser)
    view = selectors.round_view(row)
    rounds = selectors.rounds_of(tournament)
    now = situation_of(tournament, rounds)
    mine = own_entry(request, tournament)
    wanted = request.GET.get("find", "").strip()
    shown = [table for table in view.tables if _sits_at(table, wanted)] if wanted else list(view.tables)
    if mine is not None:
        shown.sort(key=lambda table: all(seat.entry.number != mine.number for seat in table.seats))
    context = {
        "round": row,
        "view": view,
        "find": wanted,
        "cards": [
            (table, ring_of(table, mine.number if mine else None) if len(shown) <= MOST_PICTURES else None)
            for table in shown
        ],
        "mine": mine,
        "hidden": held_back(tournament, row) and not organiser,
        "rounds": [each for each in rounds if each.current is not None or organiser],
        "news": news_of(tournament, now),
        "announced": selectors.announcement_of(tournament),
        "left_words": time_left(row),
        "totals": tournament.standings_live or tournament.is_over,
        "acts": round_acts(tournament, row, now, can_redo=can_redo(row)) if organiser else [],
        "step": next_step(tournament, now) if organiser else None,
    }
    return page(request, "tournaments/round.html", tournament, context, refusal=refusal)


def ring_of(table: TableView, mine: int | None) -> Any:
    """Return the picture of a table."""
    own = next((seat.number for seat in table.seats if seat.entry.number == mine), None)
    first = next((seat.number for seat in table.seats if seat.first_dealer), None)
    return seat_ring([(seat.number, seat.entry.shown_name) for seat in table.seats], first=first, mine=own)


def held_back(tournament: Tournament, row: Round) -> bool:
    """Whether results of a round may not be shown yet, except to those who sit at the table."""
    return not tournament.standings_live and row.state == Round.State.PLAYING


def time_left(row: Round) -> str:
    """Return what a stopped clock has left, as minutes and seconds; empty unless it is stopped."""
    if row.paused_at is None or row.ends_at is None:
        return ""
    minutes, seconds = divmod(max(0, int((row.ends_at - row.paused_at).total_seconds())), 60)
    return f"{minutes}:{seconds:02}"


def can_redo(row: Round) -> bool:
    """Whether an undone release of a round can be brought back."""
    if row.current is not None or row.undone is None:
        return False
    states = EventTable.objects.filter(round=row, take=row.undone).values_list("state", flat=True)
    return set(states) == {EventTable.State.DONE}


def _sits_at(table: TableView, wanted: str) -> bool:
    return any(
        wanted.casefold() in f"{seat.entry.shown_name} {seat.entry.played_by}".casefold()
        for seat in table.seats
    )


RoundAct = Callable[[HttpRequest, Tournament, int], Any]


def _plain(act: Callable[..., Any]) -> RoundAct:
    return lambda request, tournament, number: act(
        tournament_id=tournament.pk, by=person_of(request), round_number=number
    )


def _with_reason(act: Callable[..., Any]) -> RoundAct:
    return lambda request, tournament, number: act(
        tournament_id=tournament.pk,
        by=person_of(request),
        round_number=number,
        reason=request.POST.get("reason", ""),
    )


def _schedule(request: HttpRequest, tournament: Tournament, number: int) -> Any:
    text = request.POST.get("opens_at", "")
    try:
        moment = parse_datetime(text) if text else None
    except ValueError:
        moment = None
    if text and moment is None:
        raise EventRefusal("bad_term", _("the time at which the round opens"))
    if moment is not None and timezone.is_naive(moment):
        moment = timezone.make_aware(moment)
    return services.schedule_round(
        tournament_id=tournament.pk, by=person_of(request), round_number=number, opens_at=moment
    )


def _call_time(request: HttpRequest, tournament: Tournament, number: int) -> str:
    called = services.call_time(tournament_id=tournament.pk, by=person_of(request), round_number=number)
    if not called:
        return _("No table had more to play than the orbit that runs.")
    return _("The time is called at the tables %(list)s.") % {"list": ", ".join(map(str, called))}


ROUND_ACTS: dict[str, RoundAct] = {
    "confirm_draw": _plain(services.confirm_draw),
    "loosen_draw": _plain(services.loosen_draw),
    "release": _plain(services.release_round),
    "clock": _plain(services.stop_clock),
    "time": _call_time,
    "confirm": _plain(services.confirm_round),
    "unrelease": _with_reason(services.unrelease_round),
    "reopen": _with_reason(services.reopen_round),
    "undo": _with_reason(services.undo_round),
    "redo": _with_reason(services.redo_round),
    "schedule": _schedule,
}


@login_required
@require_POST
@of_event
@for_organisers
def round_act(request: HttpRequest, tournament: Tournament, number: int, act: str) -> HttpResponse:
    """Do something with a round as organiser."""
    if act not in ROUND_ACTS:
        raise Http404
    try:
        done = ROUND_ACTS[act](request, tournament, number)
    except EventRefusal as refusal:
        return draw_round(request, tournament, number, refused(request, act, refusal))
    messages.success(request, done if isinstance(done, str) else done_in_words(act))
    return redirect("tournaments:round", event_id=tournament.pk, number=number)
