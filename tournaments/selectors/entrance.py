"""Who may come to an event or a season: what a club publishes is there for whoever may see the club."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from clubs.models import Club
from clubs.selectors import may_see_club
from tournaments.models import Season, Tournament


def event_gate(event_id: UUID, person: Any, _address: str) -> Club | None:
    """Return the club of an event that a person may see, ``None`` for any other."""
    found = Tournament.objects.filter(pk=event_id).select_related("club").only("club").first()
    return found.club if found is not None and may_see_club(person, found.club) else None


def season_gate(season_id: int, person: Any, _address: str) -> Club | None:
    """Return the club of a season that a person may see, ``None`` for any other."""
    found = Season.objects.filter(pk=season_id).select_related("club").only("club").first()
    return found.club if found is not None and may_see_club(person, found.club) else None
