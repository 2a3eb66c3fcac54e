"""Speed and quality of draws: is the bound or the best known value reached within a second?

    python benchmarks/draws.py [--players 10-64] [--seed 1] [--all]

Draws every number of players 10 to 64, every table size 4 to 16 and 1 to 5 rounds with a
budget of about one second, then the constructions and the values of other published tables.
Numbers that give the same tables (say 20 players at size 12 and 16) are drawn once and
counted for each. ``--all`` prints every line, else only the draws that miss or take
over a second. Seconds are processor time of this one process, so that a busy machine does not count.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournaments.rules.catalogue import to_rounds
from tournaments.rules.construction import net_rounds
from tournaments.rules.draw import Draw, plan
from tournaments.rules.meetings import count_meetings
from tournaments.rules.sizes import table_sizes

BUDGET = 2_000_000
GOALS = [
    # players, size, rounds, most repeats beyond first meetings
    (20, 4, 6, 6),
    (24, 4, 8, 21),
    (24, 4, 9, 48),
    (24, 4, 7, 0),
    (28, 4, 9, 0),
    (32, 4, 10, 0),
    (36, 4, 11, 0),
    (40, 4, 13, 0),
    (16, 4, 5, 0),
    (20, 4, 5, 0),
    (25, 5, 6, 0),
    (30, 5, 6, 0),
    (36, 6, 3, 0),
    (49, 7, 8, 0),
    (64, 8, 9, 0),
]


def timed_plan(players: int, size: int, rounds: int, seed: int) -> tuple[Draw, float]:
    """Return a draw and its processor seconds."""
    start = time.process_time()
    draw = plan(range(1, players + 1), rounds=rounds, ideal=size, seed=seed, budget=BUDGET)
    return draw, time.process_time() - start


def verdict(draw: Draw) -> str:
    """Return "bound", "best known" (the catalogue's value, from long searches) or "missed"."""
    if draw.optimal:
        return "bound"
    return "best known" if draw.method == "catalogue" else "missed"


def sweep(players: range, seed: int, show_all: bool) -> None:
    """Draw the whole range and print a line for each draw worth one, then the sums."""
    count: Counter[str] = Counter()
    slow, longest = 0, 0.0
    for n in players:
        done: dict[tuple[tuple[int, ...], int], tuple[Draw, float]] = {}
        for size in range(4, 17):
            for rounds in range(1, 6):
                key = (table_sizes(n, ideal=size), rounds)
                fresh = key not in done
                if fresh:
                    done[key] = timed_plan(n, size, rounds, seed)
                draw, seconds = done[key]
                result = verdict(draw)
                in_time = seconds <= 1.0
                count[result] += 1
                count["reached in time"] += in_time and result != "missed"
                slow += not in_time
                longest = max(longest, seconds)
                if fresh and (show_all or result == "missed" or not in_time):
                    print(
                        f"{n:>3} players, {len(key[0]):>2} tables of {key[0][0]}/{key[0][-1]}, {rounds} rounds:"
                        f" Q {draw.figures.q} bound {draw.bounds.best} {result} by {draw.method} in {seconds:.2f} s",
                        flush=True,
                    )
    total = count["bound"] + count["best known"] + count["missed"]
    print(
        f"draws {total}: bound {count['bound']}, best known {count['best known']}, missed {count['missed']};"
    )
    print(
        f"reached within 1 s: {count['reached in time']} ({100 * count['reached in time'] / total:.2f} %),"
        f" slower than 1 s: {slow}, longest {longest:.2f} s"
    )


def constructions() -> None:
    """Build all constructions of the prime powers 4 to 16 and check that nobody meets twice."""
    cases, good, longest = 0, 0, 0.0
    for q in (4, 5, 7, 8, 9, 11, 13, 16):
        for n in range(3 * q, q * q + 1):
            start = time.process_time()
            rows = net_rounds(n, q, q + (n == q * q))
            longest = max(longest, time.process_time() - start)
            cases += 1
            good += rows is not None and max(count_meetings(to_rounds(rows, tuple(range(n)))).values()) == 1
    print(f"constructions: {good} of {cases} without a repeat, longest {1000 * longest:.1f} ms")


def goals(seed: int) -> None:
    """Draw the cases other programs publish, and the best known numbers of rounds without a repeat."""
    for n, size, rounds, most in GOALS:
        draw, seconds = timed_plan(n, size, rounds, seed)
        mark = "ok" if draw.figures.repeats <= most else "MISSED"
        print(
            f"{n}x{rounds} in tables of {size}: {draw.figures.repeats} repeats (goal {most}) {mark},"
            f" {draw.method}, {seconds:.2f} s",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", default="10-64", help="a number or a range")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="print every draw")
    options = parser.parse_args()
    first, _, last = options.players.partition("-")
    goals(options.seed)
    constructions()
    sweep(range(int(first), int(last or first) + 1), options.seed, options.all)


if __name__ == "__main__":
    main()
