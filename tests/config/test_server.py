"""`script/server` as a person meets it: it starts, survives, says what is wrong, and goes."""

from __future__ import annotations

import fcntl
import http.client
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from django.conf import settings

from config import server as running
from config.engines.place import choose_place
from config.engines.processes import end, wait_until, working_in
from config.engines.running import Engines
from config.supervision import left_over
from config.trouble import Trouble
from script.ports import free_port

pytestmark = pytest.mark.servers
PROJECT = Path(__file__).resolve().parents[2]
PATIENCE = 300
"""Seconds that a busy machine may take for anything here: nobody waits for longer than it does take."""


class Server:
    """One run of the server on `var`, with what it printed."""

    def __init__(self, var: Path, environment: dict[str, str], *options: str) -> None:
        self.port = free_port()
        self.var, self.name = var, "localhost"
        self.said = var.parent / f"said-{self.port}"
        with self.said.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.server", "--port", str(self.port), *options],
                cwd=PROJECT,
                env=environment | {"VAR_DIR": str(var)},
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def health(self) -> dict[str, object]:
        try:
            address = f"http://127.0.0.1:{self.port}/healthz"
            request = urllib.request.Request(address, headers={"Host": self.name})
            with urllib.request.urlopen(request, timeout=3) as answer:
                return json.load(answer)
        except (OSError, http.client.HTTPException):
            return {"ok": False}

    def wait_until_well(self) -> None:
        came_up = wait_until(
            lambda: self.process.poll() is not None or self.health()["ok"] is True, seconds=PATIENCE, step=0.2
        )
        assert self.process.poll() is None and came_up, self.said.read_text()


@pytest.fixture
def start(open_folder: Path, no_site_environment: dict[str, str]) -> Iterator[object]:
    started: list[Server] = []

    def run(*options: str, **environment: str) -> Server:
        started.append(Server(open_folder / "var", no_site_environment | environment, *options))
        return started[-1]

    yield run
    for server in started:
        end(
            [psutil.Process(server.process.pid)] if server.process.poll() is None else [],
            (signal.SIGTERM, 60),
        )
        server.process.kill()
        server.process.wait()
    end(everything_on(open_folder / "var"), (signal.SIGKILL, 10))
    shutil.rmtree(open_folder / "var", ignore_errors=True)


def everything_on(var: Path) -> list[psutil.Process]:
    """Return all that a server on `var` runs: the site's processes and the engines."""
    place = choose_place(var)
    engines = [*working_in(place.postgres, "postgres"), *working_in(place.valkey, "valkey-server")]
    return [*left_over(var), *engines]


def test_it_restarts_what_dies_comes_back_after_a_kill_and_ends_tidily(start, open_folder):
    var = open_folder / "var"
    first = start()
    first.wait_until_well()
    [worker] = named(var, "bots")
    worker.kill()
    assert wait_until(lambda: any(p.pid != worker.pid for p in named(var, "bots")), seconds=PATIENCE)
    assert first.process.poll() is None

    first.process.kill()
    first.process.wait()
    if sys.platform == "linux":
        assert wait_until(lambda: not everything_on(var), seconds=PATIENCE, step=0.2)

    # The site's own names need not include this machine's; the server asks for its health under one of them.
    second = start(ALLOWED_HOSTS=".club.example,www.club.example")
    second.name = "www.club.example"
    second.wait_until_well()
    assert wait_until(lambda: "The site is at" in second.said.read_text(), seconds=PATIENCE)
    said = second.said.read_text()
    assert f"The site is at http://127.0.0.1:{second.port}/" in said
    password = r"sign in as owner .*: (\S+)"
    assert re.search(password, said)[1] == re.search(password, first.said.read_text())[1]

    second.process.send_signal(signal.SIGTERM)
    assert second.process.wait(PATIENCE) == 0
    assert everything_on(var) == []
    assert (choose_place(var).postgres / "PG_VERSION").exists()


def named(var: Path, name: str) -> list[psutil.Process]:
    """Return the processes of the site on `var` with this name; one may end while it is asked for it."""
    found = []
    for each in left_over(var):
        with suppress(psutil.Error):
            if each.environ().get("PROCESS_NAME") == name:
                found.append(each)
    return found


