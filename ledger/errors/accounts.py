"""Refusals about what the book is made of: assets, accounts and their floors."""

from __future__ import annotations

from django.utils.translation import gettext_noop as N_

from .base import LedgerError


class UnknownAccount(LedgerError):
    """There is no such account."""

    code = "unknown_account"
    text = N_("There is no account %(account)s.")


class UnknownAsset(LedgerError):
    """There is no such asset."""

    code = "unknown_asset"
    text = N_("There is no asset %(asset)s. Create it first.")


class BadAsset(LedgerError):
    """A code that no asset can have, or another scale than it has."""

    code = "bad_asset"
    text = N_(
        "%(asset)s cannot be an asset with that scale. A code has 2 to 24 capital letters, digits and . _ -,"
        " and a scale (0 to 6) never changes."
    )


class BadAccount(LedgerError):
    """A kind or reference that no account can have."""

    code = "bad_account"
    text = N_("There cannot be an account %(kind)s “%(ref)s”. A reference has at most 120 characters.")


class AccountClosed(LedgerError):
    """The account is closed."""

    code = "closed"
    text = N_("Account %(account)s is closed. Use another account.")


class OtherOwner(LedgerError):
    """The account exists and belongs to somebody else."""

    code = "other_owner"
    text = N_("Account %(account)s has another owner. Use another reference.")


class NotEmpty(LedgerError):
    """The account still has chips or holds."""

    code = "not_empty"
    text = N_("Account %(account)s still has chips or holds. Move or redeem them first.")


class NotAWallet(LedgerError):
    """The verb is for members' wallets only."""

    code = "not_a_wallet"
    text = N_("Account %(account)s is not a member’s wallet.")


class NoWallet(LedgerError):
    """Chips of a kind that the member never had cannot be taken."""

    code = "no_wallet"
    text = N_("%(member)s has no %(asset)s. Choose other chips, or give some out first.")


class CreditInUse(LedgerError):
    """The wallet is already further below zero than the new credit line."""

    code = "credit_in_use"
    text = N_("Account %(account)s is using its credit line: %(missing)s chips must come back first.")


class Insufficient(LedgerError):
    """The account would fall below its floor; holds count."""

    code = "insufficient"
    text = N_(
        "Account %(account)s lacks %(missing)s chips for this. Take a smaller amount, add chips, or void a hold."
    )


class TooLarge(LedgerError):
    """A total of the account would no longer be exact everywhere."""

    code = "too_large"
    text = N_("Account %(account)s cannot take that much.")
