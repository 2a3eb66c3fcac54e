"""Reading the book in bulk and turning its rows into the data of leaves.

Rows come through a server-side cursor in PostgreSQL's binary format: times and
transaction numbers arrive as plain integers, texts as UTF-8 bytes, so that
hashing a row needs no conversion at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from typing import Any

import psycopg
from django.db import connection, transaction
from psycopg.types.numeric import Int8BinaryLoader
from psycopg.types.string import ByteaBinaryLoader

from ledger.rules import canonical
from ledger.services.faults import Fault

Row = tuple[Any, ...]

TRANSACTION_COLUMNS = (
    "t.id, t.key, t.fingerprint, t.kind, t.state, t.resolves_id, t.reverses_id,"
    " t.source, t.salt, t.note_hash, t.at, t.xid"
)
POSTING_COLUMNS = (
    "p.n, p.debit_id, p.credit_id, p.amount, p.debit_after, p.debit_seq, p.credit_after, p.credit_seq"
)
POSTGRES_EPOCH = 946_684_800_000_000
"""PostgreSQL counts microseconds from 2000-01-01; this is that moment in microseconds since 1970."""

XID8_OID = 5069
_names = count(1)


@contextmanager
def snapshot() -> Iterator[None]:
    """A read-only transaction in which every query sees the same moment, unless one is already running."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def stream(sql: str, params: Sequence[Any] = (), *, batch: int = 1000) -> Iterator[Row]:
    """Rows of a query, ``batch`` at a time, in constant memory. Must run inside a transaction.

    bigint, xid8 and timestamptz columns are ints (a time in microseconds since
    2000-01-01), text, varchar and bytea columns bytes."""
    connection.ensure_connection()
    with psycopg.ServerCursor(connection.connection, f"ledger_{next(_names)}") as cursor:
        for name in ("timestamptz", XID8_OID):
            cursor.adapters.register_loader(name, Int8BinaryLoader)
        for name in ("text", "varchar"):
            cursor.adapters.register_loader(name, ByteaBinaryLoader)
        cursor.execute(sql, params, binary=True)
        while rows := cursor.fetchmany(batch):
            yield from rows


ACCOUNTS = (
    "SELECT a.id, a.kind, a.ref, a.owner, s.code, s.scale, s.id"
    " FROM ledger_account a JOIN ledger_asset s ON s.id = a.asset_id"
)


class AccountNames(dict[int, bytes]):
    """The fields that stand for accounts in leaves, by account; an unknown one is read when it is asked for.

    ``assets`` tells each account's asset by code and scale, ``asset_ids`` by id."""

    def __init__(self) -> None:
        super().__init__()
        self.assets: dict[int, tuple[str, int]] = {}
        self.asset_ids: dict[int, int] = {}

    def __missing__(self, account: int) -> bytes:
        self.need([account])
        if account not in self:
            raise Fault("account_missing", "postings name an account that does not exist", account=account)
        return self[account]

    def need(self, accounts: Iterable[int]) -> None:
        """Read the accounts that are not known yet, at once."""
        missing = [account for account in set(accounts) if account not in self]
        if missing:
            self._read(f"{ACCOUNTS} WHERE a.id = ANY(%s)", [missing])

    def read_all(self) -> None:
        """Read every account."""
        self._read(ACCOUNTS, [])

    def _read(self, sql: str, params: list[Any]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            for id, kind, ref, owner, code, scale, asset in cursor:
                self[id] = account_field(id, kind, ref, owner, code, scale)
                self.assets[id] = (code, scale)
                self.asset_ids[id] = asset


def account_field(id: int, kind: str, ref: str, owner: Any, asset: str, scale: int) -> bytes:
    """The field of a leaf that names one account; ``owner`` is a UUID or None."""
    return canonical.bytes_field(
        canonical.account_bytes(id, kind, ref, b"" if owner is None else owner.bytes, asset, scale)
    )


def leaf_data(rows: Sequence[Row], names: AccountNames) -> bytes:
    """The data of one transaction's leaf, from one row per posting (none has a null ``n``)."""
    first = rows[0]
    postings = [
        canonical.posting_field(row[12], names[row[13]], names[row[14]], *row[15:20])
        for row in rows
        if row[12] is not None
    ]
    id, key, fingerprint, kind, state, resolves, reverses, source, salt, note_hash, at, xid = first[:12]
    return canonical.transaction_bytes(
        id,
        key,
        fingerprint,
        kind,
        state,
        resolves,
        reverses,
        source,
        salt,
        note_hash,
        at + POSTGRES_EPOCH,
        xid,
        postings,
    )


AssetSums = dict[tuple[str, int], list[int]]
"""By code and scale of an asset: number of postings, sum of their amounts."""


def add_totals(sums: AssetSums, groups: Iterable[Sequence[Row]], names: AccountNames) -> None:
    """Count postings and add up their amounts in ``sums``."""
    for rows in groups:
        for row in rows:
            if row[12] is not None:
                counted = sums.setdefault(names.assets[row[13]], [0, 0])
                counted[0] += 1
                counted[1] += row[15]


def listed_totals(sums: AssetSums) -> list[canonical.AssetTotal]:
    """The totals as a seal holds them, in ascending order of the asset's code."""
    return [(code, scale, counted[0], counted[1]) for (code, scale), counted in sorted(sums.items())]


def database_time() -> datetime:
    """The time on the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


def by_transaction(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Consecutive rows that begin with the same transaction id, together."""
    group: list[Row] = []
    for row in rows:
        if group and row[0] != group[0][0]:
            yield group
            group = []
        group.append(row)
    if group:
        yield group
