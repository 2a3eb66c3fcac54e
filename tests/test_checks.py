"""`script/test`: what runs side by side is shown whole, and everything that failed is named."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from script.checks import run_side_by_side

PROJECT = Path(__file__).resolve().parent.parent


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def test_each_failure_side_by_side_is_named_and_no_output_is_mixed(capfd: pytest.CaptureFixture[str]) -> None:
    slow = "import time; print('first line', flush=True); time.sleep(0.5); print('last line'); raise SystemExit(3)"
    killed = f"import os; print('killed', flush=True); os.kill(os.getpid(), {int(signal.SIGKILL)})"
    commands = {"slow": python(slow), "quick": python("print('quick')"), "killed": python(killed)}
    assert sorted(run_side_by_side(commands, dict(os.environ))) == ["killed", "slow"]
    said = capfd.readouterr().out
    assert "first line\nlast line\n" in said and "quick\n" in said


def test_nothing_goes_on_side_by_side_after_the_checks_were_told_to_stop() -> None:
    """The signal reaches the runner alone, which must take its children along."""
    runner = (
        "import os, signal, sys; from script.checks import run_side_by_side;"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143));"
        "run_side_by_side({name: [sys.executable, '-c', 'import time; time.sleep(60)'] for name in 'ab'}, dict(os.environ))"
    )
    with subprocess.Popen(python(runner), cwd=PROJECT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        while b"side by side" not in process.stdout.readline():
            time.sleep(0.01)
        children = psutil.Process(process.pid).children()
        process.terminate()
        assert process.wait(10) == 143
    assert len(children) == 2 and not any(child.is_running() for child in children)
