"""The statements of every move, written out once: read and written without Django's query compiler.

For one move the compiler took more time than the rules, the rows and PostgreSQL
together. Here the columns of a model are spelled when the process starts, PostgreSQL
prepares each statement once for a connection, and statements that need nothing of
each other's answers go out together. Everything else is Django's as usual: the
connection, its transactions, the models and what a field makes of a value.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, models

from clubs.models import User
from clubs.selectors import SESSION
from games.models import LogEntry, Seat, Table

M = TypeVar("M", bound=models.Model)
Row = tuple[Any, ...]


class Statement(NamedTuple):
    """SQL with ``%s`` for each parameter, and the parameters."""

    sql: str
    params: Sequence[Any]


def run(*statements: Statement) -> list[list[Row]]:
    """Run statements in order, in one round trip; returns the rows of each.

    Each sees what was committed before it began itself, as if it had been sent
    alone: what comes after a lock sees what was changed while the lock was waited for.
    """
    connection.ensure_connection()
    with connection.wrap_database_errors:
        with connection.connection.pipeline():
            cursors = [_sent(statement) for statement in statements]
        return [cursor.fetchall() if cursor.pgresult.nfields else [] for cursor in cursors]


def _sent(statement: Statement) -> Any:
    cursor: Any = psycopg.Cursor(connection.connection)
    return cursor.execute(statement.sql, statement.params)


class Columns(Generic[M]):
    """The columns of ``model`` under the name ``alias`` in a statement, and instances from its rows.

    What is not among the columns named by ``only`` is read by Django when somebody asks for it.
    """

    def __init__(self, model: type[M], alias: str, *, only: Collection[str] = ()) -> None:
        self._model = model
        fields = model._meta.concrete_fields
        self._fields: list[Any] = [field for field in fields if not only or field.name in only]
        self._names = [field.attname for field in self._fields]
        self.sql = ", ".join(f'{alias}."{field.column}"' for field in self._fields)
        self.width = len(self._fields)

    def make(self, values: Row) -> M:
        """Return the instance that a row's ``width`` values describe."""
        row = list(values)
        for place, field, convert in self._conversions:
            row[place] = convert(row[place], field, connection)
        return self._model.from_db(DEFAULT_DB_ALIAS, self._names, row)

    @functools.cached_property
    def _conversions(self) -> list[tuple[int, Any, Any]]:
        """The values that are not what they look like in the database: JSON arrives as text."""
        found = []
        for place, field in enumerate(self._fields):
            column = field.get_col(self._model._meta.db_table)
            found += [(place, column, convert) for convert in field.get_db_converters(connection)]
        return found


TABLE = Columns(Table, "t")
SEAT = Columns(Seat, "s")
USER = Columns(User, "u", only=("id", "username", "display_name", "is_guest", "is_bot", "erased_at"))
ENTRY = Columns(LogEntry, "e")

_TABLE = f"SELECT {TABLE.sql}, clock_timestamp() FROM games_table t WHERE t.id = %s"
_SEATS = (
    f"SELECT {SEAT.sql}, {USER.sql} FROM games_seat s LEFT JOIN clubs_user u ON u.id = s.user_id "
    "WHERE s.table_id = %s ORDER BY s.number"
)
_LOG = f"SELECT {ENTRY.sql} FROM games_logentry e WHERE e.table_id = %s AND e.version > %s ORDER BY e.version"
_ANSWERED = "SELECT version, seat FROM games_logentry WHERE table_id = %s AND command_id = %s"


def table_row(table_id: UUID, *, lock: str = "") -> Statement:
    """The table's row and the database's time; ``lock`` is ``""``, ``FOR UPDATE`` or ``FOR UPDATE SKIP LOCKED``."""
    return Statement(f"{_TABLE} {lock}", [table_id])


def seats_of(table_id: UUID) -> Statement:
    """The seats of a table with their members, by number."""
    return Statement(_SEATS, [table_id])


def entries_since(table_id: UUID, version: int) -> Statement:
    """The log of a table after ``version``, oldest first."""
    return Statement(_LOG, [table_id, version])


def answered(table_id: UUID, command_id: UUID | None) -> Statement:
    """Version and seat of the entry that a command has made already."""
    return Statement(_ANSWERED, [table_id, command_id])


def session_of(session_key: str | None, user_id: int | None) -> Statement:
    """What ``clubs.selectors.signs_in`` wants to know of a session."""
    return Statement(SESSION, [session_key, user_id])


def made_table(row: Row) -> tuple[Table, Any]:
    """Return the table of a row of ``table_row`` and the database's time."""
    return TABLE.make(row[:-1]), row[-1]


def made_seats(rows: Iterable[Row], table: Table) -> list[Seat]:
    """Return the seats of the rows of ``seats_of``, each with its table and its member."""
    seats = []
    for row in rows:
        seat = SEAT.make(row[: SEAT.width])
        seat.table = table
        seat.user = USER.make(row[SEAT.width :]) if seat.user_id is not None else None
        seats.append(seat)
    return seats


def write_row(instance: models.Model, columns: Sequence[str]) -> None:
    """Write the named columns of a row that exists."""
    fields: list[Any] = [instance._meta.get_field(name) for name in columns]
    names = ", ".join(f'"{field.column}" = %s' for field in fields)
    values = [field.get_db_prep_save(getattr(instance, field.attname), connection) for field in fields]
    run(Statement(f'UPDATE "{instance._meta.db_table}" SET {names} WHERE id = %s', [*values, instance.pk]))


def insert_row(instance: models.Model) -> None:
    """Write a new row and take its number from the database."""
    fields = [field for field in instance._meta.concrete_fields if not field.primary_key]
    names = ", ".join(f'"{field.column}"' for field in fields)
    values = [field.get_db_prep_save(getattr(instance, field.attname), connection) for field in fields]
    places = ", ".join(["%s"] * len(values))
    sql = f'INSERT INTO "{instance._meta.db_table}" ({names}) VALUES ({places}) RETURNING id'
    instance.pk = run(Statement(sql, values))[0][0][0]
    instance._state.adding = False
    instance._state.db = DEFAULT_DB_ALIAS
