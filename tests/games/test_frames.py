"""The texts that sockets are sent: as JSON they are the frames that pages are drawn with."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone, translation

from games.snapshots import TableSnapshot
from games.table_view import state_frame, state_text
from tests.games.tables import member, on_turn

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", ["three_card_loo", "least_score"])
def test_the_text_of_a_view_says_what_its_frame_says_for_every_viewer_and_language(game: str) -> None:
    """Parts that viewers have in common are written once: no viewer may get another's part, or another language."""
    table = on_turn(game, member("mari"))
    snapshot, now = TableSnapshot(table.id, since=0), timezone.now()
    assert snapshot.log
    for language in ("en", "et"):
        for seat in (None, *(held.number for held in snapshot.seats)):
            with translation.override(language):
                alone = state_frame(TableSnapshot(table.id), seat=seat, events=snapshot.log, now=now)
                text = state_text(snapshot, seat=seat, events=snapshot.log, now=now)
            assert json.loads(text) == json.loads(json.dumps(alone))
            assert json.loads(text)["table"]["you"] == seat
