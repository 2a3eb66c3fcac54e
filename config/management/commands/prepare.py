"""`manage.py prepare`: make the database and the files ready for this version of the site, then its processes may start."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

from config.health import forget
from config.servers import check_database, check_redis
from config.static_gathering import gather
from config.trouble import Trouble


class Command(BaseCommand):
    help = "Check the servers, migrate, gather the static files and, on an empty site, make the demo club."
    # The database may not be there yet; migrate checks what must be checked.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--no-demo", action="store_true", help="do not make the demo club on an empty site"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do each step; a step that a person must put right ends the command with its one line."""
        try:
            check_database("DATABASE_OWNER_URL", settings.DATABASE_OWNER_URL)
            check_database("DATABASE_URL", settings.DATABASE_URL)
            check_redis(settings.REDIS_URL)
        except Trouble as trouble:
            raise CommandError(str(trouble)) from None
        forget()
        call_command("migrate", interactive=False, verbosity=0)
        gather()
        if not options["no_demo"]:
            call_command("demo")
