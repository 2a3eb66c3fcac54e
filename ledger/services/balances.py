"""Step a: every account's postings in their sequence, its running balances and its cached totals.

Transactions come by ascending id. The accounts of a transaction are locked before
it gets its id, so that this is also the order of every account's sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import connection

from ledger.services.faults import Fault
from ledger.services.leaves import Row, stream

SEQ, DEBITS, CREDITS, DEBITS_PENDING, CREDITS_PENDING = range(5)
Totals = list[int]
"""What an account has come to: number of postings, and its four totals."""

Entry = tuple[int, int, int]
CACHED = "id, seq, debits, credits, debits_pending, credits_pending"


def from_nothing(account: int, row: Row, seq: int) -> Totals:
    """Where an account begins when the whole book is read."""
    return [0, 0, 0, 0, 0]


def from_posting_before(account: int, row: Row, seq: int) -> Totals:
    """Where an account stands when the book is read from the middle: at the posting before this one.

    Its balance stands in CREDITS and the other totals are 0. Raises ``Fault`` when that posting is missing."""
    if seq == 1:
        return [0, 0, 0, 0, 0]
    transaction, at = row[0], row[20]
    one_side = (
        "(SELECT p.{side}_seq AS seq, p.{side}_after AS after FROM ledger_posting p"
        " WHERE p.{side}_id = %s AND p.at <= timestamptz '2000-01-01 00:00Z' + %s * interval '1 microsecond'"
        " AND p.{side}_seq < %s ORDER BY p.at DESC, p.{side}_seq DESC LIMIT 1)"
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"{one_side.format(side='debit')} UNION ALL {one_side.format(side='credit')} ORDER BY seq DESC LIMIT 1",
            [account, at, seq] * 2,
        )
        before = cursor.fetchone()
    if before is None or before[0] != seq - 1:
        raise _gap(account, transaction, seq, before[0] + 1 if before else 1)
    return [seq - 1, 0, before[1], 0, 0]


class Balances:
    """The totals of all accounts so far, built up transaction by transaction.

    ``begin`` says where an account stands before its first posting met here, ``assets``
    the id of each account's asset; ``from_start``: the whole book is read, so that a
    hold was met before whatever resolves it."""

    def __init__(
        self, begin: Callable[[int, Row, int], Totals], assets: dict[int, int], *, from_start: bool
    ) -> None:
        self.totals: dict[int, Totals] = {}
        self.postings = 0
        self._begin = begin
        self._assets = assets
        self._from_start = from_start
        self._holds: dict[int, list[Entry]] = {}

    def take(self, rows: Sequence[Row]) -> None:
        """Add one transaction, one row per posting. Raises ``Fault`` at the first row that does not fit."""
        first = rows[0]
        state = first[4]
        if first[12] is None:
            raise Fault("no_postings", "the transaction has no postings", transaction=first[0])
        entries: list[Entry] = []
        for number, row in enumerate(rows, 1):
            n, debit, credit, amount, debit_after, debit_seq, credit_after, credit_seq, at, asset = row[12:22]
            if n != number:
                raise Fault("posting_missing", f"posting {number} is missing", transaction=first[0])
            if at != first[10]:
                raise Fault("posting_time", f"posting {n} has another time", transaction=first[0])
            payer = self.totals.get(debit)
            if payer is None:
                payer = self.totals[debit] = self._begin(debit, row, debit_seq)
            payee = self.totals.get(credit)
            if payee is None:
                payee = self.totals[credit] = self._begin(credit, row, credit_seq)
            if state == b"posted" or state == b"post":
                payer[1] += amount
                payee[2] += amount
            if state != b"posted":
                held = amount if state == b"pending" else -amount
                payer[3] += held
                payee[4] += held
                entries.append((debit, credit, amount))
            payer[0] += 1
            payee[0] += 1
            if payer[0] != debit_seq or payer[2] - payer[1] != debit_after:
                raise _step(debit, first[0], payer, debit_seq, debit_after)
            if payee[0] != credit_seq or payee[2] - payee[1] != credit_after:
                raise _step(credit, first[0], payee, credit_seq, credit_after)
            if self._assets.get(debit) != asset or self._assets.get(credit) != asset:
                raise Fault("wrong_asset", f"posting {n} mixes assets", transaction=first[0], account=debit)
        self.postings += len(rows)
        if entries:
            self._resolve(first, entries)

    def _resolve(self, first: Row, entries: list[Entry]) -> None:
        """A hold is resolved once, by exactly its own postings."""
        transaction, state, resolves = first[0], first[4], first[5]
        if state == b"pending":
            self._holds[transaction] = entries
            return
        held = self._holds.pop(resolves, None)
        if held is None and not self._from_start:
            held = _read_hold(resolves)
        if held != entries:
            raise Fault(
                "hold_mismatch",
                f"it does not resolve hold {resolves} as it was made",
                transaction=transaction,
            )

    def check_all_cached_totals(self) -> int:
        """Compare the totals that every account shows; returns the number of accounts.

        For a book read from its start: an account without postings must be empty."""
        compared = 0
        for account, *shown in stream(f"SELECT {CACHED} FROM ledger_account ORDER BY id"):
            _compare(account, shown, self.totals.pop(account, [0, 0, 0, 0, 0]))
            compared += 1
        if self.totals:
            raise Fault(
                "account_missing", "postings name an account that does not exist", account=min(self.totals)
            )
        return compared

    def check_cached_balances(self) -> int:
        """Compare sequence and balance of the accounts met; returns their number.

        For a book read from the middle, where the four totals are not known."""
        for account, seq, debits, credits, _, _ in stream(
            f"SELECT {CACHED} FROM ledger_account WHERE id = ANY(%s) ORDER BY id", [list(self.totals)]
        ):
            totals = self.totals[account]
            _compare(account, [seq, credits - debits], [totals[SEQ], totals[CREDITS] - totals[DEBITS]])
        return len(self.totals)

    def check_cached_totals_of(self, account: int) -> None:
        """Compare the totals that one account shows, whose postings were all read."""
        for _, *shown in stream(f"SELECT {CACHED} FROM ledger_account WHERE id = %s", [account]):
            _compare(account, shown, self.totals.get(account, [0, 0, 0, 0, 0]))


def _compare(account: int, shown: list[int], found: list[int]) -> None:
    if found != shown:
        detail = f"the account shows {_names(shown)}; its postings come to {_names(found)}"
        raise Fault("cached_totals", detail, account=account)


def _names(totals: Sequence[int]) -> str:
    names = ["postings", "debits", "credits", "debits on hold", "credits on hold"]
    if len(totals) == 2:
        names = ["postings", "balance"]
    return ", ".join(f"{name} {value}" for name, value in zip(names, totals, strict=True))


def _read_hold(transaction: int) -> list[Entry]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT debit_id, credit_id, amount FROM ledger_posting WHERE transaction_id = %s ORDER BY n",
            [transaction],
        )
        return list(cursor.fetchall())


def _gap(account: int, transaction: int, found: int, expected: int) -> Fault:
    return Fault(
        "sequence_gap",
        f"posting {expected} of the account is missing: number {found} follows",
        transaction=transaction,
        account=account,
    )


def _step(account: int, transaction: int, totals: Totals, seq: int, after: int) -> Fault:
    if totals[SEQ] != seq:
        return _gap(account, transaction, seq, totals[SEQ])
    return Fault(
        "running_balance",
        f"balance after posting {seq} is written as {after}, the postings come to {totals[CREDITS] - totals[DEBITS]}",
        transaction=transaction,
        account=account,
    )
