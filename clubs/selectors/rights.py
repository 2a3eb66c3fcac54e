"""Who may do what where: rights by role, and rights that hold at every club."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend

from clubs.models import Club, Membership, Role, User
from clubs.rules.rights import RIGHTS, ROLES_BY_RIGHT
from clubs.selectors.clubs import Person, memberships_of, roles_in


def rights_in(person: Person, club_id: int) -> frozenset[str]:
    """Return a person's rights in one club: those of the roles there, and those that hold everywhere."""
    return _of_roles(roles_in(person, club_id)) | rights_everywhere(person)


def rights_anywhere(person: Person) -> frozenset[str]:
    """Return the rights that a person has in at least one club."""
    return rights_everywhere(person) | rights_by_role(person)


def rights_by_role(person: Person) -> frozenset[str]:
    """Return the rights that a person's roles give, in all the clubs together."""
    roles = (roles_in(person, club_id) for club_id in memberships_of(person))
    return _of_roles(frozenset().union(*roles))


def enters_desk(person: Person) -> bool:
    """Whether the admin lets a person in: staff of the site, and whoever has a right by a role in some club."""
    if not isinstance(person, User) or not person.is_active:
        return False
    return person.is_staff or bool(rights_by_role(person))


def rights_everywhere(person: Person) -> frozenset[str]:
    """Return the rights that hold at every club: of groups and of permissions given to the person alone."""
    if not isinstance(person, User) or not person.is_active:
        return frozenset()
    return frozenset(ModelBackend().get_all_permissions(person))


def clubs_where(person: Person, right: str) -> frozenset[int] | None:
    """Return the ids of the clubs where a person has a right; ``None`` when it holds at every club."""
    if not isinstance(person, User) or not person.is_active:
        return frozenset()
    if person.is_superuser or right in rights_everywhere(person):
        return None
    allowed = ROLES_BY_RIGHT.get(right, frozenset())
    return frozenset(club_id for club_id in memberships_of(person) if roles_in(person, club_id) & allowed)


def users_with(right: str, club_id: int) -> Any:
    """Return the members of a club whose roles there give a right, as a queryset."""
    roles = sorted(ROLES_BY_RIGHT.get(right, frozenset()))
    rows = Membership.objects.filter(club=club_id, state=Membership.State.ACTIVE, roles__overlap=roles)
    return User.objects.filter(memberships__in=rows, is_active=True)


def may_invite(person: Person, role: str, club_id: int) -> bool:
    """Whether a person may let others into a club by a link that gives ``role``: an office only who governs the club."""
    if not isinstance(person, User) or not person.is_active:
        return False
    right = "clubs.admit" if role == Role.MEMBER else "clubs.govern"
    return person.is_superuser or right in rights_in(person, club_id)


def club_id_of(thing: Any) -> int:
    """Return the id of the club that ``thing`` is, or belongs to by its ``club_id``; anything else is a mistake."""
    return int(thing.pk if isinstance(thing, Club) else thing.club_id)


def _of_roles(roles: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(RIGHTS[role] for role in roles))
