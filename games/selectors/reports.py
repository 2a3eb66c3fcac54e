"""What organisers can read: reports with their evidence, silences that are on, and what was done."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from clubs.models import Club, User
from clubs.selectors import clubs_where
from games.errors import TableRefusal
from games.models import ChatLine, OrganiserAct, Report, Seat, Silence, Table
from games.selectors.chat import clock

SHOWN = 200


class Evidence(NamedTuple):
    """A reported line as it was copied, its author's name looked up now (empty for an erased member)."""

    at: dt.datetime
    room: str
    name: str
    words: str


def reports_for(organiser: User) -> QuerySet[Report]:
    """Return the reports that an organiser may see, the newest first.

    Those of the clubs where the person handles them; not those about the organiser, and none of a table at which the organiser
    plays: its evidence may hold what the watchers say.
    """
    plays = Seat.objects.filter(table=OuterRef("table"), user=organiser, left=False)
    playing = ~Q(table__status=Table.Status.FINISHED) & Exists(plays)
    reports = Report.objects.exclude(reported=organiser).exclude(playing)
    clubs = clubs_where(organiser, "games.handle_reports")
    if clubs is not None:
        reports = reports.filter(table__club__in=clubs)
    return reports.select_related("reporter", "reported", "table", "handled_by").order_by("-id")


def report_for(organiser: User, report_id: int) -> Report:
    """Return a report that an organiser may see; raises ``TableRefusal("no_such_report")``."""
    report = reports_for(organiser).filter(pk=report_id).first()
    if report is None:
        raise TableRefusal("no_such_report")
    return report


def evidence_of(report: Report) -> list[Evidence]:
    """Return the lines that came with a report, phrases in the active language."""
    people = User.objects.in_bulk([copied["author"] for copied in report.evidence])
    return [
        Evidence(
            at=dt.datetime.fromisoformat(copied["at"]),
            room=str(ChatLine.Room(copied["room"]).label),
            name=people[copied["author"]].shown_name if copied["author"] in people else "",
            words=ChatLine(text=copied["text"], phrase=copied["phrase"]).words,
        )
        for copied in report.evidence
    ]


def silences_now(club: Club) -> list[Silence]:
    """Return the silences of a club that are on, those that end first first; at most 200."""
    running = Silence.objects.filter(club=club, until__gt=clock(), lifted_at__isnull=True)
    return list(running.select_related("user", "table", "by").order_by("until", "pk")[:SHOWN])


def organiser_acts(club: Club) -> list[OrganiserAct]:
    """Return what organisers of a club did last, the newest first; at most 200."""
    return list(
        OrganiserAct.objects.filter(club=club).select_related("by", "person", "table", "report")[:SHOWN]
    )
