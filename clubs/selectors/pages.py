"""What the pages of a club show: its members, requests, invitations, and what was done in it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from clubs.models import Act, Club, Invitation, JoinRequest, Membership
from clubs.selectors.rights import may_invite
from clubs.signals import club_acts, club_shown
from clubs.wording import act_in_words

SHOWN = 200
"""Entries of the log on one page."""


class Done(NamedTuple):
    """One entry of a club's log, in the active language: when, who (``None``: the site, or somebody erased), what, about what."""

    at: dt.datetime
    by: Any
    what: str
    about: str = ""
    why: str = ""
    address: str = ""


def members_of(club: Club) -> QuerySet[Membership]:
    """Return the members of a club with the people, by name."""
    active = Membership.objects.filter(club=club, state=Membership.State.ACTIVE).select_related("user")
    return active.order_by("user__display_name", "user__username")


def banned_from(club: Club) -> QuerySet[Membership]:
    """Return those whom a club has sent away, the last first."""
    banned = Membership.objects.filter(club=club, state=Membership.State.BANNED).select_related("user")
    return banned.order_by("-changed_at", "-pk")


def requests_to(club: Club) -> QuerySet[JoinRequest]:
    """Return the requests that wait to be decided, the oldest first."""
    return JoinRequest.objects.filter(club=club, state=JoinRequest.State.WAITING).select_related("user")


def open_invitations(club: Club) -> list[Invitation]:
    """Return the invitations that still hold, the newest first."""
    rows = Invitation.objects.filter(club=club, revoked_at=None, expires_at__gt=timezone.now())
    return [row for row in rows.select_related("made_by") if holds(row)]


def holds(invitation: Invitation) -> bool:
    """Whether an invitation lets somebody in now. It is worth what its maker may do: a link that was kept in a pocket does
    not outlive the office, the membership or the account of whoever made it."""
    valid = invitation.revoked_at is None and invitation.expires_at > timezone.now()
    if not valid or invitation.uses >= invitation.max_uses:
        return False
    return may_invite(invitation.made_by, invitation.role, invitation.club_id)


def sections_of(club: Club, viewer: Any) -> list[dict[str, Any]]:
    """Return what the apps above have to show on a club's page: ``{"template": name, ...}`` each."""
    answers: Iterable[Any] = club_shown.send(sender=Club, club=club, viewer=viewer)
    return [section for _receiver, section in answers if section]


def log_of(club: Club, *, before: dt.datetime | None = None) -> tuple[list[Done], bool]:
    """Return what was done in a club in whatever part of the site before a moment, the newest first, and whether older
    entries follow. These are ``SHOWN`` entries or a few less: what was done at one moment is never parted, since the next
    page begins before the moment of the last entry. More than ``SHOWN`` acts of one moment come on one page."""
    before = before or timezone.now()
    most = SHOWN
    while True:
        found = _done_before(club, before, most + 1)
        if len(found) <= most:
            return found, False
        whole = [done for done in found[:most] if done.at > found[most].at]
        if whole:
            return whole, True
        most *= 2


def _done_before(club: Club, before: dt.datetime, most: int) -> list[Done]:
    own = Act.objects.filter(club=club, at__lt=before).select_related("by", "about")[:most]
    found = [
        Done(
            act.at,
            act.by,
            act_in_words(act.verb, act.details),
            act.about.shown_name if act.about and act.about != act.by else "",
            str(act.details.get("why", "")),
        )
        for act in own
    ]
    answers: Iterable[Any] = club_acts.send(sender=Club, club=club, before=before, most=most)
    for _receiver, entries in answers:
        found += [Done(**entry) for entry in entries]
    return sorted(found, key=lambda done: done.at, reverse=True)[:most]
