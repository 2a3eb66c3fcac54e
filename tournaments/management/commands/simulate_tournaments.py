"""Play whole events with bots and random leavers, and print how fair they were."""

import hashlib
import json
import time
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.rules.consolidation import FloorRules
from tournaments.rules.errors import BadDraw, BadEvent
from tournaments.rules.simulation.deals import source
from tournaments.rules.simulation.elimination import EliminationEvent, EliminationFigures, EliminationSetting
from tournaments.rules.simulation.rounds import RoundsEvent, RoundsFigures, RoundsSetting
from tournaments.rules.sizes import MOST_PLAYERS

Figures = RoundsFigures | EliminationFigures
REPLAYED = 100  # every so many events one is played twice, to see that a seed is enough
MUST_BE_ZERO = ("skipped_deals", "doubled_deals", "unequal_deals", "over_tolerance", "unforced_second_moves")


class Command(BaseCommand):
    help = "Play events with bots and random leavers and print the fairness figures; exit 1 if one is broken."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=["planned", "swiss", "elimination"], required=True)
        parser.add_argument("--game", choices=["least_score", "three_card_loo"], default="least_score")
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument("--events", type=int, required=True)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--size", type=int, default=5, help="ideal table size (default 5)")
        parser.add_argument(
            "--rounds", type=int, default=3, help="rounds of a planned or Swiss event (default 3)"
        )
        parser.add_argument("--orbits", type=int, default=1, help="orbits a round (default 1)")
        parser.add_argument("--thresholds", default="50", help="of an elimination, e.g. 50 or 25,50,100")
        parser.add_argument(
            "--real", action="store_true", help="play the real rules, every move any legal one"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        _check(options)
        started = time.process_time()
        totals: Counter[str] = Counter()
        most: Counter[str] = Counter()
        digest = hashlib.sha256()
        try:
            for number in range(options["events"]):
                figures = _play(options, number)
                digest.update(repr(figures.log).encode())
                if number % REPLAYED == 0:
                    totals["replayed"] += 1
                    totals["replay_differences"] += _play(options, number).log != figures.log
                _add(figures, totals, most)
        except (BadDraw, BadEvent) as refusal:
            raise CommandError(refusal.detail, returncode=2) from refusal
        answer = {key: options[key] for key in ("format", "game", "players", "events", "seed")}
        answer |= {"replay_differences": 0} | dict(sorted(totals.items())) | dict(sorted(most.items()))
        answer |= {"digest": digest.hexdigest(), "seconds": round(time.process_time() - started, 1)}
        lines = [f"{key.replace('_', ' ')}: {value}" for key, value in answer.items()]
        self.stdout.write(json.dumps(answer) if options["json"] else "\n".join(lines))
        broken = [key for key in (*MUST_BE_ZERO, "replay_differences") if answer.get(key)]
        broken += [
            key for key in ("deals_spread", "larger_table_spread", "seat_spread") if answer.get(key, 0) > 1
        ]
        if broken or answer.get("deals_spread_at_orbit_end"):
            raise CommandError(
                "not fair: " + ", ".join(broken or ["deals_spread_at_orbit_end"]), returncode=1
            )


def _check(options: dict[str, Any]) -> None:
    """Refuse numbers no event is played with."""
    if not 2 <= options["players"] <= MOST_PLAYERS:
        raise CommandError(
            f"--players must be between 2 and {MOST_PLAYERS}, not {options['players']}", returncode=2
        )
    for name, most in (("events", 1_000_000), ("rounds", 20), ("orbits", 20)):
        if not 1 <= options[name] <= most:
            raise CommandError(f"--{name} must be between 1 and {most}, not {options[name]}", returncode=2)
    parts = options["thresholds"].split(",")
    if not all(part.isdecimal() and 1 <= int(part) <= 10_000 for part in parts):
        raise CommandError(
            f"--thresholds takes numbers like 25,50,100, not {options['thresholds']!r}", returncode=2
        )


def _play(options: dict[str, Any], number: int) -> Figures:
    """Play one event; its seed follows from the command's and its number."""
    seed = options["seed"] * 1_000_003 + number
    scores = source(options["game"], real=options["real"])
    if options["format"] == "elimination":
        floor = FloorRules(
            ideal=options["size"],
            seats=min(scores.most, options["size"] + 1),
            minimum=scores.fewest,
            final=options["size"],
        )
        thresholds = tuple(int(part) for part in options["thresholds"].split(","))
        return EliminationEvent(
            EliminationSetting(options["players"], floor, thresholds, scores), seed
        ).play()
    setting = RoundsSetting(
        players=options["players"],
        size=options["size"],
        rounds=options["rounds"],
        orbits=options["orbits"],
        swiss=options["format"] == "swiss",
        source=scores,
    )
    return RoundsEvent(setting, seed).play()


def _add(figures: Figures, totals: Counter[str], most: Counter[str]) -> None:
    """Add an event's figures: sums to ``totals``, largest values to ``most``."""
    audit = figures.audit
    sums = {
        "deals": audit.deals,
        "skipped_deals": audit.skipped,
        "doubled_deals": audit.doubled,
        "leavers": figures.leavers,
    }
    highest = {"deals_spread": audit.spread, "deals_spread_at_orbit_end": audit.spread_at_end}
    if isinstance(figures, EliminationFigures):
        sums |= {
            "over_tolerance": figures.over_tolerance,
            "unforced_second_moves": figures.unforced,
            "balance_moves": figures.balances,
            "tables_broken": figures.breaks,
            "break_moves": figures.broken_moves,
        }
        highest |= {
            "moves_of_one_player": figures.most_moves,
            "widest_sizes_after_processing": figures.widest,
        }
    else:
        sums |= {
            "unequal_deals": figures.unequal,
            "latecomers": figures.latecomers,
            "repeats": figures.repeats,
        }
        sums |= {"undisturbed_events": figures.undisturbed, "third_meetings": figures.third}
        highest |= {"seat_spread": figures.seat_spread, "larger_table_spread": figures.larger_spread}
    totals.update(sums)
    for key, value in highest.items():
        most[key] = max(most[key], value)
