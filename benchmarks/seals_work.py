"""One process of ``benchmarks.seals``; prints its result as a line of JSON.

python -m benchmarks.seals_work writer NUMBER RATE SECONDS | sealer | lost SECONDS
                                | generate TRANSACTIONS | seal | verify [SINCE]
"""

# ruff: noqa: E402 (Django must be set up before anything of the site is imported)
from __future__ import annotations

import json
import random
import resource
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import django

django.setup()

from django.db import connection, transaction

from benchmarks.book import generate
from ledger import services
from ledger.models import Leaf, Posting, Seal, Transaction
from ledger.services.sealing import seal_pending
from ledger.services.verifying import verify

SEALING_PERIOD = 10.0
SEALS_A_RUN = 20


def move(name: str) -> Callable[[int], None]:
    """Move chips from a seat to its pot and back, a transaction each, through the product's own call."""
    services.create_asset(code="CHIPS")
    mint = services.open_house_account(kind="mint", asset="CHIPS")
    seat = services.open_account(kind="seat", ref=name, asset="CHIPS")
    pot = services.open_account(kind="pot", ref=name, asset="CHIPS")
    services.post(
        key=f"start {uuid4()}", kind="start", source="bench", postings=[services.Entry(mint, seat, 100)]
    )
    ways = [services.Entry(seat, pot, 10)], [services.Entry(pot, seat, 10)]
    run = uuid4().hex

    def once(n: int) -> None:
        services.post(key=f"{run}/{n}", kind="stake", source=f"bench/{name}/{n}", postings=ways[n % 2])

    return once


def writer(number: str, rate: str, seconds: str) -> dict[str, Any]:
    """Post at a steady rate."""
    once = move(f"writer {number}")
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()::text")
        began = cursor.fetchone()[0]
    start = time.monotonic()
    posted = 0
    while (now := time.monotonic() - start) < float(seconds):
        if posted <= now * float(rate):
            once(posted)
            posted += 1
        else:
            time.sleep(0.001)
    return {"posted": posted, "seconds": time.monotonic() - start, "began": began}


def sealer() -> dict[str, Any]:
    """Seal every ten seconds until interrupted."""
    took = []
    before = time.process_time()
    try:
        while True:
            begun = time.monotonic()
            seal_pending(most=SEALS_A_RUN)
            took.append(time.monotonic() - begun)
            time.sleep(max(0.0, SEALING_PERIOD - took[-1]))
    except KeyboardInterrupt:
        return {"took": took, "cpu": time.process_time() - before}


def lost(seconds: str) -> dict[str, Any]:
    """Six writers with slow transactions beside four cut-offs: rows that each of them never took."""
    stop = threading.Event()
    writers = [threading.Thread(target=_slow_writer, args=(number, stop)) for number in range(6)]
    for each in writers:
        each.start()
    obvious = {
        "id <= max(id)": Obvious(0),
        "max(id), 100 ms late": Obvious(0.1),
        "max(id), 1 s late": Obvious(1),
    }
    deadline = time.monotonic() + float(seconds)
    while time.monotonic() < deadline:
        for cut_off in obvious.values():
            cut_off.take()
        seal_pending(seal_size=100)
        time.sleep(0.02)
    stop.set()
    for each in writers:
        each.join()
    for cut_off in obvious.values():
        cut_off.late = 0
        cut_off.take()
    while Transaction.objects.count() > Leaf.objects.count() and time.monotonic() < deadline + 20:
        seal_pending()
    posted = set(Transaction.objects.values_list("id", flat=True))
    sealed = set(Leaf.objects.values_list("transaction_id", flat=True))
    return {
        "posted": len(posted),
        "lost": {name: len(posted - each.taken) for name, each in obvious.items()}
        | {"xid < pg_snapshot_xmin (the sealer)": len(posted - sealed)},
    }


class Obvious:
    """Everything above the last id taken, up to the highest that is ``late`` seconds old."""

    def __init__(self, late: float) -> None:
        self.late = late
        self.last = 0
        self.taken: set[int] = set()

    def take(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id FROM ledger_transaction WHERE id > %s AND at <= clock_timestamp() - %s * interval '1 s'",
                [self.last, self.late],
            )
            ids = [row[0] for row in cursor.fetchall()]
        self.taken.update(ids)
        self.last = max([self.last, *ids])


def _slow_writer(number: int, stop: threading.Event) -> None:
    dice = random.Random(number)
    once = move(f"slow {number}")
    turn = 0
    while not stop.is_set():
        with transaction.atomic():
            once(turn)
            time.sleep(dice.choice((0, 0, 0.005, 0.005, 0.02, 0.02, 0.08, 0.08, 0.3, 1.5)))
        turn += 1
    connection.close()


def measured(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Wall and processor time of ``run``, of this process and of its server process, and the largest memory."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    server, client, wall = _cpu_of(backend), time.process_time(), time.monotonic()
    found = run()
    return found | {
        "wall": time.monotonic() - wall,
        "client": time.process_time() - client,
        "server": _cpu_of(backend) - server,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }


def _cpu_of(pid: int) -> float:
    numbers = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(numbers[11]) + int(numbers[12])) / 100


def fill(transactions: str) -> dict[str, Any]:
    """Generate a book; must run as the owner."""
    generate(int(transactions))
    return {"postings": Posting.objects.count()}


def seal_all() -> dict[str, Any]:
    """Seal the whole book."""
    return measured(lambda: {"seals": len(seal_pending())}) | {"last": Seal.objects.latest("seq").seq}


def check(since: str | None = None) -> dict[str, Any]:
    """Verify the book in steps a to c; it must be in order."""

    def run() -> dict[str, Any]:
        report = verify(since=None if since is None else int(since), steps="abc", record=False)
        if report.fault:
            raise report.fault
        return {"transactions": report.transactions}

    return measured(run)


if __name__ == "__main__":
    parts = {
        "writer": writer,
        "sealer": sealer,
        "lost": lost,
        "generate": fill,
        "seal": seal_all,
        "verify": check,
    }
    print(json.dumps(parts[sys.argv[1]](*sys.argv[2:])))
