"""Finding transactions: the newest first, never more than a bounded look back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from ledger import selectors
from ledger.models import Transaction
from ledger.selectors import finding
from ledger.services import Entry, post
from tests.ledger.conftest import Club


def moves(club: Club, number: int) -> list[int]:
    """Transactions between Alice and Bob, to and fro, the first of them a gift to Alice."""
    made = [club.give(club.alice, 100)]
    for n in range(number):
        sides = (club.alice, club.bob) if n % 2 == 0 else (club.bob, club.alice)
        made.append(post(key=f"m{n}", kind="x", source=f"table/{n % 2}/{n}", postings=[Entry(*sides, 1)]).id)
    return made


def found(condition: Q) -> set[int]:
    """The transactions that fit."""
    return set(Transaction.objects.filter(condition).values_list("id", flat=True))


def test_transactions_of_accounts_are_found_on_both_sides_once_and_newest_first(club: Club) -> None:
    made = moves(club, 3)
    assert selectors.touching([club.alice]) == (made[::-1], None)
    assert selectors.touching([club.alice, club.bob]) == (made[::-1], None)
    assert selectors.touching([club.bob]) == (made[:0:-1], None)
    assert selectors.touching([club.carol]) == ([], None)
    assert selectors.touching([]) == ([], None)
    assert found(selectors.among(selectors.touching([club.bob]).transactions)) == set(made[1:])


def test_transactions_of_accounts_are_found_between_two_times(club: Club) -> None:
    made = moves(club, 3)
    at = dict(Transaction.objects.values_list("id", "at"))
    assert selectors.touching([club.alice], since=at[made[2]]).transactions == made[:1:-1]
    assert selectors.touching([club.alice], until=at[made[2]]).transactions == made[1::-1]
    microsecond = timedelta(microseconds=1)
    assert selectors.touching(
        [club.alice], since=at[made[1]] + microsecond, until=at[made[3]]
    ).transactions == [made[2]]


def test_a_look_at_a_long_past_ends_and_says_where(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    made = moves(club, 6)
    monkeypatch.setattr(finding, "MOST_TOUCHED", 4)
    newest = selectors.touching([club.alice])
    at = dict(Transaction.objects.values_list("id", "at"))
    assert newest == (made[:-5:-1], at[made[-4]])
    older = selectors.touching([club.alice], until=newest.looked_to)
    assert older == (made[2::-1], None)


def test_looking_back_along_accounts_is_one_query_however_many_they_are(club: Club) -> None:
    moves(club, 2)
    with CaptureQueriesContext(connection) as queries:
        selectors.touching([club.alice, club.bob, club.carol, club.seat1, club.seat2])
    assert len(queries) == 1


@pytest.mark.parametrize("most", [0, 1, 3, 100], ids=lambda most: f"at most {most} looked up")
def test_a_source_is_found_whether_few_or_many_transactions_have_it(
    club: Club, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    made = moves(club, 6)
    monkeypatch.setattr(finding, "MOST_OF_SOURCE", most)
    assert found(selectors.of_source("table/1/")) == {made[2], made[4], made[6]}
    assert found(selectors.of_source("table/")) == set(made[1:])
    assert found(selectors.of_source("table/_/")) == set()
    assert found(selectors.searched("table/1/")) == {made[2], made[4], made[6]}
    assert found(selectors.searched("m0")) == {made[1]}
    assert found(selectors.searched("nothing")) == set()
