"""Members of a club: joining, leaving, roles, bans. Whoever changes a membership holds the club's row."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clubs.errors import ClubRefusal
from clubs.models import OFFICES, Act, Club, JoinRequest, Membership, Role, User
from clubs.selectors import forget_memberships, is_banned, rights_in, roles_in
from clubs.services.notices import forget_notices_of, settle_notices
from clubs.signals import sent_away

GOVERN, ADMIT = "clubs.govern", "clubs.admit"
ASKED = "join_request"
"""The kind of the notice to those who may admit that somebody asks to join."""


@contextlib.contextmanager
def locked_club(club_id: int) -> Iterator[Club]:
    """Open a transaction and lock the club's row: two who change its members wait for each other."""
    with transaction.atomic():
        yield Club.objects.select_for_update(no_key=True).get(pk=club_id)


def check_right(person: User, right: str, club: Club) -> None:
    """Raise ``ClubRefusal("not_allowed")`` unless the person has the right in the club, as its roles are now."""
    forget_memberships(person)
    if not person.is_active or not (person.is_superuser or right in rights_in(person, club.pk)):
        raise ClubRefusal("not_allowed")


def write_down(club: Club, by: User | None, verb: str, about: User | None = None, **details: Any) -> Act:
    """Add to what was done in a club; ``details`` are JSON-ready and name nobody."""
    return Act.objects.create(club=club, by=by, verb=verb, about=about, details=details)


def make_member(club: Club, user: User, role: str = Role.MEMBER) -> Membership:
    """Make a person a member with one role more; the caller holds the club's row.

    Raises ``ClubRefusal`` (``account_needed``, ``banned``).
    """
    if user.is_guest or not user.is_active:
        raise ClubRefusal("account_needed")
    forget_memberships(user)
    if is_banned(user, club.pk):
        raise ClubRefusal("banned")
    found, _made = Membership.objects.get_or_create(club=club, user=user)
    found.state = Membership.State.ACTIVE
    if role != Role.MEMBER and role not in found.roles:
        found.roles = [*found.roles, role]
    found.save()
    end_requests(JoinRequest.objects.filter(club=club, user=user), JoinRequest.State.ACCEPTED)
    forget_memberships(user)
    return found


def end_requests(asked: QuerySet[JoinRequest], state: JoinRequest.State) -> None:
    """Let those of the requests that still wait be decided; nobody need be told of them any more."""
    waiting = asked.filter(state=JoinRequest.State.WAITING)
    keys = [request_key(pk) for pk in waiting.values_list("pk", flat=True)]
    waiting.update(state=state, decided_at=timezone.now())
    settle_notices(keys=keys)


def request_key(request_id: int) -> str:
    """Return the key of the notices about a request."""
    return f"{ASKED}:{request_id}"


def join_club(*, club: Club, user: User) -> Membership:
    """Join a club that is open to everybody with an account.

    Raises ``ClubRefusal`` (``joining_closed``, ``already_member``, ``account_needed``, ``banned``). Locks the club.
    """
    with locked_club(club.pk) as locked:
        forget_memberships(user)
        if roles_in(user, locked.pk):
            raise ClubRefusal("already_member")
        if locked.joining != Club.Joining.OPEN:
            raise ClubRefusal("joining_closed")
        made = make_member(locked, user)
        write_down(locked, user, "joined", user)
        return made


def leave_club(*, club: Club, user: User) -> None:
    """Leave a club; the person's seats at its tables are given up. Raises ``ClubRefusal`` (``not_member``, ``last_owner``)."""
    with locked_club(club.pk) as locked:
        found = _member(locked, user.pk, missing="not_member")
        _check_owner_stays(locked, found, [])
        _end(found, Membership.State.LEFT)
        write_down(locked, user, "left", user)
        sent_away.send(sender=Club, club=locked, user=user, by=user)


