"""A small club with chips: what most tests of the book begin with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from ledger import services


@dataclass(frozen=True)
class Club:
    """Accounts of one asset, CHIPS: three wallets, two seats, a pot and the house's own."""

    alice: int
    bob: int
    carol: int
    seat1: int
    seat2: int
    pot: int
    mint: int
    suspense: int
    owners: dict[str, UUID]

    def give(self, account: int, amount: int) -> int:
        """Chips out of the mint; returns the transaction."""
        key = f"give {uuid4()}"
        entry = services.Entry(self.mint, account, amount)
        return services.post(key=key, kind="issue", source="test", postings=[entry]).id

    def move(self, debit: int, credit: int, amount: int, key: str = "") -> services.Posted:
        """Move chips under a key of its own."""
        entry = services.Entry(debit, credit, amount)
        return services.post(key=key or f"move {uuid4()}", kind="move", source="test", postings=[entry])


def make_club() -> Club:
    """Open the accounts; nobody has chips yet."""
    services.create_asset(code="CHIPS")
    owners = {name: uuid4() for name in ("alice", "bob", "carol")}
    wallets = {name: services.open_wallet(owner=owner, asset="CHIPS") for name, owner in owners.items()}
    return Club(
        **wallets,
        seat1=services.open_account(kind="seat", ref="table 1 seat 1", asset="CHIPS", owner=owners["alice"]),
        seat2=services.open_account(kind="seat", ref="table 1 seat 2", asset="CHIPS", owner=owners["bob"]),
        pot=services.open_account(kind="pot", ref="table 1", asset="CHIPS"),
        mint=services.open_house_account(kind="mint", asset="CHIPS"),
        suspense=services.open_house_account(kind="suspense", asset="CHIPS"),
        owners=owners,
    )


@pytest.fixture
def club(db: None) -> Club:
    """A club in a transaction that is rolled back."""
    return make_club()


@pytest.fixture
def committed_club(committed_database: object) -> Club:
    """A club that other connections can see; for tests marked ``committed``."""
    return make_club()


@pytest.fixture(autouse=True)
def proof_files(settings: Any, tmp_path: Path) -> Path:
    """The folder of this test's signing key and heads: nothing of a test gets into ``var/``."""
    settings.LEDGER_KEY_DIR = tmp_path / "keys"
    settings.LEDGER_SIGNING_KEY = ""
    settings.LEDGER_HEADS_FILE = tmp_path / "heads.jsonl"
    return tmp_path
