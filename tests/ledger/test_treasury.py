"""The treasurer's desk: issue, redeem, move, credit lines and clearing suspense."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.db import transaction

from ledger import errors, selectors
from ledger.models import CreditLine, Note, Transaction
from ledger.services import (
    close_account,
    create_asset,
    issue_chips,
    move_between_members,
    open_wallet,
    redeem_chips,
    set_credit_line,
)
from ledger.services.treasury import clear_suspense
from tests.ledger.conftest import Club


def issue(club: Club, wallet: int, amount: int, key: str = "i", reference: str = "receipt 1") -> int:
    """Chips for a member, given by Carol as treasurer."""
    by = club.owners["carol"]
    return issue_chips(key=key, wallet=wallet, amount=amount, by=by, reference=reference).id


def test_issued_chips_come_from_the_mint_and_go_back_to_it(club: Club) -> None:
    number = issue(club, club.alice, 100)
    assert selectors.balance(club.mint) == -100
    redeem_chips(key="r", wallet=club.alice, amount=40, by=club.owners["carol"], reference="receipt 2")
    assert (selectors.balance(club.alice), selectors.balance(club.mint)) == (60, -60)
    row = Transaction.objects.get(id=number)
    assert (row.kind, row.source) == ("issue", f"desk:{club.owners['carol']}")
    assert Note.objects.get(transaction=number).text == "receipt 1"


def test_a_double_click_issues_once(club: Club) -> None:
    assert issue(club, club.alice, 100) == issue(club, club.alice, 100)
    assert selectors.balance(club.alice) == 100


def test_a_member_cannot_redeem_more_than_they_have(club: Club) -> None:
    issue(club, club.alice, 100)
    with pytest.raises(errors.Insufficient), transaction.atomic():
        redeem_chips(key="r", wallet=club.alice, amount=101, by=club.owners["carol"], reference="x")


@pytest.mark.parametrize("wallet", ["pot", "seat1", "mint", "suspense"])
def test_chips_are_issued_to_wallets_only(club: Club, wallet: str) -> None:
    with pytest.raises(errors.NotAWallet):
        issue(club, getattr(club, wallet), 100)


@pytest.mark.parametrize("wallet", [2**60, 0, True, "1", None, 2**70], ids=repr)
def test_an_unknown_wallet_is_refused(club: Club, wallet: object) -> None:
    with pytest.raises(errors.UnknownAccount):
        issue(club, wallet, 100)  # type: ignore[arg-type]


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501, "a\0b"], ids=["empty", "blank", "long", "nul"])
def test_every_move_of_the_treasurer_needs_a_reason(club: Club, reason: str) -> None:
    issue(club, club.alice, 100)
    by = club.owners["carol"]
    with pytest.raises(errors.ReasonMissing):
        issue(club, club.alice, 1, key="2", reference=reason)
    with pytest.raises(errors.ReasonMissing):
        move_between_members(key="m", debit=club.alice, credit=club.bob, amount=1, by=by, reason=reason)
    with pytest.raises(errors.ReasonMissing):
        set_credit_line(account=club.alice, credit=1, by=by, reason=reason)
    assert selectors.balance(club.alice) == 100


def test_moves_between_members_are_between_wallets(club: Club) -> None:
    issue(club, club.alice, 100)
    by = club.owners["carol"]
    move_between_members(key="m", debit=club.alice, credit=club.bob, amount=30, by=by, reason="bet")
    assert selectors.balance(club.bob) == 30
    for debit, credit in ((club.alice, club.pot), (club.mint, club.alice), (club.seat1, club.alice)):
        with pytest.raises(errors.NotAWallet):
            move_between_members(key="n", debit=debit, credit=credit, amount=1, by=by, reason="x")


def test_a_credit_line_lets_a_wallet_go_below_zero(club: Club) -> None:
    by = club.owners["carol"]
    set_credit_line(account=club.alice, credit=50, by=by, reason="regular")
    club.move(club.alice, club.bob, 50)
    with pytest.raises(errors.Insufficient), transaction.atomic():
        club.move(club.alice, club.bob, 1)
    assert selectors.balance(club.alice) == -50 and selectors.available(club.alice) == 0


def test_every_change_of_a_credit_line_stays_on_record(club: Club) -> None:
    by = club.owners["carol"]
    set_credit_line(account=club.alice, credit=50, by=by, reason="regular")
    set_credit_line(account=club.alice, credit=20, by=by, reason="less regular")
    columns = ("previous", "credit", "set_by", "reason")
    assert list(CreditLine.objects.order_by("id").values_list(*columns)) == [
        (0, 50, by, "regular"),
        (50, 20, by, "less regular"),
    ]


def test_a_credit_line_in_use_cannot_be_cut(club: Club) -> None:
    by = club.owners["carol"]
    set_credit_line(account=club.alice, credit=50, by=by, reason="regular")
    club.move(club.alice, club.bob, 30)
    with pytest.raises(errors.CreditInUse) as caught, transaction.atomic():
        set_credit_line(account=club.alice, credit=20, by=by, reason="cut")
    assert caught.value.params["missing"] == "10"
    assert CreditLine.objects.count() == 1


@pytest.mark.parametrize("credit", [-1, 10**12 + 1, 2**70, 0.5, True, None], ids=repr)
def test_a_bad_credit_line_is_refused(club: Club, credit: object) -> None:
    with pytest.raises(errors.BadAmount):
        set_credit_line(account=club.alice, credit=credit, by=club.owners["carol"], reason="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("account", "error"),
    [
        ("pot", errors.NotAWallet),
        ("mint", errors.NotAWallet),
        (2**60, errors.UnknownAccount),
        (True, errors.UnknownAccount),
    ],
)
def test_credit_lines_are_for_wallets(club: Club, account: object, error: type[errors.LedgerError]) -> None:
    number = getattr(club, account) if isinstance(account, str) else account
    with pytest.raises(error), transaction.atomic():
        set_credit_line(account=number, credit=5, by=club.owners["carol"], reason="x")


def test_a_closed_wallet_gets_no_credit(club: Club) -> None:
    close_account(account=club.alice)
    with pytest.raises(errors.AccountClosed), transaction.atomic():
        set_credit_line(account=club.alice, credit=5, by=club.owners["carol"], reason="x")


def test_suspense_is_cleared_against_a_wallet(club: Club) -> None:
    issue(club, club.bob, 20)
    club.move(club.suspense, club.alice, 20)
    by = club.owners["carol"]
    clear_suspense(key="c", debit=club.bob, credit=club.suspense, amount=20, by=by, reason="Bob won it")
    assert [selectors.balance(a) for a in (club.alice, club.bob, club.suspense)] == [20, 0, 0]
    create_asset(code="GOLD")
    gold = open_wallet(owner=club.owners["alice"], asset="GOLD")
    with pytest.raises(errors.WrongAsset), transaction.atomic():
        clear_suspense(key="w", debit=club.suspense, credit=gold, amount=1, by=by, reason="x")
    for debit, credit in ((club.bob, club.alice), (club.pot, club.suspense), (club.suspense, club.mint)):
        with pytest.raises(errors.NotSuspense):
            clear_suspense(key="d", debit=debit, credit=credit, amount=1, by=by, reason="x")


def test_the_desk_works_with_the_rights_of_the_site(
    club: Club, site_role: Callable[[], AbstractContextManager[None]]
) -> None:
    by = club.owners["carol"]
    with site_role():
        issue(club, club.alice, 100)
        set_credit_line(account=club.alice, credit=50, by=by, reason="regular")
        move_between_members(key="m", debit=club.alice, credit=club.bob, amount=150, by=by, reason="x")
        redeem_chips(key="r", wallet=club.bob, amount=150, by=by, reference="receipt 2")
    assert selectors.balance(club.alice) == -50
