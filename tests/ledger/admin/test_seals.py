"""Seals in the audit desk."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.ledger.admin.pages import look, rows
from tests.ledger.desk import DeskBook

pytestmark = pytest.mark.committed(role="site")


def test_a_seal_lists_its_transactions(book: DeskBook, auditor: Client) -> None:
    text = look(auditor, "seal_change", 1)
    for transaction in (book.issued, book.ante, book.won):
        assert str(transaction) in text
    assert "The next hundred" not in text
    assert "No transaction is in this seal" in look(auditor, "seal_change", 1, query="?from=100")
    assert rows(auditor, "seal", "?q=1") == ["1"]
    assert rows(auditor, "seal", "?q=x") == []
