"""The written-out statements of a move: what they read and write is what Django's models read and write."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, models, transaction

from games.models import LogEntry, Seat, Table
from games.selectors import statements
from games.services.locked import TABLE_COLUMNS
from tests.games.tables import first_legal, member, on_turn, play

pytestmark = pytest.mark.django_db


def values_of(row: models.Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture(params=["three_card_loo", "least_score"])
def table(request: pytest.FixtureRequest) -> Table:
    """A table in mid-deal at which a member has moved."""
    mari = member("mari")
    opened = on_turn(request.param, mari)
    play(opened, mari, first_legal(opened))
    return Table.objects.get(pk=opened.pk)


def test_a_table_its_seats_and_its_log_are_read_as_django_reads_them(table: Table) -> None:
    rows, seats, entries = statements.run(
        statements.table_row(table.pk), statements.seats_of(table.pk), statements.entries_since(table.pk, 2)
    )
    found, now = statements.made_table(rows[0])
    assert values_of(found) == values_of(table) and found == table
    assert now.tzinfo is not None and now >= table.changed_at
    made = statements.made_seats(seats, found)
    usual = list(Seat.objects.filter(table=table).select_related("user"))
    assert [values_of(seat) for seat in made] == [values_of(seat) for seat in usual]
    assert [seat.user for seat in made] == [seat.user for seat in usual]
    assert [seat.shown_name for seat in made] == [seat.shown_name for seat in usual]
    log = LogEntry.objects.filter(table=table, version__gt=2).order_by("version")
    assert [values_of(statements.ENTRY.make(row)) for row in entries] == [values_of(entry) for entry in log]


def test_what_is_not_read_of_a_member_is_there_when_it_is_asked_for(table: Table) -> None:
    (seats,) = statements.run(statements.seats_of(table.pk))
    seat = next(seat for seat in statements.made_seats(seats, table) if seat.user is not None)
    assert seat.user is not None and seat.user.check_password("a good long password")


def test_rows_are_written_as_django_writes_them(table: Table) -> None:
    table.banks, table.due_at, table.turn_seat, table.status = {"1": 5}, None, None, "between"
    statements.write_row(table, TABLE_COLUMNS)
    entry = LogEntry(
        table=table,
        version=table.version + 1,
        by="table",
        events=[{"type": "ready", "seat": 1}],
        at=table.changed_at,
    )
    statements.insert_row(entry)
    assert values_of(Table.objects.get(pk=table.pk)) == values_of(table)
    assert values_of(LogEntry.objects.get(pk=entry.pk)) == values_of(entry)


def test_a_row_that_the_database_refuses_is_refused_as_by_django(table: Table) -> None:
    entry = LogEntry(table=table, version=table.version, by="table", events=[], at=table.changed_at)
    with pytest.raises(IntegrityError, match="log_version_once"), transaction.atomic():
        statements.insert_row(entry)
    with pytest.raises(DatabaseError), transaction.atomic():
        statements.run(statements.table_row(uuid4()), statements.Statement("SELECT 1 / 0", []))
    assert statements.run(statements.table_row(table.pk))[0], "the connection goes on after a refusal"
