"""Verification: a sound book passes, in full, since a seal and for one account."""

from __future__ import annotations

import pytest
from tests.ledger.books import small_book

from ledger.services.sealing import seal_pending
from ledger.services.verifying import verify


@pytest.mark.committed
def test_a_sound_book_passes() -> None:
    book = small_book()
    seal_pending(seal_size=5)
    report = verify()
    assert report.fault is None
    assert report.transactions == len(book.transactions)
    assert report.last_seal == report.seals == 4
    assert report.unsealed == 0
    assert report.steps["e"].startswith("passed")
