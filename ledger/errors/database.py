"""From an error that a function of the database raised to the refusal that it means."""

from __future__ import annotations

import json

from django.db import DatabaseError

from .accounts import (
    AccountClosed,
    CreditInUse,
    Insufficient,
    NotAWallet,
    NotEmpty,
    OtherOwner,
    TooLarge,
    UnknownAccount,
    UnknownAsset,
)
from .base import LedgerError
from .corrections import AlreadyReversed, NotPosted
from .posting import (
    AlreadyResolved,
    BadAmount,
    BadCount,
    KeyReused,
    NotPending,
    SameAccount,
    UnknownTransaction,
    WrongAsset,
)

SQLSTATES: dict[str, type[LedgerError]] = {
    "LD001": KeyReused,
    "LD002": Insufficient,
    "LD003": AccountClosed,
    "LD004": WrongAsset,
    "LD005": UnknownAccount,
    "LD006": BadAmount,
    "LD007": AlreadyResolved,
    "LD008": AlreadyReversed,
    "LD009": NotPending,
    "LD010": NotPosted,
    "LD011": SameAccount,
    "LD012": BadCount,
    "LD013": UnknownTransaction,
    "LD014": TooLarge,
    "LD015": NotEmpty,
    "LD017": UnknownAsset,
    "LD018": OtherOwner,
    "LD019": NotAWallet,
    "LD020": CreditInUse,
}
"""What the database's functions refuse. LD016 (append only) is missing: nobody can cause it by asking."""


def sqlstate_of(error: DatabaseError) -> str:
    """The five characters that PostgreSQL gave the error, or nothing."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def from_database(error: DatabaseError) -> LedgerError | None:
    """The refusal that a function of the ledger raised, or None when the error is something else."""
    kind = SQLSTATES.get(sqlstate_of(error))
    if kind is None:
        return None
    detail = getattr(getattr(error.__cause__, "diag", None), "message_detail", None)
    return kind(**json.loads(detail or "{}"))
