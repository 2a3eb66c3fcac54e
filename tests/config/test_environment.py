"""The virtual environment that the scripts make: once, anew when the pins change, and with a word when they cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import environment
from config.trouble import Trouble

PROJECT = Path(__file__).resolve().parents[2]


def test_it_is_made_once_and_again_when_the_pins_change(tmp_path, capfd):
    lock = tmp_path / "some.lock"
    lock.write_text("# nothing to install yet\n")
    folder = tmp_path / ".venv"
    assert environment.ensure(lock, folder=folder) is True
    asked = [folder / "bin" / "python", "-c", "import sys; print(sys.prefix)"]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip() == str(folder)
    assert environment.ensure(lock, folder=folder) is False

    made = folder.stat().st_ino
    lock.write_text("nothing==1.0\n")  # without a hash: pip refuses it before it asks anybody
    with pytest.raises(Trouble, match=r"could not be installed.*start again"):
        environment.ensure(lock, folder=folder)
    lock.write_text("# other pins\n")
    assert environment.ensure(lock, folder=folder) is True
    assert folder.stat().st_ino == made
    assert "Installing the packages of some.lock" in capfd.readouterr().out


def test_a_full_disk_is_said_first(tmp_path, monkeypatch):
    monkeypatch.setattr(environment, "FREE_BYTES", 10**18)
    lock = tmp_path / "some.lock"
    lock.touch()
    with pytest.raises(Trouble, match=r"disk is full.*Make room"):
        environment.ensure(lock, folder=tmp_path / ".venv")
    assert not (tmp_path / ".venv").exists()


def test_a_python_without_venv_is_named_with_the_package_that_brings_it(tmp_path, monkeypatch):
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    lock = tmp_path / "some.lock"
    lock.touch()
    with pytest.raises(Trouble, match=r"apt install python3\.\d+-venv"):
        environment.ensure(lock, folder=tmp_path / ".venv")


def test_it_runs_on_a_python_without_any_package():
    program = "import config.environment, config.trouble, sys; print([n for n in ('django', 'psutil', 'environ') if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(PROJECT)!r}); {program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("script", ["server", "test"])
def test_a_python_that_is_too_old_is_named_with_what_to_do(script, tmp_path):
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\ncase "$1" in --version) echo Python 3.9.2;; *) exit 1;; esac\n')
    old.chmod(0o755)
    done = subprocess.run(
        [PROJECT / "script" / script],
        env=os.environ | {"PYTHON": str(old)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Python 3.11 or newer is needed, and here is Python 3.9.2: install it")
    assert f"script/{script}" in done.stderr
    assert len(done.stderr.splitlines()) == 1
