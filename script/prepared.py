"""The folder of a site as its first start leaves it: made once for a run of checks, copied for each site of that run.

To make PostgreSQL's folder, run every migration and gather the static files takes longer than most of what is tested on
a site. That an empty folder becomes a site by itself is asked where none is taken: tests/config/test_server.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from config.embedded import ADDRESSES
from config.engines.place import MOVED_TO
from config.engines.running import Engines
from config.trouble import Trouble

PROJECT = Path(__file__).resolve().parent.parent
PREPARED = "PREPARED_SITE"
"""The variable that names the folder; without it every site begins with nothing."""

OF_A_SITE = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY", "DEBUG")


def prepare(var: Path, environment: Mapping[str, str]) -> None:
    """Make ``var`` the folder of a site that was set up, has nobody in it and does not run. Raises Trouble."""
    engines = Engines(var)
    try:
        engines.start()
        own = {name: value for name, value in environment.items() if name not in OF_A_SITE}
        own["VAR_DIR"] = str(var)
        command = [sys.executable, "manage.py", "prepare", "--no-demo"]
        if subprocess.run(command, cwd=PROJECT, env=own, check=False).returncode:
            raise Trouble("No site could be set up: see the line above.")
    finally:
        engines.stop()
    # Where nothing listens any more, nobody need ask.
    (var / ADDRESSES).unlink()


def take_prepared(var: Path, *, only: str = "") -> bool:
    """Copy the folder that the environment names (or ``only`` a part of it) to ``var``; return whether it names one."""
    named = os.environ.get(PREPARED)
    # Data that lie elsewhere, since the engines' user may not come here, belong to one site alone.
    if not named or (Path(named) / MOVED_TO).exists():
        return False
    copy(Path(named), var, only=only)
    return True


def copy(prepared: Path, var: Path, *, only: str = "") -> None:
    """Copy a prepared folder, whose files keep their owners, to ``var``, which is not there yet."""
    (var / only).parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", prepared / only, var / only], check=True)
