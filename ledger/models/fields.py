"""Columns of PostgreSQL that Django has no field for, and defaults that the database computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    BigInteger = models.BigIntegerField[int, int]
else:
    BigInteger = models.BigIntegerField


class Xid8Field(BigInteger):
    """PostgreSQL's ``xid8``: the 64-bit number of a database transaction; an int in Python."""

    description = "64-bit transaction number of PostgreSQL"

    def db_type(self, connection: Any) -> str:
        return "xid8"

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> int | None:
        return None if value is None else int(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        # There is no cast from bigint to xid8: a text literal is the only way in.
        if value is None or hasattr(value, "resolve_expression"):
            return value
        return str(int(value))


class CurrentXid(models.Func):
    """The number of the running database transaction."""

    function = "pg_current_xact_id"
    arity = 0
    output_field = Xid8Field()


class ClockTimestamp(models.Func):
    """The time on the database's clock at this moment, not at the start of the transaction."""

    function = "clock_timestamp"
    arity = 0
    output_field = models.DateTimeField()
