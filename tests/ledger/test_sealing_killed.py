"""A sealer killed without warning, and a book restored elsewhere: the next run goes on without a gap, or asks first."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.engines.processes import end, working_in
from config.engines.running import Engines
from tests.ledger.test_kill import PATIENCE, PROJECT, Server

pytestmark = pytest.mark.servers

POST = """
import sys
import django; django.setup()
from ledger import selectors, services
a, b = (selectors.find_account(kind="wallet", ref=str(n), asset="CHIPS") for n in range(2))
for n in range(int(sys.argv[2])):
    services.post(key=f"{sys.argv[1]} {n}", kind="x", source="t", postings=[services.Entry(a, b, 1)])
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One server for this file; it survives everything that is done to it."""
    folder = Path(tempfile.mkdtemp(prefix="cardclub-sealed-"))
    folder.chmod(0o711)
    running = Server(folder)
    yield running
    put_away(running.engines, folder)


def put_away(engines: Engines, folder: Path) -> None:
    """Stop a server and remove what it left."""
    engines.stop()
    end(working_in(engines.place.postgres, "postgres"), (signal.SIGKILL, 10))
    for each in (engines.place.data, engines.place.sockets, folder):
        shutil.rmtree(each, ignore_errors=True)


def manage(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """One command of the site."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def verified(environment: dict[str, str]) -> dict[str, Any]:
    """What verification says when nothing may be unsealed."""
    said = manage(environment, "verify_ledger", "--steps", "abc", "--lag=-3600", "--json").stdout
    report: dict[str, Any] = json.loads(said)
    return report


