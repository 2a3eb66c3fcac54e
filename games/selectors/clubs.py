"""What the tables add to the pages of a club: the tables that are open, and what organisers did about people."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.urls import reverse

from clubs.models import Club
from clubs.selectors import may_play_at
from games.models import OrganiserAct
from games.selectors.lobby import lobby

OPEN_TABLES = 8


def tables_section(club: Club, viewer: Any) -> dict[str, Any] | None:
    """Return the club's listed tables for whoever may play there."""
    if not may_play_at(viewer, club):
        return None
    tables = list(lobby(club_id=club.pk)[:OPEN_TABLES])
    return {"template": "games/_club.html", "tables": tables}


def acts_of_organisers(club: Club, *, before: dt.datetime, most: int) -> list[dict[str, Any]]:
    """Return what organisers did about people and lines, the newest first (``clubs.signals.club_acts``)."""
    rows = OrganiserAct.objects.filter(club=club, at__lt=before).select_related("by", "person")[:most]
    return [
        {
            "at": act.at,
            "by": act.by,
            "what": str(act.get_kind_display()),
            "about": act.person.shown_name if act.person else "",
            "why": act.why,
            "address": reverse("games:one_report", args=[act.report_id]) if act.report_id else "",
        }
        for act in rows
    ]
