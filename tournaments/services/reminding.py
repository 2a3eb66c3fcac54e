"""Telling players of an event what they should not miss: that it comes up, check-in, a place, their table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from clubs.services import Telling, notify, notify_each, settle_notices
from tournaments.models import Action, Entry, Round, Sitting, Tournament
from tournaments.services.locked import STATE, LockedTournament

AHEAD = dt.timedelta(days=1)
"""So long before check-in opens (or closes, where nobody said when it opens) players are reminded of the event."""

SWEEP_SIZE = 100


def remind() -> int:
    """Remind the players of events that come up within a day; returns of how many events.

    Each player is told once however often this runs. Who entered within that day knows.
    """
    now = timezone.now()
    soon = Tournament.objects.filter(state=STATE.REGISTRATION).annotate(
        on=Coalesce("check_in_opens_at", "check_in_closes_at")
    )
    events = list(soon.filter(on__gt=now, on__lte=now + AHEAD).order_by("on", "pk")[:SWEEP_SIZE])
    for event in events:
        entered = Action.objects.filter(tournament=event, kind="entered", at__lt=event.on - AHEAD)
        numbers = list(entered.values_list("after__entry", flat=True))
        entries = Entry.objects.filter(tournament=event, number__in=numbers)
        expected = entries.filter(status__in=(Entry.Status.ENTERED, Entry.Status.WAITING))
        _tell(
            event,
            "event_soon",
            expected.select_related("user", "substitute"),
            key=_soon(event),
            at=event.on.isoformat(),
        )
    return len(events)


def tell_check_in(locked: LockedTournament) -> None:
    """Tell everybody who must check in that they can now; the reminder of the event is over."""
    event = locked.tournament
    settle_notices(keys=[_soon(event)])
    if event.check_in_needed:
        absent = [entry for entry in locked.entries.values() if _expected(entry) and not entry.present]
        _tell(event, "check_in", absent, key=_check_in(event))


def settle_check_in(tournament: Tournament, entry: Entry | None = None) -> None:
    """Check-in is over, for a player who has checked in or left, or for everybody."""
    keys = [_check_in(tournament), _soon(tournament)]
    if entry is None:
        settle_notices(keys=keys)
    else:
        for player in _people([entry]):
            settle_notices(keys=keys, user=player)


def tell_moved_up(locked: LockedTournament, entry: Entry, by: User | None) -> None:
    """Tell a player that a place became theirs, unless they took it themselves; ``locked`` has just logged it."""
    if by is not None and by in _people([entry]):
        return
    _tell(
        locked.tournament,
        "moved_up",
        [entry],
        key=f"moved_up:{locked.tournament.pk}:{locked.tournament.version}",
    )


def tell_tables(locked: LockedTournament, row: Round) -> None:
    """Tell the players of a round that was just released where they sit."""
    event = locked.tournament
    sittings = Sitting.objects.filter(event_table__round=row, event_table__take=row.take)
    tables = dict(sittings.values_list("event_table__number", "table_id"))
    tellings = []
    for number, seats in enumerate(row.drawn_tables, 1):
        place = tables.get(number)
        address = (
            reverse("games:table", args=[place]) if place else reverse("tournaments:my_seat", args=[event.pk])
        )
        about = {"event": event.name, "round": row.number, "table": number}
        for user in _people(locked.entries[player] for player in seats):
            tellings.append(Telling(user, "drawn", _drawn(row), address, about, event.club_id))
    notify_each(tellings=tellings)


def settle_tables(row: Round) -> None:
    """The round is played, or its release was taken back."""
    settle_notices(keys=[_drawn(row)])


def tell_called_off(locked: LockedTournament) -> None:
    """Tell everybody who was expected that the event is cancelled; nothing else about it matters any more."""
    settle_check_in(locked.tournament)
    for row in Round.objects.filter(tournament=locked.tournament, state=Round.State.PLAYING):
        settle_tables(row)
    expected = [entry for entry in locked.entries.values() if _expected(entry)]
    _tell(locked.tournament, "called_off", expected, key=f"called_off:{locked.tournament.pk}")


def _tell(event: Tournament, kind: str, entries: Iterable[Entry], *, key: str, **about: str) -> None:
    notify(
        users=_people(entries),
        kind=kind,
        key=key,
        address=reverse("tournaments:event", args=[event.pk]),
        about={"event": event.name, **about},
        club_id=event.club_id,
    )


def _people(entries: Iterable[Entry]) -> Sequence[User]:
    """Return who plays for the entries, as far as they have an account."""
    players = [entry.substitute or entry.user for entry in entries if not entry.substitute_name]
    return [player for player in players if player is not None]


def _expected(entry: Entry) -> bool:
    return entry.status in (Entry.Status.ENTERED, Entry.Status.WAITING)


def _soon(event: Tournament) -> str:
    """Return the key of the reminder; an event that is moved to another time is told of anew."""
    at = event.check_in_opens_at or event.check_in_closes_at
    return f"event_soon:{event.pk}:{int(at.timestamp()) if at else 0}"


def _check_in(event: Tournament) -> str:
    return f"check_in:{event.pk}"


def _drawn(row: Round) -> str:
    return f"drawn:{row.tournament_id}:{row.number}:{row.take}"
