"""Refusals about seals, receipts and exports: what leaves the book as proof or as a file."""

from __future__ import annotations

from django.utils.translation import gettext_noop as N_

from .base import LedgerError


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
