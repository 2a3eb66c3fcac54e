"""Calling the database's functions: one round trip each, refusals translated, unlucky attempts repeated."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db import DatabaseError, OperationalError, connection

from ledger.errors import from_database, sqlstate_of

ATTEMPTS = 4
"""The first attempt and three more."""

UNLUCKY = ("40P01", "40001")
"""Deadlock and serialisation failure: the database undid everything, and trying again may succeed."""

Result = TypeVar("Result")


def call(sql: str, params: Sequence[Any]) -> tuple[Any, ...]:
    """Run one statement that returns one row; raises ``LedgerError`` for what the ledger refuses."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            row: tuple[Any, ...] = cursor.fetchone()
            return row
    except DatabaseError as error:
        refusal = from_database(error)
        if refusal is None:
            raise
        raise refusal from error


def persistently(attempt: Callable[[], Result]) -> Result:
    """Return ``attempt()``, again up to three times after a deadlock or serialisation failure.

    Inside somebody else's transaction there is one attempt: what is undone then
    is the whole of that transaction, and only its owner can repeat it.
    """
    if connection.in_atomic_block:
        return attempt()
    for tried in range(1, ATTEMPTS):
        try:
            return attempt()
        except OperationalError as error:
            if sqlstate_of(error) not in UNLUCKY:
                raise
        time.sleep(random.uniform(0, 0.02) * tried)
    return attempt()
