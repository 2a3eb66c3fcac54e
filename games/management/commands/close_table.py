"""End a table now: the pot is settled by the rules and every seat is cashed out."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games import services
from games.errors import TableRefusal


class Command(BaseCommand):
    """``manage.py close_table TABLE``."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the table's id."""
        parser.add_argument("table", help="the table's id, as in its page's address")

    def handle(self, *args: Any, table: str, **options: Any) -> None:
        """Close the table; says so also when it had ended before."""
        try:
            version = services.close_table(table_id=UUID(table))
        except ValueError as error:
            raise CommandError(f"{table} is not a table's id; it looks like {UUID(int=0)}") from error
        except TableRefusal as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"The table is closed at version {version}.")
