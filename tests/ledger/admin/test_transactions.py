"""Transactions in the audit desk: what a page tells, its live proof, and how transactions are found."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from ledger import selectors, services
from ledger.admin import looking
from ledger.forms import fields
from ledger.models import Transaction
from ledger.selectors import finding
from ledger.services.heads import heads_file
from tests.ledger.admin.pages import look, rows
from tests.ledger.books import seal_everything
from tests.ledger.desk import DeskBook, desk_filled, person

pytestmark = pytest.mark.committed(role="site", filled=desk_filled)


def test_a_transaction_tells_postings_cause_seal_and_a_live_proof(book: DeskBook, auditor: Client) -> None:
    text = look(auditor, "transaction_change", book.won)
    assert "pot table 1 0 seat of Mari Maasikas 200 30 CHIPS" in text
    assert "test/1/won" in text
    assert "The proof holds: the transaction stands unchanged in seal 1" in text
    for step in (
        "give the leaf",
        "to the root of seal 1",
        "hash of seal 1",
        "head 1",
        "signed with a key of this club",
    ):
        assert step in text
    assert "is the one in the file of heads, outside the database" in text


def test_a_transaction_that_is_not_sealed_yet_says_so(book: DeskBook, auditor: Client) -> None:
    posted = services.post(
        key="n", kind="x", source="x", postings=[services.Entry(book.wallet, book.seat, 1)]
    )
    assert "Not sealed yet" in look(auditor, "transaction_change", posted.id)


def test_a_transaction_sealed_while_its_page_is_made_is_shown_in_its_seal(
    book: DeskBook, auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was read without a seal, and the proof had one: the link to it led nowhere, and the page was a fault."""
    posted = services.post(
        key="n", kind="x", source="x", postings=[services.Entry(book.wallet, book.seat, 1)]
    )
    read = selectors.relatives_of

    def sealed_meanwhile(found: Transaction) -> dict[str, Any]:
        (made,) = seal_everything()
        seals.append(made.seq)
        return read(found)

    seals: list[int] = []
    monkeypatch.setattr(selectors, "relatives_of", sealed_meanwhile)
    text = look(auditor, "transaction_change", posted.id)
    assert f"the transaction stands unchanged in seal {seals[0]}" in text


@pytest.mark.committed(filled=desk_filled)
def test_a_tampered_posting_makes_the_proof_fail_on_the_page(book: DeskBook, auditor: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_posting DISABLE TRIGGER append_only")
        cursor.execute("UPDATE ledger_posting SET amount = 31 WHERE transaction_id = %s", [book.won])
    text = look(auditor, "transaction_change", book.won)
    assert "The proof does not hold." in text and "do not give the hash that was sealed" in text
    assert "The proof holds" not in text


def test_a_head_that_is_not_the_published_one_makes_the_proof_fail(book: DeskBook, auditor: Client) -> None:
    path = heads_file()
    text = path.read_text()
    root = re.search(r'"log_root": "([0-9a-f]+)"', text)
    assert root
    path.write_text(text.replace(root[1], "0" * 64))
    assert "The proof does not hold. head_mismatch" in look(auditor, "transaction_change", book.won)
    path.write_text("nonsense\n")
    assert "bad_heads_file" in look(auditor, "transaction_change", book.won)


def test_a_head_that_is_not_published_yet_is_no_fault(book: DeskBook, auditor: Client) -> None:
    heads_file().unlink()
    text = look(auditor, "transaction_change", book.won)
    assert "The proof holds" in text and "is not in the file of heads yet" in text


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("?kind=ante", ["ante"]),
        ("?member=mari", ["tricks paid", "ante", "buy-in", "chips given out"]),
        ("?member=nobody", []),
        ("?source=test/1", ["tricks paid", "ante", "buy-in"]),
        ("?state=hold", ["entry"]),
        ("?state=resolved", []),
        ("?state=reversal", []),
        ("?q=test/1/ante", ["ante"]),
        ("?q=won", ["tricks paid"]),
        ("?q=give", ["chips given out"]),
        ("?q=test/1&kind=ante", ["ante"]),
        ("?since=2099-01-01", []),
        ("?until=2099-01-01&kind=buy_in", ["buy-in"]),
        ("?since=nonsense", []),
        ("?kind=nonsense", []),
        ("?q=%00", None),
    ],
)
def test_transactions_are_found(book: DeskBook, auditor: Client, query: str, kinds: list[str] | None) -> None:
    entry = services.open_account(kind="entry", ref="t", asset="CHIPS")
    bob = book.club.bob
    book.club.give(bob, 10)
    services.hold(key="h", kind="entry", source="tournament/1", postings=[services.Entry(bob, entry, 5)])
    response = auditor.get(reverse("admin:ledger_transaction_changelist") + query)
    assert response.status_code == 200
    if kinds is not None:
        found = re.findall(r'<td class="field-kind_name"[^>]*>([^<]+)</td>', response.content.decode())
        assert found == kinds


def test_a_transaction_is_found_by_its_number(book: DeskBook, auditor: Client) -> None:
    assert rows(auditor, "transaction", f"?q={book.ante}") == [str(book.ante)]
    assert rows(auditor, "transaction", "?q=99999999999999999999999") == []


def test_a_table_is_found_by_its_id_alone(book: DeskBook, auditor: Client) -> None:
    table = "7f3c1f64-0000-4000-8000-000000000001"
    entry = services.Entry(book.wallet, book.seat, 1)
    posted = services.post(key="t", kind="x", source=f"table/{table}/event/1", postings=[entry])
    assert rows(auditor, "transaction", f"?source={table}") == [str(posted.id)]


def test_a_long_list_is_led_through_to_its_bound_and_says_that_there_is_more(
    book: DeskBook, auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "MOST", 2)
    text = look(auditor, "transaction_changelist")
    assert "The newest 2 of about" in text
    assert "More than 2 fit: narrow the filter" in look(
        auditor, "transaction_changelist", query="?member=mari"
    )
    assert "1 in all" in look(auditor, "transaction_changelist", query="?kind=ante")


def test_a_list_says_how_far_back_it_looked_for_a_member(
    book: DeskBook, auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "MOST_TOUCHED", 2)
    text = look(auditor, "transaction_changelist", query="?member=mari")
    assert "Looked back to" in text and "Choose an earlier last day" in text
    assert "Looked back to" not in look(auditor, "transaction_changelist", query="?kind=ante")
    monkeypatch.setattr(finding, "MOST_OF_SOURCE", 1)
    assert "Looked back to" in look(auditor, "transaction_changelist", query="?source=test/1/")
    assert "Many fit: looked back to" in look(auditor, "transaction_changelist", query="?q=test/1/")


def test_part_of_a_name_that_fits_too_many_members_asks_for_more_of_it(
    book: DeskBook, auditor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fields, "MOST_MEMBERS", 1)
    for name in ("mari anne", "mari beth"):
        services.owner_of(user=person(name))
    for page in ("transaction_changelist", "account_changelist"):
        text = look(auditor, page, query="?member=mari")
        assert "More than 1 members fit. Write more of the name." in text
        assert "More than" not in look(auditor, page, query="?member=anne")
