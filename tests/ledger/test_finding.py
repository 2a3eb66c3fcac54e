"""Finding transactions: the newest first, never more than a bounded look back."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger import selectors
from ledger.models import Transaction
from ledger.selectors import Found, finding
from ledger.services import Entry, post
from tests.ledger.conftest import Club


def moves(club: Club, number: int) -> list[int]:
    """Transactions between Alice and Bob, to and fro, the first of them a gift to Alice."""
    made = [club.give(club.alice, 100)]
    for n in range(number):
        sides = (club.alice, club.bob) if n % 2 == 0 else (club.bob, club.alice)
        made.append(post(key=f"m{n}", kind="x", source=f"table/{n % 2}/{n}", postings=[Entry(*sides, 1)]).id)
    return made


def numbers(found: Found, **also: datetime) -> list[int]:
    """The transactions that fit, the newest first."""
    fitting = Transaction.objects.filter(found.condition, **also)
    return list(fitting.order_by("-at", "-id").values_list("id", flat=True))


def times() -> dict[int, datetime]:
    """When each transaction was made."""
    return dict(Transaction.objects.values_list("id", "at"))


def test_transactions_of_accounts_are_found_on_both_sides(club: Club) -> None:
    made = moves(club, 3)
    assert numbers(selectors.touching([club.alice])) == made[::-1]
    assert numbers(selectors.touching([club.alice, club.bob])) == made[::-1]
    assert numbers(selectors.touching([club.bob])) == made[:0:-1]
    assert numbers(selectors.touching([club.carol])) == []
    assert numbers(selectors.touching([])) == []
    assert selectors.touching([club.alice, club.carol]).looked_to is None


def test_transactions_of_accounts_are_found_between_two_times(club: Club) -> None:
    made = moves(club, 3)
    at = times()
    assert numbers(selectors.touching([club.alice], since=at[made[2]])) == made[:1:-1]
    assert numbers(selectors.touching([club.alice], until=at[made[2]])) == made[1::-1]
    microsecond = timedelta(microseconds=1)
    within = selectors.touching([club.alice], since=at[made[1]] + microsecond, until=at[made[3]])
    assert numbers(within) == [made[2]]


def test_a_look_at_a_long_past_ends_and_says_where(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    made = moves(club, 6)
    monkeypatch.setattr(finding, "MOST_TOUCHED", 4)
    newest = selectors.touching([club.alice])
    assert (numbers(newest), newest.looked_to) == (made[:-5:-1], times()[made[-4]])
    older = selectors.touching([club.alice], until=newest.looked_to)
    assert (numbers(older), older.looked_to) == (made[2::-1], None)


def test_looking_back_along_accounts_is_one_query_however_many_they_are(club: Club) -> None:
    moves(club, 2)
    with CaptureQueriesContext(connection) as queries:
        selectors.touching([club.alice, club.bob, club.carol, club.seat1, club.seat2])
    assert len(queries) == 1


@pytest.mark.parametrize("most", [3, 100])
def test_a_source_is_found_by_its_beginning(club: Club, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    made = moves(club, 6)
    monkeypatch.setattr(finding, "MOST_OF_SOURCE", most)
    assert numbers(selectors.of_source("table/1/")) == [made[6], made[4], made[2]]
    assert numbers(selectors.of_source("table/_/")) == []
    assert selectors.of_source("table/1/").looked_to is None
    assert numbers(selectors.searched("table/1/")) == [made[6], made[4], made[2]]
    assert numbers(selectors.searched("m0")) == [made[1]]
    assert numbers(selectors.searched(str(made[1]))) == [made[1]]
    assert numbers(selectors.searched("nothing")) == []


def test_a_source_that_fits_half_the_book_is_looked_for_among_the_newest(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = moves(club, 6)
    at = times()
    monkeypatch.setattr(finding, "MOST_OF_SOURCE", 2)
    newest = selectors.of_source("table/")
    assert (numbers(newest), newest.looked_to) == ([made[6], made[5], made[4]], at[made[4]])
    until = at[made[4]]
    older = selectors.of_source("table/", until=until)
    assert (numbers(older, at__lt=until), older.looked_to) == ([made[3], made[2], made[1]], at[made[1]])
    within = selectors.of_source("table/", since=at[made[5]])
    assert (numbers(within, at__gte=at[made[5]]), within.looked_to) == ([made[6], made[5]], None)
    to_the_beginning = selectors.of_source("table/", until=at[made[2]])
    assert (numbers(to_the_beginning, at__lt=at[made[2]]), to_the_beginning.looked_to) == ([made[1]], None)
