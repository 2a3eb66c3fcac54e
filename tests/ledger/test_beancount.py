"""The Beancount export: bean-check accepts a sound book, and finds a book whose balances do not follow."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from beancount import loader
from beancount.core import data
from django.core.management import CommandError, call_command

from ledger.models import Account, Transaction
from ledger.services import bean_check as checking
from ledger.services.bean_check import bean_check
from ledger.services.exporting import export_beancount
from ledger.services.faults import Fault
from ledger.services.leaves import snapshot
from tests.ledger.books import open_book, post, small_book
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.committed


def exported(until: date | None = None) -> str:
    out = StringIO()
    export_beancount(out, until=until)
    return out.getvalue()


def loaded(text: str) -> list[Any]:
    entries, errors, _ = loader.load_string(text)
    assert [error.message for error in errors] == []
    return entries


def of_kind(entries: list[Any], kind: type) -> list[Any]:
    return [entry for entry in entries if isinstance(entry, kind)]


def shift_days(transaction: int, days: int) -> None:
    """Move a transaction and all later ones to a later day."""
    tamper(
        f"UPDATE ledger_transaction SET at = at + interval '{days} days' WHERE id >= {transaction}",
        f"UPDATE ledger_posting SET at = at + interval '{days} days' WHERE transaction_id >= {transaction}",
    )


def three_days() -> Any:
    book = small_book()
    shift_days(book.transactions[5], 1)
    shift_days(book.transactions[10], 1)
    return book


def test_bean_check_accepts_the_whole_export(tmp_path: Path) -> None:
    three_days()
    file = tmp_path / "book.beancount"
    call_command("export_beancount", out=str(file), stderr=StringIO())
    checked = subprocess.run(
        [sys.executable, "-m", "beancount.scripts.check", str(file)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_the_last_balances_are_those_of_the_accounts() -> None:
    three_days()
    entries = loaded(exported())
    last = {entry.account: entry.amount.number for entry in of_kind(entries, data.Balance)}
    for account in Account.objects.exclude(seq=0):
        (name,) = [each for each in last if each.endswith(f":A{account.pk}")]
        assert last[name] == -account.balance


def test_every_account_that_moved_is_asserted_at_the_end_of_each_day() -> None:
    book = three_days()
    entries = loaded(exported())
    days = sorted({entry.date for entry in of_kind(entries, data.Transaction)})
    assert len(days) == 3
    asserted = {(entry.date, entry.account) for entry in of_kind(entries, data.Balance)}
    for entry in of_kind(entries, data.Transaction):
        for posting in entry.postings:
            next_day = date.fromordinal(entry.date.toordinal() + 1)
            assert (next_day, posting.account) in asserted
    assert f"Liabilities:Pot:A{book.pot}" in {account for _, account in asserted}


def test_holds_move_nothing_and_are_left_out() -> None:
    small_book()
    entries = loaded(exported())
    shown = {int(entry.meta["id"]) for entry in of_kind(entries, data.Transaction)}
    moved = set(Transaction.objects.filter(state__in=["posted", "post"]).values_list("id", flat=True))
    assert shown == moved
    assert Transaction.objects.filter(state__in=["pending", "void"]).exists()


def test_until_a_day_means_that_day_included() -> None:
    three_days()
    days = sorted({entry.date for entry in of_kind(loaded(exported()), data.Transaction)})
    shown = {entry.date for entry in of_kind(loaded(exported(until=days[1])), data.Transaction)}
    assert shown == set(days[:2])
    assert of_kind(loaded(exported(until=date(2000, 1, 1))), data.Transaction) == []


def test_an_empty_book_is_a_valid_export() -> None:
    assert loaded(exported()) == []


def test_decimal_places_are_those_of_the_asset() -> None:
    book = open_book(code="EUR-CHIP", scale=2)
    post((book.mint, book.wallets[0], 12345))
    post((book.wallets[0], book.wallets[1], 5))
    text = exported()
    assert "123.45 EUR-CHIP" in text
    entries = loaded(text)
    last = {entry.account: entry.amount.number for entry in of_kind(entries, data.Balance)}
    assert last[f"Liabilities:Wallet:A{book.wallets[0]}"] == Decimal("-123.40")
    assert last[f"Liabilities:Wallet:A{book.wallets[1]}"] == Decimal("-0.05")
    assert last[f"Assets:Mint:A{book.mint}"] == Decimal("123.45")


def test_no_owner_and_no_note_is_named() -> None:
    book = small_book()
    post((book.mint, book.wallets[0], 5), note="from Mari")
    text = exported()
    assert "Mari" not in text
    for owner in Account.objects.exclude(owner=None).values_list("owner", flat=True):
        assert owner
        assert str(owner) not in text
        assert owner.hex not in text


@pytest.mark.parametrize("text", ['quoted "twice"', "back\\slash", "two\nlines", "; no comment", "õ ♣"])
def test_any_source_can_be_written_down(text: str) -> None:
    book = open_book()
    id = post((book.mint, book.wallets[0], 5), kind=text[:20], source=text)
    (entry,) = of_kind(loaded(exported()), data.Transaction)
    assert entry.meta["source"] == text.replace("\n", " ")
    assert entry.meta["id"] == str(id)


def test_a_wrong_running_balance_fails_the_assertion() -> None:
    """Beancount adds up the amounts itself: it does not take the written balances for granted."""
    book = three_days()
    tamper(
        f"UPDATE ledger_posting SET credit_after = credit_after + 1 WHERE transaction_id = {book.transactions[4]}"
    )
    _, errors, _ = loader.load_string(exported())
    assert any("Balance failed" in error.message for error in errors)
    with snapshot(), pytest.raises(Fault) as found:
        bean_check()
    assert found.value.code == "beancount"
    assert re.search(r"Balance failed .*A\d+", found.value.detail)


def test_the_check_in_stretches_follows_balances_from_one_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = three_days()
    monkeypatch.setattr(checking, "STRETCH", 4)
    with snapshot():
        assert bean_check() == "passed: 16 transactions in 5 stretches"
    last = book.transactions[-5]
    tamper(f"UPDATE ledger_posting SET amount = amount + 1 WHERE transaction_id = {last}")
    with snapshot(), pytest.raises(Fault, match="beancount"):
        bean_check()


def test_the_command_writes_to_standard_output_and_to_a_file(tmp_path: Path) -> None:
    three_days()
    out, err = StringIO(), StringIO()
    call_command("export_beancount", stdout=out)
    assert out.getvalue() == exported()
    file = tmp_path / "book.beancount"
    call_command("export_beancount", out=str(file), stderr=err)
    assert file.read_text() == exported()
    assert err.getvalue() == "16 transactions\n"
    assert sorted(each.name for each in tmp_path.iterdir() if each.name.startswith("book")) == [
        "book.beancount"
    ]


@pytest.mark.parametrize(
    "options", [{"until": "yesterday"}, {"until": "2026-13-01"}, {"out": "/nowhere/book"}]
)
def test_the_command_says_what_it_cannot_do(options: dict[str, str]) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("export_beancount", **options)
    assert refused.value.returncode == 2
