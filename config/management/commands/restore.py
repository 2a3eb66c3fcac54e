"""`manage.py restore FILE`: the site of a backup in the place of this one, proved afterwards."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from config.backup import passphrases
from config.backup.restoring import restore_backup
from config.trouble import Trouble


class Command(BaseCommand):
    """Exit code 0: restored, and the ledger is in order; 1: refused, or a fault, which is named."""

    help = (
        "Fill an empty site from a backup, then verify the whole ledger. The site's processes must not run."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="give up what this site has for the backup"
        )
        passphrases.add_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["file"].is_file():
            raise CommandError(f"There is no file {options['file']}.")
        try:
            report = restore_backup(
                options["file"],
                passphrase=passphrases.given(options["passphrase_file"]),
                replace=options["replace"],
                say=self.stdout.write,
            )
        except Trouble as trouble:
            raise CommandError(str(trouble)) from None
        for step, done in report.steps.items():
            self.stdout.write(f"verified {step}: {done}")
        if not report.passed:
            self.stderr.write(f"FAULT  {report.fault}")
            sys.exit(1)
        self.stdout.write(
            "The ledger is in order. Start the site: open tables go on, their clocks get the time back."
        )
