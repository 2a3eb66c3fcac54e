"""Reading: balances then and now, statements page by page, the trial balance."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger import errors, selectors
from ledger.models import Posting, Transaction
from ledger.services import Entry, create_asset, hold, open_account, post, post_hold, void_hold
from tests.ledger.conftest import Club


def at(number: int) -> datetime:
    """When a transaction was posted."""
    return Transaction.objects.get(id=number).at


def test_balance_at_any_time(club: Club) -> None:
    steps = [club.give(club.alice, 100)]
    steps.append(club.move(club.alice, club.bob, 30).id)
    steps.append(club.move(club.bob, club.alice, 5).id)
    assert [selectors.balance_at(club.alice, at(step)) for step in steps] == [100, 70, 75]
    microsecond = timedelta(microseconds=1)
    assert selectors.balance_at(club.alice, at(steps[0]) - microsecond) == 0
    assert selectors.balance_at(club.alice, at(steps[2]) - microsecond) == 70
    assert selectors.balance_at(club.bob, at(steps[1])) == 30
    assert selectors.balance_at(club.alice, datetime(2099, 1, 1, tzinfo=UTC)) == 75


def test_balance_at_a_time_inside_one_transaction_is_its_end(club: Club) -> None:
    club.give(club.alice, 10)
    entries = [Entry(club.alice, club.pot, 10), Entry(club.pot, club.bob, 10)]
    number = post(key="p", kind="x", source="x", postings=entries).id
    assert [selectors.balance_at(account, at(number)) for account in (club.alice, club.pot, club.bob)] == [
        0,
        0,
        10,
    ]


def test_holds_do_not_change_the_balance_at_a_time(club: Club) -> None:
    club.give(club.alice, 10)
    held = hold(key="h", kind="x", source="x", postings=[Entry(club.alice, club.pot, 4)]).id
    posted = post_hold(key="p", kind="x", source="x", hold=held).id
    assert selectors.balance_at(club.alice, at(held)) == 10
    assert selectors.balance_at(club.alice, at(posted)) == 6


def test_statement_has_every_posting_with_its_running_balance(club: Club) -> None:
    club.give(club.alice, 100)
    post(key="p", kind="ante", source="table:1", postings=[Entry(club.alice, club.pot, 30)], note="a note")
    held = hold(key="h", kind="entry", source="tournament:1", postings=[Entry(club.alice, club.pot, 20)]).id
    void_hold(key="v", kind="entry", source="tournament:1", hold=held)
    second = hold(key="h2", kind="entry", source="tournament:1", postings=[Entry(club.alice, club.pot, 7)]).id
    post_hold(key="p2", kind="entry", source="tournament:1", hold=second)
    lines = selectors.statement(club.alice).lines
    columns = [(x.seq, x.kind, x.state, x.other, x.amount, x.held, x.balance, x.note) for x in lines]
    assert columns == [
        (6, "entry", "post", club.pot, -7, 7, 63, None),
        (5, "entry", "pending", club.pot, 0, -7, 70, None),
        (4, "entry", "void", club.pot, 0, 20, 70, None),
        (3, "entry", "pending", club.pot, 0, -20, 70, None),
        (2, "ante", "posted", club.pot, -30, 0, 70, "a note"),
        (1, "issue", "posted", club.mint, 100, 0, 100, None),
    ]
    pot = [(line.amount, line.held) for line in selectors.statement(club.pot).lines]
    assert pot == [(7, -7), (0, 7), (0, -20), (0, 20), (30, 0)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 25, 26])
def test_pages_join_into_the_whole_statement(club: Club, size: int) -> None:
    club.give(club.alice, 100)
    for n in range(6):
        entries = [Entry(club.alice, club.bob, n + 1), Entry(club.bob, club.alice, 1)] * 2
        post(key=f"p{n}", kind="x", source="x", postings=entries)
    page = selectors.statement(club.alice, size=size)
    seen = list(page.lines)
    while page.following:
        page = selectors.statement(club.alice, size=size, after=page.following)
        seen += page.lines
    assert [line.seq for line in seen] == list(range(25, 0, -1))


def test_statement_filters(club: Club) -> None:
    club.give(club.alice, 100)
    one = post(key="1", kind="ante", source="table:1:e1", postings=[Entry(club.alice, club.pot, 1)]).id
    two = post(key="2", kind="win", source="table:10:e1", postings=[Entry(club.pot, club.alice, 1)]).id
    three = post(key="3", kind="odd", source="table%1", postings=[Entry(club.alice, club.pot, 1)]).id

    def numbers(**filters: object) -> list[int]:
        return [line.transaction for line in selectors.statement(club.alice, **filters).lines]  # type: ignore[arg-type]

    assert numbers(kinds=["ante", "odd"]) == [three, one]
    assert numbers(source_prefix="table:1:") == [one]
    assert numbers(source_prefix="table%") == [three]
    assert numbers(source_prefix="table_1") == []
    assert numbers(direction="out") == [three, one]
    assert numbers(direction="in")[:1] == [two]
    assert numbers(since=at(two)) == [three, two]
    assert numbers(since=at(one), until=at(two)) == [one]


def test_a_page_takes_two_queries_and_a_balance_at_a_time_too(club: Club) -> None:
    club.give(club.alice, 100)
    with CaptureQueriesContext(connection) as queries:
        selectors.statement(club.alice)
    assert len(queries) == 2
    with CaptureQueriesContext(connection) as queries:
        selectors.balance_at(club.alice, datetime(2099, 1, 1, tzinfo=UTC))
    assert len(queries) == 2


def test_statement_and_balance_walk_the_index_of_the_account(club: Club) -> None:
    """Whatever the table's size, neither sorts nor scans."""
    club.give(club.alice, 100)
    with CaptureQueriesContext(connection) as queries:
        selectors.statement(club.alice, after=selectors.Place(datetime(2099, 1, 1, tzinfo=UTC), 9))
        selectors.balance_at(club.alice, datetime(2099, 1, 1, tzinfo=UTC))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        for query in (queries[1], queries[3]):
            cursor.execute("EXPLAIN " + query["sql"])
            plan = "\n".join(row[0] for row in cursor.fetchall())
            assert "posting_debit" in plan and "posting_credit" in plan
            assert "Seq Scan on ledger_posting" not in plan


