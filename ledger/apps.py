"""The ledger: every stake of the site in an append-only, double-entry book."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LedgerConfig(AppConfig):
    name = "ledger"
    verbose_name = _("Ledger")

    def ready(self) -> None:
        """Listen to what happens elsewhere."""
        import_module("ledger.receivers")
