"""Killed without warning: nothing is half written, nothing that was answered is lost, and a retry pays once.

On a PostgreSQL of its own, with its safe defaults: killing a backend makes the
whole server start over, which no shared server should have to bear.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from config.engines.processes import end, wait_until, working_in
from config.engines.running import Engines
from script.prepared import take_prepared

pytestmark = pytest.mark.servers
PROJECT = Path(__file__).resolve().parents[2]
POSTINGS = 4
PATIENCE = 300
"""Seconds that a busy machine may take for anything here: nobody waits for longer than it does take."""

PREPARE = """
import django; django.setup()
from ledger import services
services.create_asset(code="CHIPS")
mint = services.open_house_account(kind="mint", asset="CHIPS")
for n in range(4):
    wallet = services.open_account(kind="wallet", ref=str(n), asset="CHIPS")
    services.post(key=f"start {n}", kind="issue", source="t", postings=[services.Entry(mint, wallet, 10**6)])
"""

# Posts keys until it is asked to end; whatever happens on the way, it tries the same key again until it has an answer.
WRITER = """
import itertools, signal, sys, time
import django; django.setup()
from django.db import connection, DatabaseError, InterfaceError
from ledger import selectors, services
name, asked_to_end = sys.argv[1], []
signal.signal(signal.SIGTERM, lambda *_: asked_to_end.append(True))
accounts = [selectors.find_account(kind="wallet", ref=str(n), asset="CHIPS") for n in range(4)]
entries = [services.Entry(accounts[n], accounts[(n + 1) % 4], 1 + n) for n in range(4)]
print("ready", flush=True)
for n in itertools.count():
    if asked_to_end:
        break
    while True:
        try:
            posted = services.post(key=f"{name} {n}", kind="x", source="t", postings=entries)
            break
        except (DatabaseError, InterfaceError):
            connection.close()
            time.sleep(0.05)
    print(f"{name} {n}={posted.id}", flush=True)
"""

# Posts inside a transaction that it never commits.
UNFINISHED = """
import time
import django; django.setup()
from django.db import connection, transaction
from ledger import selectors, services
a, b = (selectors.find_account(kind="wallet", ref=str(n), asset="CHIPS") for n in range(2))
with transaction.atomic():
    services.post(key="unfinished", kind="x", source="t", postings=[services.Entry(a, b, 5)] * 4)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        print(cursor.fetchone()[0], flush=True)
    time.sleep(600)
