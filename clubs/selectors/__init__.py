"""What can be read of people and clubs."""

from clubs.selectors.clubs import (
    Person,
    chosen_club,
    clubs_of,
    first_club,
    forget_memberships,
    is_banned,
    keeps_the_site,
    listed_clubs,
    may_play_at,
    may_see_club,
    memberships_of,
    roles_in,
    several_clubs,
)
from clubs.selectors.people import Address, address_of, device_of, may_see_person
from clubs.selectors.sessions import SESSION, session_holds, signs_in

__all__ = [
    "SESSION",
    "Address",
    "Person",
    "address_of",
    "chosen_club",
    "clubs_of",
    "device_of",
    "first_club",
    "forget_memberships",
    "is_banned",
    "keeps_the_site",
    "listed_clubs",
    "may_play_at",
    "may_see_club",
    "may_see_person",
    "memberships_of",
    "roles_in",
    "session_holds",
    "several_clubs",
    "signs_in",
]
