"""What somebody can do to the book who owns its tables: switch the guards off, drop foreign keys, change rows.

The guards are put back afterwards, so that verification has only the rows to go by.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


def run(sql: str, *params: Any) -> list[tuple[Any, ...]]:
    """One statement; returns its rows."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params or None)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def guards_off() -> Iterator[None]:
    """Inside, no trigger of the ledger and no foreign key to one of its tables stands in the way."""
    triggers = run(
        "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " WHERE c.relname LIKE 'ledger\\_%%' AND NOT t.tgisinternal AND t.tgenabled = 'A'"
    )
    keys = run(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype = 'f'"
        " AND confrelid::regclass::text LIKE 'ledger\\_%%'"
    )
    for table, name in triggers:
        run(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
    for table, name in keys:
        run(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    yield
    for table, name in triggers:
        run(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def tamper(*statements: str) -> None:
    """Run statements as the owner of the tables, with the guards off."""
    with guards_off():
        for statement in statements:
            run(statement)
