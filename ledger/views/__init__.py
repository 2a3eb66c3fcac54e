"""Pages of the book for people: one's own chips, receipts, published heads, and the treasurer's desk."""

from ledger.views.chips import own_chips, statement, statement_csv
from ledger.views.desk import act, desk
from ledger.views.receipts import check, heads, receipt, transaction

__all__ = [
    "act",
    "check",
    "desk",
    "heads",
    "own_chips",
    "receipt",
    "statement",
    "statement_csv",
    "transaction",
]
