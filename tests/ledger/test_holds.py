"""Holds: chips set aside count, move once or not at all, and never silently."""

from __future__ import annotations

import pytest
from django.db import transaction

from ledger import errors, selectors
from ledger.models import Account, Posting, Transaction
from ledger.services import Entry, close_account, hold, post_hold, set_credit_line, void_hold
from tests.ledger.conftest import Club


def set_aside(club: Club, amount: int, key: str = "hold", payer: int | None = None) -> int:
    """Hold chips of Alice (or another payer) for the pot."""
    entry = Entry(payer or club.alice, club.pot, amount)
    return hold(key=key, kind="entry", source="tournament:1", postings=[entry]).id


def totals(account: int) -> tuple[int, int, int, int]:
    """debits, credits, debits on hold, credits on hold"""
    columns = ("debits", "credits", "debits_pending", "credits_pending")
    return Account.objects.values_list(*columns).get(id=account)


def test_a_hold_moves_nothing_and_counts_against_the_floor(club: Club) -> None:
    club.give(club.alice, 100)
    set_aside(club, 60)
    assert selectors.balance(club.alice) == 100
    assert selectors.available(club.alice) == 40
    assert totals(club.pot) == (0, 0, 0, 60)
    with pytest.raises(errors.Insufficient), transaction.atomic():
        club.move(club.alice, club.bob, 41)
    club.move(club.alice, club.bob, 40)


def test_what_is_on_its_way_to_an_account_cannot_be_spent(club: Club) -> None:
    club.give(club.alice, 100)
    set_aside(club, 100)
    with pytest.raises(errors.Insufficient), transaction.atomic():
        club.move(club.pot, club.bob, 1)


def test_posting_a_hold_moves_exactly_what_it_set_aside(club: Club) -> None:
    club.give(club.alice, 100)
    held = set_aside(club, 60)
    posted = post_hold(key="start", kind="entry", source="tournament:1", hold=held)
    assert totals(club.alice) == (60, 100, 0, 0)
    assert totals(club.pot) == (0, 60, 0, 0)
    row = Transaction.objects.get(id=posted.id)
    assert (row.state, row.resolves_id) == ("post", held)
    moved = Posting.objects.get(transaction=posted.id)
    assert (moved.debit_id, moved.credit_id, moved.amount) == (club.alice, club.pot, 60)
    assert (moved.debit_after, moved.credit_after) == (40, 60)


def test_voiding_a_hold_lets_the_chips_go(club: Club) -> None:
    club.give(club.alice, 100)
    held = set_aside(club, 60)
    void_hold(key="withdraw", kind="entry", source="tournament:1", hold=held)
    assert totals(club.alice) == (0, 100, 0, 0)
    assert totals(club.pot) == (0, 0, 0, 0)
    club.move(club.alice, club.bob, 100)


@pytest.mark.parametrize("first", [post_hold, void_hold])
@pytest.mark.parametrize("second", [post_hold, void_hold])
def test_a_hold_resolves_once(club: Club, first, second) -> None:
    club.give(club.alice, 100)
    held = set_aside(club, 60)
    first(key="first", kind="entry", source="t", hold=held)
    before = totals(club.alice), totals(club.pot)
    with pytest.raises(errors.AlreadyResolved), transaction.atomic():
        second(key="second", kind="entry", source="t", hold=held)
    assert (totals(club.alice), totals(club.pot)) == before


@pytest.mark.parametrize("verb", [post_hold, void_hold])
def test_a_repeated_resolution_is_answered_not_done(club: Club, verb) -> None:
    """The retry after a lost answer must not look like a second resolution."""
    club.give(club.alice, 100)
    held = set_aside(club, 60)
    first = verb(key="same", kind="entry", source="t", hold=held)
    assert verb(key="same", kind="entry", source="t", hold=held) == (first.id, True)


def test_a_key_that_posted_cannot_void(club: Club) -> None:
    club.give(club.alice, 100)
    held = set_aside(club, 60)
    post_hold(key="same", kind="entry", source="t", hold=held)
    with pytest.raises(errors.KeyReused), transaction.atomic():
        void_hold(key="same", kind="entry", source="t", hold=held)


def test_only_a_hold_can_be_resolved(club: Club) -> None:
    given = club.give(club.alice, 100)
    held = set_aside(club, 60)
    voided = void_hold(key="v", kind="entry", source="t", hold=held).id
    for number in (given, voided):
        with pytest.raises(errors.NotPending), transaction.atomic():
            post_hold(key="x", kind="entry", source="t", hold=number)


@pytest.mark.parametrize("number", [0, -1, 10**9, 2**63, "1", True, None], ids=repr)
def test_an_unknown_hold_is_refused_not_ignored(club: Club, number: object) -> None:
    """Elsewhere a commit of a hold that did not exist did nothing and said nothing."""
    with pytest.raises(errors.UnknownTransaction), transaction.atomic():
        post_hold(key="x", kind="entry", source="t", hold=number)  # type: ignore[arg-type]


def test_an_account_with_a_hold_stays_open(club: Club) -> None:
    """Both ends: an empty account that is owed chips is not done either."""
    club.give(club.alice, 60)
    set_aside(club, 60)
    for account in (club.alice, club.pot):
        with pytest.raises(errors.NotEmpty), transaction.atomic():
            close_account(account=account)


def test_six_holds_of_1000_on_5000(club: Club) -> None:
    """Elsewhere all six were accepted: the check looked at the balance and not at the holds."""
    club.give(club.alice, 5000)
    for n in range(5):
        set_aside(club, 1000, key=f"hold {n}")
    with pytest.raises(errors.Insufficient), transaction.atomic():
        set_aside(club, 1000, key="hold 5")
    assert selectors.available(club.alice) == 0


def test_several_postings_are_held_and_resolved_together(club: Club) -> None:
    club.give(club.alice, 10)
    club.give(club.bob, 10)
    entries = [Entry(club.alice, club.pot, 10), Entry(club.bob, club.pot, 7)]
    held = hold(key="h", kind="entry", source="t", postings=entries).id
    post_hold(key="p", kind="entry", source="t", hold=held)
    assert [selectors.balance(a) for a in (club.alice, club.bob, club.pot)] == [0, 3, 17]


def test_a_hold_respects_the_credit_line(club: Club) -> None:
    set_credit_line(account=club.alice, credit=50, by=club.owners["bob"], reason="regular")
    set_aside(club, 50)
    with pytest.raises(errors.Insufficient), transaction.atomic():
        set_aside(club, 1, key="more")


def test_open_holds_are_listed_until_they_resolve(club: Club) -> None:
    club.give(club.alice, 100)
    first, second = set_aside(club, 10, key="1"), set_aside(club, 20, key="2")
    assert [row.pk for row in selectors.open_holds()] == [first, second]
    void_hold(key="v", kind="entry", source="t", hold=first)
    assert [row.pk for row in selectors.open_holds(source_prefix="tournament:1")] == [second]
    assert not selectors.open_holds(source_prefix="tournament:2")
