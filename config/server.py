"""`script/server`, once the packages are there: engines, preparation, processes, and a tidy end.

Standard library and psutil only: this process stays for as long as the site runs and should be small.
"""

from __future__ import annotations

import argparse
import errno
import fcntl
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil

from config import supervision
from config.engines.processes import end
from config.engines.running import Engines
from config.trouble import Trouble

PROJECT = Path(__file__).resolve().parent.parent
HEALTHY_SECONDS = 60


class Stopped(BaseException):
    """Somebody asked the server to stop."""


def main(arguments: list[str] | None = None) -> int:
    """Run the site until it is told to stop; print one line and return 1 when it cannot start."""
    options = _options(arguments)
    var = Path(os.environ.get("VAR_DIR") or PROJECT / "var").resolve()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        with _alone(var):
            end(supervision.left_over(var), (signal.SIGTERM, 10), (signal.SIGKILL, 10))
            _check_port(options.host, options.port)
            _serve(options, var)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except Stopped:
        pass
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/server", description="Set up and run the card-club site.")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine only)"
    )
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
    parser.add_argument(
        "--engines-only",
        action="store_true",
        help="start PostgreSQL and Valkey alone, to restore a backup into this site",
    )
    parser.add_argument(
        "--own", action="store_true", help="no demo club; print the address at which you found your own club"
    )
    parser.add_argument("--no-demo", action="store_true", help="do not make the demo club on an empty site")
    return parser.parse_args(arguments)


def _stop(number: int, frame: object) -> None:
    """Ask for the end once; while it is under way, further requests change nothing."""
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise Stopped


@contextmanager
def _alone(var: Path) -> Iterator[None]:
    """Hold the site's lock, which the kernel lets go when this process dies, however it dies."""
    var.mkdir(parents=True, exist_ok=True)
    with (var / "server.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise Trouble(
                f"This site is already running ({lock.read().strip()}): use it, or stop it first."
            ) from None
        lock.truncate(0)
        lock.write(f"process {os.getpid()}")
        lock.flush()
        yield


def _check_port(host: str, port: int) -> None:
    """Raise Trouble when the address cannot be listened on."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, OverflowError, UnicodeError) as error:
        raise Trouble(
            f"{host}:{port} is no address to listen on ({error}): choose others with --host and --port."
        ) from None
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen(1)
        except PermissionError:
            raise Trouble(
                f"Only root may listen on port {port}: choose one from 1024 up with --port."
            ) from None
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise Trouble(
                    f"{host}:{port} is no address of this machine: choose others with --host and --port."
                ) from None
            raise Trouble(
                f"Port {port} is taken{_by_whom(port)} ({error.strerror}): choose another with --port, or stop that program."
            ) from None


def _by_whom(port: int) -> str:
    """Return who listens on `port`, as far as this user may know."""
    try:
        for line in psutil.net_connections("tcp"):
            if line.status == psutil.CONN_LISTEN and line.laddr and line.laddr.port == port and line.pid:
                return f" by {psutil.Process(line.pid).name()} (process {line.pid})"
    except psutil.Error:
        pass
    return ""


def _serve(options: argparse.Namespace, var: Path) -> None:
    """Start everything, watch over it, and stop it in the opposite order."""
    environment = _environment(options, os.environ)
    engines = Engines(
        var,
        postgres=not environment.get("DATABASE_URL"),
        valkey=not environment.get("REDIS_URL"),
        engine_user=environment.get("ENGINE_USER", "nobody"),
    )
    supervisor = None
    try:
        if os.geteuid() == 0:
            print("Started by root: better start the server as a user who owns only the project.", flush=True)
        if engines.place.note:
            print(engines.place.note, flush=True)
        engines.start()
        if options.engines_only:
            print("PostgreSQL and Valkey run, nothing else (stop them with Ctrl-C).", flush=True)
            while True:
                signal.pause()
        _prepare(options, environment)
        supervisor = supervision.start(PROJECT, var, environment)
        assert supervisor.stdout is not None
        threading.Thread(target=_relay, args=(supervisor.stdout,), daemon=True).start()
        _watch(options, engines, supervisor, environment)
    finally:
        if supervisor is not None:
            print("Stopping ...", flush=True)
            supervision.stop(supervisor, var)
        engines.stop()


def _environment(options: argparse.Namespace, given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the site's processes: what was given, and the address they listen on."""
    environment = dict(given) | {"HOST": options.host, "PORT": str(options.port), "PYTHONUNBUFFERED": "1"}
    # glibc keeps an arena of memory per thread; two are enough and take half the space.
    environment.setdefault("MALLOC_ARENA_MAX", "2")
    if "ALLOWED_HOSTS" not in environment:
        names = {"localhost", "127.0.0.1", "[::1]", in_address(options.host)}
        if options.host in ("0.0.0.0", "::"):
            names |= {socket.gethostname(), socket.getfqdn()}
            names |= {
                in_address(a.address)
                for card in psutil.net_if_addrs().values()
                for a in card
                if a.family in (socket.AF_INET, socket.AF_INET6)
            }
        environment["ALLOWED_HOSTS"] = ",".join(sorted(names))
    return environment


