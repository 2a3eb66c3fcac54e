"""``manage.py export_beancount``: the book for Beancount, with a balance assertion for every account and day."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.services.exporting import export_beancount


class Command(BaseCommand):
    """Exit code 0: written; 2: a wrong date or a file that cannot be written."""

    help = "Write the book in the language of Beancount; `bean-check FILE` then adds it up independently."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--until", metavar="DATE", help="last day to write, as 2026-03-01 (UTC; default: all)"
        )
        parser.add_argument("--out", metavar="FILE", help="where to write (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        until = _day(options["until"])
        if options["out"] is None:
            # The wrapper would add a line end to every write; the text has its own.
            self.stdout.ending = ""
            export_beancount(self.stdout, until=until)
            return
        path = Path(options["out"])
        draft = path.with_name(f"{path.name}.part")
        try:
            with draft.open("w", encoding="utf-8") as file:
                written = export_beancount(file, until=until)
            draft.replace(path)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}", returncode=2) from None
        self.stderr.write(f"{written} transactions")


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise CommandError(f"{text} is not a date like 2026-03-01", returncode=2) from None
