"""Requests to join: asked by a person, decided by the club's organisers, once."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from clubs.errors import ClubRefusal
from clubs.models import Club, JoinRequest, User
from clubs.selectors import forget_memberships, is_banned, roles_in, users_with
from clubs.services.members import (
    ADMIT,
    ASKED,
    check_right,
    end_requests,
    locked_club,
    make_member,
    request_key,
    write_down,
)
from clubs.services.notices import notify

MOST_A_DAY = 3
WAITING = JoinRequest.State.WAITING
ANSWERED = "join_answer"
"""The kind of the notice to who asked."""


def ask_to_join(*, club: Club, user: User, message: str = "") -> JoinRequest:
    """Ask to become a member.

    Raises ``ClubRefusal`` (``account_needed``, ``already_member``, ``banned``, ``joining_closed``, ``already_asked``,
    ``asked_too_often``).
    """
    if user.is_guest:
        raise ClubRefusal("account_needed")
    with locked_club(club.pk) as locked:
        forget_memberships(user)
        if roles_in(user, locked.pk):
            raise ClubRefusal("already_member")
        if is_banned(user, locked.pk):
            raise ClubRefusal("banned")
        if locked.joining != Club.Joining.REQUEST:
            raise ClubRefusal("joining_closed")
        if JoinRequest.objects.filter(club=locked, user=user, state=WAITING).exists():
            raise ClubRefusal("already_asked")
        _check_not_too_often(locked, user)
        made = JoinRequest.objects.create(club=locked, user=user, message=message.strip()[:500])
        notify(
            users=users_with(ADMIT, locked.pk),
            kind=ASKED,
            key=request_key(made.pk),
            address=reverse("club_members", args=[locked.slug]),
            about={"club": locked.name},
            club_id=locked.pk,
        )
        return made


def _check_not_too_often(club: Club, user: User) -> None:
    """Refuse to ask, withdraw and ask again all day long: the organisers are told each time."""
    since = timezone.now() - dt.timedelta(days=1)
    if JoinRequest.objects.filter(club=club, user=user, made_at__gt=since).count() >= MOST_A_DAY:
        raise ClubRefusal("asked_too_often")


def withdraw_request(*, club: Club, user: User) -> None:
    """Take one's own request back; without one nothing happens."""
    with transaction.atomic():
        end_requests(JoinRequest.objects.filter(club=club, user=user), JoinRequest.State.WITHDRAWN)


def decide_request(*, club: Club, by: User, request_id: int, accept: bool) -> JoinRequest:
    """Accept or refuse a request.

    Raises ``ClubRefusal`` (``not_allowed``, ``no_such_request``, ``account_needed``, ``banned``). Locks the club.
    """
    with locked_club(club.pk) as locked:
        check_right(by, ADMIT, locked)
        waiting = JoinRequest.objects.filter(club=locked, pk=request_id, state=WAITING)
        found = waiting.select_related("user").first()
        if found is None:
            raise ClubRefusal("no_such_request")
        end_requests(waiting, JoinRequest.State.ACCEPTED if accept else JoinRequest.State.REFUSED)
        found.refresh_from_db()
        if accept:
            make_member(locked, found.user)
        write_down(locked, by, "accepted" if accept else "refused", found.user)
        notify(
            users=[found.user],
            kind=ANSWERED,
            key=f"{ANSWERED}:{found.pk}",
            address=reverse("club", args=[locked.slug]) if accept else reverse("clubs"),
            about={"club": locked.name, "accepted": accept},
            club_id=locked.pk,
        )
        return found
