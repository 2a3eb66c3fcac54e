"""`manage.py configuration`: the table of docs/configuration.md, from the settings."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand

from config.variables import table

MANUAL = settings.BASE_DIR / "docs" / "configuration.md"
BEGIN = "## Variables\n\n"


class Command(BaseCommand):
    help = "Print every variable of the environment with its default and meaning."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--write", action="store_true", help="put the table into docs/configuration.md")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["write"]:
            self.stdout.write(table(), ending="")
            return
        head, _begin, rest = MANUAL.read_text().partition(BEGIN)
        after = rest[rest.index("\n\n") :]
        MANUAL.write_text(f"{head}{BEGIN}{table().rstrip()}{after}")
