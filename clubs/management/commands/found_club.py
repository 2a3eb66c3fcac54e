"""`manage.py found_club`: print the address at which the site's own club is founded."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from urllib.parse import quote

from django.core.management import BaseCommand
from django.urls import reverse

from clubs.services import founding_key


class Command(BaseCommand):
    help = "Print the address, with its key, at which this site's own club can be founded once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--site", default="http://127.0.0.1:8000", help="where the site is (default: %(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the key if need be; a site that has its club is left alone."""
        key = founding_key()
        if not key:
            self.stdout.write("This site has its club already: nothing is founded.")
            return
        address = f"{options['site'].rstrip('/')}{reverse('found')}?key={quote(key)}"
        self.stdout.write(f"Found your club here, once: {address}")
