"""What counting costs: a move's share, and what a pulse carries.

    SECRET_KEY=x .venv/bin/python -m benchmarks.counting

Needs no server: everything that is counted of a move is counted here many times over, in the same classes.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.metrics import counted  # noqa: E402
from games import metrics  # noqa: E402
from games.rooms import Showing  # noqa: E402

SEATS, WATCHERS = 6, 8
VIEWS = [*(f"the view of seat {seat}" for seat in range(SEATS)), *(["the watchers' view"] * WATCHERS)]


def main() -> None:
    """Measure each part and print the table."""
    print("| what | processor time |\n|---|---|")
    move = _measure("who moved, and with which outcome", _count) + _measure("a latency", _observe)
    move += _measure(f"a version on its way to {len(VIEWS)} sockets", _show)
    print(f"| a move in all | {move:.1f} us |")
    _measure("what a process lays into Redis every 5 s", _carry, times=300)
    print(f"| its size | {len(json.dumps(counted())):,} bytes |")


def _measure(what: str, act: Callable[[], object], *, times: int = 50_000) -> float:
    """Print and return the processor time of one `act`, in microseconds."""
    began = time.process_time()
    for _ in range(times):
        act()
    each = (time.process_time() - began) / times * 1e6
    print(f"| {what} | {each:.1f} us |")
    return each


def _count() -> None:
    metrics.MOVES.labels("least_score", "person", "played").inc()


def _observe() -> None:
    metrics.COMMITTED.observe(0.01)


def _show() -> None:
    showing = Showing(1)
    frames = [showing.frame(view) for view in VIEWS]
    showing.time(0.0)
    for frame in frames:
        frame.showing.sent()


def _carry() -> None:
    json.dumps(counted())


if __name__ == "__main__":
    main()
