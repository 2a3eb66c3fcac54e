"""Draw a whole event and print it with its certificate."""

import json
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.rules.draw import Draw, plan
from tournaments.rules.errors import BadDraw
from tournaments.rules.sizes import LARGEST_TABLE, SMALLEST_TABLE, check_numbers


class Command(BaseCommand):
    help = "Draw rounds with the fewest repeat meetings; players are numbered from 1, seat 1 comes first."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, required=True, help="how many play")
        parser.add_argument("--size", type=int, required=True, help="ideal table size")
        parser.add_argument("--rounds", type=int, required=True, help="how many rounds")
        parser.add_argument("--seed", type=int, default=1, help="same seed, same draw (default 1)")
        parser.add_argument("--min", type=int, default=None, help="smallest table allowed (default 2)")
        parser.add_argument("--max", type=int, default=None, help="largest table allowed (default 16)")
        parser.add_argument(
            "--apart", action="append", default=[], metavar="I,J", help="a pair that should not meet"
        )
        parser.add_argument("--budget", type=int, default=None, help="swaps a search may price")
        parser.add_argument(
            "--seconds", type=float, default=60.0, help="time limit, a safety net (default 60)"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        try:
            check_numbers(options["players"], options["rounds"])
            draw = plan(
                range(1, options["players"] + 1),
                rounds=options["rounds"],
                ideal=options["size"],
                seed=options["seed"],
                smallest=SMALLEST_TABLE if options["min"] is None else options["min"],
                largest=LARGEST_TABLE if options["max"] is None else options["max"],
                apart=[_pair(text, options["players"]) for text in options["apart"]],
                budget=None
                if options["budget"] is None
                else _within(options["budget"], 1, 10**10, "--budget"),
                expired=lambda: time.monotonic() - started > options["seconds"],
            )
        except BadDraw as refusal:
            raise CommandError(refusal.detail, returncode=2) from refusal
        seconds = time.monotonic() - started
        self.stdout.write(json.dumps(as_json(draw, seconds)) if options["json"] else as_text(draw, seconds))


def as_json(draw: Draw, seconds: float) -> dict[str, Any]:
    """Return the draw and its certificate as JSON values."""
    figures, bounds = draw.figures, draw.bounds
    answer: dict[str, Any] = {
        "rounds": draw.rounds,
        "q": figures.q,
        "bounds": {"pairs": bounds.pairs, "rounds": bounds.rounds, "visits": bounds.visits},
        "optimal": draw.optimal,
        "method": draw.method,
        "seconds": round(seconds, 3),
        "seat_spread": draw.seat_spread,
        "seed": draw.seed,
        "gap": draw.gap,
        "repeats": figures.repeats,
        "third_meetings": figures.third,
        "back_to_back": figures.back_to_back,
        "strangers": figures.strangers,
        "larger_table_spread": figures.larger_spread,
        "stopped": draw.stopped,
        "looks": draw.looks,
    }
    if any(draw.sitting):
        answer["sitting_out"] = draw.sitting
    if draw.apart_met:
        answer["apart_met"] = draw.apart_met
    return answer


def as_text(draw: Draw, seconds: float) -> str:
    """Return the draw as lines for reading and printing."""
    width = max(len(str(player)) for one in draw.rounds for table in one for player in table)
    lines = []
    for number, (tables, sitting) in enumerate(zip(draw.rounds, draw.sitting, strict=True), 1):
        lines.append(f"Round {number}")
        for t, table in enumerate(tables, 1):
            lines.append(f"  table {t:>2}: " + " ".join(f"{player:>{width}}" for player in table))
        if sitting:
            lines.append("  sits out: " + " ".join(map(str, sitting)))
    figures, bounds = draw.figures, draw.bounds
    proof = "no draw has fewer" if draw.optimal else f"at most {draw.gap} above the least possible"
    lines += [
        "",
        f"Repeat meetings: {figures.repeats} (Q = {figures.q}: {proof};"
        f" bounds: pairs {bounds.pairs}, rounds {bounds.rounds}, visits {bounds.visits})",
        f"Third meetings: {figures.third}; back-to-back repeats: {figures.back_to_back};"
        f" pairs without a common opponent: {figures.strangers}",
        f"Visits to larger tables differ by at most {figures.larger_spread},"
        f" visits to seats by at most {draw.seat_spread}",
        f"Method: {draw.method} ({draw.stopped}); seed {draw.seed}; {seconds:.2f} s",
    ]
    if draw.apart_met:
        lines.append(
            f"Pairs kept apart meet {draw.apart_met} times: there are too many of them for these tables"
        )
    return "\n".join(lines)


def _within(number: int, least: int, most: int, name: str) -> int:
    """Return the number if it lies in the range; raises ``BadDraw``."""
    if not least <= number <= most:
        raise BadDraw("bad_number", f"{name} must be between {least} and {most}, not {number}")
    return number


def _pair(text: str, players: int) -> tuple[int, int]:
    """Return the pair written "I,J"; raises ``BadDraw``."""
    parts = text.split(",")
    if len(parts) == 2 and all(part.strip().isdecimal() for part in parts):
        i, j = (int(part) for part in parts)
        if i != j and min(i, j) >= 1 and max(i, j) <= players:
            return (i, j)
    raise BadDraw("bad_pair", f"--apart takes two different player numbers as I,J, not {text!r}")