"""


class Server:
    """A PostgreSQL of its own, migrated, and the environment of a process of the site."""

    def __init__(self, folder: Path) -> None:
        prepared = take_prepared(folder / "var")
        self.engines = Engines(folder / "var", valkey=False)
        addresses = self.engines.start()
        self.environment = os.environ | addresses | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "only for this test, and long enough",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "VAR_DIR": str(folder / "site"),
            "DB_POOL_SIZE": "0",
        }  # fmt: skip
        self.owner_url = addresses["DATABASE_OWNER_URL"]
        if not prepared:
            subprocess.run(
                [sys.executable, "manage.py", "migrate"], cwd=PROJECT, env=self.environment, check=True,
                capture_output=True,
            )  # fmt: skip
        self.python(PREPARE).communicate()

    def python(self, script: str, *arguments: str) -> subprocess.Popen[str]:
        """Run a script as a process of the site."""
        command = [sys.executable, "-c", script, *arguments]
        return subprocess.Popen(command, cwd=PROJECT, env=self.environment, stdout=subprocess.PIPE, text=True)

    def ask(self, sql: str) -> list[tuple]:
        """A query as the owner."""
        with psycopg.connect(self.owner_url) as connection:
            return connection.execute(sql).fetchall()

    def backends(self) -> list[int]:
        """Processes that serve the site's connections."""
        rows = self.ask("SELECT pid FROM pg_stat_activity WHERE usename = 'cardclub_site'")
        return [row[0] for row in rows]

    def kill_a_backend(self) -> None:
        """Kill one of the site's backends, and wait until the server has got over it."""
        found: list[int] = []

        def there_are_some() -> bool:
            found[:] = self.backends()
            return bool(found)

        assert wait_until(there_are_some, seconds=PATIENCE)
        self.kill_backend(random.Random().choice(found))

    def kill_backend(self, pid: int) -> None:
        """Kill a backend, and wait until the server has ended every connection, recovered and answers again.

        Until it notices, the server still answers: only when the checkpointer is another one has it begun anew.
        """
        before = self._checkpointer()
        os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: self._checkpointer() not in (None, before), seconds=PATIENCE)

    def _checkpointer(self) -> int | None:
        """The number of the process that starts anew with the server; nothing while the server does not answer."""
        assert self.engines.postgres
        asked = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
        # Only a superuser sees what others are doing.
        superuser = self.engines.postgres.url("postgres")
        with suppress(psycopg.OperationalError), psycopg.connect(superuser) as connection:
            found = connection.execute(asked).fetchone()
            return int(found[0]) if found else None
        return None

    def kill_the_server(self) -> None:
        """Kill the postmaster and every backend at once, and start again on what is on the disk."""
        assert self.engines.postgres is not None and self.engines.postgres.process is not None
        for process in working_in(self.engines.place.postgres, "postgres"):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.engines.postgres.process.wait(PATIENCE)
        assert self.engines.restart_what_died() == ["Postgres"]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One server for this file; it survives everything that is done to it."""
    folder = Path(tempfile.mkdtemp(prefix="cardclub-killed-"))
    folder.chmod(0o711)
    running = Server(folder)
    yield running
    running.engines.stop()
    end(working_in(running.engines.place.postgres, "postgres"), (signal.SIGKILL, 10))
    shutil.rmtree(running.engines.place.data, ignore_errors=True)
    shutil.rmtree(running.engines.place.sockets, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def check_the_book(server: Server) -> None:
    """No transaction without all its postings, no total that the postings do not add up to, no gap."""
    halves = server.ask(
        "SELECT t.id, count(p.id) FROM ledger_transaction t LEFT JOIN ledger_posting p ON p.transaction_id = t.id"
        f" WHERE t.kind = 'x' GROUP BY t.id HAVING count(p.id) <> {POSTINGS}"
    )
    assert halves == []
    wrong = server.ask(
        "SELECT a.id FROM ledger_account a WHERE (a.debits, a.credits, a.seq) IS DISTINCT FROM ("
        " (SELECT coalesce(sum(amount), 0) FROM ledger_posting WHERE debit_id = a.id),"
        " (SELECT coalesce(sum(amount), 0) FROM ledger_posting WHERE credit_id = a.id),"
        " (SELECT count(*) FROM ledger_posting WHERE a.id IN (debit_id, credit_id)))"
    )
    assert wrong == []
    assert server.ask("SELECT sum(credits - debits) FROM ledger_account") == [(0,)]
    numbers = server.ask(
        "SELECT account, count(DISTINCT seq), max(seq) FROM (SELECT debit_id AS account, debit_seq AS seq"
        " FROM ledger_posting UNION ALL SELECT credit_id, credit_seq FROM ledger_posting) s GROUP BY account"
    )
    assert all(count == last for _, count, last in numbers)


def test_an_unfinished_transaction_leaves_nothing(server: Server) -> None:
    process = server.python(UNFINISHED)
    with process:
        assert process.stdout is not None
        server.kill_backend(int(process.stdout.readline()))
        process.kill()
    assert server.ask("SELECT count(*) FROM ledger_transaction WHERE key = 'unfinished'") == [(0,)]
    check_the_book(server)


def test_a_killed_client_leaves_nothing(server: Server) -> None:
    process = server.python(UNFINISHED)
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    assert wait_until(lambda: not server.backends(), seconds=PATIENCE)
    assert server.ask("SELECT count(*) FROM ledger_transaction WHERE key = 'unfinished'") == [(0,)]
    check_the_book(server)


def test_writers_survive_killed_backends_and_a_killed_server(server: Server) -> None:
    with ExitStack() as stack:
        # Their answers are read as they come: a full pipe would hold the writers up.
        reading = stack.enter_context(ThreadPoolExecutor(3))
        writers = [stack.enter_context(server.python(WRITER, name)) for name in ("one", "two", "three")]
        for writer in writers:
            stack.callback(writer.kill)
            assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
        reads = [reading.submit(writer.stdout.read) for writer in writers if writer.stdout]
        for kill in (server.kill_a_backend, server.kill_a_backend, server.kill_the_server):
            wait_for_some_writing(server)
            kill()
            check_the_book(server)
        for writer in writers:
            writer.terminate()
        assert [writer.wait(PATIENCE) for writer in writers] == [0, 0, 0]
        said = "".join(read.result() for read in reads)
    answers = dict(line.split("=") for line in said.splitlines())
    check_the_book(server)
    stored = dict(server.ask("SELECT key, id::text FROM ledger_transaction WHERE kind = 'x'"))
    assert stored == answers
    assert len(answers) > 90


def wait_for_some_writing(server: Server) -> None:
    """Until a few dozen more transactions are in the book."""
    count = "SELECT count(*) FROM ledger_transaction"
    target = server.ask(count)[0][0] + 30
    assert wait_until(lambda: server.ask(count)[0][0] >= target, seconds=PATIENCE)
