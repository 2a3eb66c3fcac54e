"""A short run of the tables' benchmark: what it checks must hold at any speed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.tables_check import Verdict, compare
from benchmarks.tables_sockets import Shown

PROJECT = Path(__file__).resolve().parents[2]
SHORT = "--web 2 --workers 2 --tables 4 --watchers 2 --rate 12 --seconds 4 --saturated 2 --only play"


@pytest.mark.servers
def test_clients_on_two_web_processes_see_everything_once_and_the_same() -> None:
    """Real processes behind a proxy: every sequence of events against the log, equal views on both sides."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.tables", *SHORT.split()],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "faults: 0" in done.stdout
    told = [line for line in done.stdout.splitlines() if "views shown more than once" in line]
    assert len(told) == 2 and not any(" 0 views" in line for line in told), done.stdout


LOG = {
    1: [{"type": "a"}],
    2: [{"type": "b"}, {"type": "c"}],
    3: [{"type": "d", "private": {"2": {"card": "7H"}}}],
}


def faults_of(seen: list[tuple[int, float, list[dict[str, object]]]], seat: int | None = None) -> list[str]:
    verdict = Verdict()
    compare("client", seat, seen, LOG, verdict)
    return verdict.faults


def test_a_lost_a_doubled_and_a_foreign_event_are_found() -> None:
    b, c, d = {"type": "b"}, {"type": "c"}, {"type": "d"}
    assert faults_of([(1, 0.0, []), (2, 0.0, [b, c]), (3, 0.0, [d])]) == []
    assert faults_of([(1, 0.0, []), (3, 0.0, [b, c, d])]) == [], "frames may be merged"
    assert faults_of([(1, 0.0, []), (2, 0.0, [b]), (3, 0.0, [d])])
    assert faults_of([(1, 0.0, []), (2, 0.0, [b, c]), (3, 0.0, [c, d])])
    assert faults_of([(1, 0.0, []), (2, 0.0, [b, c]), (2, 0.0, [b, c]), (3, 0.0, [d])])
    assert faults_of([(1, 0.0, []), (2, 0.0, [b, c])]), "the end is missing"
    assert faults_of([(2, 0.0, []), (3, 0.0, [{**d, "card": "7H"}])], seat=1), "another seat's card"
    assert faults_of([(2, 0.0, []), (3, 0.0, [{**d, "card": "7H"}])], seat=2) == []


def test_views_that_differ_for_the_same_eyes_are_found() -> None:
    shown = Shown()
    for pot, now in ((3, 1), (3, 2), (4, 3)):
        table = {"you": None, "pot": pot}
        shown.decode(json.dumps({"t": "state", "v": 7, "now": now, "table": table, "events": []}).encode())
    assert shown.compared == 2
    assert shown.differences == ["seat None version 7: pot"]