@contextmanager
def sealing_and_stuck(server: Server, key: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A sealer that has written its leaves and waits with its seal: the process and its backend."""
    server.python(POST, key, "40").communicate()
    # Only a superuser sees what others are doing.
    assert server.engines.postgres
    superuser = server.engines.postgres.url("postgres")
    with psycopg.connect(superuser) as holder, psycopg.connect(superuser, autocommit=True) as watcher:
        holder.execute("LOCK TABLE ledger_seal IN SHARE MODE")
        sealer = server.python(SEAL)
        try:
            yield sealer, wait_for_its_lock(sealer, watcher)
        finally:
            sealer.kill()
            sealer.communicate()
            if not holder.broken:
                holder.rollback()


SEAL = """
import django; django.setup()
from ledger.services.sealing import seal_pending
seal_pending()
"""


def wait_for_its_lock(sealer: subprocess.Popen[str], watcher: psycopg.Connection) -> int:
    """The sealer's backend, once its leaves are written and it waits to write its seal."""
    deadline = time.monotonic() + PATIENCE
    while True:
        waiting = watcher.execute(
            "SELECT a.pid, EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.granted"
            " AND l.relation = 'ledger_leaf'::regclass AND l.mode = 'RowExclusiveLock')"
            " FROM pg_stat_activity a WHERE a.wait_event_type = 'Lock' AND a.query LIKE 'INSERT INTO _ledger_seal_ %'"
        ).fetchone()
        if waiting:
            assert waiting[1]
            return int(waiting[0])
        assert time.monotonic() < deadline
        assert sealer.poll() is None
        time.sleep(0.02)


def check_and_go_on(server: Server) -> None:
    """Nothing is half sealed; the next run seals the rest."""
    orphans = (
        "SELECT count(*) FROM ledger_leaf l LEFT JOIN ledger_seal s ON s.seq = l.seal_id WHERE s.seq IS NULL"
    )
    assert server.ask(orphans) == [(0,)]
    assert server.ask("SELECT count(*) > 0 FROM ledger_transaction t LEFT JOIN ledger_leaf l ON l.transaction_id = t.id"
                      " WHERE l IS NULL") == [(True,)]  # fmt: skip
    sealed = manage(server.environment, "seal_ledger")
    assert (sealed.returncode, sealed.stderr) == (0, "")
    report = verified(server.environment)
    assert (report["passed"], report["unsealed"]) == (True, 0)


def test_a_sealer_killed_between_leaves_and_seal_leaves_nothing(server: Server) -> None:
    with sealing_and_stuck(server, "killed client") as (sealer, _):
        sealer.kill()
        sealer.wait()
    check_and_go_on(server)


def test_a_killed_backend_leaves_nothing(server: Server) -> None:
    with suppress(psycopg.OperationalError), sealing_and_stuck(server, "killed backend") as (sealer, backend):
        server.kill_backend(backend)
        sealer.wait(PATIENCE)
        assert sealer.returncode != 0
    check_and_go_on(server)


def test_a_server_killed_again_and_again_while_sealing_keeps_one_chain(server: Server) -> None:
    """Seals that were published are there after the crash, for they were committed before."""
    loop = """
import sys, time
import django; django.setup()
from django.db import DatabaseError, InterfaceError, connection
from ledger.services.sealing import seal_pending
while True:
    try:
        seal_pending(seal_size=5)
    except (DatabaseError, InterfaceError):
        connection.close()
    time.sleep(0.01)
"""
    sealer = server.python(loop)
    try:
        for turn in range(3):
            before = server.ask("SELECT count(*) FROM ledger_seal")[0][0]
            server.python(POST, f"while killing {turn}", "60").communicate()
            deadline = time.monotonic() + PATIENCE
            while server.ask("SELECT count(*) FROM ledger_seal")[0][0] == before:
                assert time.monotonic() < deadline
                assert sealer.poll() is None
                time.sleep(0.01)
            server.kill_the_server()
    finally:
        sealer.kill()
        sealer.communicate()
    assert manage(server.environment, "seal_ledger").returncode == 0
    report = verified(server.environment)
    assert (report["passed"], report["unsealed"], report["fault"]) == (True, 0, None)


def test_a_book_restored_into_another_server_asks_for_a_new_epoch(server: Server) -> None:
    """The new server's numbers are lower: without the question nothing written from now on would ever be sealed."""
    with psycopg.connect(server.owner_url, autocommit=True) as client:
        for _ in range(3000):
            client.execute("SELECT pg_current_xact_id()")
    server.python(POST, "sealed before the dump", "5").communicate()
    assert manage(server.environment, "seal_ledger").returncode == 0
    server.python(POST, "not sealed before the dump", "5").communicate()
    folder = Path(tempfile.mkdtemp(prefix="cardclub-restored-"))
    folder.chmod(0o711)
    engines = Engines(folder / "var", valkey=False)
    try:
        addresses = engines.start()
        copy_book(server.owner_url, addresses["DATABASE_OWNER_URL"], server)
        restored = {**server.environment, **addresses}
        refused = manage(restored, "seal_ledger")
        assert refused.returncode == 1
        assert "ids_restarted" in refused.stderr
        assert "--new-epoch" in refused.stderr
        accepted = manage(restored, "seal_ledger", "--new-epoch")
        assert accepted.returncode == 0
        assert ": 5 transactions" in accepted.stdout
        post = subprocess.run(
            [sys.executable, "-c", POST, "after", "3"], cwd=PROJECT, env=restored, check=True
        )
        assert post.returncode == 0
        assert ": 3 transactions" in manage(restored, "seal_ledger").stdout
        report = verified(restored)
        assert (report["passed"], report["unsealed"], report["fault"]) == (True, 0, None)
        assert any("opens epoch 1" in notice for notice in report["notices"])
    finally:
        put_away(engines, folder)


def copy_book(source: str, target: str, server: Server) -> None:
    """Dump one database and load it into the other, as a club moving house does."""
    assert server.engines.postgres
    programs = Path(server.engines.postgres.programs.psql).parent
    dump = subprocess.run(
        [programs / "pg_dump", "--no-owner", "--dbname", source], capture_output=True, check=True, cwd="/"
    )
    subprocess.run(
        [programs / "psql", "--quiet", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "--dbname", target],
        input=dump.stdout,
        capture_output=True,
        check=True,
        cwd="/",
    )
