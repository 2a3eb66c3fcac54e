"""Faults that poker sites became known for, as far as the book can stop them.

What a deal should pay is for the rules to say; the book makes sure that chips
are neither lost nor made on the way, and that a table which did not pay out
everything cannot be closed as if it had.
"""

from __future__ import annotations

import pytest
from django.db import transaction

from ledger import errors, selectors
from ledger.models import Transaction
from ledger.services import Entry, close_account, hold, post, post_hold, reverse, void_hold
from tests.ledger.conftest import Club
from tests.ledger.test_races import race, sorted_out


@pytest.fixture
def table(club: Club) -> Club:
    """Alice and Bob have put 26,410 chips into the pot, from their seats."""
    return stake(club)


def stake(club: Club) -> Club:
    """Put 13,205 chips of each seat into the pot."""
    for wallet, seat in ((club.alice, club.seat1), (club.bob, club.seat2)):
        club.give(wallet, 20_000)
        club.move(wallet, seat, 20_000)
    entries = [Entry(club.seat1, club.pot, 13_205), Entry(club.seat2, club.pot, 13_205)]
    post(key="deal 1 stakes", kind="stakes", source="table:1:1", postings=entries)
    return club


def pay(*entries: Entry, key: str = "deal 1 pays") -> int:
    """Pay the deal out."""
    return post(key=key, kind="payout", source="table:1:2", postings=entries).id


def test_a_winner_cannot_be_paid_nothing(table: Club) -> None:
    """ "Winner got 0": a payout of nothing is refused, and a table that paid nobody cannot be closed."""
    with pytest.raises(errors.BadAmount):
        pay(Entry(table.pot, table.seat1, 0))
    with pytest.raises(errors.NotEmpty), transaction.atomic():
        close_account(account=table.pot)
    pay(Entry(table.pot, table.seat1, 26_410))
    close_account(account=table.pot)


def test_a_payout_that_fails_on_a_side_pot_pays_nobody_and_can_be_repeated(table: Club) -> None:
    """A side pot crashed the table after the main pot was paid, and the retry paid the main pot again."""
    main, side = Entry(table.pot, table.seat1, 20_000), Entry(table.pot, 2**60, 6_410)
    for _ in range(2):
        with pytest.raises(errors.UnknownAccount), transaction.atomic():
            pay(main, side)
        assert selectors.balance(table.pot) == 26_410
        assert selectors.balance(table.seat1) == 6_795
    for _ in range(2):
        pay(main, side._replace(credit=table.seat2))
    assert [selectors.balance(a) for a in (table.pot, table.seat1, table.seat2)] == [0, 26_795, 13_205]


def test_a_table_that_paid_18418_of_26410_does_not_close(table: Club) -> None:
    pay(Entry(table.pot, table.seat1, 18_418))
    with pytest.raises(errors.NotEmpty), transaction.atomic():
        close_account(account=table.pot)
    assert selectors.balance(table.pot) == 26_410 - 18_418
    [line] = [line for line in selectors.trial_balance("CHIPS") if line.kind == "pot"]
    assert line.balance == 7_992


def test_a_pot_pays_no_more_than_it_has(table: Club) -> None:
    with pytest.raises(errors.Insufficient) as caught, transaction.atomic():
        pay(Entry(table.pot, table.seat1, 26_410), Entry(table.pot, table.seat2, 1))
    assert caught.value.params == {"account": str(table.pot), "missing": "1"}


@pytest.mark.committed(role="site")
def test_a_pot_does_not_go_negative_when_a_player_drops_out_while_it_is_paid(committed_club: Club) -> None:
    """The refund to who lost the connection and the payout to who won met in the pot."""
    table = stake(committed_club)
    outcomes = race(
        lambda: pay(Entry(table.pot, table.seat1, 26_410)),
        lambda: pay(Entry(table.pot, table.seat2, 13_205), key="refund"),
    )
    done, refused = sorted_out(outcomes)
    assert (len(done), refused) == (1, ["insufficient"])
    assert selectors.balance(table.pot) in (0, 13_205)


def test_chips_on_hold_are_not_staked_again(table: Club) -> None:
    """Six tournament entries of 1000 were taken from 5000 because the check looked past the holds."""
    close_to_empty = Entry(table.seat1, table.alice, 5_000)
    post(key="cash out", kind="cash-out", source="t", postings=[close_to_empty])
    entry = Entry(table.alice, table.pot, 1_000)
    taken = 0
    for n in range(6):
        try:
            with transaction.atomic():
                hold(key=f"entry {n}", kind="entry", source="tournament:1", postings=[entry])
            taken += 1
        except errors.Insufficient:
            pass
    assert taken == 5
    with pytest.raises(errors.Insufficient), transaction.atomic():
        table.move(table.alice, table.seat1, 1)


def test_a_refund_is_not_paid_again_under_another_key(table: Club) -> None:
    paid = Transaction.objects.get(key="deal 1 stakes").pk
    reverse(key="refund", kind="refund", source="table:1:3", transaction=paid)
    with pytest.raises(errors.AlreadyReversed), transaction.atomic():
        reverse(key="refund once more", kind="refund", source="table:1:4", transaction=paid)
    assert [selectors.balance(a) for a in (table.pot, table.seat1, table.seat2)] == [0, 20_000, 20_000]


def test_a_commit_never_does_nothing_on_one_side(table: Club) -> None:
    """Both sides of a hold move, or the caller is told why not."""
    table.give(table.alice, 50)
    held = hold(key="h", kind="entry", source="t", postings=[Entry(table.alice, table.pot, 50)]).id
    before = selectors.balance(table.alice), selectors.balance(table.pot)
    post_hold(key="p", kind="entry", source="t", hold=held)
    after = selectors.balance(table.alice), selectors.balance(table.pot)
    assert (after[0] - before[0], after[1] - before[1]) == (-50, 50)
    for key, verb in (("again", post_hold), ("void", void_hold)):
        with pytest.raises(errors.AlreadyResolved), transaction.atomic():
            verb(key=key, kind="entry", source="t", hold=held)
