"""Tables of the ledger: the book, the seals over it, and the desk around it."""

from .book import (
    HOUSE_IDS_FROM,
    MAX_AMOUNT,
    MAX_TOTAL,
    Account,
    Asset,
    Note,
    Posting,
    Transaction,
)
from .desk import AccountOwner, Adjustment, CreditLine
from .exports import Export, ExportResult
from .seals import Leaf, Seal
from .verification import Verification
from .years import ClosedYear

__all__ = [
    "HOUSE_IDS_FROM",
    "MAX_AMOUNT",
    "MAX_TOTAL",
    "Account",
    "AccountOwner",
    "Adjustment",
    "Asset",
    "ClosedYear",
    "CreditLine",
    "Export",
    "ExportResult",
    "Leaf",
    "Note",
    "Posting",
    "Seal",
    "Transaction",
    "Verification",
]
