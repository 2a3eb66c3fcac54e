"""Who left a club or was sent away does not play on in its events."""

from __future__ import annotations

from django.db.models import Q

from clubs.models import Club, User
from tournaments.errors import EventRefusal
from tournaments.models import Entry, Tournament
from tournaments.services.attending import withdraw

STATE = Tournament.State
STATUS = Entry.Status


def leave_events_of(*, club: Club, user: User) -> None:
    """Withdraw a person from every event of a club that is not over. Takes the lock of each event in turn."""
    going_on = Q(tournament__state__in=[STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING])
    entries = Entry.objects.filter(going_on, tournament__club=club, user=user, leaving=False)
    for entry in entries.filter(status__in=[STATUS.ENTERED, STATUS.WAITING]).order_by("tournament_id"):
        try:
            withdraw(tournament_id=entry.tournament_id, by=user, number=entry.number)
        except EventRefusal as refusal:
            if refusal.code not in ("has_left", "not_now"):
                raise
