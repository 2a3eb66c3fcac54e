"""What the events add to the pages of a club: those to come, and what was done at all of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Club
from tournaments.models import Action, Entry
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
    found = list(rows.select_related("by", "tournament").order_by("-at", "-number")[:most])
    names = _names(found)
    return [
        {
            "at": action.at,
            "by": action.by,
            "what": action_in_words(action.kind),
            "about": ", ".join([*_where(action, names), action.tournament.name]),
            "why": action.reason,
            "address": reverse("tournaments:record", args=[action.tournament_id]),
        }
        for action in found
    ]


def _names(actions: Iterable[Action]) -> dict[tuple[UUID, int], str]:
    """Return the players that actions are about, by event and number; who was forgotten is a number."""
    meant = [(action.tournament_id, number) for action in actions if (number := _entry(action))]
    entries = Entry.objects.filter(
        tournament__in={event for event, _n in meant}, number__in={n for _e, n in meant}
    )
    return {(each.tournament_id, each.number): each.shown_name for each in entries.select_related("user")}


def _where(action: Action, names: Mapping[tuple[UUID, int], str]) -> list[str]:
    """Return whom an action is about, and in which round and at which table it was."""
    told = _told(action)
    player = names.get((action.tournament_id, _entry(action)), "")
    parts = [
        player,
        _("round %(n)s") % {"n": told["round"]} if "round" in told else "",
        _("table %(n)s") % {"n": told["table"]} if isinstance(told.get("table"), int) else "",
    ]
    return [part for part in parts if part]


def _entry(action: Action) -> int:
    """The number of the player whom an action is about; 0 for none."""
    number = _told(action).get("entry")
    return number if isinstance(number, int) else 0


def _told(action: Action) -> dict[str, Any]:
    told = action.after or action.before
    return told if isinstance(told, dict) else {}
