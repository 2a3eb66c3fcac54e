"""What a process counts of its tables, for /metrics and the keeper's page. Counting reads and writes no row.

Each is about this process alone; what all processes counted is put together by ``config.metrics``.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

SECONDS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.25, 0.5, 1, 2.5, 10)
"""Upper ends of the classes of a latency."""

MOVES = Counter(
    "cardclub_moves",
    "Moves by who made them (a LogEntry.By) and what came of them: played, or the code of the refusal.",
    ["game", "by", "outcome"],
)
REFUSALS = Counter("cardclub_table_refusals", "Refusals of the tables by their code.", ["code"])
SOCKETS = Gauge("cardclub_sockets", "Sockets that are open: player, watcher, lobby.", ["kind"])
COMMITTED = Histogram(
    "cardclub_move_committed_seconds",
    "From a move's frame until its transaction was committed and the answer ready.",
    buckets=SECONDS,
)
SHOWN = Histogram(
    "cardclub_move_shown_seconds",
    "From a move's frame until the last socket of this process at the table had been sent its view.",
    buckets=SECONDS,
)
SWEEP_GAP = Histogram(
    "cardclub_sweep_gap_seconds",
    "Between a sweep of the deadlines and the one before, whoever made that one; beat wants 1 s.",
    buckets=(0.5, 0.9, 1.1, 1.5, 2, 3, 5, 10, 60),
)
TIME_OUT_LATE = Histogram(
    "cardclub_time_out_late_seconds",
    "From the moment when a seat's time and all its lag was over until the clock played for it.",
    buckets=SECONDS,
)
