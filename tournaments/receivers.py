"""What events do when something happens elsewhere: a table waits for them, the ledger asks about their chips."""

from typing import Any

from clubs.models import User
from clubs.signals import erased, guest_joined, may_erase, profile_shown, told_about
from django.dispatch import receiver
from games.models import Table
from games.signals import table_waits
from tournaments.schedule import settle_after_commit, tournament_of
from tournaments.selectors.people import entries_of_person, own_entries
from tournaments.services import check_event, events_with_chips, people

from tournaments import stakes

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
