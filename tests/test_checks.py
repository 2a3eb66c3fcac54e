"""`script/test`: what runs side by side is shown whole, and everything that failed is named."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from script import checks, ports
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
        assert any(b"side by side" in line for line in process.stdout)
        children = psutil.Process(process.pid).children()
        process.terminate()
        assert process.wait(300) == 143
    assert len(children) == 2 and not any(child.is_running() for child in children)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder that is taken for the one in memory, with room enough."""
    monkeypatch.setattr(checks, "MEMORY", tmp_path)
    monkeypatch.setattr(checks, "ROOM", 1)
    monkeypatch.setattr(checks, "LIMITS", (tmp_path / "limit",))
    return tmp_path


def test_engines_lie_on_the_disk_where_memory_has_too_little_room_for_them(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many containers give files in memory 64 MB, or no more than they may use altogether, or none."""
    assert checks.in_memory() == memory
    (memory / "limit").write_text("max\n")
    assert checks.in_memory() == memory
    (memory / "limit").write_text("1\n")
    assert checks.in_memory() is None
    (memory / "limit").unlink()
    monkeypatch.setattr(checks, "ROOM", 10**18)
    assert checks.in_memory() is None
    monkeypatch.setattr(checks, "MEMORY", memory / "nowhere")
    assert checks.in_memory() is None


def test_what_a_killed_run_left_in_memory_is_removed_and_nothing_else(memory: Path) -> None:
    with subprocess.Popen(python("")) as ended:
        pass
    names = [f"cardclub-test-{ended.pid}-x", f"cardclub-test-{os.getpid()}-x", "cardclub-test-of-somebody"]
    for name in names:
        (memory / name / "var").mkdir(parents=True)
    checks.in_memory()
    assert {path.name for path in memory.iterdir()} == set(names[1:])


def test_a_port_that_was_chosen_is_given_to_nobody_else_before_it_is_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    port = ports.free_port()
    monkeypatch.setattr(ports, "PORTS", range(port, port + 1))
    with pytest.raises(OSError, match="is free"):
        ports.free_port()
    other = f"from script import ports; ports.PORTS = range({port}, {port + 1}); ports.free_port()"
    done = subprocess.run(python(other), cwd=PROJECT, capture_output=True, text=True, check=False)
    assert "is free" in done.stderr
