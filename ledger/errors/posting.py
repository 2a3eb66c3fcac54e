"""Refusals of a transaction that is asked for: its key, texts, amounts and postings, and holds."""

from __future__ import annotations

from django.utils.translation import gettext_noop as N_

from .base import LedgerError


class KeyReused(LedgerError):
    """The key belongs to another request."""

    code = "key_reused"
    text = N_("The key %(key)s belongs to transaction %(transaction)s, which is another one. Use a new key.")


class BadKey(LedgerError):
    """A key, kind or source that is empty or too long."""

    code = "bad_key"
    text = N_("The %(field)s must have 1 to %(most)s characters.")


class BadNote(LedgerError):
    """A note that is empty or too long, or holds a character that cannot be stored."""

    code = "bad_note"
    text = N_("A note has 1 to %(most)s characters. Shorten it, or leave it out.")


class ReasonMissing(LedgerError):
    """A reason is asked for and there is none, or it is too long."""

    code = "reason_missing"
    text = N_("Give a reason, in at most %(most)s characters.")


class BadAmount(LedgerError):
    """Not a whole number from 1 to the largest amount."""

    code = "bad_amount"
    text = N_(
        "%(amount)s is not an amount. Amounts are whole numbers from 1 to 1,000,000,000,000 of the smallest unit."
    )


class BadCount(LedgerError):
    """No posting at all, or too many; also a reversal after which nothing would have moved."""

    code = "bad_count"
    text = N_("A transaction has 1 to 200 postings, not %(count)s.")


class SameAccount(LedgerError):
    """A posting from an account to itself."""

    code = "same_account"
    text = N_("Chips cannot move from account %(account)s to itself. Choose two accounts.")


class WrongAsset(LedgerError):
    """The two accounts hold different assets."""

    code = "wrong_asset"
    text = N_("Accounts %(debit)s and %(credit)s hold different chips, which never mix.")


class UnknownTransaction(LedgerError):
    """There is no such transaction."""

    code = "unknown_transaction"
    text = N_("There is no transaction %(transaction)s.")


class NotPending(LedgerError):
    """The transaction is not a hold."""

    code = "not_pending"
    text = N_("Transaction %(transaction)s is not a hold.")


class AlreadyResolved(LedgerError):
    """The hold was posted or voided before."""

    code = "already_resolved"
    text = N_("The hold %(transaction)s has been posted or voided before.")
