"""Events in words: nothing that is kept by name is shown by that name."""

import re
from dataclasses import fields
from pathlib import Path

from tournaments import stakes, wording
from tournaments.rules.bounds import Bounds


def test_everything_that_moves_chips_is_told_in_words() -> None:
    source = Path(stakes.__file__).read_text("utf-8")
    noted = set(re.findall(r'"type": "(\w+)"', source))
    assert noted >= {"hold", "prize", "chips_back"}
    # Prizes that are taken back note what was paid, with an ending.
    assert noted | {"prize_back", "guarantee_back"} == set(wording.MOVED)
    assert wording.moved_in_words({"type": "prize_back", "entry": 3, "amount": 40}) == "prize taken back: 40"


def test_every_bound_of_a_certificate_has_words() -> None:
    assert set(wording.BOUNDS) == {field.name for field in fields(Bounds)}
