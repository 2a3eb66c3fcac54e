"""Telling members that it is their turn, at tables with a day a move: others are told by the page they sit at."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.urls import reverse

from clubs.selectors.notices import keys_told, open_keys
from clubs.services import notify, settle_notices
from games.models import Seat, Table
from games.presence import seats_seen
from games.rules.clock import MINUTE, PRESETS
from games.services.locked import ClockTimestamp

TURN = "turn"
"""The kind of the notice."""

SLOW = [name for name, control in PRESETS.items() if control.per_move >= 60 * MINUTE]
"""Clocks with which a member may well be away while it is their turn."""


def remind_turns() -> int:
    """Tell every member who has been on turn for ``TURN_NOTICE_MINUTES`` and is not at the table; returns how many.

    Each turn is told once however often this runs; turns that have passed since count as read.
    """
    _settle_passed()
    waiting = {_key(seat.table_id, seat.table.turn_version): seat for seat in _long_turns()}
    told = keys_told(list(waiting))
    away = {
        key: seat
        for key, seat in waiting.items()
        if key not in told and seat.number not in seats_seen(seat.table_id).here
    }
    for key, seat in away.items():
        assert seat.user is not None
        notify(
            users=[seat.user],
            kind=TURN,
            key=key,
            address=reverse("games:table", args=[seat.table_id]),
            about={"game": seat.table.game},
            club_id=seat.table.club_id,
        )
    return len(away)


def _long_turns() -> Iterable[Seat]:
    """Return the seats of members whose turn has lasted for long, with tables and members."""
    patience = dt.timedelta(minutes=settings.TURN_NOTICE_MINUTES)
    return Seat.objects.filter(
        number=F("table__turn_seat"),
        user__isnull=False,
        left=False,
        stand_in=False,
        table__clock__in=SLOW,
        table__status=Table.Status.PLAYING,
        table__paused_at=None,
        table__turn_started_at__lte=ClockTimestamp() - patience,
    ).select_related("table", "user")


def _settle_passed() -> None:
    """Let notices of turns that are over count as read."""
    told = open_keys(TURN)
    tables = Table.objects.filter(pk__in=[key.split(":")[1] for key in told], status=Table.Status.PLAYING)
    running = {_key(*row) for row in tables.values_list("pk", "turn_version")}
    settle_notices(keys=told - running)


def _key(table_id: UUID, turn_version: int) -> str:
    return f"{TURN}:{table_id}:{turn_version}"
