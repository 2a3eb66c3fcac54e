"""``manage.py seal_ledger``: seal what is finished, now; and the decisions that only a person can make."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.errors import SealingRefused
from ledger.services.sealing import seal_pending
from ledger.services.signing import rotate_key


class Command(BaseCommand):
    """Exit code 0: sealed, or nothing to seal; 1: refused, with one line that says what to do."""

    help = "Seal every finished transaction and publish the heads."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--new-epoch",
            action="store_true",
            help="accept that the database was restored: its transactions are numbered anew, published heads it lost are given up",
        )
        parser.add_argument(
            "--new-heads-file",
            action="store_true",
            help="accept that the file of heads was lost, and write it anew",
        )
        parser.add_argument(
            "--rotate-key",
            action="store_true",
            help="first make a new signing key; the old public key stays known",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["rotate_key"]:
                self.stdout.write(f"new key {rotate_key().key_id}")
            seals = seal_pending(new_epoch=options["new_epoch"], new_heads_file=options["new_heads_file"])
        except SealingRefused as refusal:
            raise CommandError(str(refusal)) from None
        except RuntimeError as refusal:
            raise CommandError(str(refusal)) from None
        for seal in seals:
            self.stdout.write(f"seal {seal.seq}: {seal.n} transactions, {bytes(seal.hash).hex()}")
        if not seals:
            self.stdout.write("nothing to seal")
