"""A small book to seal and to check: one asset, a mint, wallets, seats and a pot, and postings between them."""

from __future__ import annotations

import copy
import secrets
import shutil
import time
import uuid
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.test import override_settings

from clubs.models import FIRST_CLUB
from ledger.models import HOUSE_IDS_FROM, Account, Asset, Seal
from ledger.services.sealing import seal_pending

if TYPE_CHECKING:
    from tests.conftest import Filled

LONGEST_TEST = 600
"""Seconds that another test may hold the sealer's cut-off back: one that is rolled back is one long transaction."""

_keys = count(1)
Entry = tuple[int, int, int]


def post(
    *entries: Entry,
    key: str | None = None,
    kind: str = "stake",
    state: str = "posted",
    source: str = "test",
    resolves: int | None = None,
    reverses: int | None = None,
    note: str | None = None,
) -> int:
    """Post entries ``(from, to, amount)`` as one transaction through the database's own function; returns its id."""
    key = key or f"test:{next(_keys)}:{secrets.token_hex(4)}"
    arguments: list[Any] = [key, sha256(key.encode()).digest(), kind, state, source, secrets.token_bytes(16)]
    arguments += [[entry[place] for entry in entries] or None for place in range(3)]
    arguments += [resolves, reverses, note, None if note is None else secrets.token_bytes(16)]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT transaction_id FROM ledger_post(%s, %s, %s, %s, %s, %s, %s::bigint[], %s::bigint[], %s::bigint[],"
            " p_resolves => %s, p_reverses => %s, p_note => %s, p_note_salt => %s)",
            arguments,
        )
        return int(cursor.fetchone()[0])


@dataclass
class Book:
    """Ids of the accounts of one asset."""

    mint: int
    pot: int
    wallets: list[int]
    seats: list[int]
    transactions: list[int] = field(default_factory=list)

    def issue(self, wallet: int = 0, amount: int = 1000) -> int:
        return self._add((self.mint, self.wallets[wallet], amount), kind="issue", source="desk/issue")

    def play(self, player: int = 0, stake: int = 10) -> int:
        """One deal: buy in, ante, and the pot goes to the next player."""
        winner = (player + 1) % len(self.seats)
        self._add((self.wallets[player], self.seats[player], stake), kind="buy_in", source="test/1/buy_in")
        self._add((self.seats[player], self.pot, stake), kind="ante", source="test/1/ante")
        return self._add((self.pot, self.seats[winner], stake), kind="payout", source="test/1/payout")

    def _add(self, *entries: Entry, **details: Any) -> int:
        self.transactions.append(post(*entries, **details))
        return self.transactions[-1]


def open_book(*, code: str = "CHIPS", players: int = 3, scale: int = 0, club: int = FIRST_CLUB) -> Book:
    """Make the accounts of a new asset; house accounts take the next free ids."""
    asset = Asset.objects.create(code=code, scale=scale, club_id=club)
    house = HOUSE_IDS_FROM + 10 * asset.pk
    Account.objects.create(id=house, kind="mint", ref=code, asset=asset)
    Account.objects.create(id=house + 1, kind="pot", ref="table/1", asset=asset, min_balance=0)
    wallets, seats = [], []
    for player in range(players):
        owner = uuid.uuid4()
        first = 1000 * asset.pk + 10 * player
        Account.objects.create(
            id=first + 1, kind="wallet", ref=str(owner), owner=owner, asset=asset, min_balance=0
        )
        Account.objects.create(
            id=first + 2, kind="seat", ref=f"table/1/{player}", owner=owner, asset=asset, min_balance=0
        )
        wallets.append(first + 1)
        seats.append(first + 2)
    return Book(house, house + 1, wallets, seats)


def small_book(*, deals: int = 4) -> Book:
    """A book with chips issued to everybody, some deals, a hold that is posted and one that is voided."""
    book = open_book()
    for player in range(len(book.wallets)):
        book.issue(player)
    for deal in range(deals):
        book.play(deal % len(book.wallets))
    hold = book._add(
        (book.wallets[0], book.seats[0], 7), (book.wallets[1], book.seats[1], 9), state="pending"
    )
    book._add(state="post", resolves=hold)
    hold = book._add((book.wallets[0], book.seats[0], 5), state="pending", note="a note that may be erased")
    book._add(state="void", resolves=hold)
    return book


@dataclass(frozen=True)
class Totals:
    """What is in the proof tables."""

    seals: int
    leaves: int


def counted() -> Totals:
    with connection.cursor() as cursor:
        cursor.execute("SELECT (SELECT count(*) FROM ledger_seal), (SELECT count(*) FROM ledger_leaf)")
        return Totals(*cursor.fetchone())


def settle() -> None:
    """Wait until everything committed here is behind the sealer's cut-off.

    The server numbers the transactions of all its databases together, so that one
    that runs elsewhere (another test, say) keeps it back for a moment."""
    deadline = time.monotonic() + LONGEST_TEST
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT NOT EXISTS (SELECT FROM ledger_transaction"
                " WHERE xid >= pg_snapshot_xmin(pg_current_snapshot()) AND xid < pg_snapshot_xmax(pg_current_snapshot()))"
            )
            if cursor.fetchone()[0]:
                return
        assert time.monotonic() < deadline, "some transaction on this server does not end"
        time.sleep(0.02)


def wait_for_cut_off(xid: int) -> None:
    """Wait until ``xid`` is the oldest database transaction that still runs on this server."""
    deadline = time.monotonic() + LONGEST_TEST
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())")
            if int(cursor.fetchone()[0]) >= xid:
                return
        assert time.monotonic() < deadline, "some transaction on this server does not end"
        time.sleep(0.02)


def seal_everything(**options: Any) -> list[Seal]:
    """Seal everything that is in the book."""
    settle()
    return seal_pending(**options)


def proofs_in(folder: Path) -> override_settings:
    """Inside, the signing key and the heads are in ``folder``."""
    return override_settings(
        LEDGER_SIGNING_KEY="", LEDGER_KEY_DIR=folder / "keys", LEDGER_HEADS_FILE=folder / "heads.jsonl"
    )


def own_copy(filled: Filled, folder: Path) -> Any:
    """Return what a book was filled with, for one test, after copying its key and heads to ``folder``."""
    shutil.copytree(filled.folder, folder, dirs_exist_ok=True)
    return copy.deepcopy(filled.value)
