"""An event under its lock: the one place where its row and its record of actions are written.

Locks are taken in this order: the event, then its tables of the site, then accounts of the book. Nobody
who holds a table takes an event's lock (``tournaments.receivers`` only arranges a task).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import secrets
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db import models, transaction

from clubs.models import User
from clubs.selectors import clubs_where
from games.services.locked import ClockTimestamp
from tournaments.errors import EventRefusal
from tournaments.models import Action, Entry, Round, Tournament

REASON_LENGTH = 500
STATE = Tournament.State


class LockedTournament:
    """An event whose row this transaction holds, with its entries and the time at which it was locked."""

    def __init__(self, tournament: Tournament, now: dt.datetime) -> None:
        self.tournament = tournament
        self.now = now
        rows = Entry.objects.filter(tournament=tournament).select_related("user", "substitute")
        self.entries = {entry.number: entry for entry in rows.order_by("number")}

    @property
    def next_action(self) -> int:
        """The number of the action that ``log`` writes next: chips name it as their cause."""
        return self.tournament.version + 1

    def log(
        self,
        kind: str,
        *,
        by: User | None,
        reason: str = "",
        before: Any = None,
        after: Any = None,
        moved: list[dict[str, Any]] | None = None,
    ) -> Action:
        """Write the next action of the record and raise the event's version by one."""
        self.tournament.version += 1
        return Action.objects.create(
            tournament=self.tournament,
            number=self.tournament.version,
            kind=kind,
            by=by,
            at=self.now,
            reason=reason,
            before=before,
            after=after,
            moved=moved or [],
        )

    def need(self, *states: str) -> None:
        """Raise ``EventRefusal("not_now")`` unless the event is in one of ``states``."""
        if self.tournament.state not in states:
            raise EventRefusal("not_now", f"the event is in the state {self.tournament.state}")

    def entry(self, number: int) -> Entry:
        """Return an entry; raises ``EventRefusal("no_such_entry")``."""
        if number not in self.entries:
            raise EventRefusal("no_such_entry", f"number {number}")
        return self.entries[number]

    def round(self, number: int) -> Round:
        """Return a round that was drawn; raises ``EventRefusal("no_such_round")``."""
        found = Round.objects.filter(tournament=self.tournament, number=number).select_related("draw").first()
        if found is None:
            raise EventRefusal("no_such_round", f"round {number}")
        return found

    def lot(self) -> int:
        """Return a seed for the next lot, drawn from the event's own seed and the number of the next action."""
        return (self.tournament.seed * 1_000_003 + self.next_action) % (1 << 53)

    def save(self, before: int) -> None:
        """Write the row if an action was logged since ``before``."""
        if self.tournament.version == before:
            return
        self.tournament.changed_at = self.now
        self.tournament.save()


@contextlib.contextmanager
def locked_tournament(tournament_id: UUID, *, skip_locked: bool = False) -> Iterator[LockedTournament]:
    """Open a transaction, lock the event's row and yield it; the row is written on leaving.

    Raises ``EventRefusal("no_such_event")``; with ``skip_locked`` also when another transaction holds it.
    """
    with transaction.atomic():
        row = (
            Tournament.objects.select_for_update(skip_locked=skip_locked)
            .annotate(locked_at=ClockTimestamp(output_field=models.DateTimeField()))
            .filter(pk=tournament_id)
            .first()
        )
        if row is None:
            raise EventRefusal("no_such_event")
        locked = LockedTournament(row, row.locked_at)
        before = row.version
        yield locked
        locked.save(before)


RIGHT = "tournaments.organise"


def check_organiser(user: User | None, tournament_id: UUID) -> None:
    """Raise ``EventRefusal("not_organiser")`` unless the person may organise the event; nobody is the site itself.

    Whether there is such an event is said by its lock.
    """
    if not is_organiser(user, tournament_id):
        raise EventRefusal("not_organiser")


def is_organiser(user: User | None, tournament_id: UUID) -> bool:
    """Whether the person (nobody: the site itself) may organise the event: as organiser of its club, or everywhere."""
    clubs = None if user is None else clubs_where(user, RIGHT)
    if not clubs:
        return clubs is None
    event = Tournament.objects.filter(pk=tournament_id).values_list("club_id", flat=True).first()
    return event is None or event in clubs


def check_club_organiser(user: User, club_id: int) -> None:
    """Raise ``EventRefusal("not_organiser")`` unless the person may organise in the club."""
    clubs = clubs_where(user, RIGHT)
    if clubs is not None and club_id not in clubs:
        raise EventRefusal("not_organiser")


def check_reason(reason: str) -> None:
    """Raise ``EventRefusal("reason_missing")`` for a reason that is blank or too long."""
    if not reason.strip() or len(reason) > REASON_LENGTH:
        raise EventRefusal("reason_missing")


def new_seed() -> int:
    """Return a seed for an event, from the system's own chance."""
    return secrets.randbits(48)
