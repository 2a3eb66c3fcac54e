"""``manage.py check_deal FILE``: check the proof of a fair deal (docs/fair_deal.md)."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.management.files import add_deal_argument, read_archived, read_file
from games.management.texts import complaint
from games.rules.errors import Refusal
from games.rules.proof import faults, parse_proof


class Command(BaseCommand):
    """Exit code 0: the proof holds; 1: it does not, with the reasons; 2: it is no proof, with one line."""

    help = "Check the proof of a fair deal: the commitment, the deck, reshuffles and the first dealer."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="the proof as JSON (docs/fair_deal.md); - reads standard input"
        )
        add_deal_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["deal"] is None:
                proof = parse_proof(read_file(options["file"]))
            else:
                _record, proof = read_archived(options["file"], options["deal"])
        except Refusal as error:
            self.stderr.write(complaint(f"{options['file']}: {error.detail}"))
            sys.exit(2)
        found = faults(proof)
        for fault in found:
            self.stderr.write(fault)
        if found:
            sys.exit(1)
        self.stdout.write("OK")
