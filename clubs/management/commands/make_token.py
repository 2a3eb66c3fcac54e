"""Make a token of the API for a member's program and print it: for servers on which bots are set up by a script."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from clubs.errors.tokens import TokenRefusal
from clubs.models import Scope, User
from clubs.services import make_token


class Command(BaseCommand):
    """``manage.py make_token USERNAME NAME --scope read --scope play --days 90``."""

    help = "Makes a token of the API for a member and prints it; it cannot be read again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose token, what it is for, and what it may do."""
        parser.add_argument("username")
        parser.add_argument("name")
        parser.add_argument("--scope", action="append", choices=Scope.values, required=True)
        parser.add_argument("--days", type=int, default=90)

    def handle(self, *, username: str, name: str, scope: list[str], days: int, **_: object) -> None:
        """Make it; a refusal is told as it is on the page."""
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no member {username!r}.")
        try:
            made = make_token(user=user, name=name, scopes=scope, days=days)
        except TokenRefusal as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(made.text)
