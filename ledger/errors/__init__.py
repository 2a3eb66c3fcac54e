"""Refusals of the ledger: each has a stable code, a sentence that says what to do, and nothing was written.

The database refuses with an SQLSTATE of the class ``LD``, its code as message
and JSON as detail (``from_database``); the services refuse what never gets that
far. Anything else that the database raises is a bug and is left alone.
"""

from .accounts import (
    AccountClosed,
    BadAccount,
    BadAsset,
    CreditInUse,
    Insufficient,
    NotAWallet,
    NotEmpty,
    NoWallet,
    OtherOwner,
    TooLarge,
    UnknownAccount,
    UnknownAsset,
)
from .base import LedgerError
from .corrections import (
    AlreadyDecided,
    AlreadyRequested,
    AlreadyReversed,
    NotPosted,
    NotSuspense,
    SamePerson,
    UnknownAdjustment,
)
from .database import SQLSTATES, from_database, sqlstate_of
from .posting import (
    AlreadyResolved,
    BadAmount,
    BadCount,
    BadKey,
    BadNote,
    KeyReused,
    NotPending,
    ReasonMissing,
    SameAccount,
    UnknownTransaction,
    WrongAsset,
)
from .proofs import (
    BadExport,
    ExportGone,
    HeadsDisagree,
    HeadsMissing,
    IdsRestarted,
    NotSealed,
    SealingRefused,
    UnknownSeal,
)

__all__ = [
    "SQLSTATES",
    "AccountClosed",
    "AlreadyDecided",
    "AlreadyRequested",
    "AlreadyResolved",
    "AlreadyReversed",
    "BadAccount",
    "BadAmount",
    "BadAsset",
    "BadCount",
    "BadExport",
    "BadKey",
    "BadNote",
    "CreditInUse",
    "ExportGone",
    "HeadsDisagree",
    "HeadsMissing",
    "IdsRestarted",
    "Insufficient",
    "KeyReused",
    "LedgerError",
    "NoWallet",
    "NotAWallet",
    "NotEmpty",
    "NotPending",
    "NotPosted",
    "NotSealed",
    "NotSuspense",
    "OtherOwner",
    "ReasonMissing",
    "SameAccount",
    "SamePerson",
    "SealingRefused",
    "TooLarge",
    "UnknownAccount",
    "UnknownAdjustment",
    "UnknownAsset",
    "UnknownSeal",
    "UnknownTransaction",
    "WrongAsset",
    "from_database",
    "sqlstate_of",
]
