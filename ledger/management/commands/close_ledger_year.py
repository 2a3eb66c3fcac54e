"""Close a year of a club's book into a signed file that verifies without the database (docs/ledger.md)."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.models import Club, User
from ledger.errors import LedgerError
from ledger.rules.year import YearFault
from ledger.services import owner_of
from ledger.services.closing_years import close_year, years_folder


class Command(BaseCommand):
    """``manage.py close_ledger_year --year 2025 --club SLUG --by USERNAME``."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the year, the club, and who closes it."""
        parser.add_argument("--year", type=int, required=True, help="a year of UTC that is over")
        parser.add_argument("--club", required=True, help="the club's address, as in its page's")
        parser.add_argument("--by", required=True, help="who closes it: a member's name, kept with the year")

    def handle(self, *args: Any, year: int, club: str, by: str, **options: Any) -> None:
        """Close the year, and say which file came of it."""
        found = Club.objects.filter(slug=club).first()
        if found is None:
            known = ", ".join(Club.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(f"there is no club {club}; there are {known}")
        person = User.objects.filter(username=by, is_active=True).first()
        if person is None:
            raise CommandError(f"there is no member {by}")
        try:
            closed = close_year(club=found, year=year, by=owner_of(user=person))
        except LedgerError as refusal:
            raise CommandError(refusal.message) from refusal
        except YearFault as fault:
            raise CommandError(f"the book does not hold, so nothing was closed: {fault}") from fault
        self.stdout.write(
            f"{year} is closed: {closed.transactions} transactions in {years_folder() / closed.file}"
        )
        self.stdout.write(f"SHA-256 {bytes(closed.sha256).hex()}")