def one_line(server: Server) -> str:
    """Return what the server said before it gave up; it must be one line (and, to root, which user to take)."""
    assert server.process.wait(PATIENCE) == 1
    lines = [line for line in server.said.read_text().splitlines() if not line.startswith("Started by root")]
    assert len(lines) == 1, lines
    return lines[0]


def test_a_port_that_is_taken_is_named_with_who_has_it(start):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = one_line(start("--port", str(port)))
    assert said.startswith(f"Port {port} is taken by ")
    assert f"(process {os.getpid()})" in said
    assert "--port" in said


@pytest.mark.parametrize("host", ["no-such-host.invalid", "not..a.name", "192.0.2.1"])
def test_an_address_of_another_machine(start, host):
    said = one_line(start("--host", host))
    assert said.startswith(f"{host}:")
    assert "is no address" in said and "--host" in said


@pytest.mark.parametrize(
    ("host", "written"),
    [
        ("::1", "[::1]"),
        ("::", "[::1]"),
        ("0.0.0.0", "127.0.0.1"),
        ("fe80::2%eth0", "[fe80::2]"),
        ("club", "club"),
    ],
)
def test_the_site_was_said_to_be_at_an_address_that_no_browser_opens(host, written):
    assert running.in_address(host) == written


def test_a_second_server_on_the_same_site_is_refused(start, open_folder):
    (open_folder / "var").mkdir()
    with (open_folder / "var" / "server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("process 4711")
        lock.flush()
        said = one_line(start())
    assert said == "This site is already running (process 4711): use it, or stop it first."


def test_a_given_database_that_does_not_answer(start):
    server = start(
        DATABASE_URL="postgres://site:secret@127.0.0.1:1/club", SECRET_KEY="k", REDIS_URL=settings.REDIS_URL
    )
    assert server.process.wait(PATIENCE) == 1
    said = server.said.read_text()
    assert "PostgreSQL does not answer at postgres://site:***@127.0.0.1:1/club" in said
    assert "start it, or mend DATABASE_OWNER_URL" in said
    assert "Traceback" not in said


def test_a_given_database_without_a_secret_key(start):
    server = start(DATABASE_URL="postgres://site:secret@127.0.0.1:1/club", REDIS_URL=settings.REDIS_URL)
    assert server.process.wait(PATIENCE) == 1
    said = server.said.read_text()
    assert "SECRET_KEY is missing" in said
    assert "Traceback" not in said


def has_ipv6() -> bool:
    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return True
    return False


@pytest.mark.parametrize(
    ("host", "listening"),
    [
        ("127.0.0.1", "127.0.0.1"),
        pytest.param("::", "::1", marks=pytest.mark.skipif(not has_ipv6(), reason="a machine without IPv6")),
    ],
)
def test_a_site_that_is_late_is_told_when_it_is_well_after_all(
    monkeypatch, capfd, open_folder, host, listening
):
    """On a busy machine it takes longer than a person would wait, and is well in the end. By IPv6 it was never well."""
    supervisor = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

    class Site(http.server.HTTPServer):
        address_family = socket.AF_INET6 if ":" in listening else socket.AF_INET

    class Health(http.server.BaseHTTPRequestHandler):
        asked = 0

        def do_GET(self):
            Health.asked += 1
            self.send_response(200 if Health.asked > 1 else 503)
            self.end_headers()
            if Health.asked > 1:
                supervisor.kill()
                supervisor.wait()

    monkeypatch.setattr(running, "HEALTHY_SECONDS", 0)
    with Site((listening, 0), Health) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        options = running._options(["--host", host, "--port", str(site.server_port)])
        engines = Engines(open_folder / "var", postgres=False, valkey=False)
        with pytest.raises(Trouble, match="supervisord ended"):
            running._watch(options, engines, supervisor, {"ALLOWED_HOSTS": "localhost"})
        site.shutdown()
    said = capfd.readouterr().out
    assert said.index("The site is not well after 0 s") < said.index("The site is at ")
