"""Invitations: links that make people members, with a number of uses and an end.

The token is derived from the invitation's id and the site's key, so that the club can
show the link again; the database has its hash alone, and whoever reads a stolen
copy of it cannot join. A token has 256 bits: guessing is hopeless, and slowed besides.
"""

from __future__ import annotations

import base64
import contextlib
import datetime as dt
import hashlib
import secrets
import uuid

from django.core.cache import cache
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.errors import ClubRefusal
from clubs.models import OFFICES, Club, Invitation, Membership, Role, User
from clubs.selectors import forget_memberships, roles_in
from clubs.selectors.pages import holds
from clubs.services.members import ADMIT, GOVERN, check_right, locked_club, make_member, write_down

LONGEST_DAYS = 90
MOST_USES = 500
MOST_OPEN = 50
TRIES, TRIES_SECONDS = 20, 300
"""So many wrong invitations from one network in so many seconds; then even right ones wait."""


def invite(*, club: Club, by: User, role: str = Role.MEMBER, uses: int = 1, days: int = 7) -> Invitation:
    """Make an invitation; one that gives an office can be made by an owner alone, and none makes an owner.

    Raises ``ClubRefusal`` (``not_allowed``, ``bad_role``, ``bad_uses``, ``too_many_invitations``). Locks the club.
    """
    if role not in (*OFFICES, Role.MEMBER) or role == Role.OWNER:
        raise ClubRefusal("bad_role")
    if not (1 <= uses <= MOST_USES and 1 <= days <= LONGEST_DAYS):
        raise ClubRefusal("bad_uses")
    with locked_club(club.pk) as locked:
        check_right(by, ADMIT if role == Role.MEMBER else GOVERN, locked)
        now = timezone.now()
        if Invitation.objects.filter(club=locked, revoked_at=None, expires_at__gt=now).count() >= MOST_OPEN:
            raise ClubRefusal("too_many_invitations")
        number = uuid.UUID(bytes=secrets.token_bytes(16), version=4)
        made = Invitation.objects.create(
            id=number,
            club=locked,
            token_hash=_hash(_token(number)),
            role=role,
            made_by=by,
            expires_at=now + dt.timedelta(days=days),
            max_uses=uses,
        )
        write_down(locked, by, "invited", role=str(role), uses=uses, days=days, invitation=str(made.pk))
        return made


def token_of(invitation: Invitation) -> str:
    """Return the secret part of an invitation's link; empty when the site's key has changed since it was made."""
    token = _token(invitation.pk)
    return token if _hash(token) == bytes(invitation.token_hash) else ""


def revoke(*, club: Club, by: User, invitation_id: uuid.UUID) -> None:
    """Take an invitation back; twice changes nothing. Raises ``ClubRefusal`` (``not_allowed``, ``no_such_invitation``)."""
    with locked_club(club.pk) as locked:
        check_right(by, ADMIT, locked)
        found = Invitation.objects.filter(club=locked, pk=invitation_id).first()
        if found is None:
            raise ClubRefusal("no_such_invitation")
        if found.revoked_at is None:
            found.revoked_at = timezone.now()
            found.save(update_fields=["revoked_at"])
            write_down(locked, by, "revoked", invitation=str(found.pk))


def find_invitation(*, token: str, network: str) -> Invitation:
    """Return the invitation that a link names and that still holds. ``network`` is where the request comes from.

    Raises ``ClubRefusal`` (``bad_invitation`` whatever is wrong with it, ``too_many_tries``).
    """
    key = f"invitations:{hashlib.sha256(network.encode()).hexdigest()[:32]}"
    if cache.get(key, 0) >= TRIES:
        raise ClubRefusal("too_many_tries")
    found = Invitation.objects.filter(token_hash=_hash(token)).select_related("club", "made_by").first()
    if found is None or not holds(found):
        # Counted before the time of the first one is over; after it the count begins anew.
        if not cache.add(key, 1, TRIES_SECONDS):
            with contextlib.suppress(ValueError):
                cache.incr(key)
        raise ClubRefusal("bad_invitation")
    return found


def redeem(*, token: str, user: User, network: str) -> Membership:
    """Become a member by an invitation, which is used once more.

    Raises ``ClubRefusal`` (``bad_invitation``, ``too_many_tries``, ``account_needed``, ``already_member``, ``banned``).
    Locks the club and the invitation's row.
    """
    named = find_invitation(token=token, network=network)
    with locked_club(named.club_id) as locked:
        found = Invitation.objects.select_for_update().get(pk=named.pk)
        if not holds(found):
            raise ClubRefusal("bad_invitation")
        forget_memberships(user)
        if roles_in(user, locked.pk) >= {found.role, Role.MEMBER}:
            raise ClubRefusal("already_member")
        made = make_member(locked, user, found.role)
        found.uses += 1
        found.save(update_fields=["uses"])
        write_down(locked, user, "came", user, invitation=str(found.pk), role=found.role)
        return made


def _token(number: uuid.UUID) -> str:
    made = salted_hmac("clubs.invitation", number.hex, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
