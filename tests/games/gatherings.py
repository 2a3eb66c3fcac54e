"""Tables at which people still sit down, for tests, and how to pass time at them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models import F

from clubs.models import User
from games import services
from games.errors import TableRefusal
from games.models import Table, WaitingPlace


def gathering(game: str, seats: int, *members: User, **changes: Any) -> Table:
    """Open a table with ``members`` in the first of ``seats`` seats, the rest free, without pauses."""
    wanted: dict[str, Any] = {"options": {}, "bots": {}, "pace_ms": 0, **changes}
    return services.open_table(
        game=game,
        clock="club",
        members=dict(enumerate(members, start=1)),
        opened_by=members[0] if members else None,
        seats=seats,
        **wanted,
    )


def refused(code: str, act: Any, **arguments: Any) -> TableRefusal:
    """Assert that ``act`` is refused with ``code`` and return the refusal."""
    with pytest.raises(TableRefusal) as caught:
        act(**arguments)
    assert caught.value.code == code
    assert caught.value.message, "a person is told what to do"
    return caught.value


def let_offers_run_out() -> None:
    """Let half a minute pass for every offer."""
    WaitingPlace.objects.filter(offered_until__isnull=False).update(
        offered_until=F("offered_until") - dt.timedelta(seconds=services.waiting.OFFER_SECONDS)
    )


def line_of(table: Table) -> list[tuple[str, int | None]]:
    """Return who waits and which seat is offered to whom, first to last."""
    return [
        (place.user.username, place.offered_seat)
        for place in WaitingPlace.objects.filter(table=table).select_related("user")
    ]
