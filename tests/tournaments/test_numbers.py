"""Numbers with decimal places are written as the reader's language writes them, wherever people read them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.utils.translation import override

from games.charts import bar_chart

PROJECT = Path(__file__).parents[2]
HAND_MADE = re.compile(r"\{[^{}\"']*:[+,]?\.\d+[fge%]\}|\{[^{}\"']*:g\}|%\.\d+f|\.toFixed\(")
"""What writes a decimal point whatever the language is."""

FOR_PROGRAMS = {
    "clubs/api/limits.py": "a script of the store of counts",
    "ledger/tasks.py": "a line of a log",
    "tournaments/selectors/standings.py": "shown(), which the API answers with",
    "static/games/seats.js": "custom properties of CSS",
    "static/games/timing.js": "a custom property of CSS",
}


@pytest.mark.parametrize(
    ("written", "value", "english", "estonian"),
    [
        ("value|score", Fraction(3, 2), "1.5", "1,5"),
        ("value|score", Fraction(100, 3), "33.333", "33,333"),
        ("value|score", Fraction(-2, 3), "−0.667", "−0,667"),
        ("value|score", Fraction(-1, 9999), "0", "0"),
        ("value|score", Fraction(20), "20", "20"),
        ("value|score", -12, "−12", "−12"),
        ("value|score", 12_345, "12,345", "12\xa0345"),
        ("value|score", None, "–", "–"),
        ("value|deals", Fraction(1, 2), "0.50", "0,50"),
        ("value|deals", Fraction(-5, 4), "−1.25", "−1,25"),
        ("value|chips:2", 150, "1.50", "1,50"),
        ("value|chips", 2_500, "2,500", "2\xa0500"),
        ("value|unbroken", "at least (P − e)·C(q, 2)", *["at least (P\xa0−\xa0e)·C(q,\xa02)"] * 2),
    ],
)
def test_an_estonian_page_wrote_a_decimal_point(
    written: str, value: Any, english: str, estonian: str
) -> None:
    template = Template("{% load scores chips %}{{ " + written + " }}")
    for language, text in (("en", english), ("et", estonian)):
        with override(language):
            assert template.render(Context({"value": value})) == text


def test_the_number_on_a_bar_had_a_decimal_point_or_an_exponent() -> None:
    with override("et"):
        assert [bar.shown for bar in bar_chart(["a", "b"], [2.5, 1_250_000]).bars] == [
            "2,5",
            "1\xa0250\xa0000",
        ]


def test_a_decimal_point_is_written_by_hand_only_for_programs() -> None:
    files = [*PROJECT.glob("static/*/*.js")]
    for app in ("clubs", "ledger", "games", "tournaments"):
        for path in PROJECT.joinpath(app).rglob("*.py"):
            if not {"management", "rules", "bots", "migrations"} & set(path.relative_to(PROJECT).parts):
                files.append(path)
    found = {
        str(path.relative_to(PROJECT))
        for path in files
        if "vendor" not in path.parts and HAND_MADE.search(path.read_text())
    }
    assert found == set(FOR_PROGRAMS)
