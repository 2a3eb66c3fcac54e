"""How much memory the whole site takes when nobody plays: `python -m benchmarks.memory [--seconds 60] [--port 8123]`.

Starts script/server on a throw-away folder, waits until it is well, lets it idle, and adds up every process: the
server, its supervisor, web, workers, beat and both engines. RSS counts a page that several processes share in each of
them; PSS divides it among them, so that its sum is what the machine really gives.
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
import urllib.request
from pathlib import Path

import psutil

PROJECT = Path(__file__).resolve().parent.parent
SITE = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY", "DEBUG", "ALLOWED_HOSTS")
MIB = 1024 * 1024


def main() -> None:
    """Measure and print one line per process and the two sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long to idle before measuring")
    parser.add_argument("--port", type=int, default=8123)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cardclub-memory-"))
    folder.chmod(0o711)
    environment = {name: value for name, value in os.environ.items() if name not in SITE}
    server = subprocess.Popen(
        [sys.executable, "-m", "config.server", "--port", str(options.port)],
        cwd=PROJECT,
        env=environment | {"VAR_DIR": str(folder / "var")},
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_until_well(server, options.port)
        time.sleep(options.seconds)
        report(psutil.Process(server.pid))
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        shutil.rmtree(folder)


def wait_until_well(server: subprocess.Popen[bytes], port: int) -> None:
    """Return when /healthz says that all is well; exit when the server gave up."""
    while server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=3) as answer:
                if json.load(answer)["ok"]:
                    return
        except OSError:
            time.sleep(0.5)
    sys.exit("the server did not start")


def report(server: psutil.Process) -> None:
    """Print the memory of `server` and of every process below it."""
    rows = []
    for process in (server, *server.children(recursive=True)):
        memory = process.memory_full_info()
        rows.append((role(process), memory.rss / MIB, memory.pss / MIB))
    for name in sorted({name for name, _, _ in rows}):
        sizes = [(rss, pss) for other, rss, pss in rows if other == name]
        print(
            f"{name:<22} {len(sizes):>3} {sum(s[0] for s in sizes):>8.1f} MiB RSS {sum(s[1] for s in sizes):>8.1f} MiB PSS"
        )
    print(
        f"{'sum':<22} {len(rows):>3} {sum(r[1] for r in rows):>8.1f} MiB RSS {sum(r[2] for r in rows):>8.1f} MiB PSS"
    )


def role(process: psutil.Process) -> str:
    """Return what a process does for the site."""
    if process.name() in ("postgres", "valkey-server"):
        return process.name()
    if "supervisor.supervisord" in process.cmdline():
        return "supervisord"
    return process.environ().get("PROCESS_NAME", "script/server")


if __name__ == "__main__":
    main()
