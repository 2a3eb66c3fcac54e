"""Columns of PostgreSQL that Django has no field for, and defaults that the database computes.

Rules on one column are domains, not CHECK constraints: PostgreSQL compiles a
domain's rule once per session, but a table's CHECK anew for every statement,
which would double the cost of updating a balance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    BigInteger = models.BigIntegerField[int, int]
    Char = models.CharField[str, str]
else:
    BigInteger = models.BigIntegerField
    Char = models.CharField


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


class AmountField(BigInteger):
    """What one posting moves: from 1 to ``MAX_AMOUNT``."""

    def db_type(self, connection: Any) -> str:
        return "ledger_amount"


class TotalField(BigInteger):
    """Everything that ever moved on one side of an account: from 0 to ``MAX_TOTAL``."""

    def db_type(self, connection: Any) -> str:
        return "ledger_total"


class AccountKindField(Char):
    """One of ``Account.Kind``."""

    def db_type(self, connection: Any) -> str:
        return "ledger_account_kind"


class StateField(Char):
    """One of ``Transaction.State``."""

    def db_type(self, connection: Any) -> str:
        return "ledger_state"


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
