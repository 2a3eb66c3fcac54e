"""Web processes for tests: the real server on the test's own database and Redis."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from config.process import command
from script.ports import free_port

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE = 300
"""Seconds that a busy machine may take to start a process: nobody waits for longer than it does take."""


class WebProcess:
    """One web process as ``config.process`` runs it; ``said`` is what it logged."""

    def __init__(self, environment: dict[str, str], said: Path) -> None:
        self.port = free_port()
        self.said = said
        with said.open("a") as output:
            self.process = subprocess.Popen(
                command("web", port=str(self.port)),
                cwd=PROJECT,
                env={**os.environ, "DEBUG": "1", **environment},
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait_until_open(self) -> None:
        """Wait until the process takes connections."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError(f"the web process did not start:\n{self.said.read_text()}")

    @property
    def memory(self) -> int:
        """Resident memory in bytes."""
        return int(psutil.Process(self.process.pid).memory_info().rss)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        self.process.send_signal(number)

    def stop(self) -> None:
        """End the process, by force if it does not go."""
        self.process.terminate()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def web_processes(number: int, environment: dict[str, str], folder: Path) -> Iterator[list[WebProcess]]:
    """Run ``number`` web processes on the database and Redis of ``environment``."""
    running = [WebProcess(environment, folder / f"web{index}.log") for index in range(number)]
    try:
        for process in running:
            process.wait_until_open()
        yield running
    finally:
        for process in running:
            process.stop()
