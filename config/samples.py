"""What the site did in each of the last minutes: a sample a minute, kept in Redis for two hours.

A sample holds what every process had counted until then (`config.pulse`) and how the site stood. What happened in a
minute is the difference between two samples, process by process: one that started anew counts from 0 again.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from django.conf import settings

from config import pulse
from config.redis_line import broker, line
from games import selectors as tables
from ledger import selectors as book

KEY = "status:samples"
KEPT = 120
# Between two samples lies about a minute; after a longer gap nothing is said of what happened in it.
LONGEST_GAP = 150

# What is kept of a process: name of the sample, and the label by which it is told apart ("" for the sum of all).
COUNTERS = {
    "cardclub_moves_total": "outcome",
    "cardclub_table_refusals_total": "",
    "cardclub_event_refusals_total": "",
    "cardclub_ledger_refusals_total": "",
    "cardclub_http_requests_total": "status",
    "cardclub_move_committed_seconds_bucket": "le",
    "cardclub_move_shown_seconds_bucket": "le",
    "cardclub_sweep_gap_seconds_bucket": "le",
}
GAUGES = {"cardclub_sockets": "kind"}

Counts = dict[str, float]


class Sample(NamedTuple):
    """`at` in Unix seconds; `counts` by process, each under `name` or `name/label`; `stands` how the site stood."""

    at: float
    counts: dict[str, Counts]
    stands: dict[str, float]


def take() -> None:
    """Add the sample of this minute."""
    counts: dict[str, Counts] = {}
    stands: dict[str, float] = defaultdict(float)
    for process in pulse.living(line()):
        counts[process.label] = _kept(process.counted, COUNTERS)
        for name, value in _kept(process.counted, GAUGES).items():
            stands[name] += value
    for queue in settings.WORKER_QUEUES:
        stands[f"queue/{queue}"] = float(int(broker().llen(queue)))
    stands["tables"] = float(sum(number for _game, _status, number in tables.count_open()))
    stands["seal_lag"] = round(book.seal_lag().seconds, 1)
    stands["processes"] = float(len(counts))
    text = json.dumps(Sample(time.time(), counts, stands))
    with line().pipeline() as pipe:
        pipe.lpush(KEY, text)
        pipe.ltrim(KEY, 0, KEPT - 1)
        pipe.execute()


def _kept(counted: Sequence[Any], wanted: Mapping[str, str]) -> Counts:
    """Return what is wanted of a process's numbers, added up over the labels that do not matter."""
    kept: Counts = defaultdict(float)
    for _name, _kind, _told, samples in counted or ():
        for name, labels, value in samples:
            if name in wanted:
                label = wanted[name]
                kept[f"{name}/{labels[label]}" if label else name] += value
    return kept


def newest(number: int) -> list[Sample]:
    """Return the last samples, the oldest first."""
    return [Sample(*json.loads(text)) for text in reversed(line().lrange(KEY, 0, number - 1))]


class Minute(NamedTuple):
    """What happened until `at` since the sample before, and how the site stood then."""

    at: float
    counts: Counts
    stands: dict[str, float]

    def sum(self, name: str, *, label: str = "") -> float:
        """Return how often what is counted as `name` happened, with labels that begin with `label`."""
        return sum(n for key, n in self.counts.items() if key == name or key.startswith(f"{name}/{label}"))

    def quantile(self, name: str, part: float) -> float | None:
        """Return the upper end of the class that `part` of the observations of histogram `name` stay below."""
        ends = sorted(
            (float(key.rpartition("/")[2]), n)
            for key, n in self.counts.items()
            if key.startswith(f"{name}_bucket/")
        )
        whole = ends[-1][1] if ends else 0
        if not whole:
            return None
        return next(end for end, below in ends if below >= part * whole)


def minutes(number: int) -> list[Minute]:
    """Return what happened in the last minutes, the oldest first; a minute after a gap is left out."""
    samples = newest(number + 1)
    return [
        Minute(now.at, _between(before.counts, now.counts), now.stands)
        for before, now in pairwise(samples)
        if now.at - before.at <= LONGEST_GAP
    ]


def _between(before: dict[str, Counts], now: dict[str, Counts]) -> Counts:
    found: Counts = defaultdict(float)
    for process, counts in now.items():
        for name, value in counts.items():
            former = before.get(process, {}).get(name, 0.0)
            found[name] += value - former if value >= former else value
    return found
