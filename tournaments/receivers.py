"""What events do when something happens elsewhere: a table waits for them, the ledger asks about their chips."""

import datetime as dt
from typing import Any

from django.dispatch import receiver

from clubs.models import Club, User
from clubs.selectors.gates import register_gate
from clubs.selectors.kinds import Kind, register_kind
from clubs.signals import (
    club_acts,
    club_shown,
    erased,
    guest_joined,
    may_erase,
    profile_shown,
    sent_away,
    told_about,
)
from games.models import Table
from games.signals import table_waits
from tournaments import stakes
from tournaments.schedule import settle_after_commit, tournament_of
from tournaments.selectors.clubs import acts_at_events, events_section
from tournaments.selectors.entrance import event_gate, season_gate
from tournaments.selectors.people import entries_of_person, own_entries
from tournaments.services import check_event, events_with_chips, people
from tournaments.services.clubs import leave_events_of
from tournaments.wording.notices import TOLD

register_gate("event_id", event_gate)
register_gate("season_id", season_gate)
# Who plays on the site sits down within minutes and needs no mail.
PATIENCE = {"drawn": dt.timedelta(minutes=5)}
for kind, (title, sentence) in TOLD.items():
    register_kind(Kind(kind, title, sentence, patience=PATIENCE.get(kind, dt.timedelta())))
stakes.answer_for_events(check_event, expected=events_with_chips)


@receiver(table_waits, dispatch_uid="tournaments.settle")
def settle_soon(sender: Any, table: Table, **_: Any) -> None:
    """Have the event take over what its table has played, after the commit; the sweep makes a lost task good."""
    tournament_id = tournament_of(table.origin)
    if tournament_id is not None:
        settle_after_commit(tournament_id)


@receiver(guest_joined, dispatch_uid="tournaments: a guest's entries")
def take_over_entries(*, guest: User, member: User, **_: Any) -> None:
    """Give the places that a guest had to the member who the guest turns out to be."""
    people.take_over_entries(guest=guest, member=member)


@receiver(may_erase, dispatch_uid="tournaments: may a person go")
def check_leaves(*, user: User, **_: Any) -> None:
    """Keep a person who is expected at an event."""
    people.check_leaves(user=user)


@receiver(erased, dispatch_uid="tournaments: forget a person")
def forget_person(*, user: User, **_: Any) -> None:
    """Take a person's name off events."""
    people.forget_person(user=user)


@receiver(told_about, dispatch_uid="tournaments: all about a person")
def tell_entries(*, user: User, **_: Any) -> dict[str, Any]:
    """Add events to a person's own data."""
    return {"events": own_entries(user)}


@receiver(profile_shown, dispatch_uid="tournaments: events of a person")
def show_events(*, person: User, viewer: Any, **_: Any) -> dict[str, Any] | None:
    """Add the person's events to the page about the person."""
    entries = entries_of_person(person, viewer)
    return {"template": "tournaments/_profile.html", "entries": entries} if entries else None


@receiver(sent_away, dispatch_uid="tournaments: leave a club's events")
def leave_events(*, club: Club, user: User, **_: Any) -> None:
    """Withdraw somebody who left a club or was banned from it."""
    leave_events_of(club=club, user=user)


@receiver(club_shown, dispatch_uid="tournaments: events of a club")
def show_coming(*, club: Club, **_: Any) -> dict[str, Any] | None:
    """Add the events that one can enter to a club's page."""
    return events_section(club)


@receiver(club_acts, dispatch_uid="tournaments: acts at events")
def tell_acts(*, club: Club, before: dt.datetime, most: int, **_: Any) -> list[dict[str, Any]]:
    """Add what people did at events to the log of a club."""
    return acts_at_events(club, before=before, most=most)
