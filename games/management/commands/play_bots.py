"""``manage.py play_bots``: let bots play deals, drawn from a text, the same on every machine."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.bots import BOTS
from games.bots.arena import BUDGET, Setting, Tally, play
from games.management.texts import columns, complaint
from games.rules import GAMES
from games.rules.errors import Refusal
from games.rules.strict_json import read_object


class Command(BaseCommand):
    """Exit code 0: played; 2: the game cannot be played so, with one line that says why."""

    help = "Let bots play deals against each other and print what they came to."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", required=True, choices=sorted(GAMES))
        parser.add_argument("--seats", required=True, type=int, help="how many bots play")
        parser.add_argument("--deals", required=True, type=int, help="how many deals, match after match")
        parser.add_argument("--seed", required=True, help="any text; the same text gives the same deals")
        parser.add_argument("--level", default="steady", help="the bots' level: random or steady")
        parser.add_argument("--options", default="{}", metavar="JSON", help="options of the game")
        parser.add_argument(
            "--budget", type=int, default=BUDGET, help="continuations a bot imagines for a move"
        )
        parser.add_argument("--json", action="store_true", help="print JSON for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            setting = parse_setting(options)
            tally = play(setting, options["deals"])
        except Refusal as error:
            self.stderr.write(complaint(error.detail))
            sys.exit(2)
        facts = as_json(setting, tally)
        for line in [json.dumps(facts)] if options["json"] else lines(setting, tally, facts):
            self.stdout.write(line)


def parse_setting(options: dict[str, Any]) -> Setting:
    """Return the setting that the command line asks for; raises ``Refusal``."""
    game, level, seats = options["game"], options["level"], options["seats"]
    if level not in BOTS[game]:
        raise Refusal(
            "unknown_level", f"no bot of {game} is called {level!r}; there are {', '.join(BOTS[game])}"
        )
    if options["deals"] < 1 or options["budget"] < 0:
        raise Refusal("bad_number", "at least one deal is played, and a budget is not negative")
    rules = GAMES[game]
    parsed = rules.parse_options(read_object(options["options"].encode(errors="surrogateescape")))
    fewest, most = rules.seat_range(parsed)
    if not fewest <= seats <= most:
        raise Refusal("bad_seats", f"{game} with these options is for {fewest} to {most} seats, not {seats}")
    seed = options["seed"].encode(errors="surrogateescape").decode(errors="replace")
    return Setting(game, parsed, tuple(range(1, seats + 1)), level, seed, random.Random, options["budget"])


def as_json(setting: Setting, tally: Tally) -> dict[str, Any]:
    """Return everything that is reported, as JSON values."""
    return {
        "game": setting.game,
        "options": setting.rules.dump_options(setting.options),
        "seats": len(setting.seats),
        "level": setting.level,
        "budget": setting.budget,
        "seed": setting.seed,
        "deals": tally.deals,
        "matches": tally.matches,
        "last_match_unfinished": tally.unfinished,
        "mean_moves": round(tally.moves / tally.deals, 2),
        "totals": {str(seat): tally.results[seat] for seat in setting.seats},
        "firsts": {str(seat): tally.firsts[seat] for seat in setting.seats},
        "digest": tally.digest,
    }


def lines(setting: Setting, tally: Tally, facts: dict[str, Any]) -> list[str]:
    """Return the report as a person reads it."""
    unfinished = ", the last one unfinished" if tally.unfinished else ""
    rows = [
        [
            str(seat),
            f"{tally.results[seat]:+d}",
            f"{tally.results[seat] / tally.deals:+.2f}",
            str(tally.firsts[seat]),
        ]
        for seat in setting.seats
    ]
    return [
        f"{setting.game}, {len(setting.seats)} {setting.level} bots, seed {setting.seed}",
        f"{tally.deals} deals in {tally.matches} matches{unfinished}; {facts['mean_moves']} moves a deal",
        "",
        *columns([["seat", "total", "a deal", "matches won"], *rows]),
        "",
        f"digest of the records: {tally.digest}",
    ]
