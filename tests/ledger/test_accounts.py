"""Assets and accounts: opened once, with ids and floors of their kind, closed for ever."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from clubs.models import User
from ledger import errors, selectors
from ledger.models import HOUSE_IDS_FROM, Account, AccountOwner, Note
from ledger.services import (
    Entry,
    close_account,
    create_asset,
    forget_owner,
    open_account,
    open_house_account,
    open_wallet,
    owner_of,
    post,
    request_adjustment,
    set_credit_line,
)
from tests.ledger.conftest import Club

HOUSE = ["pot", "entry", "pool", "fee", "mint", "rake", "suspense"]


@pytest.mark.parametrize("code", ["CHIPS", "T-12", "A1", "A" * 24, "X.Y_Z-9"])
def test_an_asset_is_created_once(db: None, code: str) -> None:
    assert create_asset(code=code, scale=2) == create_asset(code=code, scale=2)


@pytest.mark.parametrize(
    ("code", "scale"),
    [
        ("chips", 0),
        ("A", 0),
        ("A" * 25, 0),
        ("1A", 0),
        ("A-", 0),
        ("A\n", 0),
        ("Ä1", 0),
        ("", 0),
        ("OK", 7),
        ("OK", -1),
        ("OK", True),
    ],
)
def test_a_bad_asset_is_refused(db: None, code: str, scale: int) -> None:
    with pytest.raises(errors.BadAsset):
        create_asset(code=code, scale=scale)


def test_the_scale_of_an_asset_never_changes(db: None) -> None:
    create_asset(code="CHIPS", scale=0)
    with pytest.raises(errors.BadAsset):
        create_asset(code="CHIPS", scale=2)


def test_opening_twice_gives_the_same_account(club: Club) -> None:
    again = open_account(kind="seat", ref="table 1 seat 1", asset="CHIPS", owner=club.owners["alice"])
    assert again == club.seat1


@pytest.mark.parametrize("kind", HOUSE)
def test_house_accounts_are_locked_last(club: Club, kind: str) -> None:
    assert open_account(kind=kind, ref="9", asset="CHIPS") >= HOUSE_IDS_FROM
    assert club.alice < club.seat2 < HOUSE_IDS_FROM


@pytest.mark.parametrize("kind", [*HOUSE, "wallet", "seat"])
def test_each_kind_has_its_floor(club: Club, kind: str) -> None:
    account = Account.objects.get(id=open_account(kind=kind, ref="9", asset="CHIPS"))
    assert account.min_balance == (None if kind in ("mint", "suspense") else 0)


def test_no_account_opens_below_zero(club: Club) -> None:
    """A wallet goes below zero only by a credit line, which is on record."""
    wallet = open_account(kind="wallet", ref="9", asset="CHIPS")
    with pytest.raises(errors.Insufficient), transaction.atomic():
        club.move(wallet, club.bob, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "purse"},
        {"ref": "x" * 121},
        {"ref": "a\0"},
    ],
    ids=str,
)
def test_a_bad_account_is_refused(club: Club, change: dict) -> None:
    before = Account.objects.count()
    with pytest.raises(errors.BadAccount):
        open_account(**({"kind": "wallet", "ref": "9", "asset": "CHIPS"} | change))
    assert Account.objects.count() == before


def test_an_account_of_no_asset_is_refused(club: Club) -> None:
    with pytest.raises(errors.UnknownAsset), transaction.atomic():
        open_account(kind="wallet", ref="9", asset="GOLD")


def test_the_account_of_somebody_else_is_not_handed_out(club: Club) -> None:
    with pytest.raises(errors.OtherOwner), transaction.atomic():
        open_account(kind="seat", ref="table 1 seat 1", asset="CHIPS", owner=club.owners["bob"])


def test_a_closed_account_does_not_open_again(club: Club) -> None:
    close_account(account=club.seat1)
    close_account(account=club.seat1)
    with pytest.raises(errors.AccountClosed), transaction.atomic():
        open_account(kind="seat", ref="table 1 seat 1", asset="CHIPS", owner=club.owners["alice"])


def test_an_account_with_chips_stays_open(club: Club) -> None:
    club.give(club.alice, 1)
    with pytest.raises(errors.NotEmpty), transaction.atomic():
        close_account(account=club.alice)


@pytest.mark.parametrize("account", [0, 2**60, True, "1", None], ids=repr)
def test_closing_an_unknown_account_is_refused(club: Club, account: object) -> None:
    with pytest.raises(errors.UnknownAccount), transaction.atomic():
        close_account(account=account)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        ("id, kind, ref, asset_id, min_balance", "5000, 'pot', 'x', %s, 0"),
        ("id, kind, ref, asset_id, min_balance", f"{10**15 + 77}, 'wallet', 'x', %s, 0"),
        ("kind, ref, asset_id, min_balance", "'wallet', 'x', %s, 1"),
        ("kind, ref, asset_id, min_balance", "'wallet', 'x', %s, NULL"),
        ("kind, ref, asset_id, min_balance", "'seat', 'x', %s, -1"),
        ("kind, ref, asset_id, min_balance", "'purse', 'x', %s, 0"),
        ("kind, ref, asset_id, min_balance, credits", "'wallet', 'x', %s, 0, 5"),
        ("id, kind, ref, asset_id, min_balance", f"{10**15 + 77}, 'mint', 'x', %s, 0"),
    ],
)
def test_the_database_itself_refuses_a_malformed_account(club: Club, columns: str, values: str) -> None:
    asset = Account.objects.get(id=club.alice).asset_id
    with pytest.raises(DatabaseError) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO ledger_account ({columns}) VALUES ({values})", [asset])
    assert caught.value.__cause__.sqlstate == "23514"  # type: ignore[union-attr]


def test_a_person_has_one_random_id(db: None) -> None:
    user = User.objects.create(username="mari")
    owner = owner_of(user=user)
    assert owner_of(user=user) == owner
    assert owner.version == 4


def test_forgetting_a_person_leaves_the_book_and_nothing_that_names_them(club: Club) -> None:
    user = User.objects.create(username="mari")
    owner = owner_of(user=user)
    wallet = open_wallet(owner=owner, asset="CHIPS")
    given = post(
        key="g", kind="issue", source="t", postings=[Entry(club.mint, wallet, 5)], note="Mari Maasikas paid"
    )
    other = post(
        key="o", kind="issue", source="t", postings=[Entry(club.mint, club.bob, 5)], note="Juhan paid"
    )
    request = request_adjustment(
        transaction_id=given.id, requested_by=club.owners["bob"], reason="Mari says so"
    )
    set_credit_line(account=wallet, credit=5, by=owner, reason="Mari is good for it")
    club.move(wallet, club.mint, 5)
    forget_owner(user=user)
    request.refresh_from_db()
    account = Account.objects.get(id=wallet)
    assert not AccountOwner.objects.filter(user=user).exists()
    assert list(Note.objects.values_list("transaction", "text")) == [(other.id, "Juhan paid")]
    assert request.reason == "" and account.credit_lines.get().reason == ""
    assert account.owner == owner and account.closed_at is not None
    assert [line.amount for line in selectors.statement(wallet).lines] == [-5, 5]


def test_a_person_with_chips_is_not_forgotten(club: Club) -> None:
    user = User.objects.create(username="mari")
    wallet = open_wallet(owner=owner_of(user=user), asset="CHIPS")
    club.give(wallet, 5)
    with pytest.raises(errors.NotEmpty), transaction.atomic():
        forget_owner(user=user)
    with pytest.raises(errors.NotEmpty), transaction.atomic():
        user.delete()
    assert AccountOwner.objects.filter(user=user).exists()


def test_deleting_a_user_forgets_them(club: Club) -> None:
    """Elsewhere users could not be deleted because the log pointed to them."""
    user = User.objects.create(username="mari")
    wallet = open_wallet(owner=owner_of(user=user), asset="CHIPS")
    User.objects.create(username="nobody").delete()
    user.delete()
    assert not AccountOwner.objects.exists()
    assert Account.objects.get(id=wallet).closed_at is not None


def test_one_house_account_per_kind_and_asset(club: Club) -> None:
    assert open_house_account(kind="mint", asset="CHIPS") == club.mint
    assert open_account(kind="mint", ref="", asset="CHIPS") == club.mint
    assert open_wallet(owner=uuid4(), asset="CHIPS") not in (club.alice, club.bob, club.carol)
