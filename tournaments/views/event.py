"""The page of an event, the acts of its players, and where a player has to be now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.models import Table
from tournaments import selectors, services, wording
from tournaments.charts import seat_ring
from tournaments.errors import EventRefusal
from tournaments.models import Entry, Tournament
from tournaments.rules import rotation
from tournaments.rules.floor import load_table
from tournaments.selectors import Whereabouts
from tournaments.selectors.calendar import released_first_at
from tournaments.views.asking import Refused, of_event, organises, own_entry, page, person_of, refused
from tournaments.views.rounds import time_left
from tournaments.views.steps import begins_at, news_of, next_step, situation_of

STATE = Tournament.State
STATUS = Entry.Status


@require_safe
@of_event
def event(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is played, when, by which rules, for what, by whom, and how far it is."""
    return event_page(request, tournament)


def event_page(request: HttpRequest, tournament: Tournament, refusal: Refused | None = None) -> HttpResponse:
    """Draw the page of an event."""
    entries = selectors.entries_of(tournament)
    rounds = selectors.rounds_of(tournament)
    now = situation_of(tournament, rounds)
    mine = own_entry(request, tournament)
    waiting = sorted(
        (entry for entry in entries if entry.status == STATUS.WAITING),
        key=lambda entry: (entry.waiting_since or 0, entry.number),
    )
    context = {
        "rules": wording.rules_in_words(tournament),
        "points": wording.points_in_words(tournament),
        "standings_rule": wording.standings_rule(tournament),
        "prizes": selectors.prizes_of(tournament),
        "entered": sum(entry.status in (STATUS.ENTERED, STATUS.OUT) for entry in entries),
        "checked_in": sum(entry.present and entry.counts for entry in entries),
        "waiting": len(waiting),
        "winners": sorted(
            (entry for entry in entries if entry.place and entry.place <= 3),
            key=lambda entry: entry.place or 0,
        ),
        "rounds": [row for row in rounds if row.current is not None],
        "mine": mine,
        "waiting_place": waiting.index(mine) + 1 if mine in waiting else None,
        "may_enter": may_enter(tournament),
        "first_released_at": released_first_at(tournament),
        "own_acts": own_acts(tournament, mine, signed_in=request.user.is_authenticated),
        "news": news_of(tournament, now),
        "begins": begins_at(rounds),
        "announced": selectors.announcement_of(tournament),
        "step": next_step(tournament, now) if organises(request) else None,
    }
    return page(request, "tournaments/event.html", tournament, context, refusal=refusal)


def own_acts(tournament: Tournament, mine: Entry | None, *, signed_in: bool) -> list[str]:
    """Return the names of what a person may do about the own entry in this state of the event."""
    state = tournament.state
    if tournament.is_over or state == STATE.DRAFT or not signed_in:
        return []
    if mine is None:
        return ["register"] if may_enter(tournament) else []
    if mine.leaving:
        return [] if tournament.eliminates else ["return"]
    if mine.status in (STATUS.WITHDRAWN, STATUS.NO_SHOW):
        return [] if state == STATE.RUNNING and tournament.eliminates else ["return"]
    if mine.status == STATUS.OUT:
        return []
    acts = []
    if state == STATE.CHECK_IN:
        acts.append("not_here" if mine.present else "check_in")
    if mine.counts and not tournament.eliminates:
        acts.append("no_volunteer" if mine.volunteers else "volunteer")
    return [*acts, "withdraw"]


def may_enter(tournament: Tournament) -> bool:
    """Whether a newcomer may enter now."""
    late = tournament.state == STATE.RUNNING and tournament.late_until and not tournament.eliminates
    return bool(late) or tournament.state in (STATE.REGISTRATION, STATE.CHECK_IN)


OwnAct = Callable[[HttpRequest, Tournament], Any]


def _own(act: Callable[..., Any], **said: Any) -> OwnAct:
    """Return an act that is done with the entry of whoever asks."""

    def do(request: HttpRequest, tournament: Tournament) -> Any:
        mine = own_entry(request, tournament)
        if mine is None:
            raise EventRefusal("not_entered")
        return act(tournament_id=tournament.pk, by=person_of(request), number=mine.number, **said)

    return do


