"""A second writing of the book in plain Python: what ``ledger_post`` must do, without a database.

It is slow, keeps everything in dictionaries, and shares no code with the product.
The property tests run both on the same requests and compare every answer, every
refusal and every number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_AMOUNT = 1_000_000_000_000
MOST_TOTAL = 9_007_199_254_740_991
MOST_ID = 9_223_372_036_854_775_807


class Refused(Exception):
    """The book says no, with the product's code."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


@dataclass
class Account:
    """Totals of one account; ``floor`` None means that it may fall without end."""

    asset: str
    floor: int | None
    debits: int = 0
    credits: int = 0
    debits_pending: int = 0
    credits_pending: int = 0
    seq: int = 0
    closed: bool = False

    @property
    def balance(self) -> int:
        return self.credits - self.debits


@dataclass(frozen=True)
class Move:
    """One posting as written."""

    debit: int
    credit: int
    amount: int
    debit_after: int
    debit_seq: int
    credit_after: int
    credit_seq: int


@dataclass(frozen=True)
class Record:
    """One transaction as written."""

    key: str
    request: tuple
    state: str
    resolves: int | None
    reverses: int | None
    moves: tuple[Move, ...]


@dataclass
class Book:
    """Accounts by id, transactions by their number from 1."""

    accounts: dict[int, Account] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)

    def post(self, key, kind, source, entries):
        """Move at once; returns (number, replayed)."""
        return self._write_entries("posted", key, kind, source, entries)

    def hold(self, key, kind, source, entries):
        """Set aside."""
        return self._write_entries("pending", key, kind, source, entries)

    def resolve(self, state, key, kind, source, hold):
        """Post or void a hold."""
        self._check_names(key, kind, source)
        target = self._record(hold)
        if target.state != "pending":
            raise Refused("not_pending")
        entries = [(move.debit, move.credit, move.amount) for move in target.moves]
        return self._write((kind, state, source, hold), key, state, entries, resolves=hold)

    def reverse(self, key, kind, source, target_number, instead=()):
        """Swap a posted transaction."""
        self._check_names(key, kind, source)
        target = self._record(target_number)
        if target.state not in ("posted", "post"):
            raise Refused("not_posted")
        swap = dict(instead)
        entries = [
            (swap.get(move.credit, move.credit), swap.get(move.debit, move.debit), move.amount)
            for move in reversed(target.moves)
        ]
        entries = [entry for entry in entries if entry[0] != entry[1]]
        request = (kind, "posted", source, target_number, tuple(sorted(swap.items())))
        return self._write(request, key, "posted", entries, reverses=target_number)

    def close(self, number):
        """Close an empty account."""
        account = self.accounts.get(number)
        if account is None:
            raise Refused("unknown_account")
        if account.balance or account.debits_pending or account.credits_pending:
            raise Refused("not_empty")
        account.closed = True

    def set_credit(self, number, credit):
        """Move a wallet's floor."""
        if not 0 <= credit <= MOST_AMOUNT:
            raise Refused("bad_amount")
        account = self.accounts.get(number)
        if account is None:
            raise Refused("unknown_account")
        if account.closed:
            raise Refused("closed")
        if account.balance - account.debits_pending < -credit:
            raise Refused("credit_in_use")
        account.floor = -credit

    def _record(self, number):
        if type(number) is not int or not 0 < number <= len(self.records):
            raise Refused("unknown_transaction")
        return self.records[number - 1]

    def _check_names(self, *names):
        for name, most in zip(names, (200, 40, 200), strict=True):
            if not 0 < len(name) <= most or "\0" in name:
                raise Refused("bad_key")

    def _write_entries(self, state, key, kind, source, entries):
        for debit, credit, amount in entries:
            for account in (debit, credit):
                if type(account) is not int or not 0 < account <= MOST_ID:
                    raise Refused("unknown_account")
            if type(amount) is not int or not 0 < amount <= MOST_AMOUNT:
                raise Refused("bad_amount")
        self._check_names(key, kind, source)
        return self._write((kind, state, source, tuple(entries)), key, state, entries)

    def _write(self, request, key, state, entries, resolves=None, reverses=None):
        if not 1 <= len(entries) <= 200:
            raise Refused("bad_count")
        self._check_accounts(entries)
        self._check_links(key, resolves, reverses)
        for number, record in enumerate(self.records, 1):
            if record.key == key:
                if record.request != request:
                    raise Refused("key_reused")
                return number, True
        moves = self._settle(state, entries)
        self.records.append(Record(key, request, state, resolves, reverses, moves))
        return len(self.records), False

    def _check_accounts(self, entries):
        for debit, credit, _ in entries:
            if debit not in self.accounts or credit not in self.accounts:
                raise Refused("unknown_account")
            if debit == credit:
                raise Refused("same_account")
            if self.accounts[debit].asset != self.accounts[credit].asset:
                raise Refused("wrong_asset")

    def _check_links(self, key, resolves, reverses):
        for record in self.records:
            if resolves is not None and record.resolves == resolves and record.key != key:
                raise Refused("already_resolved")
            if reverses is not None and record.reverses == reverses and record.key != key:
                raise Refused("already_reversed")

    def _settle(self, state, entries):
        """Work on copies, and put them back only when no rule is broken."""
        work = {number: Account(**vars(self.accounts[number])) for entry in entries for number in entry[:2]}
        moves = tuple(self._move(work, state, *entry) for entry in entries)
        for number in sorted(work):
            account = work[number]
            if (
                max(account.debits, account.credits, account.debits_pending, account.credits_pending)
                > MOST_TOTAL
            ):
                raise Refused("too_large")
            if account.floor is not None and account.balance - account.debits_pending < account.floor:
                raise Refused("insufficient")
        self.accounts.update(work)
        return moves

    def _move(self, work, state, debit, credit, amount):
        payer, payee = work[debit], work[credit]
        if payer.closed or payee.closed:
            raise Refused("closed")
        if state == "pending":
            payer.debits_pending += amount
            payee.credits_pending += amount
        if state in ("post", "void"):
            payer.debits_pending -= amount
            payee.credits_pending -= amount
        if state in ("posted", "post"):
            payer.debits += amount
            payee.credits += amount
        payer.seq += 1
        payee.seq += 1
        return Move(debit, credit, amount, payer.balance, payer.seq, payee.balance, payee.seq)