def set_roles(*, club: Club, by: User, user_id: int, roles: Collection[str]) -> Membership:
    """Give a member these offices and no others.

    Raises ``ClubRefusal`` (``not_allowed``, ``own_roles``, ``no_such_member``, ``bad_role``, ``last_owner``). Locks the club.
    """
    wanted = [role.value for role in OFFICES if role in roles]
    if len(wanted) != len(set(roles) - {Role.MEMBER}):
        raise ClubRefusal("bad_role")
    with locked_club(club.pk) as locked:
        check_right(by, GOVERN, locked)
        if user_id == by.pk:
            raise ClubRefusal("own_roles")
        found = _member(locked, user_id)
        _check_owner_stays(locked, found, wanted)
        before, found.roles = sorted(found.roles), wanted
        found.save()
        forget_memberships(found.user)
        write_down(locked, by, "roles", found.user, before=before, after=sorted(wanted))
        return found


def ban(*, club: Club, by: User, user_id: int, why: str) -> None:
    """Send somebody away for good: no seat, no page, no way back until the ban is lifted.

    Somebody who is, was or asked to become a member; of other people of the site a club knows nothing.

    Raises ``ClubRefusal`` (``not_allowed``, ``not_yourself``, ``no_such_member``, ``owners_only``, ``last_owner``).
    """
    with locked_club(club.pk) as locked:
        check_right(by, ADMIT, locked)
        if user_id == by.pk:
            raise ClubRefusal("not_yourself")
        user = _known(locked, user_id)
        found, _made = Membership.objects.get_or_create(
            club=locked, user=user, defaults={"state": Membership.State.LEFT}
        )
        if found.roles:
            # Whoever has a role is not sent away by somebody who could not have given it.
            _check_owner(by, locked)
            _check_owner_stays(locked, found, [])
        _end(found, Membership.State.BANNED)
        end_requests(JoinRequest.objects.filter(club=locked, user=user), JoinRequest.State.REFUSED)
        write_down(locked, by, "banned", user, why=why.strip()[:500])
        sent_away.send(sender=Club, club=locked, user=user, by=by)


def lift_ban(*, club: Club, by: User, user_id: int) -> None:
    """Let somebody come again, as an outsider. Raises ``ClubRefusal`` (``not_allowed``, ``no_such_member``). Locks the club."""
    with locked_club(club.pk) as locked:
        check_right(by, ADMIT, locked)
        found = (
            Membership.objects.filter(club=locked, user_id=user_id, state=Membership.State.BANNED)
            .select_related("user")
            .first()
        )
        if found is None:
            raise ClubRefusal("no_such_member")
        _end(found, Membership.State.LEFT)
        write_down(locked, by, "unbanned", found.user)


def _member(club: Club, user_id: int, *, missing: str = "no_such_member") -> Membership:
    active = Membership.objects.filter(club=club, state=Membership.State.ACTIVE)
    found = active.filter(user_id=user_id).select_related("user").first()
    if found is None:
        raise ClubRefusal(missing)
    return found


def _known(club: Club, user_id: int) -> User:
    user = User.objects.filter(pk=user_id).first()
    rows = (Membership.objects.filter(club=club, user=user), JoinRequest.objects.filter(club=club, user=user))
    if user is None or not any(found.exists() for found in rows):
        raise ClubRefusal("no_such_member")
    return user


def _end(found: Membership, state: Membership.State) -> None:
    found.state, found.roles = state, []
    found.save()
    forget_notices_of(user=found.user, club=found.club)
    forget_memberships(found.user)


def _check_owner(by: User, club: Club) -> None:
    if not by.is_superuser and GOVERN not in rights_in(by, club.pk):
        raise ClubRefusal("owners_only")


def _check_owner_stays(club: Club, found: Membership, roles: Collection[str]) -> None:
    """Refuse to take the last owner away from a club."""
    if Role.OWNER not in found.roles or Role.OWNER in roles:
        return
    others = Membership.objects.filter(club=club, roles__contains=[Role.OWNER]).exclude(pk=found.pk)
    if not others.filter(user__is_active=True).exists():
        raise ClubRefusal("last_owner")