OWN_ACTS: dict[str, OwnAct] = {
    "register": lambda request, tournament: services.register(
        tournament_id=tournament.pk,
        user=person_of(request),
        volunteers=bool(request.POST.get("volunteers")),
    ),
    "withdraw": lambda request, tournament: _own(
        services.withdraw, reason=request.POST.get("reason", "")[:500]
    )(request, tournament),
    "return": _own(services.return_entry),
    "check_in": _own(services.check_in),
    "not_here": _own(services.check_in, present=False),
    "volunteer": _own(services.volunteer, volunteers=True),
    "no_volunteer": _own(services.volunteer, volunteers=False),
}


@login_required
@require_POST
@of_event
def own_act(request: HttpRequest, tournament: Tournament, act: str) -> HttpResponse:
    """Do something about the own entry: enter, withdraw, come back, check in, offer to sit out."""
    if act not in OWN_ACTS:
        raise Http404
    try:
        done = OWN_ACTS[act](request, tournament)
    except EventRefusal as refusal:
        return event_page(request, tournament, refused(request, act, refusal))
    messages.success(request, _told(act, done))
    return redirect("tournaments:event", event_id=tournament.pk)


def _told(act: str, entry: Entry) -> str:
    if act in ("register", "return") and entry.status == STATUS.WAITING:
        return _("All places are taken: you are on the waiting list and move up by yourself.")
    return {
        "register": _("You are entered."),
        "return": _("You take part again."),
        "withdraw": _("You have withdrawn. You may come back as long as this page offers it."),
        "check_in": _("You are checked in."),
        "not_here": _("Your check-in is taken back."),
        "volunteer": _("You sit out first when somebody must."),
        "no_volunteer": _("You would rather play."),
    }[act]


@login_required
@require_safe
@of_event
def my_seat(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Where the player has to be now, when the own deal comes, and how the rounds before went."""
    mine = own_entry(request, tournament)
    here = selectors.whereabouts(tournament, person_of(request))
    played = selectors.history_of_player(tournament, mine.number) if mine else []
    rounds = selectors.rounds_of(tournament)
    view = None
    if here is not None and here.table is not None:
        shown = selectors.round_view(here.round)
        view = next((each for each in shown.tables if each.table.pk == here.table.pk), None)
    context = {
        "mine": mine,
        "here": here,
        "view": view,
        "ring": seat_ring(
            [(seat.number, seat.entry.shown_name) for seat in view.seats],
            first=next((seat.number for seat in view.seats if seat.first_dealer), None),
            mine=here.seat if here else None,
        )
        if view
        else None,
        "until": deals_until(here) if here is not None and here.table is not None else None,
        "played": played,
        "dealt": any(each.dealt for each in played),
        "hidden": False,
        "totals": tournament.standings_live or tournament.eliminates,
        "left_words": time_left(here.round) if here is not None else "",
        "announced": selectors.announcement_of(tournament),
        "news": news_of(tournament, situation_of(tournament, rounds)),
        "begins": begins_at(rounds),
    }
    return page(request, "tournaments/my_seat.html", tournament, context)


def deals_until(here: Whereabouts) -> int | None:
    """Return how many deals come before the player's own: 0 when the player deals now or next, ``None`` when never."""
    table = here.table
    assert table is not None, "only who sits at a table deals"
    number = here.entry.number
    if table.floor is not None:
        floor = load_table(table.floor)
        dealing = [floor.seats[floor.dealer]] if floor.in_deal else []
        order = [*dealing, *rotation.deal_order(floor)]
        return order.index(number) if number in order else None
    done = selectors.next_deal(table)[0] - 1
    if here.site_table is not None:
        site = Table.objects.only("deal_number", "status").get(pk=here.site_table)
        done = site.deal_number - (site.status == Table.Status.PLAYING)
    due = table.deals_due or 0
    seats = len(table.seats)
    coming = (deal for deal in range(done, due) if table.seats[deal % seats] == number)
    return next((deal - done for deal in coming), None)
