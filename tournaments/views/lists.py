"""Events in lists: those to come and those that were, a month's calendar, a member's own."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.views.asking import seen_club
from tournaments import selectors
from tournaments.models import Entry, Tournament
from tournaments.selectors.calendar import dated_events, weeks_of
from tournaments.views.asking import organises, person_of

STATE = Tournament.State
ON_A_PAGE = 20


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """Events that are played or can be entered, soonest first, and those that are over, a page at a time."""
    drafts = organises(request)
    rows = dated_events(seen_club(request), drafts=drafts)
    running = rows.filter(state=STATE.RUNNING).order_by("-changed_at", "-pk")
    coming = rows.filter(state__in=[STATE.DRAFT, STATE.REGISTRATION, STATE.CHECK_IN])
    over = rows.filter(state__in=[STATE.FINISHED, STATE.ARCHIVED, STATE.CANCELLED])
    context = {
        "running": running,
        "coming": coming.order_by(F("day_at").asc(nulls_last=True), "created_at", "pk"),
        "over": Paginator(over.order_by("-finished_at", "-created_at", "-pk"), ON_A_PAGE).get_page(
            request.GET.get("page")
        ),
        "organises": drafts,
    }
    return render(request, "tournaments/events.html", context)


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """A month of events (``?month=2026-05``): a table on wide screens, the same days as a list on phones."""
    first = _month(request.GET.get("month", ""))
    weeks = weeks_of(seen_club(request), first.year, first.month, drafts=organises(request))
    context = {
        "first": first,
        "weeks": weeks,
        "before": (first - dt.timedelta(days=1)).replace(day=1),
        "after": (first + dt.timedelta(days=32)).replace(day=1),
        "days": [day for week in weeks for day in week if day.events and not day.outside],
        "today": timezone.localdate(),
        "organises": organises(request),
    }
    return render(request, "tournaments/calendar.html", context)


@login_required
@require_safe
def own_events(request: HttpRequest) -> HttpResponse:
    """The events of a member: where to be now, and how all of them went."""
    person = person_of(request)
    rows = Paginator(selectors.events_of(person), ON_A_PAGE).get_page(request.GET.get("page"))
    entries = Entry.objects.filter(tournament__in=list(rows.object_list), user=person)
    by_event = {entry.tournament_id: entry for entry in entries}
    context = {
        "here": selectors.my_tables(person),
        "page": rows,
        "rows": [(event, by_event.get(event.pk)) for event in rows],
    }
    return render(request, "tournaments/own_events.html", context)


def _month(text: str) -> dt.date:
    """Return the first day of the month that an address names, else of this month."""
    try:
        return dt.datetime.strptime(text, "%Y-%m").date()
    except ValueError:
        return timezone.localdate().replace(day=1)
