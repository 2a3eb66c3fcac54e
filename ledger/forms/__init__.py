"""Forms of the treasurer's desk, of the statement's filters and of the audit desk."""

from .desk import KEYS, ChipsForm, ClearForm, CreditForm, DeskForm, KindForm, MoveForm
from .filters import AccountFilter, LinesFilter, StatementFilter, TransactionFilter
from .requests import ExportForm, ReasonForm

__all__ = [
    "KEYS",
    "AccountFilter",
    "ChipsForm",
    "ClearForm",
    "CreditForm",
    "DeskForm",
    "ExportForm",
    "KindForm",
    "LinesFilter",
    "MoveForm",
    "ReasonForm",
    "StatementFilter",
    "TransactionFilter",
]
