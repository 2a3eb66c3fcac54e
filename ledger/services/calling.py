"""Calling the database's functions: one round trip each, refusals translated, unlucky attempts repeated."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import psycopg
from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from ledger.errors import from_database, sqlstate_of

ATTEMPTS = 4
"""The first attempt and three more."""

ONLY_WHEN_ASKED = 2**31
"""Django switches preparing off (None); at this number of repetitions nothing is prepared unasked."""

UNLUCKY = ("40P01", "40001")
"""Deadlock and serialisation failure: the database undid everything, and trying again may succeed."""

Result = TypeVar("Result")
Value = str | bytes | None
Row = tuple[Any, ...]

_dice = random.SystemRandom()
_cursors: WeakKeyDictionary[BaseDatabaseWrapper, psycopg.Cursor[Row]] = WeakKeyDictionary()


def call(sql: str, params: Sequence[Value]) -> Row:
    """Run one statement that returns one row; raises ``LedgerError`` for what the ledger refuses.

    Outside a transaction it is tried again like ``persistently``. Numbers are
    passed as text: then a statement has the same types whatever their size, and is
    prepared once for each connection.
    """
    django = connections[DEFAULT_DB_ALIAS]
    if django.in_atomic_block:
        return _attempt(django, sql, params)
    return _again_if_unlucky(lambda: _attempt(django, sql, params))


def persistently(attempt: Callable[[], Result]) -> Result:
    """Return ``attempt()``, again up to three times after a deadlock or serialisation failure.

    Inside somebody else's transaction there is one attempt: what is undone then
    is the whole of that transaction, and only its owner can repeat it.
    """
    if connections[DEFAULT_DB_ALIAS].in_atomic_block:
        return attempt()
    return _again_if_unlucky(attempt)


def _again_if_unlucky(attempt: Callable[[], Result]) -> Result:
    for tried in range(1, ATTEMPTS):
        try:
            return attempt()
        except OperationalError as error:
            if sqlstate_of(error) not in UNLUCKY:
                raise
        time.sleep(_dice.uniform(0, 0.02) * tried)
    return attempt()


def _attempt(django: BaseDatabaseWrapper, sql: str, params: Sequence[Value]) -> Row:
    try:
        if django.queries_logged or django.execute_wrappers:
            return _through_django(django, sql, params)
        return _prepared(django, sql, params)
    except DatabaseError as error:
        refusal = from_database(error)
        if refusal is None:
            raise
        raise refusal from error


def _through_django(django: BaseDatabaseWrapper, sql: str, params: Sequence[Value]) -> Row:
    """The ordinary way, when somebody counts or watches queries."""
    with django.cursor() as cursor:
        cursor.execute(sql, params)
        row: Row = cursor.fetchone()
        return row


def _prepared(django: BaseDatabaseWrapper, sql: str, params: Sequence[Value]) -> Row:
    """The same on Django's connection, but prepared: a fifth of a posting's time less.

    Django binds parameters in the client and has the database plan every
    statement anew. A pool between statements, for which Django wants
    ``DISABLE_SERVER_SIDE_CURSORS``, may not know what was prepared.
    """
    if django.connection is None:
        django.ensure_connection()
    django.validate_thread_sharing()
    django.validate_no_broken_transaction()
    cursor = _cursors.get(django)
    if cursor is None or cursor.connection is not django.connection:
        cursor = _cursors[django] = _new_cursor(django)
    try:
        row: Row = cursor.execute(sql, params, prepare=True).fetchone() or ()
        return row
    except psycopg.Error:
        with django.wrap_database_errors:
            raise


def _new_cursor(django: BaseDatabaseWrapper) -> psycopg.Cursor[Row]:
    """A cursor that binds in the server and prepares, unless the settings say that this cannot work."""
    raw = django.connection
    if raw.prepare_threshold is None and not django.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS"):
        raw.prepare_threshold = ONLY_WHEN_ASKED
    return psycopg.Cursor(raw)
