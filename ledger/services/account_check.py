"""Verification of one account: its whole sequence, the transactions in it, and the seals that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.merkle import Frontier, leaf_hash
from ledger.services.balances import Balances, Totals, from_nothing, from_posting_before
from ledger.services.faults import Fault
from ledger.services.leaves import (
    POSTING_COLUMNS,
    TRANSACTION_COLUMNS,
    AccountNames,
    Row,
    by_transaction,
    leaf_data,
    stream,
)
from ledger.services.seal_chain import SealChain


@dataclass(frozen=True)
class AccountChecked:
    """How much was read; ``unsealed`` counts the account's transactions without a seal."""

    transactions: int
    postings: int
    unsealed: int


def check_account(account: int, chain: SealChain) -> AccountChecked:
    """Check an account from its first posting on, and every seal it is in. Must run inside a transaction.

    The other accounts of its transactions are checked against their posting before. Raises ``Fault``."""
    names = AccountNames()
    names[account]

    def begin(other: int, row: Row, seq: int) -> Totals:
        return from_nothing(other, row, seq) if other == account else from_posting_before(other, row, seq)

    balances = Balances(begin, names.asset_ids, from_start=False)
    seals: set[int] = set()
    transactions = unsealed = 0
    for rows in by_transaction(_transactions_of(account)):
        transactions += 1
        seal, sealed = rows[0][22:24]
        if seal is None:
            unsealed += 1
        elif leaf_hash(leaf_data(rows, names)) != sealed:
            detail = "the transaction is not as it was sealed"
            raise Fault("leaf_mismatch", detail, seal=seal, transaction=rows[0][0], account=account)
        else:
            seals.add(seal)
        balances.take(rows)
        balances.totals = {account: balances.totals[account]}
    balances.check_cached_totals_of(account)
    _check_seals(seals, chain)
    return AccountChecked(transactions, balances.postings, unsealed)


def _check_seals(seals: set[int], chain: SealChain) -> None:
    """The seals of the account have the roots that their leaves give, and all seals hold together."""
    roots = _roots(seals)
    for seal in chain:
        if seal.seq in seals and roots.pop(seal.seq, None) != seal.root:
            raise Fault("seal_root", "the leaves do not give the seal's root", seal=seal.seq)
    for seq in sorted(roots):
        raise Fault("seal_missing", "leaves name a seal that is not there", seal=seq)


def _roots(seals: set[int]) -> dict[int, bytes]:
    trees: dict[int, Frontier] = {}
    for seq, hash in stream(
        "SELECT seal_id, hash FROM ledger_leaf WHERE seal_id = ANY(%s) ORDER BY seal_id, index", [list(seals)]
    ):
        trees.setdefault(seq, Frontier()).append(hash)
    return {seq: tree.root() for seq, tree in trees.items()}


def _transactions_of(account: int) -> Iterator[Row]:
    return stream(
        f"SELECT {TRANSACTION_COLUMNS}, {POSTING_COLUMNS}, p.at, p.asset_id, l.seal_id, l.hash"
        " FROM ledger_transaction t JOIN ledger_posting p ON p.transaction_id = t.id"
        " LEFT JOIN ledger_leaf l ON l.transaction_id = t.id"
        " WHERE t.id IN (SELECT transaction_id FROM ledger_posting WHERE debit_id = %s"
        " UNION SELECT transaction_id FROM ledger_posting WHERE credit_id = %s) ORDER BY t.id, p.n",
        [account, account],
    )
