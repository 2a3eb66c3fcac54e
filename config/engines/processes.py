"""Child processes of the server: started with few rights, ended with it, recognised when left over."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypedDict

import psutil

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Account:
    """The user that engines run as when the server was started by root."""

    name: str
    uid: int
    gid: int


def end_with_parent(stop: signal.Signals, *, parent: int) -> None:
    """Ask for the signal `stop` when the process `parent`, which started this one, dies, even of SIGKILL (Linux only)."""
    if _libc is None:
        return
    _libc.prctl(PR_SET_PDEATHSIG, stop)
    if os.getppid() != parent:
        # It died before the question was put; nobody would ever send the signal.
        os._exit(1)


def spawn(
    command: list[str],
    *,
    folder: Path,
    log: Path,
    account: Account | None,
    stop: signal.Signals,
) -> subprocess.Popen[bytes]:
    """Start `command` in `folder` as `account`, writing to `log`, and let it end by `stop` when this process dies.

    The child has a process group of its own: a Ctrl-C meant for the server must not reach an engine that others
    still need while they shut down.
    """
    with log.open("ab") as output:
        if account:
            os.fchown(output.fileno(), account.uid, account.gid)
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=bare_environment(),
            process_group=0,
            preexec_fn=partial(end_with_parent, stop, parent=os.getpid()),
            **rights(account),
        )


class Rights(TypedDict, total=False):
    """The arguments of `subprocess` that change the user."""

    user: int
    group: int
    extra_groups: list[int]


def rights(account: Account | None) -> Rights:
    """Return the arguments that drop root's rights for `account`'s; none when nobody is root."""
    return Rights(user=account.uid, group=account.gid, extra_groups=[]) if account else Rights()


def bare_environment() -> dict[str, str]:
    """Return an environment without the site's secrets and without surprises of locale."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def working_in(folder: Path, name: str) -> list[psutil.Process]:
    """Return the processes called `name` whose working directory is `folder`: both engines move into their data."""
    found = []
    for process in psutil.process_iter(["name"]):
        try:
            if process.info["name"] == name and Path(process.cwd()).samefile(folder):
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def end(processes: Iterable[psutil.Process], *signals: tuple[signal.Signals, float]) -> bool:
    """Send each signal in turn, waiting its seconds; return whether all processes have ended."""
    left = list(processes)
    for number, seconds in signals:
        for process in left:
            try:
                process.send_signal(number)
            except psutil.NoSuchProcess:
                continue
        if wait_until(partial(have_ended, tuple(left)), seconds=seconds):
            return True
        left = [process for process in left if still_runs(process)]
    return have_ended(left)


def have_ended(processes: Iterable[psutil.Process]) -> bool:
    """Return whether none of the processes still runs."""
    return not any(map(still_runs, processes))


def still_runs(process: psutil.Process) -> bool:
    """Return whether a process has not ended yet, though its number may be kept for a parent that has not asked after it.

    In a container the parent of orphans is often a program that asks late or never.
    """
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def tail(log: Path, start: int = 0, limit: int = 4000) -> str:
    """Return the last characters written to `log` since byte `start`."""
    try:
        with log.open("rb") as file:
            file.seek(max(start, log.stat().st_size - limit))
            return file.read().decode(errors="replace")
    except FileNotFoundError:
        return ""


def wait_until(ready: Callable[[], bool], *, seconds: float, step: float = 0.02) -> bool:
    """Ask `ready` until it says yes or `seconds` are over; return its last answer."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            return False
        time.sleep(step)
    return True
