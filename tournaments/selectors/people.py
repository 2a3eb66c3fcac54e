"""A person's events, for the person's page and for the person's own use."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from clubs.models import Club, User
from clubs.selectors import may_see_club
from tournaments.models import Entry
from tournaments.selectors.events import PUBLIC

SHOWN = 20


def entries_of_person(person: User, viewer: Any) -> list[Entry]:
    """Return the person's latest places in events of clubs that the viewer may see."""
    seen = [club.pk for club in Club.objects.all() if may_see_club(viewer, club)]
    entries = Entry.objects.filter(user=person, tournament__state__in=PUBLIC, tournament__club__in=seen)
    return list(entries.select_related("tournament").order_by("-tournament__created_at", "-pk")[:SHOWN])


def own_entries(user: User) -> list[dict[str, Any]]:
    """Return all of a person's places in events, JSON-ready."""
    entries = Entry.objects.filter(Q(user=user) | Q(substitute=user)).select_related("tournament")
    return [
        {
            "event": str(entry.tournament_id),
            "name": entry.tournament.name,
            "number": entry.number,
            "status": entry.status,
            "place": entry.place,
            "as_substitute": entry.substitute_id == user.pk,
        }
        for entry in entries.order_by("tournament__created_at", "pk")
    ]
