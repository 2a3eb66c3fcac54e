"""How many questions the pages of the audit desk ask, also when the book grows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.models import User
from ledger import services
from tests.ledger.admin.pages import look, user_of
from tests.ledger.books import seal_everything
from tests.ledger.desk import DeskBook, asked_reversal, desk_filled, person

pytestmark = pytest.mark.committed(role="site", filled=desk_filled)


PAGES = {
    "dashboard": 28,
    "account_changelist": 10,
    "account_change": 15,
    "transaction_changelist": 14,
    "transaction_change": 24,
    "seal_changelist": 9,
    "seal_change": 8,
    "verification_changelist": 9,
    "creditline_changelist": 10,
    "adjustment_changelist": 10,
    "adjustment_change": 15,
    "export_changelist": 10,
    "asset_changelist": 9,
    "transaction_request": 12,
}
"""At most so many queries, session and rights included, however large the book is."""


def grow(book: DeskBook, auditor: User, n: int) -> None:
    """More of everything that lists show."""
    for k in range(n):
        member = person(f"member {k}")
        owner = services.owner_of(user=member)
        wallet = services.open_wallet(owner=owner, asset="CHIPS")
        by = services.owner_of(user=auditor)
        given = services.issue_chips(key=f"g{k}", wallet=wallet, amount=100, by=by, reference="x")
        services.post(key=f"m{k}", kind="move", source="x", postings=[services.Entry(wallet, book.wallet, 1)])
        services.set_credit_line(account=wallet, credit=k, by=owner, reason="x")
        services.request_adjustment(transaction_id=given.id, requested_by=owner, reason="x")
        if k % 5 == 0:
            seal_everything()


def test_no_page_asks_more_when_the_book_grows(book: DeskBook, auditor: Client) -> None:
    asked = asked_reversal(book, user_of(auditor))
    args: dict[str, list[int]] = {
        "account_change": [book.wallet],
        "transaction_change": [book.ante],
        "transaction_request": [book.ante],
        "seal_change": [1],
        "adjustment_change": [asked.pk],
    }

    def counted() -> dict[str, int]:
        found = {}
        for page in PAGES:
            with CaptureQueriesContext(connection) as queries:
                look(auditor, page, *args.get(page, []))
            found[page] = len(queries)
        return found

    counted()
    grow(book, user_of(auditor), 5)
    few = counted()
    grow_more = {name: number for name, number in few.items() if number > PAGES[name]}
    assert grow_more == {}
    for k in range(5, 40):
        owner = services.owner_of(user=person(f"member {k}"))
        wallet = services.open_wallet(owner=owner, asset="CHIPS")
        given = services.post(
            key=f"g{k}", kind="issue", source="x", postings=[services.Entry(book.club.mint, wallet, 9)]
        )
        services.post(key=f"m{k}", kind="move", source="x", postings=[services.Entry(wallet, book.wallet, 1)])
        services.set_credit_line(account=wallet, credit=k, by=owner, reason="x")
        services.request_adjustment(transaction_id=given.id, requested_by=owner, reason="x")
    seal_everything()
    many = counted()
    assert {page: many[page] for page in PAGES if many[page] > few[page]} == {}
