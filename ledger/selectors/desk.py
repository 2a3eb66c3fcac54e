"""What was done at the treasurer's desk of a club."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from clubs.models import Club
from ledger.models import AccountOwner, Adjustment, CreditLine, Posting, Transaction
from ledger.selectors.clubs import moving_chips_of
from ledger.selectors.people import names_of
from ledger.wording import credit_line_set, done_at_desk, request_state

DESK = "desk:"
KINDS = ("issue", "redeem", "move", "clear")


def acts_at_desk(club: Club, *, before: dt.datetime, most: int) -> list[dict[str, Any]]:
    """Return what treasurers did, and who asked for and decided on reversals (``clubs.signals.club_acts``).

    One walk along an index for each kind of transaction: a large book does not make it slow.
    """
    return [
        *_transactions(club, before, most),
        *_credit_lines(club, before, most),
        *_adjustments(club, before, most),
    ]


def _transactions(club: Club, before: dt.datetime, most: int) -> list[dict[str, Any]]:
    rows: list[Transaction] = []
    for kind in KINDS:
        of_kind = Transaction.objects.filter(kind=kind, at__lt=before, source__startswith=DESK)
        rows += moving_chips_of(of_kind, [club.pk]).select_related("note").order_by("-at", "-pk")[:most]
    first = Posting.objects.filter(transaction__in=rows, n=1).select_related("debit", "credit", "asset")
    moved = {posting.transaction_id: posting for posting in first}
    people = _people({UUID(row.source.removeprefix(DESK)) for row in rows})
    names = names_of(side.owner for posting in moved.values() for side in (posting.debit, posting.credit))
    return [
        {
            "at": row.at,
            "by": people.get(UUID(row.source.removeprefix(DESK))),
            "what": done_at_desk(row.kind, posting.amount, posting.asset),
            "about": ", ".join(names[side.owner] for side in (posting.debit, posting.credit) if side.owner),
            "why": row.note.text if hasattr(row, "note") else "",
        }
        for row in rows
        for posting in [moved[row.pk]]
    ]


def _credit_lines(club: Club, before: dt.datetime, most: int) -> list[dict[str, Any]]:
    lines = CreditLine.objects.filter(account__asset__club=club, at__lt=before).order_by("-at", "-pk")
    rows = list(lines.select_related("account__asset")[:most])
    people = _people({row.set_by for row in rows})
    names = names_of(row.account.owner for row in rows)
    return [
        {
            "at": row.at,
            "by": people.get(row.set_by),
            "what": credit_line_set(row.credit, row.account.asset),
            "about": names[row.account.owner] if row.account.owner else "",
            "why": row.reason,
        }
        for row in rows
    ]


def _adjustments(club: Club, before: dt.datetime, most: int) -> list[dict[str, Any]]:
    """Requests for reversals, and the decisions on them."""
    asked = moving_chips_of(Adjustment.objects.filter(requested_at__lt=before), [club.pk], path="transaction")
    rows = list(asked.order_by("-requested_at", "-pk")[:most])
    people = _people({who for row in rows for who in (row.requested_by, _decider(row)) if who})
    told = []
    for row in rows:
        about = {"about": f"#{row.transaction_id}", "why": row.reason}
        what = request_state("requested")
        told.append({"at": row.requested_at, "by": people.get(row.requested_by), "what": what, **about})
        decider = _decider(row)
        if row.decided_at is not None and row.decided_at < before and decider is not None:
            what = request_state(row.state)
            told.append({"at": row.decided_at, "by": people.get(decider), "what": what, **about})
    return told


def _decider(row: Adjustment) -> UUID | None:
    return row.approved_by or row.rejected_by


def _people(owners: set[UUID]) -> dict[UUID, Any]:
    found = AccountOwner.objects.filter(id__in=owners).select_related("user")
    return {each.id: each.user for each in found}
