"""Refusals of closing a year of the book."""

from __future__ import annotations

from django.utils.translation import gettext_noop as N_

from .base import LedgerError


class YearRunning(LedgerError):
    """The year is not over, or only just."""

    code = "year_running"
    text = N_("%(year)s is not over for a day yet. Close it after that.")


class YearClosed(LedgerError):
    """A year is closed once."""

    code = "year_closed"
    text = N_("%(year)s of this club is closed already.")


class YearEmpty(LedgerError):
    """There is nothing to close."""

    code = "year_empty"
    text = N_("This club’s book has nothing before the end of %(year)s.")


class EarlierYearOpen(LedgerError):
    """Years are closed in their order."""

    code = "earlier_year_open"
    text = N_("The book has transactions of %(first)s: close that year first.")


class HoldsOpen(LedgerError):
    """Chips are still set aside."""

    code = "holds_open"
    text = N_(
        "%(count)s holds of %(year)s or earlier are not resolved, the first is transaction %(transaction)s."
        " Post or void them first."
    )


class SealsBehind(LedgerError):
    """The sealer has not passed."""

    code = "seals_behind"
    text = N_(
        "Transaction %(transaction)s of %(year)s is not sealed yet. Run `manage.py seal_ledger` and see that"
        " the doctor finds nothing about seals."
    )


class SuspenseOpen(LedgerError):
    """Corrections have left something open."""

    code = "suspense_open"
    text = N_(
        "Suspense account %(account)s had %(balance)s at the end of %(year)s. It must be 0 at a close: the year"
        " cannot be closed as it is."
    )


class YearGone(LedgerError):
    """The file of a closed year is not there any more, or is not the file that was recorded."""

    code = "year_gone"
    text = N_(
        "The file of %(year)s is gone, or is not the one that was recorded. Bring it back from a backup."
    )
