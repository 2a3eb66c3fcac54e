"""The house as a Django application: it brings commands and makes Celery known before anybody sends a task."""

import importlib

from django.apps import AppConfig


class HouseConfig(AppConfig):
    name = "config"
    verbose_name = "house"

    def ready(self) -> None:
        """Load the Celery application: tasks declared by the apps belong to it from here on."""
        importlib.import_module("config.celery")
