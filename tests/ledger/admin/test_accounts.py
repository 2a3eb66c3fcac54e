"""An account in the audit desk: its statement, and how accounts are found."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ledger import services
from tests.ledger.admin.pages import look, rows
from tests.ledger.desk import DeskBook, desk_filled, person

pytestmark = pytest.mark.committed(role="site", filled=desk_filled)


def test_an_account_is_a_statement_with_names_and_a_running_balance(book: DeskBook, auditor: Client) -> None:
    text = look(auditor, "account_change", book.wallet)
    assert "Wallet of Mari Maasikas".lower() in text.lower()
    assert "buy-in seat of Mari Maasikas −200 800" in text
    assert "chips given out receipt 7 mint +1,000 1,000" in text


def test_the_lines_of_a_statement_can_be_chosen(book: DeskBook, auditor: Client) -> None:
    other = services.open_wallet(owner=services.owner_of(user=person("jaan")), asset="CHIPS")
    services.post(key="x", kind="move", source="desk", postings=[services.Entry(book.wallet, other, 7)])
    queries = {
        "?kind=buy_in": ["200"],
        "?member=jaan": ["7"],
        "?member=nobody": [],
        "?source=test/1": ["200"],
        "?direction=in": ["1,000"],
        f"?since={timezone.localdate() + timedelta(days=1)}": [],
        f"?until={timezone.localdate()}": ["7", "200", "1,000"],
    }
    for query, amounts in queries.items():
        page = auditor.get(
            reverse("admin:ledger_account_change", args=[book.wallet]) + query
        ).content.decode()
        shown = re.findall(r'<td data-label="Amount" class="number">[+−]([\d,]+)</td>', page)
        assert shown == amounts, query


def test_a_member_who_was_erased_is_called_erased(book: DeskBook, auditor: Client) -> None:
    services.post(key="back", kind="x", source="x", postings=[services.Entry(book.seat, book.wallet, 200)])
    by = services.owner_of(user=person("tiit"))
    services.redeem_chips(key="all", wallet=book.wallet, amount=1_000, by=by, reference="leaves the club")
    book.member.delete()
    text = look(auditor, "account_change", book.wallet)
    assert "wallet of erased member" in text and "Mari" not in text and "leaves the club" not in text
    assert "erased member" in look(auditor, "transaction_changelist")
    assert "The proof holds" in look(auditor, "transaction_change", book.issued), "every proof stays valid"
    assert "Note erased" in look(auditor, "transaction_change", book.issued)


FOUND: dict[str, set[str]] = {
    "?kind=pot": {"pot"},
    "?member=Mari": {"wallet", "seat"},
    "?asset=CHIPS&kind=mint": {"mint"},
    "?ref=table/1": {"seat"},
    "?standing=chips": {"wallet", "seat", "mint"},
    "?standing=closed": set(),
    "?standing=hold": set(),
}


def test_accounts_are_found_by_what_they_are(book: DeskBook, auditor: Client) -> None:
    for query, kinds in FOUND.items():
        page = auditor.get(reverse("admin:ledger_account_changelist") + query).content.decode()
        assert set(re.findall(r'<th class="field-called"[^>]*><a [^>]*>(\w+)', page)) == kinds, query


def test_accounts_are_searched_by_number_owner_and_reference(book: DeskBook, auditor: Client) -> None:
    owner = services.owner_of(user=book.member)
    for wanted in (str(book.wallet), str(owner)):
        assert str(book.wallet) in rows(auditor, "account", f"?q={wanted}")
    assert rows(auditor, "account", "?q=table/1/1") == [str(book.seat)]
    assert rows(auditor, "account", "?q=99999999999999999999") == []
    assert rows(auditor, "account", "?q=9223372036854775807") == []


def test_a_treasurer_finds_accounts_by_a_name_and_is_told_what_to_do_when_nothing_fits(
    book: DeskBook, auditor: Client
) -> None:
    assert str(book.wallet) in rows(auditor, "account", "?q=maasik")
    text = look(auditor, "account_changelist", query="?q=nobody of that name")
    assert "Nothing fits what you look for. Show all" in text
    wrong = look(auditor, "transaction_changelist", query="?since=2026-02-31")
    assert "Nothing fits" not in wrong and "valid date" in wrong
    assert "sets credit lines at the treasurer’s desk" in look(auditor, "creditline_changelist")


def test_the_desk_is_a_cause_with_a_name_and_not_a_number(book: DeskBook, auditor: Client) -> None:
    by = person("laine", display_name="Laine Laekur")
    done = services.issue_chips(
        key="n", wallet=book.wallet, amount=1, by=services.owner_of(user=by), reference="x"
    )
    told = "treasurer’s desk, Laine Laekur"
    for page, args in (
        ("transaction_changelist", []),
        ("transaction_change", [done.id]),
        ("account_change", [book.wallet]),
    ):
        assert told in look(auditor, page, *args), page
