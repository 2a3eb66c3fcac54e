"""The books in the language of Beancount, for an independent program to add up.

What an account owes its holder is a liability: a ledger balance of 50 stands as
-50. Accounts are named by kind and number, never by a person. Holds and voided
holds move nothing and are left out. A day is a day of UTC; as transactions come
in the order of the book, the day of one never goes back behind the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any, Protocol

from django.db import connection

from ledger.rules.canonical import EPOCH
from ledger.services.leaves import (
    POSTGRES_EPOCH,
    POSTING_COLUMNS,
    TRANSACTION_COLUMNS,
    Row,
    by_transaction,
    snapshot,
    stream,
)

ROOTS = {"mint": "Assets", "rake": "Income", "fee": "Income", "suspense": "Equity"}
"""Where an account of each kind stands; all others are liabilities."""

HOUSE_KINDS = ("pot", "entry", "pool", "fee", "mint", "rake", "suspense")
MICROSECONDS_A_DAY = 86_400_000_000
FIRST_DAY = EPOCH.date()
OPENING = "Equity:Opening"

STRIDE = 10_000
"""Transactions between two words to whoever waits for the end of an export."""


class Writer(Protocol):
    """Where text goes: a file, standard output, a string."""

    def write(self, text: str, /) -> Any: ...


class Journal:
    """A stretch of the book as Beancount text, with a balance assertion for every account on every day it moved.

    The asserted balances are those written on the postings; Beancount adds up the amounts itself.
    ``balances`` (by account) are those before the stretch, and are kept up to date. Directives may
    stand in any order, so that an account is opened in the text where it is first met."""

    def __init__(self, out: Writer, names: BeancountNames, balances: dict[int, int]) -> None:
        self.transactions = 0
        self._out = out
        self._names = names
        self._balances = balances
        self._carried: dict[int, int] = {}
        self._moved: set[int] = set()
        self._first_day: date | None = None
        self._day: date | None = None

    def take(self, rows: list[Row], day: date) -> None:
        """Add one transaction, one row per posting."""
        if day != self._day:
            self.close_day()
            self._day = day
            self._first_day = self._first_day or day
        moves = rows[0][4] in (b"posted", b"post")
        for row in rows:
            self._note(row[13], row[16])
            self._note(row[14], row[18])
        if moves:
            self._write(rows, day)
            self.transactions += 1

    def close_day(self) -> None:
        """Assert the balance of every account that moved, at the end of the day."""
        if self._day is None:
            return
        next_day = self._day + timedelta(days=1)
        for account in sorted(self._moved):
            money = self._names.money(account, -self._balances[account])
            self._out.write(f"{next_day} balance {self._names.name(account)}  {money}\n")
        self._moved.clear()

    def carry(self) -> None:
        """Bring in the balances from before the stretch, for a text that begins in the middle of the book."""
        carried = {account: balance for account, balance in sorted(self._carried.items()) if balance}
        if not carried:
            return
        self._out.write(f"{self._first_day} open {OPENING}\n")
        self._out.write(f'{self._first_day} * "opening balances"\n')
        for account, balance in carried.items():
            self._out.write(f"  {self._names.name(account)}  {self._names.money(account, -balance)}\n")
            self._out.write(f"  {OPENING}  {self._names.money(account, balance)}\n")

    def _note(self, account: int, after: int) -> None:
        if account not in self._carried:
            # What it had before is brought in on the first day of the stretch, so that it must be open by then.
            carried = self._carried[account] = self._balances.get(account, 0)
            self._out.write(self._names.opening(account, self._first_day if carried else self._day))
        self._balances[account] = after
        self._moved.add(account)

    def _write(self, rows: list[Row], day: date) -> None:
        first = rows[0]
        self._out.write(
            f'{day} * "{_quoted(first[3].decode())}"\n  id: "{first[0]}"\n  source: "{_quoted(first[7].decode())}"\n'
        )
        for row in rows:
            debit, credit, amount = row[13:16]
            self._out.write(
                f"  {self._names.name(debit)}  {self._names.money(debit, amount)}\n"
                f"  {self._names.name(credit)}  {self._names.money(credit, -amount)}\n"
            )


class BeancountNames:
    """Accounts and amounts as Beancount writes them."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._assets: dict[int, tuple[str, int]] = {}
        self._refs: dict[int, str] = {}
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT a.id, a.kind, a.ref, s.code, s.scale FROM ledger_account a"
                " JOIN ledger_asset s ON s.id = a.asset_id"
            )
            for id, kind, ref, code, scale in cursor:
                self._names[id] = f"{ROOTS.get(kind, 'Liabilities')}:{kind.capitalize()}:A{id}"
                self._assets[id] = (code, scale)
                if kind in HOUSE_KINDS and ref:
                    self._refs[id] = ref

    def name(self, account: int) -> str:
        """The account's name."""
        return self._names[account]

    def money(self, account: int, amount: int) -> str:
        """An amount in the account's asset, with its decimal places."""
        code, scale = self._assets[account]
        if not scale:
            return f"{amount} {code}"
        whole, part = divmod(abs(amount), 10**scale)
        return f"{'-' if amount < 0 else ''}{whole}.{part:0{scale}d} {code}"

    def opening(self, account: int, day: date | None) -> str:
        """The directive that opens the account; house accounts tell their reference."""
        line = f"{day} open {self._names[account]} {self._assets[account][0]}\n"
        ref = self._refs.get(account)
        return line + f'  ref: "{_quoted(ref)}"\n' if ref else line

    def __len__(self) -> int:
        return len(self._names)


def export_beancount(
    out: Writer, *, until: date | None = None, told: Callable[[int], None] | None = None
) -> int:
    """Write the book up to and including the day ``until`` (UTC); returns the number of transactions written.

    ``told`` hears on the way how many transactions were read."""
    with snapshot():
        out.write('option "title" "Ledger"\n')
        for code in _assets():
            out.write(f'option "operating_currency" "{code}"\n')
        journal = Journal(out, BeancountNames(), {})
        for count, (day, rows) in enumerate(dated_transactions()):
            if until is not None and day > until:
                break
            if told is not None and count % STRIDE == 0:
                told(count)
            journal.take(rows, day)
        journal.close_day()
    return journal.transactions


def dated_transactions() -> Iterator[tuple[date, list[Row]]]:
    """Every transaction with its postings and its day, by ascending id. Must run inside a transaction."""
    latest = 0
    rows = stream(
        f"SELECT {TRANSACTION_COLUMNS}, {POSTING_COLUMNS} FROM ledger_transaction t"
        " JOIN ledger_posting p ON p.transaction_id = t.id ORDER BY t.id, p.n"
    )
    for group in by_transaction(rows):
        latest = max(latest, (group[0][10] + POSTGRES_EPOCH) // MICROSECONDS_A_DAY)
        yield FIRST_DAY + timedelta(days=latest), group


def _assets() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT code FROM ledger_asset ORDER BY code")
        return [code for (code,) in cursor.fetchall()]


def _quoted(text: str) -> str:
    """A text inside quotes: quotes and backslashes escaped, line ends as spaces."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", " ")
