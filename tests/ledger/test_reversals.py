"""Reversals: every posting swapped, at most once, and nothing created or lost."""

from __future__ import annotations

import pytest
from django.db import transaction

from ledger import errors, selectors
from ledger.models import Posting, Transaction
from ledger.services import (
    Entry,
    close_account,
    create_asset,
    hold,
    open_account,
    post,
    post_hold,
    reverse,
    void_hold,
)
from tests.ledger.conftest import Club


def undo(number: object, key: str = "undo", **more: object) -> int:
    """Reverse a transaction."""
    return reverse(key=key, kind="undo", source="test", transaction=number, **more).id  # type: ignore[arg-type]


def balances(club: Club) -> list[int]:
    """alice, bob, carol, pot, mint"""
    return [selectors.balance(a) for a in (club.alice, club.bob, club.carol, club.pot, club.mint)]


def test_reversal_swaps_every_posting_last_first(club: Club) -> None:
    club.give(club.alice, 50)
    entries = [Entry(club.alice, club.pot, 10), Entry(club.pot, club.bob, 4), Entry(club.pot, club.carol, 6)]
    done = post(key="p", kind="deal", source="t", postings=entries).id
    undone = undo(done)
    rows = Posting.objects.filter(transaction=undone).order_by("n")
    assert list(rows.values_list("debit", "credit", "amount")) == [
        (club.carol, club.pot, 6),
        (club.bob, club.pot, 4),
        (club.pot, club.alice, 10),
    ]
    assert balances(club) == [50, 0, 0, 0, -50]
    assert Transaction.objects.get(id=undone).reverses_id == done


def test_a_refund_is_done_once(club: Club) -> None:
    """Elsewhere the same refund was paid twice."""
    done = club.give(club.alice, 50)
    undo(done, key="refund 1")
    with pytest.raises(errors.AlreadyReversed), transaction.atomic():
        undo(done, key="refund 2")
    assert balances(club) == [0, 0, 0, 0, 0]


def test_a_repeated_reversal_is_answered_not_done(club: Club) -> None:
    done = club.give(club.alice, 50)
    first = undo(done)
    again = reverse(key="undo", kind="undo", source="test", transaction=done)
    assert again == (first, True)


def test_spent_chips_cannot_be_taken_back(club: Club) -> None:
    done = club.give(club.alice, 50)
    club.move(club.alice, club.bob, 20)
    with pytest.raises(errors.Insufficient) as caught, transaction.atomic():
        undo(done)
    assert caught.value.params == {"account": str(club.alice), "missing": "20"}
    assert balances(club)[:2] == [30, 20]


def test_another_account_can_stand_in(club: Club) -> None:
    club.give(club.alice, 50)
    done = club.move(club.alice, club.pot, 20).id
    club.move(club.pot, club.bob, 20)
    undo(done, instead={club.pot: club.suspense})
    assert balances(club)[:4] == [50, 20, 0, 0]
    assert selectors.balance(club.suspense) == -20


def test_a_stand_in_of_another_asset_is_refused(club: Club) -> None:
    create_asset(code="GOLD")
    other = open_account(kind="suspense", ref="", asset="GOLD")
    done = club.give(club.alice, 50)
    with pytest.raises(errors.WrongAsset), transaction.atomic():
        undo(done, instead={club.alice: other})


def test_the_same_key_with_another_stand_in_is_another_request(club: Club) -> None:
    club.give(club.bob, 50)
    done = club.give(club.alice, 50)
    undo(done)
    with pytest.raises(errors.KeyReused), transaction.atomic():
        undo(done, instead={club.alice: club.bob})


def test_nothing_is_left_to_reverse_between_accounts_of_one_stand_in(club: Club) -> None:
    club.give(club.alice, 50)
    done = club.move(club.alice, club.seat1, 50).id
    with pytest.raises(errors.BadCount), transaction.atomic():
        undo(done, instead={club.seat1: club.alice})


def test_a_posted_hold_is_reversed_by_its_posting(club: Club) -> None:
    club.give(club.alice, 50)
    held = hold(key="h", kind="entry", source="t", postings=[Entry(club.alice, club.pot, 50)]).id
    with pytest.raises(errors.NotPosted), transaction.atomic():
        undo(held)
    posted = post_hold(key="p", kind="entry", source="t", hold=held).id
    undo(posted)
    assert balances(club) == [50, 0, 0, 0, -50]


def test_a_void_cannot_be_reversed(club: Club) -> None:
    club.give(club.alice, 50)
    held = hold(key="h", kind="entry", source="t", postings=[Entry(club.alice, club.pot, 50)]).id
    voided = void_hold(key="v", kind="entry", source="t", hold=held).id
    with pytest.raises(errors.NotPosted), transaction.atomic():
        undo(voided)


def test_a_mistaken_reversal_is_reversed_in_turn(club: Club) -> None:
    done = club.give(club.alice, 50)
    undone = undo(done)
    undo(undone, key="redo")
    assert balances(club)[0] == 50
    with pytest.raises(errors.AlreadyReversed), transaction.atomic():
        undo(done, key="once more")


def test_a_closed_account_takes_nothing_back(club: Club) -> None:
    club.give(club.alice, 50)
    done = club.move(club.alice, club.bob, 50).id
    close_account(account=club.alice)
    with pytest.raises(errors.AccountClosed), transaction.atomic():
        undo(done)


@pytest.mark.parametrize("number", [0, -1, 10**9, 2**63, "1", True, None], ids=repr)
def test_an_unknown_transaction_is_refused(club: Club, number: object) -> None:
    with pytest.raises(errors.UnknownTransaction), transaction.atomic():
        undo(number)


@pytest.mark.parametrize("account", [0, "1", True, None, 2**60], ids=repr)
def test_an_unknown_stand_in_is_refused(club: Club, account: object) -> None:
    done = club.give(club.alice, 50)
    with pytest.raises(errors.UnknownAccount), transaction.atomic():
        undo(done, instead={club.alice: account})
