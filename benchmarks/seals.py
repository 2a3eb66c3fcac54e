"""Seals and verification: lag of the seals under load, rows that cut-offs lose, and the cost of checking a book.

    python -m benchmarks.seals [lag] [lost] [verify] [--rate 500] [--seconds 90] [--transactions 1000000]

Each part starts a PostgreSQL of its own with the embedded server's safe defaults
(fsync on). ``lag``: ten writers post at the given rate through the product's own
call, and a sealer runs every 10 seconds, as beat starts it; the lag of a
transaction is the time from its own to that of its seal, of the seal's commit and
of its head in the file. ``lost``: six writers whose transactions stay open for a
while, and four cut-offs side by side. ``verify``: a book generated in the
database, sealed, and checked in steps a to c; processor time of the client and of
its server process, and the largest memory.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from config.engines.running import Engines

PROJECT = Path(__file__).resolve().parent.parent
WRITERS = 10
LAG = """
SELECT percentile_disc(ARRAY[0.5, 0.9, 0.99, 1.0]) WITHIN GROUP (ORDER BY extract(epoch FROM s.sealed_at - t.at)),
        count(*), count(DISTINCT s.seq)
    FROM ledger_transaction t JOIN ledger_leaf l ON l.transaction_id = t.id JOIN ledger_seal s ON s.seq = l.seal_id
    WHERE t.at > %s
"""


@contextmanager
def server() -> Iterator[dict[str, str]]:
    """A migrated PostgreSQL; yields the environment of a process of the site."""
    folder = Path(tempfile.mkdtemp(prefix="cardclub-bench-"))
    folder.chmod(0o711)
    engines = Engines(folder / "var", valkey=False)
    try:
        addresses = engines.start()
        environment = os.environ | addresses | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "only for the benchmark",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "VAR_DIR": str(folder / "site"),
            "DB_POOL_SIZE": "0",
        }  # fmt: skip
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=PROJECT,
            env=environment,
            check=True,
        )
        yield environment
    finally:
        engines.stop()
        for each in (engines.place.data, engines.place.sockets, folder):
            shutil.rmtree(each, ignore_errors=True)


def work(environment: dict[str, str], *arguments: object) -> subprocess.Popen[str]:
    """A process of ``benchmarks.seals_work``."""
    command = [sys.executable, "-m", "benchmarks.seals_work", *map(str, arguments)]
    return subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True)


def answer(process: subprocess.Popen[str]) -> Any:
    """What the process prints as its last line, as JSON."""
    out, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"a process of the benchmark failed with {process.returncode}")
    return json.loads(out.splitlines()[-1])


def measure_lag(environment: dict[str, str], rate: float, seconds: float) -> None:
    """Writers at a steady rate beside the periodic sealer."""
    sealer = work(environment, "sealer")
    writers = [work(environment, "writer", number, rate / WRITERS, seconds) for number in range(WRITERS)]
    posted = [answer(writer) for writer in writers]
    time.sleep(11)
    sealer.send_signal(signal.SIGINT)
    runs = answer(sealer)
    with psycopg.connect(environment["DATABASE_OWNER_URL"]) as owner:
        row = owner.execute(LAG, [max(each["began"] for each in posted)]).fetchone()
    assert row
    (half, ninety, most, worst), count, seals = row
    took = max(each["seconds"] for each in posted)
    print(
        f"\nSeal lag at {sum(each['posted'] for each in posted) / took:,.0f} transactions/s for {took:.0f} s\n"
    )
    print("| transactions | seals | p50 | p90 | p99 | worst |\n|---|---|---|---|---|---|")
    print(f"| {count:,} | {seals} | {half:.1f} s | {ninety:.1f} s | {most:.1f} s | {worst:.1f} s |")
    print(
        f"\nA run of the sealer takes {max(runs['took']):.2f} s at most (commit and heads included),"
        f" {1e6 * runs['cpu'] / count:.0f} us of processor time a transaction."
    )


def measure_lost(environment: dict[str, str], seconds: float) -> None:
    """The product's cut-off and three obvious ones beside slow writers."""
    found = answer(work(environment, "lost", seconds))
    print(f"\nRows lost by cut-offs beside six writers with slow transactions ({found['posted']:,} rows)\n")
    print("| cut-off | lost for ever |\n|---|---|")
    for name, lost in found["lost"].items():
        print(f"| {name} | {lost:,} |")


def measure_verify(environment: dict[str, str], transactions: int) -> None:
    """A large generated book: sealed, then checked."""
    owner = environment | {"DATABASE_URL": environment["DATABASE_OWNER_URL"]}
    made = answer(work(owner, "generate", transactions))
    sealed = answer(work(environment, "seal"))
    print(f"\nA book of {transactions:,} transactions and {made['postings']:,} postings\n")
    print(
        "| | wall | client us/transaction | server us/transaction | largest memory |\n|---|---|---|---|---|"
    )
    _line("seal", sealed, transactions)
    for name, arguments in {
        "verify a-c": ["verify"],
        "verify a-c, again": ["verify"],
        "verify a-c, last 1 % of the seals": ["verify", sealed["last"] - max(1, sealed["last"] // 100)],
    }.items():
        found = answer(work(environment, *arguments))
        _line(name, found, found["transactions"] or 1)


def _line(name: str, found: dict[str, Any], transactions: int) -> None:
    client, backend = (1e6 * found[key] / transactions for key in ("client", "server"))
    print(
        f"| {name} | {found['wall']:.1f} s | {client:.1f} | {backend:.1f} | {found['memory'] / 1024:.0f} MB |",
        flush=True,
    )


def main() -> None:
    """Measure the parts that were asked for, all by default."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="lag, lost, verify")
    parser.add_argument("--rate", type=float, default=500, help="transactions a second")
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--transactions", type=int, default=1_000_000)
    options = parser.parse_args()
    parts = options.parts or ["lag", "lost", "verify"]
    if unknown := set(parts) - {"lag", "lost", "verify"}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    for part in parts:
        with server() as environment:
            if part == "lag":
                measure_lag(environment, options.rate, options.seconds)
            elif part == "lost":
                measure_lost(environment, options.seconds / 4)
            else:
                measure_verify(environment, options.transactions)


if __name__ == "__main__":
    main()
