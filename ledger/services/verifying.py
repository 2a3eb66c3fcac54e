"""Verification of the whole ledger by somebody who trusts nothing in it.

Steps: (a) sequences, running balances, cached totals; (b) leaves, roots, links,
ranges, signatures, and that everything old enough is in exactly one seal; (c) the
heads against the file outside the database; (d) the causes (``sources``); (e) the
Beancount export with its balance assertions. All of a run sees one snapshot.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from ledger.models import Verification
from ledger.rules.canonical import microseconds
from ledger.rules.merkle import leaf_hash
from ledger.services.account_check import check_account
from ledger.services.balances import Balances, from_nothing, from_posting_before
from ledger.services.bean_check import bean_check
from ledger.services.beside_the_book import check_floors, check_notes
from ledger.services.faults import Fault
from ledger.services.guards import check_guards
from ledger.services.leaves import (
    POSTGRES_EPOCH,
    POSTING_COLUMNS,
    TRANSACTION_COLUMNS,
    AccountNames,
    Row,
    add_totals,
    by_transaction,
    database_time,
    leaf_data,
    snapshot,
    stream,
)
from ledger.services.open_seals import OpenSeals
from ledger.services.seal_chain import SealChain
from ledger.services.sources import check_sources, register_source_check, registered_prefixes

SEAL_LAG = timedelta(minutes=15)
"""How old a transaction may be without a seal, and a seal without its head in the file."""

ALL_STEPS = "abcde"

COLUMNS = f"{TRANSACTION_COLUMNS}, {POSTING_COLUMNS}, p.at, p.asset_id, l.seal_id, l.index, l.hash"


@dataclass
class Report:
    """What a run has checked. ``fault`` is None when everything holds; ``steps`` says what each step did."""

    scope: str
    since: int | None
    started_at: datetime
    transactions: int = 0
    postings: int = 0
    seals: int = 0
    accounts: int = 0
    unsealed: int = 0
    last_seal: int | None = None
    steps: dict[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    fault: Fault | None = None
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether no fault was found."""
        return self.fault is None

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        numbers = ("scope", "since", "transactions", "postings", "seals", "accounts", "unsealed", "last_seal")
        return {
            "passed": self.passed,
            "fault": self.fault.as_json() if self.fault else None,
            **{name: getattr(self, name) for name in numbers},
            "steps": self.steps,
            "notices": self.notices,
            "started_at": self.started_at.astimezone(UTC).isoformat(),
            "seconds": round(self.seconds, 3),
        }


def verify(
    *,
    since: int | None = None,
    account: int | None = None,
    steps: Collection[str] = ALL_STEPS,
    lag: timedelta = SEAL_LAG,
    record: bool = True,
) -> Report:
    """Check the ledger up to the first fault, which the report names; writes down the result.

    ``since`` checks what came after that seal (which an earlier run has checked) and
    leaves out step e; ``account`` checks one account, its transactions and their
    seals, and leaves out d and e. Steps a to c go together. ``record`` keeps the
    result as a ``Verification``. Must not run inside a transaction that has written."""
    scope = Verification.Scope.FULL
    if account is not None:
        scope = Verification.Scope.ACCOUNT
    elif since is not None:
        scope = Verification.Scope.SINCE
    report = Report(scope, since, timezone.now())
    started = time.monotonic()
    try:
        with snapshot():
            if account is not None:
                _check_account(report, account, lag)
            else:
                _check_book(report, since or 0, steps, lag)
    except Fault as fault:
        report.fault = fault
    report.seconds = time.monotonic() - started
    if record:
        _record(report)
    return report


def last_passed_seal() -> int | None:
    """The last seal up to which the book was found in order: where the next incremental run begins."""
    passed = Verification.objects.filter(passed=True, last_seal__isnull=False)
    latest = passed.exclude(scope=Verification.Scope.ACCOUNT).order_by("-started_at", "-pk").first()
    return latest.last_seal if latest else None


def _check_book(report: Report, since: int, steps: Collection[str], lag: timedelta) -> None:
    first = _first_transaction(since) if since else 0
    if {"a", "b", "c"} & set(steps):
        check_guards()
        _check_records(report, since, first, lag)
    if "d" in steps:
        groups = check_sources(since_transaction=first)
        prefixes = ", ".join(registered_prefixes())
        report.steps["d"] = (
            f"{groups} causes replayed ({prefixes})" if prefixes else "no source checks registered"
        )
    if "e" in steps and not since:
        report.steps["e"] = bean_check()


