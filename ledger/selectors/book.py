"""Reading the book: balances now and then, the trial balance, holds.

Every query stays quick at ten million postings: it looks accounts up by key or
walks an index from a known place, and never counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from ledger.errors import UnknownAccount, UnknownAsset, UnknownTransaction
from ledger.models import Account, Asset, Transaction


class TrialLine(NamedTuple):
    """Totals of all accounts of one kind; ``balance`` is credits less debits."""

    kind: str
    accounts: int
    debits: int
    credits: int
    debits_pending: int
    credits_pending: int

    @property
    def balance(self) -> int:
        """Chips in all accounts of this kind."""
        return self.credits - self.debits

    @property
    def title(self) -> str:
        """The kind in the active language."""
        return str(Account.Kind(self.kind).label)


def balance(account: int) -> int:
    """Chips in the account now, holds not subtracted. Raises ``UnknownAccount``."""
    return get_account(account).balance


def balances_of(accounts: Sequence[int]) -> dict[int, int]:
    """The posted balances of several accounts, by id, in one query; unknown ids are left out."""
    rows = Account.objects.filter(id__in=accounts).values_list("id", "credits", "debits")
    return {account: credits - debits for account, credits, debits in rows}


def available(account: int) -> int | None:
    """What may still leave the account: balance less holds, down to its floor. None when it has no floor."""
    found = get_account(account)
    return None if found.min_balance is None else found.available


def get_account(account: int) -> Account:
    """The account with its asset. Raises ``UnknownAccount``."""
    found = Account.objects.select_related("asset").filter(id=account).first()
    if found is None:
        raise UnknownAccount(account=account)
    return found


def find_account(*, kind: str, ref: str, asset: str) -> int | None:
    """The id of an account that was opened, or None."""
    return Account.objects.filter(kind=kind, ref=ref, asset__code=asset).values_list("id", flat=True).first()


def minted_assets(*, club_id: int) -> list[str]:
    """The codes of a club's assets that have a mint, in alphabetical order."""
    mints = Account.objects.filter(kind="mint", asset__club=club_id)
    return list(mints.order_by("asset__code").values_list("asset__code", flat=True))


def club_of_asset(code: str) -> int | None:
    """The id of the club whose chips have this code, or None."""
    return Asset.objects.filter(code=code).values_list("club_id", flat=True).first()


def accounts_of(owner: UUID) -> QuerySet[Account]:
    """A person's wallets and seats, oldest first."""
    return Account.objects.select_related("asset").filter(owner=owner).order_by("id")


BALANCE_AT = """
    SELECT after FROM (
        (SELECT debit_after AS after, at, debit_seq AS seq FROM ledger_posting
            WHERE debit_id = %(account)s AND at <= %(at)s ORDER BY at DESC, debit_seq DESC LIMIT 1)
        UNION ALL
        (SELECT credit_after, at, credit_seq FROM ledger_posting
            WHERE credit_id = %(account)s AND at <= %(at)s ORDER BY at DESC, credit_seq DESC LIMIT 1)
    ) last ORDER BY seq DESC LIMIT 1
"""


def balance_at(account: int, at: datetime) -> int:
    """Chips in the account at a time (aware), postings of that very microsecond included; one probe per side.

    Raises ``UnknownAccount``.
    """
    get_account(account)
    with connection.cursor() as cursor:
        cursor.execute(BALANCE_AT, {"account": account, "at": at})
        row = cursor.fetchone()
    return row[0] if row else 0


TRIAL_BALANCE = """
    SELECT kind, count(*), sum(debits)::bigint, sum(credits)::bigint,
        sum(debits_pending)::bigint, sum(credits_pending)::bigint
    FROM ledger_account WHERE asset_id = %s GROUP BY kind ORDER BY kind
"""


def trial_balance(asset: str) -> list[TrialLine]:
    """Totals by kind of account for one asset's code; the balances add up to 0. Raises ``UnknownAsset``."""
    found = Asset.objects.filter(code=asset).first()
    if found is None:
        raise UnknownAsset(asset=asset)
    with connection.cursor() as cursor:
        cursor.execute(TRIAL_BALANCE, [found.pk])
        return [TrialLine(*row) for row in cursor.fetchall()]


def open_holds(*, source_prefix: str = "") -> QuerySet[Transaction]:
    """Holds that were neither posted nor voided, oldest first."""
    holds = Transaction.objects.filter(state=Transaction.State.PENDING, resolutions__isnull=True)
    return holds.filter(source__startswith=source_prefix).order_by("at", "id")


def get_transaction(number: int) -> Transaction:
    """The transaction with its note and its place in a seal. Raises ``UnknownTransaction``."""
    found = Transaction.objects.select_related("note", "leaf").filter(pk=number).first()
    if found is None:
        raise UnknownTransaction(transaction=number)
    return found
