"""The table options of 3-Card Loo."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from games.rules import three_card_loo as loo
from games.rules.errors import BadOptions
from games.rules.three_card_loo_options import CHOICES
from tests.games.rules.loo_deals import random_options


def test_the_defaults_are_the_clubs_game() -> None:
    assert loo.dump_options(loo.parse_options({})) == {
        "min_players": 5,
        "ante": "dealer",
        "defend": "lone",
        "dealer_may_concede": False,
        "lead": "highest_if_two",
        "under_trump": "must",
        "loo": 3,
        "loo_cap": 24,
        "bold_stand": False,
        "club_law": False,
        "rotations": 1,
        "finish": "fixed",
    }


@pytest.mark.parametrize("seed", range(200))
def test_options_survive_json(seed: int) -> None:
    raw = random_options(random.Random(seed), 5)
    options = loo.parse_options(json.loads(json.dumps(raw)))
    assert loo.dump_options(options) == raw
    assert loo.parse_options(json.loads(json.dumps(loo.dump_options(options)))) == options


@pytest.mark.parametrize("name", ["", "Loo", "min_player", "loocap", "self", "pot"])
def test_an_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(BadOptions) as refused:
        loo.parse_options({name: 3})
    assert refused.value.code == "unknown_option"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_players", 4),
        ("min_players", "5"),
        ("ante", "nobody"),
        ("ante", None),
        ("defend", "Lone"),
        ("defend", ["lone"]),
        ("dealer_may_concede", 1),
        ("dealer_may_concede", "yes"),
        ("lead", "highest"),
        ("under_trump", True),
        ("loo", 4),
        ("loo", "3"),
        ("loo", 3.0),
        ("loo", "unlimited"),
        ("loo_cap", 2),
        ("loo_cap", 1001),
        ("loo_cap", True),
        ("loo_cap", {}),
        ("bold_stand", 0),
        ("club_law", "true"),
        ("rotations", 0),
        ("rotations", 6),
        ("rotations", True),
        ("rotations", 1.0),
        ("finish", "until_no_loos"),
    ],
)
def test_a_value_that_an_option_does_not_have_is_refused(name: str, value: Any) -> None:
    with pytest.raises(BadOptions) as refused:
        loo.parse_options({name: value})
    assert refused.value.code == "bad_option_value"
    assert name in refused.value.detail


def test_the_rules_page_names_every_option_value_and_refusal() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rules" / "three_card_loo.md").read_text("utf-8")
    for name, choices in CHOICES.items():
        assert f"`{name}`" in page
        for value in choices if len(choices) < 4 else (choices[0], choices[-1]):
            shown = str(value).lower()
            assert f"`{shown}`" in page or shown in page.split(f"`{name}`")[1][:200], (name, value)
    for code in loo.DETAILS:
        assert f"`{code}`" in page
    for number in range(1, 26):
        assert f"**L{number}" in page
