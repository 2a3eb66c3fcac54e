"""Count all rated matches again, in the order in which they counted; the ratings come out the same to the last digit."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import services
from games.models import RatingPool
from games.rules import GAMES


class Command(BaseCommand):
    """``manage.py recompute_ratings``; exit code 1 with ``--check`` if anything differs."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", metavar="ADDRESS", help="only the club of this address (its slug)")
        parser.add_argument("--game", choices=sorted(GAMES), help="only this game")
        parser.add_argument("--check", action="store_true", help="change nothing, exit 1 if anything differs")

    def handle(self, *args: Any, **options: Any) -> None:
        """Count pool by pool, and say what differed."""
        pools = RatingPool.objects.select_related("club").order_by("club", "game")
        if options["club"]:
            pools = pools.filter(club__slug=options["club"])
        if options["game"]:
            pools = pools.filter(game=options["game"])
        differing = False
        for pool in pools:
            differences = services.recompute_ratings(pool, store=not options["check"])
            found = f"{len(differences)} differences" if differences else "nothing differs"
            counted = pool.rated_matches.count()
            self.stdout.write(f"{pool}: {counted} {'match' if counted == 1 else 'matches'}, {found}")
            for line in differences:
                self.stdout.write(f"  {line}")
            differing = differing or bool(differences)
        if differing and options["check"]:
            sys.exit(1)
