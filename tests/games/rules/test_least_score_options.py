"""The options of Least Score: every value, and every way to get one wrong."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from games.rules import least_score
from games.rules.errors import BadOptions
from games.rules.least_score_moves import REASONS
from games.rules.least_score_options import CHOICES, Options


def test_the_defaults_are_the_casual_game() -> None:
    assert least_score.dump_options(least_score.parse_options({})) == {
        "packs": 1,
        "three_of_a_kind": False,
        "any_run": False,
        "runs": "any",
        "pick": "any",
        "declare_cap": None,
        "tie": "success",
        "match": "last_standing",
        "threshold": 100,
        "starter": "left",
        "per_point": False,
        "entry": 0,
        "prize": "winner",
    }


def test_choices_start_with_the_default_and_leave_out_only_the_entry() -> None:
    assert {name: values[0] for name, values in CHOICES.items()} | {"entry": 0} == Options()._asdict()


@pytest.mark.parametrize(("name", "value"), [(name, v) for name, values in CHOICES.items() for v in values])
def test_every_value_survives_json(name: str, value: Any) -> None:
    options = least_score.parse_options({name: value})
    assert getattr(options, name) == value
    written = json.loads(json.dumps(least_score.dump_options(options)))
    assert least_score.parse_options(written) == options


def test_options_combine() -> None:
    names = ("packs", "runs", "pick", "tie", "match")
    for values in product(*(CHOICES[name] for name in names)):
        raw = dict(zip(names, values, strict=True))
        assert raw.items() <= least_score.dump_options(least_score.parse_options(raw)).items()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("packs", 0),
        ("packs", 3),
        ("packs", True),
        ("packs", 1.0),
        ("packs", "1"),
        ("three_of_a_kind", 1),
        ("three_of_a_kind", None),
        ("any_run", "yes"),
        ("runs", "suited"),
        ("runs", ["any"]),
        ("pick", True),
        ("declare_cap", 0),
        ("declare_cap", 6),
        ("declare_cap", "5"),
        ("declare_cap", False),
        ("tie", "share"),
        ("match", "last"),
        ("threshold", 99),
        ("threshold", None),
        ("starter", "right"),
        ("per_point", 0),
        ("entry", -1),
        ("entry", True),
        ("entry", 1.5),
        ("entry", None),
        ("prize", "all"),
    ],
)
def test_a_bad_value_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(BadOptions, match=name) as refused:
        least_score.parse_options({name: value})
    assert refused.value.code == "bad_option_value"


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(BadOptions, match="jokers") as refused:
        least_score.parse_options({"jokers": 2})
    assert refused.value.code == "unknown_option"


def test_the_rules_page_names_every_option_value_code_and_rule() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rules" / "least_score.md").read_text()
    for name, values in CHOICES.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        for value in values:
            assert json.dumps(value).strip('"') in row, (name, value)
    assert "| `entry` |" in page
    assert [code for code in REASONS if f"`{code}`" not in page] == []
    assert [number for number in range(1, 20) if page.count(f"**S{number}. ") != 1] == []


def test_any_whole_entry_will_do() -> None:
    assert least_score.parse_options({"entry": 250}).entry == 250


def test_one_pack_seats_six_and_two_packs_ten() -> None:
    """S1; two packs go down to two seats, because a match of ten ends with two."""
    assert least_score.seat_range(least_score.parse_options({})) == (2, 6)
    assert least_score.seat_range(least_score.parse_options({"packs": 2})) == (2, 10)
