"""`manage.py migrate`: Django's own, run as the owner of the tables, after opening them to the site role."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.commands import migrate

from config.roles import as_owner, grant_site_role, role_exists


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate as the owner; a server without the site role gets one role for everything."""
        with as_owner(options["database"]) as connection:
            if role_exists(connection, settings.SITE_DB_ROLE):
                grant_site_role(connection, settings.SITE_DB_ROLE)
            super().handle(*args, **options)
