"""The tables as a Django application."""

import importlib

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Tables where the two games are played."""

    name = "games"
    verbose_name = _("tables and deals")

    def ready(self) -> None:
        """Let the ledger's verification ask the tables."""
        importlib.import_module("games.receivers")
