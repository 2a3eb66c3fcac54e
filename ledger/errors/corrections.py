"""Refusals of reversals, of the requests for them, and of clearing suspense."""

from __future__ import annotations

from django.utils.translation import gettext_noop as N_

from .base import LedgerError


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


class NotSuspense(LedgerError):
    """Suspense is cleared between a wallet and the suspense account of the same chips."""

    code = "not_suspense"
    text = N_("Choose one wallet and the suspense account: %(debit)s and %(credit)s are not that.")


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


class UnknownAdjustment(LedgerError):
    """There is no such request."""

    code = "unknown_adjustment"
    text = N_("There is no request %(adjustment)s.")
