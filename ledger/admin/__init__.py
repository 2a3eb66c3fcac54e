"""The audit desk: the book in the admin, for reading; only reversals are asked for and approved here.

Plain Django admin with pages of its own where a list of fields says too little.
``docs/ledger.md`` tells who may do what.
"""

from .accounts import AccountAdmin, AssetAdmin, CreditLineAdmin
from .adjustments import AdjustmentAdmin
from .exports import ExportAdmin
from .seals import SealAdmin, VerificationAdmin
from .transactions import TransactionAdmin
from .years import ClosedYearAdmin

__all__ = [
    "AccountAdmin",
    "AdjustmentAdmin",
    "AssetAdmin",
    "ClosedYearAdmin",
    "CreditLineAdmin",
    "ExportAdmin",
    "SealAdmin",
    "TransactionAdmin",
    "VerificationAdmin",
]
