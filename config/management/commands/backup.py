"""`manage.py backup FILE`: everything that the site would need elsewhere, in one file, while people play."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from config.backup import passphrases
from config.backup.making import make_backup
from config.trouble import Trouble


class Command(BaseCommand):
    """Exit code 0: the file is there and whole; 1: there is none, and one line says why."""

    help = "Write the database, the ledger's keys and heads, the exports and the secret key into one file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        passphrases.add_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"]
        try:
            passphrase = passphrases.given(options["passphrase_file"])
            manifest = make_backup(path, passphrase=passphrase)
        except Trouble as trouble:
            raise CommandError(str(trouble)) from None
        counts = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in manifest["counted"].items())
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes, {counts}")
        if not passphrase:
            self.stdout.write(
                "It holds the site's keys, unsealed: keep it as you keep them, or give a passphrase."
            )
        if manifest["signing_key_in_environment"]:
            self.stdout.write("The signing key comes from LEDGER_SIGNING_KEY and is not in it.")