def _check_account(report: Report, account: int, lag: timedelta) -> None:
    chain = SealChain(published_by=microseconds(database_time() - lag))
    checked = check_account(account, chain)
    report.transactions, report.postings, report.unsealed = (
        checked.transactions,
        checked.postings,
        checked.unsealed,
    )
    report.accounts = 1
    report.seals = chain.count
    report.last_seal = chain.last.seq if chain.last else None
    report.notices += chain.notices
    report.steps["a"] = f"{checked.postings} postings in {checked.transactions} transactions of the account"
    report.steps["b"] = f"{checked.transactions - checked.unsealed} leaves, {chain.count} seals"
    report.steps["c"] = f"{chain.published} heads as published"


def _check_records(report: Report, since: int, first: int, lag: timedelta) -> None:
    """Steps a, b and c in one pass over the transactions from ``first`` on."""
    sealed_by = microseconds(database_time() - lag)
    names = AccountNames()
    if not since:
        names.read_all()
    chain = SealChain(since=since, published_by=sealed_by)
    seals = OpenSeals(chain, since=since, unsealed_from=_end_of_seals(), sealed_by=sealed_by - POSTGRES_EPOCH)
    balances = Balances(from_posting_before if since else from_nothing, names.asset_ids, from_start=not since)
    for rows in by_transaction(_transactions(first)):
        report.transactions += 1
        check_transaction(rows, names, seals, balances)
    seals.finish()
    report.accounts = balances.check_cached_balances() if since else balances.check_all_cached_totals()
    check_floors()
    notes = check_notes(since_transaction=first)
    report.postings = balances.postings
    report.seals = chain.count
    report.unsealed = seals.unsealed
    report.last_seal = chain.last.seq if chain.last else None
    report.notices += chain.notices
    report.steps["a"] = f"{report.postings} postings of {report.accounts} accounts, {notes} notes"
    report.steps["b"] = (
        f"{report.transactions} transactions, {report.seals} seals, {report.unsealed} not sealed yet"
    )
    report.steps["c"] = f"{chain.published} heads as published"


def check_transaction(rows: list[Row], names: AccountNames, seals: OpenSeals, balances: Balances) -> None:
    """One transaction, one row of ``COLUMNS`` per posting: first its seal, which names an edited row exactly."""
    first = rows[0]
    try:
        leaf = leaf_hash(leaf_data(rows, names))
    except struct.error:
        # A time beyond all numbers, say: nothing that was ever posted.
        raise Fault("unreadable", "the transaction has values that cannot be", transaction=first[0]) from None
    seal = seals.take(first[0], first[10], first[11], first[22:25], leaf)
    if seal is not None:
        add_totals(seal.sums, (rows,), names)
        seals.close_if_full(seal)
    balances.take(rows)


def _transactions(first: int) -> Iterator[Row]:
    return stream(
        f"SELECT {COLUMNS} FROM ledger_transaction t LEFT JOIN ledger_posting p ON p.transaction_id = t.id"
        " LEFT JOIN ledger_leaf l ON l.transaction_id = t.id WHERE t.id >= %s ORDER BY t.id, p.n",
        [first],
    )


def _first_transaction(since: int) -> int:
    """The lowest id of what was sealed after ``since`` or is not sealed yet; from there on every account's
    postings are read to their end."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT least("
            " (SELECT min(transaction_id) FROM ledger_leaf WHERE seal_id > %s),"
            " (SELECT min(id) FROM ledger_transaction WHERE xid >= %s::xid8),"
            " (SELECT max(id) + 1 FROM ledger_transaction))",
            [since, str(_end_of_seals())],
        )
        return cursor.fetchone()[0] or 0


def _end_of_seals() -> int:
    """Database transactions below this have been sealed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_xid FROM ledger_seal ORDER BY seq DESC LIMIT 1")
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def _record(report: Report) -> None:
    fault = report.fault
    Verification.objects.create(
        scope=report.scope,
        since=report.since,
        started_at=report.started_at,
        transactions=report.transactions,
        last_seal=report.last_seal,
        passed=report.passed,
        code=fault.code if fault else "",
        detail=fault.detail if fault else "",
        **(fault.places() if fault else {}),
    )


__all__ = ["ALL_STEPS", "SEAL_LAG", "Report", "last_passed_seal", "register_source_check", "verify"]
