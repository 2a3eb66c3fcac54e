"""What the events add to the pages of a club: those to come, and what was done at all of them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.urls import reverse

from clubs.models import Club
from tournaments.models import Action
from tournaments.selectors.events import open_events
from tournaments.wording import action_in_words

COMING = 5


def events_section(club: Club) -> dict[str, Any] | None:
    """Return the events that one can enter or that are being played, if there are any."""
    events = list(open_events(club)[:COMING])
    return {"template": "tournaments/_club.html", "events": events} if events else None


def acts_at_events(club: Club, *, before: dt.datetime, most: int) -> list[dict[str, Any]]:
    """Return what people did at the club's events, the newest first (``clubs.signals.club_acts``)."""
    rows = Action.objects.filter(tournament__club=club, at__lt=before, by__isnull=False)
    found = rows.select_related("by", "tournament").order_by("-at", "-number")[:most]
    return [
        {
            "at": action.at,
            "by": action.by,
            "what": action_in_words(action.kind),
            "about": action.tournament.name,
            "why": action.reason,
            "address": reverse("tournaments:record", args=[action.tournament_id]),
        }
        for action in found
    ]
