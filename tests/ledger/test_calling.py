"""How the functions are called: one statement, prepared once, visible to whoever counts queries."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from ledger import errors, selectors
from ledger.services import Entry, calling, post
from tests.ledger.conftest import Club


def prepared() -> set[str]:
    """Statements of the ledger that are prepared on Django's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return {row[0] for row in cursor.fetchall() if "ledger_" in row[0]}


def several(club: Club, key: str) -> None:
    """A transaction with two postings."""
    entries = [Entry(club.mint, club.alice, 1), Entry(club.mint, club.bob, 1)]
    post(key=key, kind="x", source="x", postings=entries)


def test_posting_is_one_statement(club: Club) -> None:
    with CaptureQueriesContext(connection) as queries:
        club.give(club.alice, 5)
        several(club, "k")
    assert ["ledger_post_one" in query["sql"] for query in queries] == [True, False]
    assert selectors.balance(club.alice) == 6


def test_statements_are_prepared_once_whatever_the_numbers(club: Club) -> None:
    for n, amount in enumerate((1, 2**14, 2**20, 2**35)):
        club.give(club.alice, amount)
        several(club, f"k{n}")
    assert len([statement for statement in prepared() if "ledger_post" in statement]) == 2


def test_nothing_is_prepared_behind_a_pool_that_would_not_know(club: Club, monkeypatch: Any) -> None:
    before = prepared()
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    monkeypatch.setattr(connection.connection, "prepare_threshold", None)
    calling._cursors.clear()
    club.give(club.alice, 5)
    several(club, "k")
    assert prepared() == before
    assert selectors.balance(club.alice) == 6
    calling._cursors.clear()


def test_both_ways_give_the_same_answers_and_refusals(club: Club) -> None:
    def attempts(key: str) -> list[object]:
        answers: list[object] = [club.move(club.mint, club.alice, 7, key=key).replayed for _ in range(2)]
        for amount in (10**9, 8):
            try:
                with transaction.atomic():
                    answers.append(club.move(club.alice, club.bob, amount, key=key).replayed)
            except errors.LedgerError as error:
                answers.append(error.code)
        return answers

    plain = attempts("a")
    with CaptureQueriesContext(connection):
        assert attempts("b") == plain == [False, True, "key_reused", "key_reused"]


def test_after_a_rollback_the_statement_still_works(club: Club) -> None:
    club.give(club.alice, 5)
    with pytest.raises(errors.Insufficient), transaction.atomic():
        club.move(club.alice, club.bob, 6)
    with transaction.atomic():
        club.move(club.alice, club.bob, 5)
        transaction.set_rollback(True)
    club.move(club.alice, club.bob, 5)
    assert selectors.balance(club.bob) == 5


def test_a_broken_transaction_takes_no_more(club: Club) -> None:
    """As everywhere in Django: after an error inside a block, nothing more until the block ends."""
    with pytest.raises(TransactionManagementError), transaction.atomic():
        transaction.set_rollback(True)
        connection.needs_rollback = True
        club.give(club.alice, 5)


@pytest.mark.committed(role="site")
def test_a_new_connection_prepares_anew(committed_club: Club) -> None:
    committed_club.give(committed_club.alice, 5)
    connection.close()
    committed_club.give(committed_club.alice, 5)
    assert selectors.balance(committed_club.alice) == 10
