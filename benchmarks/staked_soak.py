"""Thousands of staked deals by real workers, with a worker and PostgreSQL killed in between; then the book is verified.

    .venv/bin/python -m benchmarks.staked_soak --deals 20000 --tables 50

It starts engines of its own in a temporary folder (nothing of the site's data is
touched), the same worker and beat processes as the site, and keeps ``--tables``
tables of bots with stakes busy until ``--deals`` deals are over. A third of the
way a worker that plays bots is killed with SIGKILL, two thirds of the way
PostgreSQL is. Exit 1 if the verification finds a fault, chips do not add up to
zero, or a table does not end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import django

from config.engines.running import Engines

PROJECT = Path(__file__).resolve().parents[1]
WORKERS = ("clock", "bots", "bots", "default", "beat")
CHIPS = 10**12


def main() -> int:
    """Run the soak and print what was seen."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="staked-soak-") as folder:
        Path(folder).chmod(0o755)
        engines = Engines(Path(folder))
        environment = {**os.environ, **engines.start(), "SECRET_KEY": "only for this soak"}
        try:
            return _soak(options, engines, environment)
        finally:
            engines.stop()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--no-kill", action="store_true")
    return parser.parse_args()


def _soak(options: argparse.Namespace, engines: Engines, environment: dict[str, str]) -> int:
    os.environ.update(environment)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v", "0"], cwd=PROJECT, env=environment, check=True
    )
    django.setup()
    with _workers(environment) as workers:
        started = time.monotonic()
        _play(options, engines, workers, environment)
        seconds = time.monotonic() - started
    return _report(options, seconds)


@contextlib.contextmanager
def _workers(environment: dict[str, str]) -> Iterator[list[subprocess.Popen[bytes]]]:
    workers = [_start(name, environment) for name in WORKERS]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait(60)


def _start(name: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "config.process", name], cwd=PROJECT, env=environment)


def _play(
    options: argparse.Namespace,
    engines: Engines,
    workers: list[subprocess.Popen[bytes]],
    environment: dict[str, str],
) -> None:
    """Keep the tables busy until enough deals are over, killing twice on the way; then wait for every table's end."""
    from games.models import Table

    kills = [] if options.no_kill else [(1 / 3, "worker"), (2 / 3, "postgres")]
    opened = 0
    _give_bots_chips()
    while True:
        over = _patiently(_deals_over, engines)
        if kills and over >= options.deals * kills[0][0]:
            _kill(kills.pop(0)[1], engines, workers, environment)
        unfinished = _patiently(lambda: Table.objects.exclude(status="finished").count(), engines)
        if over >= options.deals:
            if not unfinished:
                return
        else:
            for _ in range(options.tables - unfinished):
                _patiently(lambda number=opened: _open(number), engines)
                opened += 1
        print(f"{over} deals over, {unfinished} tables playing", flush=True)
        time.sleep(2)


def _kill(
    what: str, engines: Engines, workers: list[subprocess.Popen[bytes]], environment: dict[str, str]
) -> None:
    if what == "worker":
        place = WORKERS.index("bots")
        workers[place].send_signal(signal.SIGKILL)
        workers[place].wait()
        workers[place] = _start("bots", environment)
    else:
        assert engines.postgres is not None and engines.postgres.process is not None
        os.kill(engines.postgres.process.pid, signal.SIGKILL)
        engines.postgres.process.wait()
        engines.restart_what_died()
    print(f"killed with SIGKILL and started again: {what}", flush=True)


def _patiently(read, engines):  # type: ignore[no-untyped-def]
    """Return ``read()``, again after a lost connection."""
    from django.db import OperationalError, connection

    for _ in range(60):
        try:
            return read()
        except OperationalError:
            connection.close()
            engines.restart_what_died()
            time.sleep(1)
    raise SystemExit("the database does not come back")


def _give_bots_chips() -> None:
    from clubs.models import User
    from games.stakes import BOTS_OWNER
    from ledger import services as ledger

    ledger.create_asset(code="CHIPS")
    treasurer = ledger.owner_of(user=User.objects.create_user(username="treasurer"))
    wallet = ledger.open_wallet(owner=BOTS_OWNER, asset="CHIPS")
    ledger.issue_chips(key="opening", wallet=wallet, amount=CHIPS, by=treasurer, reference="soak")


def _open(number: int) -> None:
    from games.services import StakeTerms, open_table

    loo = number % 2 == 0
    seats = 5 + number % 4 if loo else 2 + number % 5
    open_table(
        game="three_card_loo" if loo else "least_score",
        options={} if loo else {"threshold": 25, "entry": 3, "per_point": number % 4 == 1},
        clock="blitz",
        members={},
        bots={seat: "steady" if seat % 2 else "random" for seat in range(1, seats + 1)},
        opened_by=None,
        terms=StakeTerms("CHIPS", 5, 500, 500),
        pace_ms=0,
        bot_think_ms=0,
    )


def _deals_over() -> int:
    from games.models import Deal

    return Deal.objects.filter(ended_at__isnull=False).count()


def _report(options: argparse.Namespace, seconds: float) -> int:
    from games.models import LogEntry, Table
    from ledger import selectors
    from ledger.models import Account, Transaction
    from ledger.services.sealing import seal_pending
    from ledger.services.verifying import verify

    while seal_pending(most=1000):
        pass
    report = verify()
    moves = LogEntry.objects.filter(ply__isnull=False).count()
    sums = {"CHIPS": sum(line.balance for line in selectors.trial_balance("CHIPS"))}
    left = sum(account.balance for account in Account.objects.filter(kind__in=("pot", "seat")))
    figures = {
        "deals": _deals_over(),
        "tables": Table.objects.count(),
        "moves": moves,
        "moves_per_second": round(moves / seconds, 1),
        "transactions": Transaction.objects.count(),
        "sum_of_balances": sums,
        "chips_left_in_pots_and_seats": left,
        "verified": report.transactions,
        "fault": None if report.fault is None else str(report.fault),
        "steps": report.steps,
        "verification_seconds": round(report.seconds, 1),
    }
    print(json.dumps(figures, indent=1, default=str))
    return int(report.fault is not None or any(sums.values()) or left != 0)


if __name__ == "__main__":
    sys.exit(main())
