"""Reading the book in bulk and turning its rows into the data of leaves.

Rows come through a server-side cursor in PostgreSQL's binary format: times and
transaction numbers arrive as plain integers, texts as UTF-8 bytes, so that
hashing a row needs no conversion at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any

import psycopg
from django.db import connection
from psycopg.types.numeric import Int8BinaryLoader
from psycopg.types.string import ByteaBinaryLoader

from ledger.rules import canonical

Row = tuple[Any, ...]

TRANSACTION_COLUMNS = (
    "t.id, t.key, t.fingerprint, t.kind, t.state, t.resolves_id, t.reverses_id,"
    " t.source, t.salt, t.note_hash, t.at, t.xid"
)
POSTING_COLUMNS = (
    "p.n, p.debit_id, p.credit_id, p.amount, p.debit_after, p.debit_seq, p.credit_after, p.credit_seq"
)
FIRST_POSTING_COLUMN = 12
"""Where a row of TRANSACTION_COLUMNS and POSTING_COLUMNS begins to speak of a posting."""

POSTGRES_EPOCH = 946_684_800_000_000
"""PostgreSQL counts microseconds from 2000-01-01; this is that moment in microseconds since 1970."""

XID8_OID = 5069
_names = count(1)


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


class AccountNames:
    """The bytes that stand for accounts in leaves, read as they are needed and kept.

    ``assets`` tells the code and scale of each account's asset."""

    def __init__(self) -> None:
        self._fields: dict[int, bytes] = {}
        self.assets: dict[int, tuple[str, int]] = {}

    def __getitem__(self, account: int) -> bytes:
        return self._fields[account]

    def need(self, accounts: Iterable[int]) -> None:
        """Read the accounts that are not known yet."""
        missing = {account for account in accounts if account not in self._fields}
        if missing:
            with connection.cursor() as cursor:
                cursor.execute(f"{ACCOUNTS} WHERE a.id = ANY(%s)", [list(missing)])
                for row in cursor.fetchall():
                    self._fields[row[0]] = account_field(*row)
                    self.assets[row[0]] = (row[4], row[5])


ACCOUNTS = (
    "SELECT a.id, a.kind, a.ref, a.owner, s.code, s.scale FROM ledger_account a JOIN ledger_asset s ON s.id = a.asset_id"
)


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
    return canonical.transaction_bytes(*first[:10], first[10] + POSTGRES_EPOCH, first[11], postings)


def add_totals(
    sums: dict[tuple[str, int], list[int]], groups: Iterable[Sequence[Row]], names: AccountNames
) -> None:
    """Count postings and add up their amounts in ``sums``, by code and scale of the asset."""
    for rows in groups:
        for row in rows:
            if row[12] is not None:
                counted = sums.setdefault(names.assets[row[13]], [0, 0])
                counted[0] += 1
                counted[1] += row[15]


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
