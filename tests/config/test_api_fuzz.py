"""schemathesis asks everything that the API's description allows, and finds nothing."""

from __future__ import annotations

import pytest

from tests.fuzzing_api import ask_everything, club_of_programs


@pytest.mark.django_db
def test_nothing_that_the_description_allows_is_a_fault_and_every_answer_is_described(monkeypatch):
    monkeypatch.setattr("clubs.api.limits.REQUESTS", 1_000_000)
    club = club_of_programs()
    assert ask_everything(club, examples=4, chance=1) > 300
