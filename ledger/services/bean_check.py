"""Step e: Beancount, an independent program, adds up the exported book and checks every asserted balance."""

from __future__ import annotations

from importlib.util import find_spec
from io import StringIO

from ledger.services.exporting import BeancountNames, Journal, dated_transactions
from ledger.services.faults import Fault

STRETCH = 20_000
"""Transactions handed to Beancount at once: it keeps what it reads in memory, a whole book would not fit."""


def bean_check() -> str:
    """Have Beancount check the book stretch by stretch; says what was done.

    Each stretch opens with the balances that the one before asserted. Must run inside
    a transaction. Raises ``Fault`` with Beancount's own words for an assertion that fails."""
    if find_spec("beancount") is None:
        return "skipped: beancount is not installed"
    names = BeancountNames()
    balances: dict[int, int] = {}
    text = StringIO()
    journal = Journal(text, names, balances)
    total = stretches = 0
    for count, (day, rows) in enumerate(dated_transactions()):
        if count and count % STRETCH == 0:
            total += _check(journal, text)
            stretches += 1
            text = StringIO()
            journal = Journal(text, names, balances)
        journal.take(rows, day)
    total += _check(journal, text)
    return f"passed: {total} transactions in {stretches + 1} stretches"


def _check(journal: Journal, text: StringIO) -> int:
    from beancount import loader

    journal.close_day()
    journal.carry()
    _entries, errors, _options = loader.load_string(text.getvalue())
    for error in errors:
        raise Fault("beancount", f"{error.message} ({error.entry.date if error.entry else 'no entry'})")
    return journal.transactions
