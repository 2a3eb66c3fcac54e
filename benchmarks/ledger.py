"""Posting against its peer and its floor: how many transactions a second.

    python -m benchmarks.ledger [--rounds 7] [--seconds 2] [--writers 8]

Starts a PostgreSQL of its own with the embedded server's safe defaults (fsync
on), and lets the contestants take turns on it, so that a busy machine is busy
for all of them; the median of the rounds counts. Contestants: the product's own
call ``ledger.services.post`` as the site's role, django-hordak's ``transfer_to``
(dependency group ``bench``; left out when it is not installed), and one plain
INSERT with a unique key through Django's cursor. Then ``--writers`` processes of
each work at once, each on a table of its own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg

from config.engines.postgres import OWNER, SITE
from config.engines.running import Engines

PROJECT = Path(__file__).resolve().parent.parent
FLOOR_TABLE = f"""
CREATE TABLE floor (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text UNIQUE NOT NULL,
    debit bigint NOT NULL, credit bigint NOT NULL, amount bigint NOT NULL CHECK (amount > 0),
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT ON floor TO {SITE};
"""


@contextmanager
def server() -> Iterator[dict[str, str]]:
    """A PostgreSQL with both databases migrated; yields the environment of a writer."""
    folder = Path(tempfile.mkdtemp(prefix="cardclub-bench-"))
    folder.chmod(0o711)
    engines = Engines(folder / "var", valkey=False)
    try:
        addresses = engines.start()
        assert engines.postgres is not None
        environment = os.environ | addresses | {
            "SECRET_KEY": "only for the benchmark",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "DEBUG": "0",
            "VAR_DIR": str(folder / "site"),
            "HORDAK_DATABASE_URL": engines.postgres.url(OWNER, "hordak"),
        }  # fmt: skip
        with psycopg.connect(engines.postgres.url("postgres", "postgres"), autocommit=True) as postgres:
            postgres.execute(f"CREATE DATABASE hordak OWNER {OWNER}")
        run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], environment)
        if find_spec("hordak"):
            run([sys.executable, "-m", "benchmarks.ledger_writers", "hordak", "migrate"], environment)
        with psycopg.connect(addresses["DATABASE_OWNER_URL"]) as owner:
            owner.execute("INSERT INTO ledger_asset (code) VALUES ('CHIPS')")
            owner.execute(FLOOR_TABLE)
        yield environment
    finally:
        engines.stop()
        shutil.rmtree(engines.place.data, ignore_errors=True)
        shutil.rmtree(engines.place.sockets, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def run(command: list[str], environment: dict[str, str]) -> None:
    """Run a command of the project to its end."""
    subprocess.run(command, cwd=PROJECT, env=environment, check=True)


class Writers:
    """Processes of one contestant, each on a table of its own, started and waiting."""

    def __init__(self, stack: ExitStack, environment: dict[str, str], contestant: str, number: int) -> None:
        command = [sys.executable, "-m", "benchmarks.ledger_writers", contestant]
        self.processes = [
            stack.enter_context(
                subprocess.Popen(
                    [*command, f"{number} {n}"],
                    cwd=PROJECT,
                    env=environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    bufsize=1,
                )
            )
            for n in range(number)
        ]
        for process in self.processes:
            stack.callback(process.kill)
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise SystemExit(f"{contestant} did not start")

    def rate(self, seconds: float) -> float:
        """Transactions a second of all processes together."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(f"{seconds}\n")
            process.stdin.flush()
        total = 0.0
        for process in self.processes:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise SystemExit("a writer failed: see above")
            done, took = line.split()
            total += int(done) / float(took)
        return total


def measure(
    environment: dict[str, str], contestants: list[str], number: int, rounds: int, seconds: float
) -> dict[str, list[float]]:
    """Rates of every contestant, round by round, taking turns."""
    with ExitStack() as stack:
        writers = {name: Writers(stack, environment, name, number) for name in contestants}
        rates: dict[str, list[float]] = {name: [] for name in contestants}
        for _ in range(rounds):
            for name in contestants:
                rates[name].append(writers[name].rate(seconds))
        return rates


def report(title: str, rates: dict[str, list[float]]) -> dict[str, float]:
    """Print medians, ranges and ratios; returns the medians."""
    middle = {name: statistics.median(values) for name, values in rates.items()}
    print(f"\n{title}\n\n| | transactions/s | range | x floor | x hordak |\n|---|---|---|---|---|")
    for name, values in rates.items():
        hordak = f"{middle[name] / middle['hordak']:.2f}" if "hordak" in middle else "-"
        spread = f"{min(values):,.0f} to {max(values):,.0f}"
        print(
            f"| {name} | {middle[name]:,.0f} | {spread} | {middle[name] / middle['floor']:.2f} | {hordak} |"
        )
    return middle


def main() -> None:
    """Measure one client, then several writers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--writers", type=int, default=8)
    options = parser.parse_args()
    contestants = ["product", "product4", "floor"] + (["hordak"] if find_spec("hordak") else [])
    with server() as environment:
        rates = measure(environment, contestants, 1, options.rounds, options.seconds)
        one = report("One client", rates)
        rates = measure(environment, contestants, options.writers, options.rounds, options.seconds)
        many = report(f"{options.writers} writers on {options.writers} tables", rates)
        print()
        for name in contestants:
            print(
                f"{name}: {options.writers} writers do {many[name] / one[name]:.2f} times what one client does"
            )
        with psycopg.connect(environment["DATABASE_OWNER_URL"]) as owner:
            row = owner.execute(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
            ).fetchone()
            print(f"deadlocks: {row[0] if row else '?'}")


if __name__ == "__main__":
    main()
