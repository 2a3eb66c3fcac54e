"""Seals in the audit desk."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from ledger.models import Verification
from ledger.tasks import verify_new
from tests.ledger.admin.pages import look, rows, shown
from tests.ledger.desk import DeskBook, desk_filled

pytestmark = pytest.mark.committed(role="site", filled=desk_filled)


def test_a_seal_lists_its_transactions(book: DeskBook, auditor: Client) -> None:
    text = look(auditor, "seal_change", 1)
    for transaction in (book.issued, book.ante, book.won):
        assert str(transaction) in text
    assert "The next hundred" not in text
    assert "No transaction is in this seal" in look(auditor, "seal_change", 1, query="?from=100")
    assert rows(auditor, "seal", "?q=1") == ["1"]
    assert rows(auditor, "seal", "?q=x") == []


def test_an_auditor_has_the_book_checked_and_sees_what_it_says(
    book: DeskBook, auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker's own function stands in for its queue."""
    monkeypatch.setattr("ledger.admin.seals.verify_new.delay", verify_new)
    assert "The book has not been checked yet" in look(auditor, "verification_changelist")
    answer = auditor.post(reverse("admin:ledger_verification_check"), follow=True)
    assert "The book is being checked" in shown(answer)
    checked = Verification.objects.get()
    assert checked.passed
    # Lines about a fault stood empty on the page of a check that found none, beside a button to close it.
    text = look(auditor, "verification_change", checked.pk)
    assert "What is wrong" not in text and "Back to the list" in text
    wrong = Verification.objects.create(
        scope="full", started_at=checked.started_at, transactions=9, passed=False, code="gap", detail="a line"
    )
    assert "What is wrong: a line" in look(auditor, "verification_change", wrong.pk)
