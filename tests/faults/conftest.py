"""A whole site with engines of its own, so that everything in it may be killed."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import redis

from config.embedded import read_addresses
from config.engines.processes import end, have_ended, wait_until
from script.ports import free_port
from script.prepared import take_prepared

PROJECT = Path(__file__).resolve().parents[2]
EVERYTHING = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DEBUG")


class OwnSite:
    """A site as ``script/server`` starts it, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.var = folder / "var"
        take_prepared(self.var)
        self.said = folder / "said"
        self.environment = {name: value for name, value in os.environ.items() if name not in EVERYTHING}
        self.environment |= {
            "SECRET_KEY": "only for tests, and long enough for every algorithm",
            "VAR_DIR": str(self.var),
        }
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self.said.open("a") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "config.server", "--port", str(self.port), "--no-demo"],
                cwd=PROJECT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def well(self) -> bool:
        """Whether every part of the site says that it works."""
        with suppress(OSError, http.client.HTTPException):
            return bool(urllib.request.urlopen(f"{self.address}/healthz", timeout=3).status == 200)
        return False

    def wait_until_well(self) -> None:
        """Wait for the site; fails with what it said when it does not come up."""
        came_up = wait_until(lambda: self.process.poll() is not None or self.well(), seconds=300, step=0.3)
        assert came_up and self.process.poll() is None, self.said.read_text()

    def kill(self, *words: str) -> None:
        """Kill with SIGKILL every process of the site whose command line has all ``words``.

        One that ended by itself because of what was killed before may be just about to come back.
        """
        assert wait_until(lambda: self._kill_now(words) > 0, seconds=60), f"no process with {words} to kill"

    def _kill_now(self, words: tuple[str, ...]) -> int:
        killed = 0
        for process in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.Error):
                line = " ".join(process.cmdline())
                if all(word in line for word in words):
                    process.kill()
                    killed += 1
        return killed

    def redis(self) -> redis.Redis:
        """A connection to the site's own Valkey."""
        return redis.Redis.from_url(read_addresses(self.var)["REDIS_URL"])

    def restart_whole(self) -> None:
        """Kill the server itself and everything it started, and start it anew on the same folder."""
        family = psutil.Process(self.process.pid).children(recursive=True)
        self.process.kill()
        self.process.wait()
        wait_until(lambda: have_ended(family), seconds=60)
        self.process = self._start()
        self.wait_until_well()

    def rows(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        """Read from the site's database as its site role."""
        with psycopg.connect(read_addresses(self.var)["DATABASE_URL"]) as connection:
            return connection.execute(sql, params).fetchall()  # type: ignore[arg-type]

    def stop(self) -> None:
        """Stop the site and everything it started."""
        with suppress(psutil.NoSuchProcess):
            end([psutil.Process(self.process.pid)], (signal.SIGTERM, 60), (signal.SIGKILL, 60))
        self.process.wait(timeout=60)


@pytest.fixture(scope="session")
def own_site() -> Iterator[OwnSite]:
    """The site, started once for all tests here that a process runs: each of them leaves it working."""
    folder = Path(tempfile.mkdtemp(prefix="cardclub-faults-"))
    folder.chmod(0o711)
    running = OwnSite(folder)
    try:
        running.wait_until_well()
        yield running
    finally:
        running.stop()
        shutil.rmtree(folder, ignore_errors=True)
