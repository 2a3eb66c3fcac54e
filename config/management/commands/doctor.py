"""`manage.py doctor`: is everything well, and what is to be done where it is not."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from config.doctor import FAILURE, Report, examine


class Command(BaseCommand):
    """Exit code 0: no failure (there may be warnings); 1: something must be put right."""

    help = "Look at everything that a running site needs and say what is wrong and what to do about it."
    # The doctor makes these checks itself and has words for what it finds.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--only", nargs="+", default=[], metavar="CHECK", help="make only these checks")

    def handle(self, *args: Any, **options: Any) -> None:
        report = examine(options["only"])
        if options["json"]:
            self.stdout.write(json.dumps(report.as_json(), indent=2, ensure_ascii=False))
        else:
            self._print(report)
        if report.failed:
            sys.exit(1)

    def _print(self, report: Report) -> None:
        for name, found in report.findings.items():
            if not found:
                self.stdout.write(f"ok       {name}")
            for each in found:
                word = "FAILURE" if each.level == FAILURE else "warning"
                self.stdout.write(f"{word}  {name}: {each.says} [{each.code}]\n         {each.do}")
        for name in report.left_out:
            self.stdout.write(f"left out {name}: it needs what does not answer")
