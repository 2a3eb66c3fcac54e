"""Erasing a member: the mapping and the notes go, every proof stays, also those that were given out before."""

from __future__ import annotations

import json

import pytest
from django.db import connection

from clubs.models import User
from ledger import services
from ledger.errors import NotEmpty
from ledger.models import Account, AccountOwner, Note
from ledger.rules.receipt import check_receipt
from ledger.services.receipts import check_proof, make_receipt
from ledger.services.signing import known_keys, verify_signature
from ledger.services.verifying import verify
from tests.ledger.books import seal_everything

pytestmark = pytest.mark.committed

NAME = "Mari-Liis Tamm"


@pytest.fixture
def mari() -> User:
    """A member whose chips came, were played for and went back, with notes that name her; all of it sealed."""
    user = User.objects.create(username="mari", display_name=NAME)
    services.create_asset(code="CHIPS")
    mint = services.open_house_account(kind="mint", asset="CHIPS")
    wallet = services.open_wallet(owner=services.owner_of(user=user), asset="CHIPS")
    for key, entry in {
        "issued": services.Entry(mint, wallet, 100),
        "redeemed": services.Entry(wallet, mint, 100),
    }.items():
        services.post(key=key, kind=key, source="desk", postings=[entry], note=f"{key} by {NAME} in cash")
    seal_everything()
    return user


def transactions() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM ledger_transaction ORDER BY id")
        return [row[0] for row in cursor.fetchall()]


def test_every_proof_outlives_the_member(mari: User) -> None:
    given_out = [make_receipt(transaction=id, with_note=True) for id in transactions()]
    assert all(NAME in receipt["note"]["text"] for receipt in given_out)
    services.forget_owner(user=mari)
    assert (Note.objects.count(), AccountOwner.objects.count()) == (0, 0)
    assert verify().fault is None
    keys = [key.public_key for key in known_keys().values()]
    for receipt in given_out:
        check_receipt(receipt, verify_signature, trusted_keys=keys)
    for id in transactions():
        proof = check_proof(transaction=id)
        assert proof.checked
        assert "note" not in proof.receipt
        assert NAME not in json.dumps(proof.receipt)


def test_what_follows_is_sealed_upon_what_stays(mari: User) -> None:
    services.forget_owner(user=mari)
    mint = services.open_house_account(kind="mint", asset="CHIPS")
    wallet = services.open_account(kind="wallet", ref="another", asset="CHIPS")
    services.post(key="later", kind="issue", source="desk", postings=[services.Entry(mint, wallet, 5)])
    seal_everything()
    assert verify().fault is None
    assert verify(since=1).fault is None


def test_deleting_the_user_leaves_no_name_in_any_table_of_the_ledger(mari: User) -> None:
    owner = services.owner_of(user=mari)
    mari.delete()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name LIKE 'ledger\\_%'"
        )
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE %s", [f"%{NAME}%"])
            assert cursor.fetchone() == (0,), table
    assert Account.objects.filter(owner=owner).count() == 1  # the random id stays, and is nobody's
    assert verify().fault is None


def test_a_member_with_chips_is_not_erased(mari: User) -> None:
    wallet = services.open_wallet(owner=services.owner_of(user=mari), asset="CHIPS")
    mint = services.open_house_account(kind="mint", asset="CHIPS")
    services.post(key="more", kind="issue", source="desk", postings=[services.Entry(mint, wallet, 5)])
    with pytest.raises(NotEmpty):
        services.forget_owner(user=mari)
    assert Note.objects.count() == 2
