"""What can be read of a person: the address, the devices, and who may see the profile."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.utils.translation import gettext as _

from clubs.models import Club, Membership, User
from clubs.selectors.clubs import Person, clubs_of, keeps_the_site, roles_in

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone|iPad", "iOS"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux|X11", "Linux"),
)


@dataclass(frozen=True)
class Address:
    """A person's e-mail address (empty: none), whether it is confirmed, and the new one that waits for it."""

    email: str
    confirmed: bool
    waiting: str = ""


def address_of(user: User) -> Address:
    """Return the address of a person."""
    rows = list(EmailAddress.objects.filter(user=user).order_by("-verified", "-primary", "-pk"))
    used = next((row for row in rows if row.primary), None)
    email = used.email if used else user.email
    waiting = next((row.email for row in rows if not row.verified and row.email != email), "")
    return Address(email, bool(used and used.verified), waiting)


def device_of(user_agent: str) -> str:
    """Return browser and system of a session in words, as far as they can be told."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if re.search(mark, user_agent)), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("unknown device")


def may_see_person(viewer: Person, person: User) -> bool:
    """Whether somebody may see a person's profile and the games played; guests and erased people have none."""
    if person.is_guest or not person.is_active:
        return False
    if viewer == person or keeps_the_site(viewer):
        return True
    if person.seen_by == User.SeenBy.CLUB:
        return bool({club.pk for club in clubs_of(viewer)} & {club.pk for club in clubs_of(person)})
    return person.seen_by == User.SeenBy.EVERYBODY


def seen_of(viewer: Person, club: Club, people: Collection[User]) -> set[int]:
    """Return the numbers of those of ``people`` who may be looked at, as ``may_see_person`` would say of people of one
    club; one query at most."""
    fellows: set[int] = set()
    if roles_in(viewer, club.pk):
        members = Membership.objects.filter(club=club, user__in=people, state=Membership.State.ACTIVE)
        fellows = set(members.values_list("user_id", flat=True))
    return {
        person.pk
        for person in people
        if person.pk == viewer.pk
        or person.seen_by == User.SeenBy.EVERYBODY
        or (person.seen_by == User.SeenBy.CLUB and person.pk in fellows)
    }


def profiles_of(viewer: Person, club: Club, numbers: Collection[int | None]) -> dict[int, str]:
    """Return the user names, by number, of those of some people whose profiles ``viewer`` may see: for links; two queries."""
    known = {number for number in numbers if number is not None}
    people = list(User.objects.filter(pk__in=known, is_guest=False, is_active=True))
    seen = seen_of(viewer, club, people) if people else set()
    return {person.pk: person.username for person in people if person.pk in seen}
