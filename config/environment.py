"""The site's own virtual environment `.venv`, made and kept up to date from a lock file.

Run by whatever Python is there before any package is installed, so only the standard library is imported.
    python -m config.environment requirements.lock
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.trouble import Trouble

PROJECT = Path(__file__).resolve().parent.parent
RUNTIME, TESTS = "requirements.lock", "requirements-test.lock"
# The tests' lock holds every pin of the site's own.
COVERS = {TESTS: (TESTS, RUNTIME)}
# The wheels and what they unpack to, with room for a first data folder.
FREE_BYTES = 700_000_000


def ensure(lock: Path, *, folder: Path) -> bool:
    """Bring the virtual environment in `folder` to what `lock` pins; return whether anything had to be done.

    A stamp in the folder remembers the lock's content and the Python it was installed for. Raises Trouble.
    """
    with _one_at_a_time(folder.parent):
        python = folder / "bin" / "python"
        stamp = _stamp(lock)
        if _stamped(folder, lock.name) == stamp and os.access(python, os.X_OK):
            return False
        free = shutil.disk_usage(folder.parent).free
        if free < FREE_BYTES:
            raise Trouble(
                f"The disk is full: {folder.parent} has {free // 1_000_000} MB left and setting up needs "
                f"{FREE_BYTES // 1_000_000} MB. Make room and start again."
            )
        if not _usable(python):
            _make(folder)
        _install(python, lock)
        for name in COVERS.get(lock.name, (lock.name,)):
            (folder / f"installed-{name}").write_text(_stamp(lock.with_name(name)))
        return True


def _stamp(lock: Path) -> str:
    """Return what distinguishes an environment: the lock's content and the Python it was installed for."""
    return f"{hashlib.sha256(lock.read_bytes()).hexdigest()} python {sys.version_info[0]}.{sys.version_info[1]}\n"


def _stamped(folder: Path, name: str) -> str:
    stamp = folder / f"installed-{name}"
    return stamp.read_text() if stamp.exists() else ""


@contextmanager
def _one_at_a_time(project: Path) -> Iterator[None]:
    """Let a second set-up of the same project wait for the first; the lock is on the folder itself."""
    guard = os.open(project, os.O_RDONLY)
    try:
        fcntl.flock(guard, fcntl.LOCK_EX)
        yield
    finally:
        os.close(guard)


def _usable(python: Path) -> bool:
    """Return whether `python` runs and is the version of this one; an upgraded system breaks old environments."""
    if not os.access(python, os.X_OK):
        return False
    asked = [str(python), "-c", "import sys, pip; print(*sys.version_info[:2])"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
    return said == [str(part) for part in sys.version_info[:2]]


def _make(folder: Path) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        raise Trouble(
            f"{sys.executable} cannot make virtual environments: install its venv package "
            f"(on Debian and Ubuntu: apt install python{version}-venv) and start again."
        )
    print(f"Making a virtual environment in {folder} ...", flush=True)
    venv.EnvBuilder(clear=True, symlinks=True, with_pip=True).create(folder)


def _install(python: Path, lock: Path) -> None:
    print(f"Installing the packages of {lock.name} ...", flush=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run([*command, "--require-hashes", "--requirement", str(lock)], check=False)
    if done.returncode:
        raise Trouble(
            f"The packages of {lock.name} could not be installed (pip's reason is above): check the network and the "
            f"disk, then start again; what is installed already stays."
        )


def main() -> int:
    """Bring `.venv` to the lock file named on the command line; print one line and return 1 when that fails."""
    try:
        ensure(PROJECT / sys.argv[1], folder=PROJECT / ".venv")
    except Trouble as trouble:
        print(f"{trouble}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
