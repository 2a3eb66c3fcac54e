"""``manage.py rate_bots``: let bots play whole matches against each other and rate their levels by them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import services
from games.errors import TableRefusal
from games.management.texts import columns
from games.models import Rating
from games.rules import GAMES
from games.rules.errors import Refusal
from games.rules.strict_json import read_object


class Command(BaseCommand):
    """The same seed counts the same matches once, however often the command runs."""

    help = "Let bots play whole matches against each other and rate their levels by them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", required=True, choices=sorted(GAMES))
        parser.add_argument("--matches", required=True, type=int, help="how many matches")
        parser.add_argument("--seed", required=True, help="any text of at most 60 letters")
        parser.add_argument("--leavers", type=float, default=0.0, help="how likely a seat leaves, 0 to 1")
        parser.add_argument("--options", default="{}", metavar="JSON", help="options of the game")
        parser.add_argument("--budget", type=int, default=4, help="continuations a bot imagines for a move")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, and print where the levels stand."""
        if not 0 <= options["leavers"] <= 1 or len(options["seed"]) > 60 or options["budget"] < 0:
            raise CommandError(
                "leavers are from 0 to 1, a seed has at most 60 letters, no budget is negative"
            )
        try:
            raw = read_object(options["options"].encode(errors="surrogateescape"))
            plan = services.BotMatches(
                options["game"], options["seed"], raw, options["leavers"], options["budget"]
            )
            for number in range(1, options["matches"] + 1):
                services.rate_bots(plan, number)
        except (Refusal, TableRefusal) as refusal:
            raise CommandError(str(refusal)) from refusal
        rows = Rating.objects.filter(pool__club__isnull=True, pool__game=options["game"])
        table = [
            [row.bot_level, str(row.skill.points), f"{row.mu:.2f}", f"{row.sigma:.2f}", str(row.matches)]
            for row in rows.order_by("-ordinal", "pk")
        ]
        for line in columns([["level", "rating", "mu", "sigma", "matches"], *table]):
            self.stdout.write(line)
