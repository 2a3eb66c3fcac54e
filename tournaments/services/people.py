"""What becomes of a person's places in events when the person joins from a guest, or goes for ever."""

from __future__ import annotations

from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.errors import PersonRefusal
from clubs.models import Membership, User
from tournaments.models import Entry, Tournament

OVER = (Tournament.State.FINISHED, Tournament.State.ARCHIVED, Tournament.State.CANCELLED)
GONE = (Entry.Status.WITHDRAWN, Entry.Status.NO_SHOW)

# The guard of the record lets this through and nothing else: a name goes, what was done stays.
FORGET_NAMES = """
    UPDATE tournaments_action a SET after = a.after - 'name' FROM tournaments_entry e
    WHERE e.user_id = %s AND a.tournament_id = e.tournament_id AND a.kind = 'entered'
        AND a.after ->> 'entry' = e.number::text AND a.after ? 'name'
"""


def take_over_entries(*, guest: User, member: User) -> None:
    """Give a member the places that a guest had in events, except where the member takes part already, or was sent away
    from the club."""
    own = Entry.objects.filter(Q(user=member) | Q(substitute=member)).values("tournament")
    barred = Membership.objects.filter(user=member, state=Membership.State.BANNED).values("club")
    free = Entry.objects.exclude(tournament__in=own).exclude(tournament__club__in=barred)
    free.filter(user=guest).update(user=member)
    free.filter(substitute=guest).update(substitute=member)


def check_leaves(*, user: User) -> None:
    """Raise ``PersonRefusal("in_an_event")`` while the person is expected at an event, or may win something there."""
    expected = Entry.objects.filter(Q(user=user) | Q(substitute=user)).exclude(tournament__state__in=OVER)
    if expected.exclude(status__in=GONE).exists():
        raise PersonRefusal("in_an_event")


def forget_person(*, user: User) -> None:
    """Take a person's name off events: in lists and records there is a player with a number."""
    with connection.cursor() as cursor:
        cursor.execute(FORGET_NAMES, [user.pk])
    Entry.objects.filter(user=user).update(user=None)
    Entry.objects.filter(substitute=user).update(substitute=None, substitute_name=_("erased member"))
