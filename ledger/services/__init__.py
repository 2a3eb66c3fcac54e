"""What may be done to the ledger: verbs with keyword-only arguments, each in one transaction."""

from ledger.wording import name_kinds

from .accounts import (
    close_account,
    create_asset,
    forget_owner,
    open_account,
    open_house_account,
    open_wallet,
    owner_of,
)
from .adjustments import approve_adjustment, reject_adjustment, request_adjustment, suspense_for_leavers
from .posting import Entry, Posted, hold, post, post_hold, reverse, void_hold
from .pots import PotClaim, register_pot_check
from .sources import (
    CauseLink,
    SourcedPosting,
    SourcedTransaction,
    links_of_sources,
    register_source_check,
    register_source_links,
    unregister_source_check,
)
from .treasury import clear_suspense, issue_chips, move_between_members, redeem_chips, set_credit_line

__all__ = [
    "CauseLink",
    "Entry",
    "Posted",
    "PotClaim",
    "SourcedPosting",
    "SourcedTransaction",
    "approve_adjustment",
    "clear_suspense",
    "close_account",
    "create_asset",
    "forget_owner",
    "hold",
    "issue_chips",
    "links_of_sources",
    "move_between_members",
    "name_kinds",
    "open_account",
    "open_house_account",
    "open_wallet",
    "owner_of",
    "post",
    "post_hold",
    "redeem_chips",
    "register_pot_check",
    "register_source_check",
    "register_source_links",
    "reject_adjustment",
    "request_adjustment",
    "reverse",
    "set_credit_line",
    "suspense_for_leavers",
    "unregister_source_check",
    "void_hold",
]
