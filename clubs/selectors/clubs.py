"""Which clubs there are, and what a person is in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from clubs.models import FIRST_CLUB, Club, Membership, Role, User

Person = User | AnonymousUser | Any
"""Whoever asks: a member, a guest, or nobody signed in."""

_KEPT = "_memberships_by_club"


def memberships_of(person: Person) -> Mapping[int, Membership]:
    """Return a person's memberships by club, those that ended and bans too; read once for each instance of the person."""
    if not isinstance(person, User) or person.pk is None:
        return {}
    known: Mapping[int, Membership] | None = person.__dict__.get(_KEPT)
    if known is None:
        rows = Membership.objects.filter(user=person).select_related("club").order_by("joined_at", "pk")
        known = {row.club_id: row for row in rows}
        person.__dict__[_KEPT] = known
    return known


def forget_memberships(person: Person) -> None:
    """Let ``memberships_of`` read anew: the memberships have changed."""
    person.__dict__.pop(_KEPT, None)


def clubs_of(person: Person) -> list[Club]:
    """Return the clubs that a person is a member of, the one joined first at the head."""
    found = memberships_of(person).values()
    return [membership.club for membership in found if membership.state == Membership.State.ACTIVE]


def roles_in(person: Person, club_id: int) -> frozenset[str]:
    """Return a person's roles in a club: none, or ``member`` and the offices."""
    found = memberships_of(person).get(club_id)
    if found is None or found.state != Membership.State.ACTIVE:
        return frozenset()
    return frozenset(found.roles) | {Role.MEMBER.value}


def is_banned(person: Person, club_id: int) -> bool:
    """Whether a person was sent away from a club."""
    found = memberships_of(person).get(club_id)
    return found is not None and found.state == Membership.State.BANNED


def may_see_club(person: Person, club: Club) -> bool:
    """Whether a person may see the club's page and what it publishes: members always, others when it is listed."""
    return _let_in(person, club, strangers=club.listed)


def may_play_at(person: Person, club: Club) -> bool:
    """Whether a person may sit and watch at the club's tables: members always, others where guests are welcome."""
    return _let_in(person, club, strangers=club.welcomes_guests)


def _let_in(person: Person, club: Club, *, strangers: bool) -> bool:
    if roles_in(person, club.pk):
        return True
    if strangers and not is_banned(person, club.pk):
        return True
    return keeps_the_site(person)


def keeps_the_site(person: Person) -> bool:
    """Whether a person keeps the whole site, whatever club: superusers, and who has rights that hold everywhere."""
    if not isinstance(person, User) or not person.is_active:
        return False
    return person.is_superuser or bool(ModelBackend().get_all_permissions(person))


def people_at(club: Club) -> QuerySet[User]:
    """Return the people with an account whom a club deals with: its members, and everybody while there is one club."""
    people = User.objects.filter(is_guest=False, is_active=True)
    if several_clubs():
        people = people.filter(memberships__club=club, memberships__state=Membership.State.ACTIVE)
    return people


def first_club() -> Club:
    """Return the club that the site began with."""
    return Club.objects.get(pk=FIRST_CLUB)


def listed_clubs() -> list[Club]:
    """Return the clubs that everybody may see, by name."""
    return list(Club.objects.filter(listed=True, founded_at__isnull=False))


def several_clubs() -> bool:
    """Whether the site has more than one club: with a single one the site is that club's."""
    return Club.objects.count() > 1


def club_gate(slug: str, person: Person, _address: str) -> Club | None:
    """Return the club of an address that a person may see, ``None`` for any other."""
    club = Club.objects.filter(slug=slug).first()
    return club if club is not None and may_see_club(person, club) else None


def chosen_club(person: Person, kept: object) -> Club:
    """Return the club that pages are about while no object says which: the ``kept`` one (an id out of the session) if
    the person may see it, else the person's first, else the first one that is listed, else the site's first."""
    own = clubs_of(person)
    if isinstance(kept, int):
        club = next((club for club in own if club.pk == kept), None) or Club.objects.filter(pk=kept).first()
        if club is not None and may_see_club(person, club):
            return club
    if own:
        return own[0]
    clubs = list(Club.objects.order_by("pk")[:2])
    if len(clubs) == 1 or clubs[0].listed:
        return clubs[0]
    return Club.objects.filter(listed=True).order_by("pk").first() or clubs[0]
