"""The site under measurement: the server as people start it, on a folder of its own, and more processes beside it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from config.embedded import read_addresses, running_folder
from config.engines.place import choose_place
from config.engines.processes import end
from script.ports import free_port
from script.prepared import take_prepared

PROJECT = Path(__file__).resolve().parent.parent
GIVEN = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DEBUG", "ALLOWED_HOSTS")
COMPLAINTS = ("WARNING", "ERROR", "CRITICAL", "Error: ", "Exception")
START_SECONDS = 600


class Site:
    """``config.server`` with its engines, supervisor and one of each process; ``web`` and ``workers`` add more."""

    def __init__(self, *, web: int = 1, workers: int = 1, var: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cardclub-tables-"))
        self.folder.chmod(0o711)
        self.var = var or self.folder / "var"
        if var is None:
            take_prepared(self.var)
        self.said = self.folder / "said"
        self.ports = [free_port() for _ in range(web)]
        self.environment = {name: value for name, value in os.environ.items() if name not in GIVEN}
        self.environment |= {
            "SECRET_KEY": "only for measurements, and long enough for every algorithm",
            "VAR_DIR": str(self.var),
        }
        self.beside: list[subprocess.Popen[bytes]] = []
        try:
            self.server = self._run("-m", "config.server", "--port", str(self.ports[0]), "--no-demo")
            self._wait_until_well()
            for port in self.ports[1:]:
                self.beside.append(self._run("-m", "config.process", "web", PORT=str(port)))
            for _ in range(workers - 1):
                self.beside += [self._run("-m", "config.process", name) for name in ("clock", "bots")]
            for port in self.ports[1:]:
                self._wait_for(port)
        except BaseException:
            self.stop()
            raise

    def _run(self, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        return self._start([sys.executable, *arguments], self.environment | {"MALLOC_ARENA_MAX": "2"} | more)

    def _start(self, command: list[str], environment: dict[str, str], **how: Any) -> subprocess.Popen[bytes]:
        with self.said.open("a") as output:
            return subprocess.Popen(
                command, cwd=PROJECT, env=environment, stdout=output, stderr=subprocess.STDOUT, **how
            )

    def _wait_until_well(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.server.poll() is None:
            with suppress(OSError):
                address = f"http://127.0.0.1:{self.ports[0]}/healthz"
                if urllib.request.urlopen(address, timeout=3).status == 200:
                    return
            time.sleep(0.2)
        raise SystemExit(f"the site did not start:\n{self.said.read_text()}")

    def _wait_for(self, port: int) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
            time.sleep(0.1)
        raise SystemExit(f"no web process answers on {port}:\n{self.said.read_text()}")

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses of the engines, as environment variables."""
        return read_addresses(self.var)

    def _tops(self) -> list[subprocess.Popen[bytes]]:
        """The processes that were started from here; all others are their children."""
        return [self.server, *self.beside]

    def processes(self) -> list[tuple[str, psutil.Process]]:
        """Every process of the site with what it does: ``web``, ``clock``, ``bots``, ``PostgreSQL``, ..."""
        found = []
        for top in self._tops():
            with suppress(psutil.Error):
                parent = psutil.Process(top.pid)
                for process in (parent, *parent.children(recursive=True)):
                    with suppress(psutil.Error):
                        found.append((_role(process), process))
        return found

    def of_role(self, *roles: str) -> list[psutil.Process]:
        """The processes that do one of ``roles``."""
        return [process for role, process in self.processes() if role in roles]

    def cpu_seconds(self) -> dict[str, float]:
        """Processor time used so far, by role, with that of children that have ended."""
        used: dict[str, float] = defaultdict(float)
        for role, process in self.processes():
            with suppress(psutil.Error):
                times = process.cpu_times()
                used[role] += times.user + times.system
                if process.name() == "postgres":
                    used[role] += times.children_user + times.children_system
        return dict(used)

    def put_first(self) -> bool:
        """Give this run's processes precedence on a busy machine; returns whether the system allowed it."""
        done = False
        for pid in {os.getpid(), *(process.pid for _, process in self.processes())}:
            with suppress(OSError):
                Path(f"/proc/{pid}/autogroup").write_text("-20")
                done = True
        return done

    def delay_commits(self, milliseconds: int) -> None:
        """Let PostgreSQL wait before it writes what was committed, as a slower disk would; others may join meanwhile."""
        folder = choose_place(self.var, engine_user="nobody").postgres
        with (folder / "postgresql.auto.conf").open("a") as settings:
            settings.write(f"commit_delay = {milliseconds * 1000}\ncommit_siblings = 0\n")
        os.kill(int((folder / "postmaster.pid").read_text().split()[0]), signal.SIGHUP)

    def kill_workers(self) -> int:
        """SIGKILL every worker at once; the supervisor starts those it watches over anew. Returns how many."""
        victims = self.of_role("clock", "bots", "default")
        for process in victims:
            process.kill()
        return len(victims)

    def complaints(self) -> list[str]:
        """The warnings and errors that the site's processes logged."""
        lines = self.said.read_text().splitlines()
        return [line for line in lines if any(word in line for word in COMPLAINTS)]

    def stop(self) -> None:
        """Stop everything and remove the folder."""
        for process in (*self.beside, self.server):
            _end(process)
        place = choose_place(self.var, engine_user="nobody")
        for folder in (place.data, running_folder(self.var), self.folder):
            shutil.rmtree(folder, ignore_errors=True)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(psutil.NoSuchProcess):
        end([psutil.Process(process.pid)], (signal.SIGTERM, 20), (signal.SIGKILL, 5))
    process.wait()


def _role(process: psutil.Process) -> str:
    if process.name() == "postgres":
        return "PostgreSQL"
    if process.name() == "valkey-server":
        return "Valkey"
    if process.name() in ("pgbouncer", "nginx"):
        return process.name()
    if "supervisor.supervisord" in process.cmdline():
        return "supervisor"
    return process.environ().get("PROCESS_NAME", "server")
