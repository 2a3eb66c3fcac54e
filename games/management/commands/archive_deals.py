"""Move the logs of old tables out of the database into files that replays and proofs are still read from."""

from __future__ import annotations

import datetime as dt
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import selectors, services
from games.errors import TableRefusal
from games.models import ArchiveFile


class Command(BaseCommand):
    """``manage.py archive_deals --before DATE`` and ``archive_deals --check``; exit code 1 when a file is damaged."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the day, or the wish to look at what there is."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "--before",
            metavar="DATE",
            help="matches that finished before this day of UTC, 30 days ago or earlier: 2025-12-31",
        )
        what.add_argument("--check", action="store_true", help="read every file and compare its hash")

    def handle(self, *args: Any, before: str | None, check: bool, **options: Any) -> None:
        """Archive or check, and say what came of it."""
        if check:
            self._check()
            return
        try:
            day = dt.date.fromisoformat(before or "")
        except ValueError as error:
            raise CommandError(f"{before} is no day: write 2025-12-31") from error
        try:
            made = services.archive_deals(before=dt.datetime.combine(day, dt.time(), dt.UTC))
        except TableRefusal as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(
            f"The logs of {made.tables} tables ({made.entries} entries) are in {made.files} files"
            f" of {made.size} bytes."
        )

    def _check(self) -> None:
        files = list(ArchiveFile.objects.all())
        faults = [fault for file in files for fault in selectors.file_faults(file)]
        for fault in faults:
            self.stderr.write(fault)
        if faults:
            sys.exit(1)
        self.stdout.write(f"{len(files)} files are as they were recorded.")
