"""Telling those who may approve a reversal that somebody asks for one."""

from __future__ import annotations

from django.urls import reverse

from clubs.models import Club
from clubs.selectors import users_with
from clubs.services import notify, settle_notices
from ledger.models import Adjustment

APPROVAL = "approval"
"""The kind of the notice."""

APPROVE = "ledger.approve_adjustment"


def tell_approvers(asked: Adjustment) -> None:
    """Tell everybody who may decide the request, but not who made it: nobody approves their own."""
    club_id = asked.transaction.club_id
    if club_id is None:
        return
    club = Club.objects.get(pk=club_id)
    notify(
        users=users_with(APPROVE, club.pk).exclude(account_owner=asked.requested_by),
        kind=APPROVAL,
        key=_key(asked),
        address=reverse("admin:ledger_adjustment_change", args=[asked.pk]),
        about={"club": club.name},
        club_id=club.pk,
    )


def settle_approval(asked: Adjustment) -> None:
    """The request is decided: it waits for nobody any more."""
    settle_notices(keys=[_key(asked)])


def _key(asked: Adjustment) -> str:
    return f"{APPROVAL}:{asked.pk}"
