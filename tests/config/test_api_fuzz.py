"""schemathesis asks everything that the API's description allows, and finds nothing."""

from __future__ import annotations

import os

import pytest

from tests.fuzzing_api import ask_everything, club_of_programs

EXAMPLES = int(os.environ.get("API_FUZZ_EXAMPLES", "3"))
CHANCE = int(os.environ.get("API_FUZZ_CHANCE", "1"))
"""A longer run with other chance: ``python -m benchmarks.fuzz_api``."""


@pytest.mark.django_db
def test_nothing_that_the_description_allows_is_a_fault_and_every_answer_is_described(monkeypatch):
    monkeypatch.setattr("clubs.api.limits.REQUESTS", 1_000_000)
    asked = ask_everything(club_of_programs(), examples=EXAMPLES, chance=CHANCE)
    assert asked > 50 * EXAMPLES
