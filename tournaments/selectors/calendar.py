"""Events by their day, for lists and the calendar of a month."""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from clubs.models import Club
from tournaments.models import Round, Tournament
from tournaments.selectors.events import events


@dataclass(frozen=True)
class Day:
    """A day of a month's page; ``outside`` if it belongs to a neighbouring month."""

    date: dt.date
    events: tuple[Tournament, ...]
    outside: bool


def dated_events(club: Club, *, drafts: bool = False) -> QuerySet[Any]:
    """Return a club's events with ``day_at``: when check-in closes or opens, else when it was first released or ended.

    An event that has none of these has no day yet (``None``).
    """
    released = (
        Round.objects.filter(tournament=OuterRef("pk"))
        .order_by()
        .values("tournament")
        .annotate(at=Min("released_at"))
        .values("at")
    )
    day = Coalesce("check_in_closes_at", "check_in_opens_at", Subquery(released), "finished_at")
    return events(club, drafts=drafts).annotate(day_at=day)


def released_first_at(tournament: Tournament) -> dt.datetime | None:
    """Return when the first round of an event was released, ``None`` before."""
    found: dt.datetime | None = Round.objects.filter(tournament=tournament).aggregate(at=Min("released_at"))[
        "at"
    ]
    return found


def weeks_of(club: Club, year: int, month: int, *, drafts: bool = False) -> list[list[Day]]:
    """Return the weeks of a month, Monday first, with the club's events of each day in the site's time zone."""
    weeks = calendar.Calendar().monthdatescalendar(year, month)
    zone = timezone.get_current_timezone()
    first = dt.datetime.combine(weeks[0][0], dt.time(), zone)
    last = dt.datetime.combine(weeks[-1][-1] + dt.timedelta(days=1), dt.time(), zone)
    found: dict[dt.date, list[Tournament]] = {}
    for event in (
        dated_events(club, drafts=drafts)
        .filter(day_at__gte=first, day_at__lt=last)
        .order_by("day_at", "created_at", "pk")
    ):
        found.setdefault(timezone.localtime(event.day_at).date(), []).append(event)
    return [[Day(date, tuple(found.get(date, ())), date.month != month) for date in week] for week in weeks]
