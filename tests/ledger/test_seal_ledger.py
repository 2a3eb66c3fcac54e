"""``manage.py seal_ledger`` and the periodic tasks: what they say, and that a refusal breaks nothing."""

from __future__ import annotations

import logging
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ledger import tasks
from ledger.models import Seal
from ledger.services.signing import current_signer, known_keys
from tests.ledger.books import settle, small_book
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.committed


def seal_ledger(*arguments: str) -> str:
    out = StringIO()
    settle()
    call_command("seal_ledger", *arguments, stdout=out)
    return out.getvalue()


def test_it_says_what_it_has_sealed() -> None:
    book = small_book()
    said = seal_ledger()
    seal = Seal.objects.get()
    assert said == f"seal 1: {len(book.transactions)} transactions, {bytes(seal.hash).hex()}\n"
    assert seal_ledger() == "nothing to seal\n"


def test_it_rotates_the_key() -> None:
    small_book()
    old = current_signer().key_id
    said = seal_ledger("--rotate-key")
    new = current_signer().key_id
    assert new != old
    assert said.startswith(f"new key {new}\n")
    assert Seal.objects.get().key_id == new
    assert list(known_keys()) == [old, new]


def test_a_key_from_the_environment_is_not_rotated(settings: Any) -> None:
    settings.LEDGER_SIGNING_KEY = "07" * 32
    with pytest.raises(CommandError, match="LEDGER_SIGNING_KEY"):
        seal_ledger("--rotate-key")


def test_a_refusal_says_what_to_do() -> None:
    book = small_book()
    seal_ledger()
    tamper("DELETE FROM ledger_leaf", "DELETE FROM ledger_seal")
    with pytest.raises(CommandError, match="--new-epoch"):
        seal_ledger()
    assert seal_ledger("--new-epoch").startswith(f"seal 1: {len(book.transactions)} transactions")


def test_the_task_seals_and_keeps_a_backlog_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SEALS_A_RUN", 1)
    small_book()
    settle()
    tasks.seal()
    assert Seal.objects.count() == 1


def test_the_task_reports_a_refusal_and_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    small_book()
    seal_ledger()
    tamper("DELETE FROM ledger_leaf", "DELETE FROM ledger_seal")
    with caplog.at_level(logging.ERROR, logger="ledger.tasks"):
        tasks.seal()
    (record,) = caplog.records
    assert "heads_disagree" in record.getMessage()
    assert Seal.objects.count() == 0


def test_a_fault_is_told_with_its_place(caplog: pytest.LogCaptureFixture) -> None:
    book = small_book()
    seal_ledger()
    tamper(f"UPDATE ledger_posting SET amount = 1 WHERE transaction_id = {book.transactions[3]}")
    with caplog.at_level(logging.CRITICAL, logger="ledger.tasks"):
        tasks.verify_all()
    (record,) = caplog.records
    assert f"(seal 1, transaction {book.transactions[3]})" in record.getMessage()
