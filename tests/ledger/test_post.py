"""Posting: what moves, what is refused, and that a refusal writes nothing."""

from __future__ import annotations

import hashlib
from decimal import Decimal

import pytest
from django.db import connection, transaction

from ledger import errors, selectors
from ledger.models import Account, Note, Posting, Transaction
from ledger.services import Entry, close_account, create_asset, open_account, post
from tests.ledger.conftest import Club

HUGE = 10**12


def refused(code: str, **request: object) -> errors.LedgerError:
    """Post, expect this refusal, and check that it wrote nothing."""
    before = picture()
    with pytest.raises(errors.LedgerError) as caught, transaction.atomic():
        post(**({"key": "k", "kind": "move", "source": "test"} | request))  # type: ignore[arg-type]
    assert caught.value.code == code
    assert "%" not in caught.value.message
    assert picture() == before
    return caught.value


def picture() -> tuple[list, list, list]:
    """Everything the book says."""
    return tuple(list(model.objects.order_by("pk").values()) for model in (Account, Transaction, Posting))  # type: ignore[return-value]


def test_chips_move_from_debit_to_credit(club: Club) -> None:
    club.give(club.alice, 100)
    posted = post(key="a", kind="move", source="table:1", postings=[Entry(club.alice, club.bob, 30)])
    assert not posted.replayed
    assert (selectors.balance(club.alice), selectors.balance(club.bob)) == (70, 30)
    assert selectors.balance(club.mint) == -100


def test_each_posting_has_the_balances_and_numbers_after_it(club: Club) -> None:
    club.give(club.alice, 100)
    entries = [
        Entry(club.alice, club.pot, 10),
        Entry(club.alice, club.pot, 5),
        Entry(club.pot, club.bob, 15),
    ]
    posted = post(key="a", kind="ante", source="table:1", postings=entries)
    rows = Posting.objects.filter(transaction=posted.id).order_by("n")
    columns = ("n", "amount", "debit_after", "debit_seq", "credit_after", "credit_seq")
    assert list(rows.values_list(*columns)) == [
        (1, 10, 90, 2, 10, 1),
        (2, 5, 85, 3, 15, 2),
        (3, 15, 0, 3, 15, 1),
    ]
    assert {row.at for row in rows} == {Transaction.objects.get(id=posted.id).at}


def test_floor_counts_once_all_postings_are_made(club: Club) -> None:
    """A pot may pay before it is paid, inside one transaction."""
    club.give(club.alice, 10)
    entries = [Entry(club.pot, club.bob, 10), Entry(club.alice, club.pot, 10)]
    post(key="a", kind="settle", source="table:1", postings=entries)
    assert [selectors.balance(account) for account in (club.alice, club.bob, club.pot)] == [0, 10, 0]


def test_same_key_and_request_answers_the_first_transaction(club: Club) -> None:
    club.give(club.alice, 100)
    first = club.move(club.alice, club.bob, 30, key="a")
    again = club.move(club.alice, club.bob, 30, key="a")
    assert again == (first.id, True)
    assert selectors.balance(club.bob) == 30


def test_a_retry_is_answered_even_when_the_chips_are_gone_and_the_account_is_closed(club: Club) -> None:
    club.give(club.alice, 30)
    first = club.move(club.alice, club.bob, 30, key="a")
    close_account(account=club.alice)
    assert club.move(club.alice, club.bob, 30, key="a") == (first.id, True)


@pytest.mark.parametrize("change", ["amount", "debit", "credit", "kind", "source", "more"])
def test_same_key_with_another_request_is_refused(club: Club, change: str) -> None:
    club.give(club.alice, 100)
    club.give(club.carol, 100)
    club.move(club.alice, club.bob, 30, key="k")
    entry = Entry(club.alice, club.bob, 30)
    changed = {
        "amount": {"postings": [entry._replace(amount=31)]},
        "debit": {"postings": [entry._replace(debit=club.carol)]},
        "credit": {"postings": [entry._replace(credit=club.carol)]},
        "kind": {"postings": [entry], "kind": "other"},
        "source": {"postings": [entry], "source": "other"},
        "more": {"postings": [entry, entry]},
    }[change]
    refused("key_reused", **changed)


def test_a_note_is_no_part_of_the_request_and_the_first_one_stays(club: Club) -> None:
    club.give(club.alice, 9)
    entries = [Entry(club.alice, club.bob, 9)]
    first = post(key="a", kind="move", source="test", postings=entries, note="for tea")
    again = post(key="a", kind="move", source="test", postings=entries, note="for coffee")
    assert again == (first.id, True)
    assert Note.objects.get(transaction=first.id).text == "for tea"


def test_only_the_hash_of_a_note_is_in_the_book(club: Club) -> None:
    club.give(club.alice, 9)
    posted = post(
        key="a", kind="move", source="t", postings=[Entry(club.alice, club.bob, 9)], note="tea — õhtul"
    )
    note = Note.objects.get(transaction=posted.id)
    expected = hashlib.sha256(bytes(note.salt) + "tea — õhtul".encode()).digest()
    assert bytes(Transaction.objects.get(id=posted.id).note_hash) == expected


