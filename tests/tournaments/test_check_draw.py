"""docs/check_draw.py finds out what is false in a draw, with nothing of the project at hand."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tournaments.management.commands.draw import as_json
from tournaments.rules.draw import plan

CHECKER = Path(__file__).parents[2] / "docs" / "check_draw.py"
Raw = dict[str, Any]


@cache
def _printed(players: int, size: int, rounds: int, *, smallest: int, largest: int) -> str:
    draw = plan(
        range(1, players + 1),
        rounds=rounds,
        ideal=size,
        seed=1,
        smallest=smallest,
        largest=largest,
        budget=5_000,
    )
    return json.dumps(as_json(draw, 0.5))


def printed(*numbers: int, smallest: int = 2, largest: int = 16) -> Raw:
    """Return what ``manage.py draw --json`` prints for so many players, a size and so many rounds."""
    found: Raw = json.loads(_printed(*numbers, smallest=smallest, largest=largest))
    return found


def standalone(raw: Any, tmp_path: Path) -> tuple[int, str, str]:
    path = tmp_path / "draw.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(CHECKER), str(path)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "numbers", [(20, 5, 3), (23, 6, 4), (3, 3, 2), (17, 8, 3)], ids=["design", "unequal", "one table", "two"]
)
def test_true_draws_hold(numbers: tuple[int, int, int], tmp_path: Path) -> None:
    assert standalone(printed(*numbers), tmp_path) == (0, "OK\n", "")


def test_a_true_draw_with_sit_outs_holds(tmp_path: Path) -> None:
    raw = printed(13, 4, 3, smallest=4, largest=4)
    assert raw["sitting_out"]
    assert standalone(raw, tmp_path) == (0, "OK\n", "")


def _seat_twice(raw: Raw) -> None:
    raw["rounds"][0][0][0] = raw["rounds"][0][1][0]


def _repeat_a_round(raw: Raw) -> None:
    raw["rounds"][1] = copy.deepcopy(raw["rounds"][0])


FALSE: dict[str, tuple[Callable[[Raw], None], str]] = {
    "a repeat hidden": (lambda raw: raw.update(repeats=raw["repeats"] - 1), "repeats is "),
    "a lower Q": (lambda raw: raw.update(q=raw["q"] - 1), "q is "),
    "a higher bound by pairs": (lambda raw: raw["bounds"].update(pairs=raw["q"]), "bounds is "),
    "a higher bound by rounds": (lambda raw: raw["bounds"].update(rounds=raw["q"]), "bounds is "),
    "a higher bound by visits": (lambda raw: raw["bounds"].update(visits=raw["q"] + 1), "bounds is "),
    "optimal or not": (lambda raw: raw.update(optimal=not raw["optimal"]), "optimal is "),
    "a smaller spread of seats": (lambda raw: raw.update(seat_spread=0), "seat_spread is "),
    "other sizes": (lambda raw: raw.update(sizes=[[4]]), "sizes is "),
    "a player twice": (_seat_twice, "round 1 seats a player twice"),
    "a round repeated": (_repeat_a_round, "repeats is "),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_found_out(name: str, tmp_path: Path) -> None:
    spoil, said = FALSE[name]
    raw = printed(23, 6, 4)
    assert raw["repeats"] and raw["seat_spread"]
    spoil(raw)
    code, out, err = standalone(raw, tmp_path)
    assert (code, out) == (1, "") and err.startswith("differs: ") and said in err


@pytest.mark.parametrize("raw", [[], {}, {"rounds": 3}, {"draws": [{}]}, "draw"])
def test_what_is_no_draw_is_told_apart_from_a_false_one(raw: Any, tmp_path: Path) -> None:
    code, out, err = standalone(raw, tmp_path)
    assert (code, out) == (2, "") and err.startswith("this is no draw") and "Traceback" not in err
