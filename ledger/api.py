"""The HTTP API of the book: one's own wallets, statements and receipts, and those that an auditor may look at."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Schema
from pydantic import Field

from clubs.api.access import ClubSlug, audits, own_club, person, reads
from clubs.api.paging import USUAL_PAGE as USUAL
from clubs.api.paging import Cursor, Limit, Page, read_cursor, whole, write_cursor
from clubs.api.problems import PROBLEMS, Problem
from clubs.api.routing import ScopedRouter
from clubs.models import User
from ledger import selectors, services
from ledger.errors import UnknownAccount, UnknownTransaction
from ledger.models import Account, Asset, Posting, Transaction
from ledger.services.receipts import list_heads, make_receipt

RIGHT = "ledger.view_account"
Number = Annotated[int, Path(ge=1, lt=2**63)]

router = ScopedRouter(tags=["chips"])


class AccountLine(Schema):
    """An account; `owner` is a name, empty for accounts of the house."""

    id: int
    kind: str
    asset: str
    owner: str
    ref: str
    balance: int
    available: int | None = Field(description="What may still leave the account; null: it has no floor.")
    closed: bool


class StatementLine(Schema):
    """One posting seen from an account."""

    seq: int
    at: dt.datetime
    transaction: int
    kind: str
    state: str
    source: str
    other: int = Field(description="The account on the other side.")
    amount: int = Field(description="What came in, negative when chips went out.")
    held: int = Field(description="What was set aside (negative: let go).")
    balance: int
    note: str | None


class PostingLine(Schema):
    """Chips that moved from `debit` to `credit`."""

    debit: int
    credit: int
    amount: int


class TransactionBody(Schema):
    """A transaction: what moved, and why."""

    id: int
    at: dt.datetime
    kind: str
    state: str
    source: str
    postings: list[PostingLine]


class Head(Schema):
    """A published head; hashes, key and signature in hexadecimal (docs/seals.md)."""

    seq: int
    sealed_at: dt.datetime
    transactions: int
    epoch: int
    hash: str
    log_root: str
    key_id: str
    public_key: str
    signature: str


@router.get("/me/accounts", auth=reads, response={200: list[AccountLine], **PROBLEMS}, summary="My wallets")
def own_accounts(request: HttpRequest) -> list[dict[str, Any]]:
    """My wallets, one for each kind of chips that I ever had."""
    found = selectors.accounts_of(services.owner_of(user=person(request))).filter(kind=Account.Kind.WALLET)
    return _account_lines(list(found.select_related("asset").order_by("id")))


@router.get(
    "/me/accounts/{account}/statement",
    auth=reads,
    response={200: Page[StatementLine], **PROBLEMS},
    summary="My statement",
)
def own_statement(
    request: HttpRequest, account: Number, limit: Limit = USUAL, cursor: Cursor = None
) -> dict[str, Any]:
    """The lines of a wallet of mine, newest first."""
    found = _account(account)
    if found.owner != services.owner_of(user=person(request)):
        raise UnknownAccount(account=account)
    return _statement(found, limit, cursor)


@router.get(
    "/me/transactions/{number}",
    auth=reads,
    response={200: TransactionBody, **PROBLEMS},
    summary="My transaction",
)
def own_transaction(request: HttpRequest, number: Number) -> dict[str, Any]:
    """A transaction that touched an account of mine."""
    return _told(*_own_transaction(request, number))


@router.get(
    "/me/transactions/{number}/receipt",
    auth=reads,
    response={200: dict[str, Any], **PROBLEMS},
    summary="My receipt",
)
def own_receipt(request: HttpRequest, number: Number) -> dict[str, Any]:
    """What proves a transaction of mine without this site (docs/seals.md); `not_sealed` while it is too young."""
    _own_transaction(request, number)
    return make_receipt(transaction=number, with_note=True)


@router.get("/heads", auth=reads, response={200: Page[Head], **PROBLEMS}, summary="Heads of the book")
def heads(request: HttpRequest, limit: Limit = USUAL, cursor: Cursor = None) -> dict[str, Any]:
    """The published heads, newest first: whoever keeps one can tell later whether the past was changed."""
    place = read_cursor(cursor, whole)
    found = list_heads(before=place[0] if place else None, limit=limit + 1)
    shown = [vars(head) for head in found[:limit]]
    return {"items": shown, "next": write_cursor(found[limit - 1].seq) if len(found) > limit else None}


@router.get(
    "/accounts", auth=audits, response={200: Page[AccountLine], **PROBLEMS}, summary="Accounts of a club"
)
def accounts(
    request: HttpRequest,
    club: ClubSlug = None,
    kind: Annotated[Account.Kind | None, Query()] = None,
    limit: Limit = USUAL,
    cursor: Cursor = None,
) -> dict[str, Any]:
    """All accounts of a club whose book I may read, in the order in which they were opened."""
    chosen = own_club(request, club)
    if not person(request).has_perm(RIGHT, chosen):
        raise Problem("no_right", RIGHT)
    place = read_cursor(cursor, whole)
    rows = Account.objects.filter(asset__club=chosen, id__gt=place[0] if place else 0)
    found = list(
        (rows.filter(kind=kind) if kind else rows).select_related("asset").order_by("id")[: limit + 1]
    )
    shown = found[:limit]
    return {
        "items": _account_lines(shown),
        "next": write_cursor(shown[-1].pk) if len(found) > limit else None,
    }


@router.get(
    "/accounts/{account}/statement",
    auth=audits,
    response={200: Page[StatementLine], **PROBLEMS},
    summary="Statement of an account",
)
def statement(
    request: HttpRequest, account: Number, limit: Limit = USUAL, cursor: Cursor = None
) -> dict[str, Any]:
    """The lines of an account of a club whose book I may read, newest first."""
    found = _account(account)
    if not _reads_book(person(request), found):
        raise UnknownAccount(account=account)
    return _statement(found, limit, cursor)


@router.get(
    "/transactions/{number}",
    auth=audits,
    response={200: TransactionBody, **PROBLEMS},
    summary="A transaction",
)
def transaction(request: HttpRequest, number: Number) -> dict[str, Any]:
    """A transaction of a club whose book I may read."""
    return _told(*_audited_transaction(request, number))


@router.get(
    "/transactions/{number}/receipt",
    auth=audits,
    response={200: dict[str, Any], **PROBLEMS},
    summary="A receipt",
)
def receipt(request: HttpRequest, number: Number) -> dict[str, Any]:
    """What proves a transaction of a club whose book I may read; `not_sealed` while it is too young."""
    _audited_transaction(request, number)
    return make_receipt(transaction=number, with_note=True)


def _account(account: int) -> Account:
    return selectors.get_account(account)


def _reads_book(user: User, thing: Account | Transaction | Asset) -> bool:
    """Whether the person may read the book of the club whose chips these are."""
    return bool(user.has_perm(RIGHT, thing))


def _own_transaction(request: HttpRequest, number: int) -> tuple[Transaction, list[Posting]]:
    """Return a transaction and its postings; raises ``UnknownTransaction`` also for those of others."""
    found, postings = selectors.get_transaction(number), selectors.postings_of(number)
    owner = services.owner_of(user=person(request))
    if not any(owner in (posting.debit.owner, posting.credit.owner) for posting in postings):
        raise UnknownTransaction(transaction=number)
    return found, postings


def _audited_transaction(request: HttpRequest, number: int) -> tuple[Transaction, list[Posting]]:
    found, postings = selectors.get_transaction(number), selectors.postings_of(number)
    if not _reads_book(person(request), found):
        raise UnknownTransaction(transaction=number)
    return found, postings


def _account_lines(accounts: list[Account]) -> list[dict[str, Any]]:
    names = selectors.name_accounts(accounts)
    return [
        {
            "id": account.pk,
            "kind": account.kind,
            "asset": account.asset.code,
            "owner": name.owner,
            "ref": "" if name.owner else account.ref,
            "balance": account.balance,
            "available": None if account.min_balance is None else account.available,
            "closed": account.closed_at is not None,
        }
        for account, name in zip(accounts, names, strict=True)
    ]


def _statement(account: Account, limit: int, cursor: str | None) -> dict[str, Any]:
    place = read_cursor(cursor, _moment, whole)
    page = selectors.statement(account.pk, size=limit, after=selectors.Place(*place) if place else None)
    following = page.following
    return {
        "items": [line._asdict() for line in page.lines],
        "next": None if following is None else write_cursor(following.at.isoformat(), following.seq),
    }


def _told(found: Transaction, postings: list[Posting]) -> dict[str, Any]:
    moved = [{"debit": p.debit_id, "credit": p.credit_id, "amount": p.amount} for p in postings]
    return {
        "id": found.pk,
        "at": found.at,
        "kind": found.kind,
        "state": found.state,
        "source": found.source,
        "postings": moved,
    }


def _moment(text: Any) -> dt.datetime:
    found = dt.datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found
