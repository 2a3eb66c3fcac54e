"""What an address of the book names, for those who may read it."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from clubs.models import User
from ledger import selectors, services
from ledger.errors import UnknownAccount, UnknownTransaction
from ledger.models import Account, Posting, Transaction


def _reads_book(request: HttpRequest, thing: Account | Transaction) -> bool:
    """Whether the person may read the book of the club whose chips these are."""
    return isinstance(request.user, User) and request.user.has_perm("ledger.view_account", thing)


def readable_account(request: HttpRequest, account: int) -> Account:
    """Return the account, or say that there is none to whoever may not read it."""
    assert isinstance(request.user, User)
    try:
        found = selectors.get_account(account)
    except UnknownAccount as error:
        raise Http404 from error
    if found.owner != services.owner_of(user=request.user) and not _reads_book(request, found):
        raise Http404
    return found


def readable_transaction(request: HttpRequest, number: int) -> tuple[Transaction, list[Posting]]:
    """Return the transaction and its postings, or say that there is none to whoever may not read it."""
    assert isinstance(request.user, User)
    try:
        found = selectors.get_transaction(number)
    except UnknownTransaction as error:
        raise Http404 from error
    postings = selectors.postings_of(number)
    owner = services.owner_of(user=request.user)
    touched = any(owner in (posting.debit.owner, posting.credit.owner) for posting in postings)
    if not touched and not _reads_book(request, found):
        raise Http404
    return found, postings
