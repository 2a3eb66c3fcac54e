"""Corrections: a reversal that one person asks for, with a reason, and another approves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from ledger.errors import (
    AlreadyDecided,
    AlreadyRequested,
    AlreadyReversed,
    NotPosted,
    SamePerson,
    UnknownAdjustment,
    UnknownTransaction,
)
from ledger.models import Account, Adjustment, Asset, Posting, Transaction
from ledger.selectors import called
from ledger.services.accounts import open_house_account, open_wallet
from ledger.services.calling import persistently
from ledger.services.posting import LARGEST_ID, Posted, reverse
from ledger.services.telling import settle_approval, tell_approvers
from ledger.services.treasury import check_reason

STATED_BY_EVENTS = (
    Account.Kind.SEAT,
    Account.Kind.POT,
    Account.Kind.ENTRY,
    Account.Kind.POOL,
    Account.Kind.FEE,
)
"""Accounts that must hold what their table's or tournament's events say: a correction never touches them."""


def request_adjustment(*, transaction_id: int, requested_by: UUID, reason: str) -> Adjustment:
    """Ask for the reversal of a transaction.

    Raises ``LedgerError``: reason_missing, unknown_transaction, not_posted,
    already_reversed, already_requested.
    """
    check_reason(reason)
    valid = type(transaction_id) is int and 0 < transaction_id <= LARGEST_ID
    target = Transaction.objects.filter(id=transaction_id).first() if valid else None
    if target is None:
        raise UnknownTransaction(transaction=str(transaction_id))
    if target.state not in (Transaction.State.POSTED, Transaction.State.POST):
        raise NotPosted(transaction=transaction_id)
    if target.reversals.exists():
        raise AlreadyReversed(transaction=transaction_id)
    try:
        with transaction.atomic():
            asked = Adjustment.objects.create(transaction=target, requested_by=requested_by, reason=reason)
            tell_approvers(asked)
            return asked
    except IntegrityError as error:
        # The only rule that a well-formed request can break: one open request for a transaction.
        raise AlreadyRequested(transaction=transaction_id) from error


def approve_adjustment(*, adjustment: int, approved_by: UUID) -> Posted:
    """Reverse what was asked for, as another person than who asked; locks the request.

    Chips that went to a seat come from the wallet of its owner, chips that went to
    a pot or a tournament from suspense, which the treasurer then clears: the
    accounts of tables and tournaments stay what their events say. Raises
    ``LedgerError``: unknown_adjustment, already_decided, same_person and what
    ``reverse`` raises; then the request stays open.
    """

    def attempt() -> Posted:
        with transaction.atomic():
            asked = _locked(adjustment)
            if asked.requested_by == approved_by:
                raise SamePerson()
            posted = reverse(
                key=f"adjustment:{asked.pk}",
                kind="reversal",
                source=f"adjustment:{asked.pk}",
                transaction=asked.transaction_id,
                note=asked.reason or None,
                instead=_standing_in(asked.transaction_id),
            )
            _decide(asked, state=Adjustment.State.APPROVED, approved_by=approved_by, reversal_id=posted.id)
            return posted

    return persistently(attempt)


@dataclass(frozen=True)
class Side:
    """One side of a planned posting: the account, or the account to be that has this kind and owner."""

    kind: str
    owner: UUID | None
    ref: str = ""

    def called(self, names: Mapping[UUID, str]) -> str:
        """What people call it, given the names of owners."""
        owner = names[self.owner] if self.owner is not None else ""
        return called(str(Account.Kind(self.kind).label), owner, self.ref)


@dataclass(frozen=True)
class PlannedEntry:
    """A posting that approving a request would make."""

    payer: Side
    payee: Side
    amount: int
    asset: Asset


def planned_reversal(*, transaction_id: int) -> list[PlannedEntry]:
    """What ``approve_adjustment`` would move, for people to see first; nothing is opened or written.

    Raises ``UnknownTransaction``."""
    postings = Posting.objects.filter(transaction=transaction_id).select_related("debit", "credit", "asset")
    planned = [
        PlannedEntry(_side(each.credit), _side(each.debit), each.amount, each.asset)
        for each in postings.order_by("-n")
    ]
    if not planned:
        raise UnknownTransaction(transaction=transaction_id)
    return [entry for entry in planned if entry.payer != entry.payee]


def _side(account: Account) -> Side:
    if account.kind not in STATED_BY_EVENTS and account.closed_at is None:
        return Side(account.kind, account.owner, "" if account.owner else account.ref)
    if _has_wallet(account):
        return Side(Account.Kind.WALLET, account.owner)
    return Side(Account.Kind.SUSPENSE, None)


def reject_adjustment(*, adjustment: int, rejected_by: UUID) -> None:
    """Turn a request down, or withdraw one's own. Raises ``LedgerError``: unknown_adjustment, already_decided."""

    def attempt() -> None:
        with transaction.atomic():
            _decide(_locked(adjustment), state=Adjustment.State.REJECTED, rejected_by=rejected_by)

    persistently(attempt)


def _locked(adjustment: int) -> Adjustment:
    """The undecided request, locked to the end of the transaction."""
    asked = Adjustment.objects.select_for_update(no_key=True).filter(pk=adjustment).first()
    if asked is None:
        raise UnknownAdjustment(adjustment=str(adjustment))
    if asked.state != Adjustment.State.REQUESTED:
        raise AlreadyDecided(adjustment=adjustment)
    return asked


def _decide(asked: Adjustment, **decision: object) -> None:
    """Write down a decision: only the columns that the site may change."""
    Adjustment.objects.filter(pk=asked.pk).update(decided_at=Now(), **decision)
    settle_approval(asked)


def suspense_for_leavers(*, transaction_id: int) -> dict[int, int]:
    """Return for each account of a transaction that is closed, because its owner left the book for ever, the suspense
    account that stands in for it (``reverse``)."""
    return {account.pk: _stand_in(account) for account in _touched(transaction_id) if account.closed_at}


def _standing_in(transaction_id: int) -> dict[int, int]:
    """For each account that a correction must not touch, or that is closed, the one that stands in for it."""
    stated = [each for each in _touched(transaction_id) if each.kind in STATED_BY_EVENTS or each.closed_at]
    return {account.pk: _stand_in(account) for account in stated}


def _touched(transaction_id: int) -> QuerySet[Account]:
    postings = Posting.objects.filter(transaction=transaction_id)
    ids = {account for pair in postings.values_list("debit_id", "credit_id") for account in pair}
    return Account.objects.select_related("asset").filter(id__in=ids)


def _stand_in(account: Account) -> int:
    if _has_wallet(account) and account.owner is not None:
        return open_wallet(owner=account.owner, asset=account.asset.code)
    return open_house_account(kind=Account.Kind.SUSPENSE, asset=account.asset.code)


def _has_wallet(account: Account) -> bool:
    """Whether a seat's chips can come from its owner's wallet: not when the owner left the book for ever."""
    if account.kind != Account.Kind.SEAT or account.owner is None:
        return False
    wallets = Account.objects.filter(kind=Account.Kind.WALLET, owner=account.owner, asset=account.asset)
    return not wallets.filter(closed_at__isnull=False).exists()
