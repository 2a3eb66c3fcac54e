"""``manage.py verify_ledger``: check the whole ledger, trusting nothing in it (docs/seals.md)."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.rules.year import YearFault, check_follows
from ledger.services.closing_years import check_file
from ledger.services.drafts import sha256_of
from ledger.services.signing import known_keys
from ledger.services.verifying import ALL_STEPS, SEAL_LAG, Report, verify


class Command(BaseCommand):
    """Exit code 0: in order; 1: a fault, the first one found, with seal, transaction and account; 2: wrong options."""

    help = (
        "Check the ledger: (a) sequences, balances and totals, (b) leaves, seals and signatures, (c) the published"
        " heads, (d) the causes of the postings, (e) the Beancount export."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--since", type=int, metavar="SEAL", help="only what came after this seal, without step e"
        )
        which.add_argument("--account", type=int, metavar="ID", help="only this account, steps a to c")
        which.add_argument(
            "--archive",
            type=Path,
            metavar="FILE",
            help="only this file of a closed year (docs/ledger.md), without the database",
        )
        parser.add_argument(
            "--after",
            type=Path,
            metavar="FILE",
            help="with --archive: the file of the year before, which it must follow",
        )
        parser.add_argument(
            "--keys",
            type=Path,
            metavar="FILE",
            help="with --archive: the site's public_keys.jsonl, if it is not in LEDGER_KEY_DIR",
        )
        parser.add_argument(
            "--steps", default=ALL_STEPS, metavar="LETTERS", help="steps to run; a, b and c go together"
        )
        parser.add_argument(
            "--lag",
            type=float,
            default=SEAL_LAG.total_seconds(),
            metavar="SECONDS",
            help="how old a transaction may be without a seal (default %(default)s)",
        )
        parser.add_argument(
            "--no-record", action="store_true", help="do not keep the result for the audit desk"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["steps"] or set(options["steps"]) - set(ALL_STEPS):
            raise CommandError(f"--steps takes letters of {ALL_STEPS}", returncode=2)
        if options["archive"] is not None:
            self._verify_archive(options["archive"], options["after"], options["keys"])
            return
        report = verify(
            since=options["since"],
            account=options["account"],
            steps=options["steps"],
            lag=timedelta(seconds=options["lag"]),
            record=not options["no_record"],
        )
        if options["json"]:
            self.stdout.write(json.dumps(report.as_json(), indent=2))
        else:
            self._print(report)
        if not report.passed:
            sys.exit(1)

    def _verify_archive(self, file: Path, after: Path | None, keys: Path | None) -> None:
        trusted = [key.public_key for key in known_keys(keys).values()]
        if not trusted:
            self.stdout.write(
                "note: no public keys of the site are at hand: compare the archive's own with them"
            )
        try:
            year = check_file(file, trusted_keys=trusted or None)
            if after is not None:
                check_follows(check_file(after, trusted_keys=trusted or None), year, sha256_of(after))
        except YearFault as fault:
            self.stderr.write(f"FAULT  {fault}")
            sys.exit(1)
        self.stdout.write(
            f"OK  {year.year} of {year.club}: {year.transactions} transactions, {year.postings} postings,"
            f" {len(year.closing)} accounts, {len(year.seals)} seals"
        )
        self.stdout.write(f"SHA-256 of the file: {sha256_of(file).hex()}")

    def _print(self, report: Report) -> None:
        for step, done in report.steps.items():
            self.stdout.write(f"{step}  {done}")
        for notice in report.notices:
            self.stdout.write(f"note: {notice}")
        if report.fault:
            self.stderr.write(f"FAULT  {report.fault}")
        else:
            self.stdout.write(f"OK  {report.transactions} transactions in {report.seconds:.1f} s")
