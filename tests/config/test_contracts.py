"""The import contracts notice what they are there for. Each case is one file too many in a copy of the source."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
APPS = ("config", "clubs", "ledger", "games", "tournaments")

FORBIDDEN = {
    "games/helpers.py": ("", "games.helpers"),
    "games/rules/late.py": ("import time\n", "games.rules is not allowed to import time"),
    "games/bots/lucky.py": ("import random\n", "games.bots is not allowed to import random"),
    "tournaments/rules/seen.py": (
        "from django.db import models\n",
        "tournaments.rules is not allowed to import django",
    ),
    "clubs/api/stray.py": ("import games.rules\n", "clubs is not allowed to import games"),
    "tournaments/views.py": ("from ledger import models\n", "tournaments is not allowed to import ledger"),
    "clubs/errors.py": ("import clubs.services\n", "clubs.errors is not allowed to import clubs.services"),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source, so that a stray file never lies in the project itself."""
    folder = tmp_path_factory.mktemp("source")
    shutil.copy(PROJECT / "pyproject.toml", folder)
    for app in APPS:
        shutil.copytree(PROJECT / app, folder / app, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def said(folder: Path) -> tuple[int, str]:
    """Return the exit code and the words of the contracts' check in `folder`."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, " ".join(done.stdout.split())


def test_the_source_keeps_them(copy):
    code, words = said(copy)
    assert code == 0, words


def test_each_kind_of_stray_import_is_named(copy):
    before = {}
    for name, (text, _) in FORBIDDEN.items():
        path = copy / name
        before[path] = path.read_text() if path.exists() else None
        path.write_text(text)
    try:
        code, words = said(copy)
    finally:
        for path, text in before.items():
            path.unlink() if text is None else path.write_text(text)
    assert code == 1
    assert [name for name, (_, expected) in FORBIDDEN.items() if expected not in words] == []
