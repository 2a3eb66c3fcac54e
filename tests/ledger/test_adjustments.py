"""Corrections: asked by one, approved by another, decided once, and never touching a table's own accounts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from uuid import UUID

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from clubs.models import FIRST_CLUB, Membership, Notice, User
from ledger import errors, selectors
from ledger.models import AccountOwner, Adjustment, Note, Transaction
from ledger.services import (
    Entry,
    approve_adjustment,
    hold,
    post,
    reject_adjustment,
    request_adjustment,
    reverse,
)
from tests.ledger.conftest import Club


@pytest.fixture
def asker(club: Club) -> UUID:
    """Who asks."""
    return club.owners["alice"]


@pytest.fixture
def approver(club: Club) -> UUID:
    """Who approves."""
    return club.owners["bob"]


def ask(number: object, by: UUID, reason: str = "paid to the wrong member") -> Adjustment:
    """Ask for a reversal."""
    return request_adjustment(transaction_id=number, requested_by=by, reason=reason)  # type: ignore[arg-type]


def test_an_approved_request_reverses_with_its_reason(club: Club, asker: UUID, approver: UUID) -> None:
    number = club.give(club.carol, 50)
    request = ask(number, asker)
    posted = approve_adjustment(adjustment=request.pk, approved_by=approver)
    request.refresh_from_db()
    assert (request.state, request.approved_by, request.reversal_id) == ("approved", approver, posted.id)
    assert request.decided_at is not None and request.decided_at >= request.requested_at
    row = Transaction.objects.get(id=posted.id)
    assert (row.reverses_id, row.source) == (number, f"adjustment:{request.pk}")
    assert Note.objects.get(transaction=posted.id).text == request.reason
    assert selectors.balance(club.carol) == 0


def test_nobody_approves_their_own_request(club: Club, asker: UUID) -> None:
    request = ask(club.give(club.carol, 50), asker)
    with pytest.raises(errors.SamePerson):
        approve_adjustment(adjustment=request.pk, approved_by=asker)
    assert selectors.balance(club.carol) == 50


def test_the_database_itself_wants_two_people(club: Club, asker: UUID) -> None:
    number = club.give(club.carol, 50)
    request = ask(number, asker)
    undone = reverse(key="r", kind="x", source="x", transaction=number).id
    with pytest.raises(IntegrityError, match="adjustment_two_people"), transaction.atomic():
        Adjustment.objects.filter(pk=request.pk).update(
            state="approved", approved_by=asker, decided_at="2026-01-01T00:00Z", reversal_id=undone
        )


def test_a_request_is_decided_once(club: Club, asker: UUID, approver: UUID) -> None:
    first, second = (ask(club.give(club.carol, 50), asker) for _ in range(2))
    approve_adjustment(adjustment=first.pk, approved_by=approver)
    reject_adjustment(adjustment=second.pk, rejected_by=approver)
    for request in (first, second):
        with pytest.raises(errors.AlreadyDecided):
            approve_adjustment(adjustment=request.pk, approved_by=approver)
        with pytest.raises(errors.AlreadyDecided):
            reject_adjustment(adjustment=request.pk, rejected_by=approver)
    assert selectors.balance(club.carol) == 50


def test_who_asked_may_withdraw(club: Club, asker: UUID) -> None:
    number = club.give(club.carol, 50)
    request = ask(number, asker)
    reject_adjustment(adjustment=request.pk, rejected_by=asker)
    assert ask(number, asker).pk != request.pk


def test_one_open_request_for_a_transaction(club: Club, asker: UUID, approver: UUID) -> None:
    number = club.give(club.carol, 50)
    ask(number, asker)
    with pytest.raises(errors.AlreadyRequested):
        ask(number, approver)


def test_what_cannot_be_reversed_cannot_be_asked_for(club: Club, asker: UUID) -> None:
    number = club.give(club.alice, 50)
    reverse(key="r", kind="x", source="x", transaction=number)
    with pytest.raises(errors.AlreadyReversed):
        ask(number, asker)
    held = hold(key="h", kind="x", source="x", postings=[Entry(club.mint, club.pot, 1)]).id
    with pytest.raises(errors.NotPosted):
        ask(held, asker)
    for unknown in (0, 10**9, True, "1", None):
        with pytest.raises(errors.UnknownTransaction):
            ask(unknown, asker)
    with pytest.raises(errors.ReasonMissing):
        ask(number, asker, reason=" ")
    assert not Adjustment.objects.exists()


def test_a_request_that_cannot_be_met_stays_open(club: Club, asker: UUID, approver: UUID) -> None:
    number = club.give(club.carol, 50)
    club.move(club.carol, club.bob, 20)
    request = ask(number, asker)
    with pytest.raises(errors.Insufficient), transaction.atomic():
        approve_adjustment(adjustment=request.pk, approved_by=approver)
    club.move(club.bob, club.carol, 20)
    approve_adjustment(adjustment=request.pk, approved_by=approver)
    assert selectors.balance(club.carol) == 0


def test_an_unknown_request_is_refused(club: Club, approver: UUID) -> None:
    with pytest.raises(errors.UnknownAdjustment):
        approve_adjustment(adjustment=2**60, approved_by=approver)
    with pytest.raises(errors.UnknownAdjustment):
        reject_adjustment(adjustment=2**60, rejected_by=approver)


def test_a_disputed_stake_is_given_back_without_touching_the_table(
    club: Club, asker: UUID, approver: UUID
) -> None:
    """The pot was paid out long ago; it must stay what the table's events say."""
    club.give(club.alice, 50)
    club.move(club.alice, club.seat1, 50)
    ante = post(key="a", kind="ante", source="table:1", postings=[Entry(club.seat1, club.pot, 10)]).id
    club.move(club.pot, club.seat2, 10)
    before = [selectors.balance(a) for a in (club.seat1, club.seat2, club.pot)]
    approve_adjustment(adjustment=ask(ante, asker).pk, approved_by=approver)
    assert [selectors.balance(a) for a in (club.seat1, club.seat2, club.pot)] == before
    assert (selectors.balance(club.alice), selectors.balance(club.suspense)) == (10, -10)


