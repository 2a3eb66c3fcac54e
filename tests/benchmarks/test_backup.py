"""A backup of a site that plays, restored elsewhere: whole commands, whole sites, a few tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SHORT = "--tables 3 --before 2 --pace 300"


@pytest.mark.servers
def test_a_backup_in_the_middle_of_play_is_restored_elsewhere_and_every_table_goes_on_to_its_end() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.backup", *SHORT.split()],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fault: None, sum of all balances 0" in done.stdout
    assert "The ledger is in order." in done.stdout
