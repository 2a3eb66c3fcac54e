"""The treasurer's desk: chips out of the mint and back, credit lines, moves between members.

``by`` is the treasurer's own random id (``owner_of``); it is the transaction's source.
"""

from __future__ import annotations

from uuid import UUID

from ledger.errors import BadAmount, NotAWallet, NotSuspense, ReasonMissing, UnknownAccount
from ledger.models import MAX_AMOUNT, Account
from ledger.services.accounts import open_house_account
from ledger.services.calling import call
from ledger.services.posting import LARGEST_ID, Entry, Posted, post, stored_bytes

REASON_LENGTH = 500


def issue_chips(*, key: str, wallet: int, amount: int, by: UUID, reference: str) -> Posted:
    """Give a member new chips, against money or thanks that ``reference`` names (a receipt, a date).

    Raises ``LedgerError``: not_a_wallet, reason_missing and what ``post`` raises.
    """
    mint = open_house_account(kind=Account.Kind.MINT, asset=_wallet(wallet).asset.code)
    return _post(key, "issue", by, Entry(mint, wallet, amount), reference)


def redeem_chips(*, key: str, wallet: int, amount: int, by: UUID, reference: str) -> Posted:
    """Take chips back from a member. Raises what ``issue_chips`` raises."""
    mint = open_house_account(kind=Account.Kind.MINT, asset=_wallet(wallet).asset.code)
    return _post(key, "redeem", by, Entry(wallet, mint, amount), reference)


def move_between_members(*, key: str, debit: int, credit: int, amount: int, by: UUID, reason: str) -> Posted:
    """Move chips from one member's wallet to another's, for a reason that both can read.

    Raises ``LedgerError``: not_a_wallet, reason_missing and what ``post`` raises.
    """
    _wallet(debit)
    _wallet(credit)
    return _post(key, "move", by, Entry(debit, credit, amount), reason)


def clear_suspense(*, key: str, debit: int, credit: int, amount: int, by: UUID, reason: str) -> Posted:
    """Move chips between a wallet and suspense, so that suspense is 0 again after a correction.

    Raises ``LedgerError``: not_suspense, reason_missing and what ``post`` raises.
    """
    kinds = {_account(debit).kind, _account(credit).kind}
    if kinds != {Account.Kind.WALLET, Account.Kind.SUSPENSE}:
        raise NotSuspense(debit=debit, credit=credit)
    return _post(key, "clear", by, Entry(debit, credit, amount), reason)


def set_credit_line(*, account: int, credit: int, by: UUID, reason: str) -> None:
    """Let a wallet go ``credit`` below zero from now on; who changed it and why stays on record.

    Raises ``LedgerError``: bad_amount, reason_missing, unknown_account,
    not_a_wallet, closed, credit_in_use.
    """
    if type(credit) is not int or not 0 <= credit <= MAX_AMOUNT:
        raise BadAmount(amount=str(credit))
    if type(account) is not int or not 0 < account <= LARGEST_ID:
        raise UnknownAccount(account=str(account))
    check_reason(reason)
    call("SELECT ledger_set_credit(%s, %s, %s, %s)", [str(account), str(credit), str(by), reason])


def check_reason(reason: str) -> None:
    """Raise ``ReasonMissing`` for a reason that is blank or too long."""
    if not stored_bytes(reason) or not reason.strip() or len(reason) > REASON_LENGTH:
        raise ReasonMissing(most=REASON_LENGTH)


def _post(key: str, kind: str, by: UUID, entry: Entry, reason: str) -> Posted:
    check_reason(reason)
    return post(key=key, kind=kind, source=f"desk:{by}", postings=[entry], note=reason)


def _account(account: int) -> Account:
    valid = type(account) is int and 0 < account <= LARGEST_ID
    found = Account.objects.select_related("asset").filter(id=account).first() if valid else None
    if found is None:
        raise UnknownAccount(account=str(account))
    return found


def _wallet(account: int) -> Account:
    found = _account(account)
    if found.kind != Account.Kind.WALLET:
        raise NotAWallet(account=account)
    return found
