"""People and clubs as a Django application."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ClubsConfig(AppConfig):
    name = "clubs"
    verbose_name = _("people and clubs")

    def ready(self) -> None:
        """Listen to what happens at the doors."""
        import_module("clubs.receivers")
