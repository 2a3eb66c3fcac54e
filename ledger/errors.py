"""Refusals of the ledger: each has a stable code, a sentence that says what to do, and nothing was written.

The database refuses with an SQLSTATE of the class ``LD``, its code as message
and JSON as detail (``from_database``); the services refuse what never gets that
far. Anything else that the database raises is a bug and is left alone.
"""

from __future__ import annotations

import json
from typing import ClassVar

from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as N_


class LedgerError(Exception):
    """What was asked of the ledger is refused; nothing was written.

    ``code`` is stable; ``params`` holds what the sentence names (account and
    transaction ids, amounts), always as text or int.
    """

    code: ClassVar[str]
    text: ClassVar[str]

    def __init__(self, **params: object) -> None:
        self.params = params
        super().__init__(self.code, params)

    @property
    def message(self) -> str:
        """The sentence to show, in the active language."""
        return _(self.text) % self.params

    def __str__(self) -> str:
        return f"{self.code}: {self.text % self.params}"


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


class UnknownTransaction(LedgerError):
    """There is no such transaction."""

    code = "unknown_transaction"
    text = N_("There is no transaction %(transaction)s.")


class UnknownAdjustment(LedgerError):
    """There is no such request."""

    code = "unknown_adjustment"
    text = N_("There is no request %(adjustment)s.")


class WrongAsset(LedgerError):
    """The two accounts hold different assets."""

    code = "wrong_asset"
    text = N_("Accounts %(debit)s and %(credit)s hold different chips, which never mix.")


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


class NotPending(LedgerError):
    """The transaction is not a hold."""

    code = "not_pending"
    text = N_("Transaction %(transaction)s is not a hold.")


class AlreadyResolved(LedgerError):
    """The hold was posted or voided before."""

    code = "already_resolved"
    text = N_("The hold %(transaction)s has been posted or voided before.")


class NotPosted(LedgerError):
    """Only what was posted can be reversed."""

    code = "not_posted"
    text = N_(
        "Transaction %(transaction)s moved no chips, so there is nothing to reverse. Void a hold instead."
    )


class AlreadyReversed(LedgerError):
    """The transaction was reversed before."""

    code = "already_reversed"
    text = N_("Transaction %(transaction)s has been reversed before.")


class NotAWallet(LedgerError):
    """The verb is for members' wallets only."""

    code = "not_a_wallet"
    text = N_("Account %(account)s is not a member's wallet.")


class NotSuspense(LedgerError):
    """Suspense is cleared between a wallet and the suspense account of the same chips."""

    code = "not_suspense"
    text = N_("Choose one wallet and the suspense account: %(debit)s and %(credit)s are not that.")


class CreditInUse(LedgerError):
    """The wallet is already further below zero than the new credit line."""

    code = "credit_in_use"
    text = N_("Account %(account)s is using its credit line: %(missing)s chips must come back first.")


class SamePerson(LedgerError):
    """A request is approved by somebody other than who asked."""

    code = "same_person"
    text = N_("You asked for this yourself. Somebody else must approve it.")


class AlreadyRequested(LedgerError):
    """A reversal of the transaction is being waited for."""

    code = "already_requested"
    text = N_("A reversal of transaction %(transaction)s is already waiting for approval.")


class AlreadyDecided(LedgerError):
    """The request was approved or rejected before."""

    code = "already_decided"
    text = N_("Request %(adjustment)s has been decided before.")


class BadExport(LedgerError):
    """What was asked for cannot be exported."""

    code = "bad_export"
    text = N_("Choose a format, and a first day that is not after the last.")


class ExportGone(LedgerError):
    """The file of an export is not there any more, or is not the file that was recorded."""

    code = "export_gone"
    text = N_(
        "The file of export %(export)s is gone, or is not the one that was recorded. Ask for the export again."
    )


class NotSealed(LedgerError):
    """A proof is asked for before the sealer has passed."""

    code = "not_sealed"
    text = N_("Transaction %(transaction)s is not sealed yet. Its receipt is ready within a minute.")


class UnknownSeal(LedgerError):
    """There is no such seal."""

    code = "unknown_seal"
    text = N_("There is no seal %(seal)s.")


class SealingRefused(LedgerError):
    """The sealer will not go on without a person's decision."""


class IdsRestarted(SealingRefused):
    """The database numbers its transactions anew, as after a restore."""

    code = "ids_restarted"
    text = N_(
        "The database numbers its transactions anew, as after a restore. Check the book with"
        " `manage.py verify_ledger`, then begin a new epoch with `manage.py seal_ledger --new-epoch`."
    )


class HeadsDisagree(SealingRefused):
    """The database is not the one whose heads were published."""

    code = "heads_disagree"
    text = N_(
        "Head %(seal)s was published, but the database has no such seal: it is older than its heads, or was"
        " changed. Check the book with `manage.py verify_ledger`; if you restored a backup, begin a new epoch"
        " with `manage.py seal_ledger --new-epoch`."
    )


class HeadsMissing(SealingRefused):
    """The file of heads is gone."""

    code = "heads_missing"
    text = N_(
        "There are seals, but no file of heads. Bring the file back, or accept a new one with"
        " `manage.py seal_ledger --new-heads-file`."
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