def in_address(host: str) -> str:
    """Return a host as it stands in a web address: one of IPv6 in brackets, without the name of a network card; this
    machine's own for one that stands for all of its addresses."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host.partition('%')[0]}]" if ":" in host else host


def _prepare(options: argparse.Namespace, environment: dict[str, str]) -> None:
    """Check the servers, migrate, gather the static files, make the demo club; the command says itself what fails."""
    command = [
        sys.executable,
        "manage.py",
        "prepare",
        *(["--no-demo"] if options.no_demo or options.own else []),
    ]
    if subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode:
        raise Trouble("The site was not started: see the line above.")


def _tell_founder(address: str, environment: Mapping[str, str]) -> None:
    """Print where the site's own club is founded, or that it has one."""
    command = [sys.executable, "manage.py", "found_club", "--site", address]
    subprocess.run(command, cwd=PROJECT, env=dict(environment), check=False)


def _relay(pipe: IO[bytes]) -> None:
    """Pass on what the processes say, line by line."""
    for line in pipe:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def _own_name(allowed: str) -> str:
    """Return a name that the site answers to; one that begins with a dot or a star stands for many."""
    names = [name.strip() for name in allowed.split(",")]
    return next((name for name in names if name and name[0] not in ".*"), "localhost")


def _watch(
    options: argparse.Namespace,
    engines: Engines,
    supervisor: subprocess.Popen[bytes],
    environment: Mapping[str, str],
) -> None:
    """Say when the site is well; afterwards restart an engine that died. Returns only by Stopped or Trouble."""
    place = f"{in_address(options.host)}:{options.port}"
    address = f"http://{place}/"
    name = _own_name(environment["ALLOWED_HOSTS"])
    deadline = time.monotonic() + HEALTHY_SECONDS
    well, late, founder = False, False, options.own
    while True:
        time.sleep(1 if well or late else 0.5)
        if supervisor.poll() is not None:
            raise Trouble("supervisord ended by itself: its last lines are above; start the server again.")
        for engine in engines.restart_what_died():
            print(f"{engine} had died and was started again.", flush=True)
        if not well and healthy(place, name):
            well = True
            print(f"The site is at {address} (stop it with Ctrl-C). Its health: {address}healthz", flush=True)
        elif not (well or late) and time.monotonic() > deadline:
            late = True
            print(
                f"The site is not well after {HEALTHY_SECONDS} s: {address}healthz and the lines above say why.",
                flush=True,
            )
        if founder and (well or late):
            founder = False
            _tell_founder(address, environment)


def healthy(place: str, name: str) -> bool:
    """Return whether /healthz at a place (host and port as in a web address), asked for under the site's `name`, says that
    all is well."""
    line = http.client.HTTPConnection(place, timeout=3)
    try:
        line.request("GET", "/healthz", headers={"Host": name})
        return line.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()


if __name__ == "__main__":
    sys.exit(main())