def test_trial_balance_adds_up_to_nothing(club: Club) -> None:
    club.give(club.alice, 100)
    club.move(club.alice, club.pot, 30)
    hold(key="h", kind="x", source="x", postings=[Entry(club.alice, club.pot, 4)])
    create_asset(code="GOLD")
    gold = open_account(kind="mint", ref="", asset="GOLD")
    post(
        key="g",
        kind="x",
        source="x",
        postings=[Entry(gold, open_account(kind="wallet", ref="g", asset="GOLD"), 5)],
    )
    lines = {line.kind: line for line in selectors.trial_balance("CHIPS")}
    assert {kind: line.balance for kind, line in lines.items()} == {
        "mint": -100,
        "pot": 30,
        "seat": 0,
        "suspense": 0,
        "wallet": 70,
    }
    assert lines["wallet"].accounts == 3
    assert (lines["wallet"].debits_pending, lines["pot"].credits_pending) == (4, 4)
    with pytest.raises(errors.UnknownAsset):
        selectors.trial_balance("NONE")


def test_unknown_accounts_are_refused(club: Club) -> None:
    for read in (selectors.balance, selectors.available, selectors.statement):
        with pytest.raises(errors.UnknownAccount):
            read(2**60)
    with pytest.raises(errors.UnknownAccount):
        selectors.balance_at(2**60, datetime(2099, 1, 1, tzinfo=UTC))


def test_accounts_are_found_by_what_they_are(club: Club) -> None:
    assert selectors.find_account(kind="pot", ref="table 1", asset="CHIPS") == club.pot
    assert selectors.find_account(kind="pot", ref="table 2", asset="CHIPS") is None
    found = selectors.accounts_of(club.owners["alice"])
    assert [account.pk for account in found] == [club.alice, club.seat1]
    assert selectors.available(club.mint) is None
    assert Posting.objects.count() == 0
