"""Events in words: nothing that is kept by name is shown by that name."""

import ast
import re
from dataclasses import fields
from pathlib import Path

from tournaments import services, stakes, wording
from tournaments.models import Tournament
from tournaments.rules.bounds import Bounds


def test_everything_that_moves_chips_is_told_in_words() -> None:
    source = Path(stakes.__file__).read_text("utf-8")
    noted = set(re.findall(r'"type": "(\w+)"', source))
    assert noted >= {"hold", "prize", "chips_back"}
    # Prizes that are taken back note what was paid, with an ending.
    assert noted | {"prize_back", "guarantee_back"} == set(wording.MOVED)
    assert wording.moved_in_words({"type": "prize_back", "entry": 3, "amount": 40}) == "prize taken back: 40"


def test_everything_that_is_done_is_told_in_words() -> None:
    """Calling the time of a round was told as "time called"."""
    sources = Path(services.__file__).parent.glob("*.py")
    calls = [node for each in sources for node in ast.walk(ast.parse(each.read_text("utf-8")))]
    logged = [n for n in calls if isinstance(n, ast.Call) and ast.unparse(n.func).endswith(".log") and n.args]
    named = {
        node.value for call in logged for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)
    }
    assert len(named) > 40 and named - {True, False} <= set(wording.ACTIONS)


def test_every_bound_of_a_certificate_has_words() -> None:
    assert set(wording.BOUNDS) == {field.name for field in fields(Bounds)}


def test_one_player_who_advances_is_not_told_as_many() -> None:
    terms = {"game": "least_score", "family": "elimination", "advance": "table_best"}
    event = Tournament(size_min=3, size_ideal=4, size_max=5, **terms)
    event.advance_count = 1
    assert "The best player of each table advances." in wording.rules_in_words(event)
    event.advance_count = 2
    assert "The best 2 of each table advance." in wording.rules_in_words(event)
    event.thresholds, event.round_end, event.round_end_count = [50], "outs", 1
    assert "A round ends at a table at its first knock-out." in wording.rules_in_words(event)