@pytest.mark.parametrize(
    "amount",
    [0, -1, HUGE + 1, 2**63, 2**200, 1.0, 0.5, Decimal(1), "1", True, None, float("nan")],
    ids=repr,
)
def test_bad_amount_is_refused(club: Club, amount: object) -> None:
    club.give(club.alice, 100)
    refused("bad_amount", postings=[Entry(club.alice, club.bob, amount)])  # type: ignore[arg-type]
    refused(
        "bad_amount",
        postings=[Entry(club.alice, club.bob, 1), Entry(club.alice, club.bob, amount)],  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("account", [0, -1, 2**60, 2**63, "1", True, None, 1.0], ids=repr)
def test_unknown_account_is_refused(club: Club, account: object) -> None:
    refused("unknown_account", postings=[Entry(account, club.bob, 1)])  # type: ignore[arg-type]
    refused("unknown_account", postings=[Entry(club.mint, account, 1)])  # type: ignore[arg-type]


def test_overdraft_is_refused_and_says_what_is_missing(club: Club) -> None:
    club.give(club.alice, 100)
    error = refused("insufficient", postings=[Entry(club.alice, club.bob, 101)])
    assert error.params == {"account": str(club.alice), "missing": "1"}


def test_one_bad_posting_refuses_the_whole_transaction(club: Club) -> None:
    club.give(club.alice, 100)
    refused("insufficient", postings=[Entry(club.alice, club.bob, 100), Entry(club.carol, club.bob, 1)])


def test_closed_account_takes_and_gives_nothing(club: Club) -> None:
    close_account(account=club.bob)
    error = refused("closed", postings=[Entry(club.mint, club.bob, 1)])
    assert error.params == {"account": str(club.bob)}


def test_chips_of_two_assets_never_mix(club: Club) -> None:
    create_asset(code="T-7")
    other = open_account(kind="wallet", ref="x", asset="T-7")
    refused("wrong_asset", postings=[Entry(club.mint, other, 1)])
    mint = open_account(kind="mint", ref="", asset="T-7")
    both = [Entry(club.mint, club.alice, 1), Entry(mint, other, 1)]
    post(key="two assets side by side", kind="x", source="x", postings=both)


def test_an_account_cannot_pay_itself(club: Club) -> None:
    club.give(club.alice, 100)
    refused("same_account", postings=[Entry(club.alice, club.alice, 1)])


@pytest.mark.parametrize("count", [0, 201])
def test_count_of_postings_is_limited(club: Club, count: int) -> None:
    club.give(club.alice, 1000)
    error = refused("bad_count", postings=[Entry(club.alice, club.bob, 1)] * count)
    assert error.params == {"count": str(count)}


def test_two_hundred_postings_are_one_transaction(club: Club) -> None:
    club.give(club.alice, 200)
    post(key="many", kind="x", source="x", postings=[Entry(club.alice, club.bob, 1)] * 200)
    assert selectors.balance(club.bob) == 200


@pytest.mark.parametrize("field", ["key", "kind", "source"])
@pytest.mark.parametrize("value", ["", "x" * 201, "a\0b", "\ud800", None, 7], ids=repr)
def test_bad_names_are_refused(club: Club, field: str, value: object) -> None:
    refused("bad_key", **{field: value, "postings": [Entry(club.mint, club.bob, 1)]})


@pytest.mark.parametrize("note", ["", "x" * 1001, "a\0b"], ids=["empty", "long", "nul"])
def test_bad_note_is_refused(club: Club, note: str) -> None:
    refused("bad_note", note=note, postings=[Entry(club.mint, club.bob, 1)])


def test_a_total_that_would_not_be_exact_in_a_browser_is_refused(club: Club) -> None:
    entries = [Entry(club.mint, club.alice, HUGE)] * 200
    for n in range(45):
        post(key=f"n{n}", kind="x", source="x", postings=entries)
    refused("too_large", postings=entries)


def test_time_never_runs_backwards_in_an_account(club: Club) -> None:
    """The clock of the server may be set back; the account's last posting is then the time."""
    club.give(club.alice, 5)
    future = "2099-01-01 00:00:00+00"
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_account SET moved_at = %s WHERE id = %s", [future, club.alice])
    posted = club.move(club.alice, club.bob, 1)
    assert Transaction.objects.get(id=posted.id).at.year == 2099


def test_a_refusal_inside_a_savepoint_leaves_the_callers_transaction_usable(club: Club) -> None:
    with transaction.atomic():
        club.give(club.alice, 5)
        with pytest.raises(errors.Insufficient), transaction.atomic():
            club.move(club.alice, club.bob, 6)
        club.move(club.alice, club.bob, 5)
    assert selectors.balance(club.bob) == 5
