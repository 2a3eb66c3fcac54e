"""Events as a Django application."""

import importlib

from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class TournamentsConfig(AppConfig):
    """Events of several rounds."""

    name = "tournaments"
    verbose_name = pgettext_lazy("tournaments", "events")

    def ready(self) -> None:
        """Hear of tables that wait, and answer for the chips that events moved."""
        importlib.import_module("tournaments.receivers")
