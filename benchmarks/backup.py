"""A backup while people play, restored elsewhere, where the tables go on to their ends.

    .venv/bin/python -m benchmarks.backup --tables 200

Starts a whole site on a folder of its own and keeps `--tables` staked tables of bots busy. In the middle of it
`manage.py backup` writes a sealed file. The site is then stopped for good; on a second folder, with engines that have
never seen the first, `manage.py restore` fills an empty site and verifies the ledger. Its processes are started, every
table that was open in the backup must come to its end, and the ledger is verified once more. Exit 1 if anything is
amiss: a fault of the ledger, a table that does not end, a log with a gap, chips that do not add up to zero.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import tables_setup
from benchmarks.tables_site import PROJECT, Site
from config.embedded import read_addresses
from config.engines.running import Engines

CHIPS = 10**9
PASSPHRASE = "only for this measurement"
END_SECONDS = 900
WELL_SECONDS = 120
LOST = """SELECT count(*) FROM (SELECT table_id, count(*) AS n, max(version) AS head FROM games_logentry GROUP BY table_id) t
    WHERE n <> head"""


def main() -> int:
    """Measure and print the table; returns the exit code."""
    options = _options()
    folder = Path(tempfile.mkdtemp(prefix="cardclub-backup-"))
    folder.chmod(0o711)
    try:
        return _run(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200, help="tables that play at once (default: 200)")
    parser.add_argument(
        "--before", type=float, default=10, help="seconds over which moves are counted before (default: 10)"
    )
    parser.add_argument(
        "--pace",
        type=int,
        default=1000,
        help="milliseconds that a bot thinks and a move is shown (default: 1000)",
    )
    return parser.parse_args()


def _run(options: argparse.Namespace, folder: Path) -> int:
    file = folder / "club.backup"
    print("| what | figure |\n|---|---|")
    site = Site()
    try:
        tables_setup.use_site(site.environment)
        _open_tables(options.tables, options.pace)
        _wait_for_moves(site, options.tables * 3)
        _back_up(site, file, before=options.before)
    finally:
        site.stop()
    elsewhere = Elsewhere(folder / "elsewhere")
    opened = elsewhere.restore(file)
    return elsewhere.play_on(opened)


def _row(what: str, figure: str) -> None:
    print(f"| {what} | {figure} |", flush=True)


# --- The site that is backed up ------------------------------------------------------------------------------------
def _open_tables(number: int, pace: int) -> None:
    """Open staked tables at which bots play with pauses, at their default as people see them."""
    from clubs.models import User
    from games.services import StakeTerms, open_table
    from games.stakes import BOTS_OWNER
    from ledger import services as ledger

    ledger.create_asset(code="CHIPS")
    treasurer = ledger.owner_of(user=User.objects.create_user(username="treasurer"))
    wallet = ledger.open_wallet(owner=BOTS_OWNER, asset="CHIPS")
    ledger.issue_chips(key="opening", wallet=wallet, amount=CHIPS, by=treasurer, reference="a measurement")
    for index in range(number):
        loo = index % 2 == 0
        seats = 5 if loo else 3
        open_table(
            game="three_card_loo" if loo else "least_score",
            options={"rotations": 1} if loo else {"threshold": 50, "entry": 3},
            clock="blitz",
            members={},
            bots=dict.fromkeys(range(1, seats + 1), "random"),
            opened_by=None,
            terms=StakeTerms("CHIPS", 5, 500, 500),
            pace_ms=pace,
            bot_think_ms=pace,
        )


def _moves(url: str) -> int:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT count(*) FROM games_logentry WHERE ply IS NOT NULL").fetchone()[0]  # type: ignore[index]


def _wait_for_moves(site: Site, number: int) -> None:
    deadline = time.monotonic() + 300
    while _moves(site.addresses["DATABASE_URL"]) < number:
        if time.monotonic() > deadline:
            raise SystemExit(f"the tables do not play:\n{site.said.read_text()[-3000:]}")
        time.sleep(0.5)


def _back_up(site: Site, file: Path, *, before: float) -> None:
    """Back up, and compare how many moves a second were made meanwhile and in the seconds before."""
    url = site.addresses["DATABASE_URL"]
    first, began = _moves(url), time.monotonic()
    time.sleep(before)
    second, middle = _moves(url), time.monotonic()
    said = manage("backup", str(file), environment=site.environment)
    third, ended = _moves(url), time.monotonic()
    _row("backup of a site that plays", f"{ended - middle:.1f} s: {said.splitlines()[0].partition(': ')[2]}")
    rates = (second - first) / (middle - began), (third - second) / (ended - middle)
    _row("moves a second before it and during it", f"{rates[0]:.1f} and {rates[1]:.1f}")


def manage(*arguments: str, environment: dict[str, str]) -> str:
    """Run a command of manage.py and return what it printed; a failure ends the measurement."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env={**environment, "BACKUP_PASSPHRASE": PASSPHRASE},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"manage.py {arguments[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def _well(site: Site) -> Any:
    """Return what the doctor says when all is well: on a busy machine a sweep or a pulse may be late for a moment."""
    deadline = time.monotonic() + WELL_SECONDS
    while True:
        try:
            return json.loads(manage("doctor", "--json", environment=site.environment))
        except SystemExit:
            if time.monotonic() > deadline:
                raise
        time.sleep(2)


# --- The site that it is restored into -----------------------------------------------------------------------------
class Elsewhere:
    """An empty site in another folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o711)
        self.var = folder / "var"
        given = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DEBUG", "ALLOWED_HOSTS", "SECRET_KEY")
        self.environment = {name: value for name, value in os.environ.items() if name not in given}
        self.environment |= {"VAR_DIR": str(self.var)}

    def restore(self, file: Path) -> int:
        """Restore into engines that have nothing yet; returns how many tables were open in the backup."""
        self.var.mkdir(mode=0o711)
        engines = Engines(self.var)
        engines.start()
        try:
            began = time.monotonic()
            said = manage("restore", str(file), environment=self.environment)
            _row("restore into an empty site, with verification", f"{time.monotonic() - began:.1f} s")
        finally:
            engines.stop()
        for line in said.splitlines():
            _row("restore said", line)
        opened = re.search(r"(\d+) open tables", said)
        assert opened is not None, said
        return int(opened[1])

    def play_on(self, opened: int) -> int:
        """Start the restored site and wait until every table is over; returns the exit code."""
        site = Site(var=self.var)
        try:
            began = time.monotonic()
            while (left := self._count("SELECT count(*) FROM games_table WHERE status <> 'finished'")) > 0:
                if time.monotonic() - began > END_SECONDS:
                    break
                time.sleep(1)
            _row(
                "tables that were open and came to their end",
                f"{opened - left} of {opened}, {time.monotonic() - began:.0f} s",
            )
            report = self._verified(site)
            doctor = _well(site)
            _row("checks of the doctor, all well", str(len(doctor["checks"])))
            gaps = self._count(LOST)
            _row("tables whose log has a gap", str(gaps))
            return int(bool(left or gaps or not opened or not report["passed"]))
        finally:
            site.stop()

    def _count(self, statement: str) -> int:
        with psycopg.connect(read_addresses(self.var)["DATABASE_OWNER_URL"]) as connection:
            return int(connection.execute(statement).fetchone()[0])  # type: ignore[arg-type,index]

    def _verified(self, site: Site) -> dict[str, Any]:
        manage("seal_ledger", environment=site.environment)
        report: dict[str, Any] = json.loads(manage("verify_ledger", "--json", environment=site.environment))
        sums = self._count("SELECT coalesce(sum(credits - debits), 0) FROM ledger_account")
        _row(
            "ledger at the end",
            f"{report['transactions']} transactions, fault: {report['fault']}, sum of all balances {sums}",
        )
        return {**report, "passed": report["passed"] and sums == 0}


if __name__ == "__main__":
    sys.exit(main())
