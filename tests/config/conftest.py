"""Real engines in folders of their own, thrown away after each test."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from config.engines.processes import end, working_in
from config.engines.running import Engines
from script.checks import in_memory


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A temporary folder that every user may pass through (pytest's own is closed to all but one)."""
    folder = Path(tempfile.mkdtemp(prefix="cardclub-engines-", dir=in_memory()))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def engines(open_folder: Path) -> Iterator[Callable[..., Engines]]:
    """Make (not start) engines on `open_folder`/var, or on another folder; all are stopped in the end."""
    made: list[Engines] = []

    def make(var: Path = open_folder / "var", **options: bool) -> Engines:
        made.append(Engines(var, **({"throw_away": True} | options)))
        return made[-1]

    yield make
    for each in reversed(made):
        each.stop()
    for each in made:
        end(engine_processes(each), (signal.SIGKILL, 10))
        shutil.rmtree(each.place.data, ignore_errors=True)
        shutil.rmtree(each.place.sockets, ignore_errors=True)


def engine_processes(engines: Engines) -> list[psutil.Process]:
    """Return every process that works on the engines' data."""
    place = engines.place
    return [*working_in(place.postgres, "postgres"), *working_in(place.valkey, "valkey-server")]


@pytest.fixture
def no_site_environment(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of a newcomer: nothing that says where the site's servers are."""
    names = (
        "DATABASE_URL",
        "DATABASE_OWNER_URL",
        "REDIS_URL",
        "SECRET_KEY",
        "DEBUG",
        "VAR_DIR",
        "ALLOWED_HOSTS",
    )
    for name in names:
        monkeypatch.delenv(name, raising=False)
    return dict(os.environ)
