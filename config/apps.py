"""The house as a Django application: it brings commands and makes Celery known before anybody sends a task."""

import importlib

from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class HouseConfig(AppConfig):
    default = True
    name = "config"
    verbose_name = "house"

    def ready(self) -> None:
        """Load the Celery application: tasks declared by the apps belong to it from here on."""
        importlib.import_module("config.celery")
        # Django's name for groups and rights is the programmers'.
        apps.get_app_config("auth").verbose_name = _("groups and rights")


class ClubAdminConfig(admin_apps.AdminConfig):
    """Django's admin with the club's own site (``config.admin_site``)."""

    default = False
    default_site = "config.admin_site.ClubAdmin"