def test_a_buy_in_cannot_be_corrected_because_nothing_changed_hands(
    club: Club, asker: UUID, approver: UUID
) -> None:
    club.give(club.alice, 50)
    buy_in = club.move(club.alice, club.seat1, 50).id
    request = ask(buy_in, asker)
    with pytest.raises(errors.BadCount), transaction.atomic():
        approve_adjustment(adjustment=request.pk, approved_by=approver)


def test_the_site_may_ask_and_decide_but_not_rewrite(
    club: Club, asker: UUID, approver: UUID, site_role: Callable[[], AbstractContextManager[None]]
) -> None:
    with site_role():
        request = ask(club.give(club.carol, 50), asker)
        approve_adjustment(adjustment=request.pk, approved_by=approver)
        for assignment in ("requested_by = approved_by", "reason = 'another'", "transaction_id = 1"):
            with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
                execute(f"UPDATE ledger_adjustment SET {assignment}")
        for assignment in (
            "state = 'requested'",
            "approved_by = NULL",
            f"approved_by = '{club.owners['carol']}'",
        ):
            with pytest.raises(DatabaseError), transaction.atomic():
                execute(f"UPDATE ledger_adjustment SET {assignment}")


def test_a_request_is_not_born_approved(club: Club, asker: UUID, approver: UUID) -> None:
    number = club.give(club.carol, 50)
    with pytest.raises(DatabaseError, match="begins undecided"), transaction.atomic():
        Adjustment.objects.create(
            transaction_id=number,
            reason="x",
            state="approved",
            requested_by=asker,
            approved_by=approver,
            decided_at="2026-01-01T00:00Z",
            reversal_id=number,
        )


def execute(sql: str) -> None:
    """One statement on Django's connection."""
    with connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.parametrize("decide", [approve_adjustment, reject_adjustment])
def test_a_request_is_told_to_who_may_approve_it_until_it_is_decided(
    club: Club, asker: UUID, approver: UUID, decide: Callable[..., object]
) -> None:
    for owner, roles in (
        (asker, ["approver"]),
        (approver, ["approver"]),
        (club.owners["carol"], ["auditor"]),
    ):
        person = User.objects.create_user(str(owner))
        AccountOwner.objects.create(id=owner, user=person)
        Membership.objects.update_or_create(club_id=FIRST_CLUB, user=person, defaults={"roles": roles})
    request = ask(club.give(club.carol, 50), asker)
    approving = User.objects.get(account_owner=approver)
    [told] = Notice.objects.filter(kind="approval")
    assert told.user == approving and told.address == f"/admin/ledger/adjustment/{request.pk}/change/"
    assert not set(told.about) - {"club"}, "nobody is named: names go when people go"
    by = "approved_by" if decide is approve_adjustment else "rejected_by"
    decide(adjustment=request.pk, **{by: approver})
    assert not Notice.objects.filter(kind="approval", read_at=None).exists()
