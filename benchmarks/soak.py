"""Play random deals and check every law of the rules on each of them.

    python -m benchmarks.soak --deals 100000
    python -m benchmarks.soak --deals 100000 --game least_score --seed 7

Tables have random options and every seat count their options allow; the laws
are those of tests/games/laws. Matches are numbered; match i of seed s is the
same on every machine, so a broken law is told with the number that shows it
again (``--only``). Exit code 1 if a law is broken.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import traceback
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games.rules import GAMES
from tests.games.laws.deals import play_match, random_table

DEALS_A_MATCH = 12
INSPECTED = 0.02
BATCH = 25


class Tally(NamedTuple):
    """What a batch of matches came to: deals by seat count, and broken laws as (match, what)."""

    matches: int
    deals: Counter[int]
    broken: list[tuple[int, str]]


def play_batch(job: tuple[str, int, range]) -> Tally:
    """Play the matches of a job (game, seed, numbers) and return their tally."""
    name, seed, numbers = job
    deals: Counter[int] = Counter()
    broken = []
    for number in numbers:
        dice = random.Random((seed << 32) + number)
        table = random_table(name, dice)
        try:
            deals[len(table.seats)] += play_match(table, dice, DEALS_A_MATCH, INSPECTED)
        except Exception as error:
            lines = traceback.format_exception_only(error)
            broken.append((number, "".join(lines).strip()))
    return Tally(len(numbers), deals, broken)


def soak(name: str, wanted: int, seed: int, processes: int) -> Tally:
    """Play matches of the game until ``wanted`` deals are done, in several processes."""
    matches, deals, broken = 0, Counter(), []
    jobs = ((name, seed, range(start, start + BATCH)) for start in range(0, 10**9, BATCH))
    with get_context("spawn").Pool(processes) as pool:
        waiting = [pool.apply_async(play_batch, (next(jobs),)) for _ in range(2 * processes)]
        while waiting:
            tally = waiting.pop(0).get()
            matches += tally.matches
            deals.update(tally.deals)
            broken += tally.broken
            if deals.total() < wanted and len(broken) < 10:
                waiting.append(pool.apply_async(play_batch, (next(jobs),)))
    return Tally(matches, deals, broken)


def report(name: str, tally: Tally, seconds: float) -> None:
    """Print the summary of one game."""
    counts = ", ".join(f"{seats}: {tally.deals[seats]}" for seats in sorted(tally.deals))
    total = tally.deals.total()
    print(f"{name}: {total} deals in {tally.matches} matches, {seconds:.0f} s, {total / seconds:.0f} deals/s")
    print(f"  deals by seats at the table: {counts}")
    print(f"  laws broken: {len(tally.broken)}")
    for number, what in tally.broken:
        print(f"  match {number}: {what}")


def main() -> int:
    """Parse the command line, soak, print, and return the exit code."""
    parser = argparse.ArgumentParser(description="Check every law of the rules over random deals.")
    parser.add_argument("--deals", type=int, default=100_000, help="deals of each game")
    parser.add_argument("--game", choices=sorted(GAMES), action="append", help="only this game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", type=int, metavar="MATCH", help="play only the match of this number")
    args = parser.parse_args()
    failed = False
    for name in args.game or sorted(GAMES):
        start = time.perf_counter()
        if args.only is not None:
            tally = play_batch((name, args.seed, range(args.only, args.only + 1)))
        else:
            tally = soak(name, args.deals, args.seed, args.processes)
        report(name, tally, time.perf_counter() - start)
        failed = failed or bool(tally.broken)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
