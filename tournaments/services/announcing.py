"""What the organiser tells everybody at an event: the last announcement stands until it is replaced or taken away."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from clubs.models import User
from tournaments.errors import EventRefusal
from tournaments.models import Action
from tournaments.selectors import announcement_of
from tournaments.services.locked import check_organiser, locked_tournament

MOST_LETTERS = 300


def announce(*, tournament_id: UUID, by: User, text: str) -> Action | None:
    """Announce ``text`` on the event's pages and on the screen of the hall; an empty one takes the last away.

    Saying the same again changes nothing. Raises ``EventRefusal`` (``not_organiser``, ``no_such_event``,
    ``bad_announcement``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    text = " ".join(text.split())
    if len(text) > MOST_LETTERS or (text and not text.isprintable()):
        raise EventRefusal("bad_announcement")
    with locked_tournament(tournament_id) as locked:
        last = announcement_of(locked.tournament)
        told: Any = last.after if last is not None else {}
        before = told.get("text", "")
        if text == before:
            return last
        return locked.log("announced", by=by, before={"text": before}, after={"text": text})
