"""What the events add to the pages of a club: those to come, and what was done at all of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Club
from tournaments.models import Action, Entry
from tournaments.selectors.events import open_events
from tournaments.wording import action_in_words, is_own

COMING = 5


def events_section(club: Club) -> dict[str, Any] | None:
    """Return the events that one can enter or that are being played, if there are any."""
    events = list(open_events(club)[:COMING])
    return {"template": "tournaments/_club.html", "events": events} if events else None


def acts_at_events(club: Club, *, before: dt.datetime, most: int) -> list[dict[str, Any]]:
    """Return what people did at the club's events, the newest first (``clubs.signals.club_acts``)."""
    rows = Action.objects.filter(tournament__club=club, at__lt=before, by__isnull=False)
    found = list(rows.select_related("by", "tournament").order_by("-at", "-number")[:most])
    players = _players(found)
    return [_act(action, players.get((action.tournament_id, _entry(action)))) for action in found]


def _act(action: Action, player: Entry | None) -> dict[str, Any]:
    own = is_own(action.kind, action.by_id, player.user_id if player else None)
    named = [player.shown_name] if player and not own else []
    return {
        "at": action.at,
        "by": action.by,
        "what": action_in_words(action.kind, own=own),
        "about": ", ".join([*named, *_where(action), action.tournament.name]),
        "why": action.reason,
        "address": reverse("tournaments:record", args=[action.tournament_id]),
    }


def _players(actions: Iterable[Action]) -> dict[tuple[UUID, int], Entry]:
    """Return the players that actions are about, by event and number."""
    meant = [(action.tournament_id, number) for action in actions if (number := _entry(action))]
    entries = Entry.objects.filter(
        tournament__in={event for event, _n in meant}, number__in={n for _e, n in meant}
    )
    return {(each.tournament_id, each.number): each for each in entries.select_related("user")}


def _where(action: Action) -> list[str]:
    """Return in which round and at which table an action was."""
    told = _told(action)
    parts = [
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
