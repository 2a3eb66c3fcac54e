"""What those who watch a table with a delay may see: the table as it was so long ago."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import models
from django.utils import timezone

from clubs.models import User
from games.models import Moment, Seat, Table
from games.selectors.tables import Remembered, running, seat_of

past = Remembered(size=1024)
"""States of running deals as delayed watchers see them; like the newest ones, replay always gives them back."""


class Past(NamedTuple):
    """A table as it was: its row and seats (not to be saved), the deal's state, and when the next moment is due.

    ``wait`` is in seconds, ``None`` when nothing newer has happened.
    """

    table: Table
    seats: list[Seat]
    state: Any
    wait: float | None


def past_of(table: Table) -> Past:
    """Return ``table`` as it was ``table.watch_delay`` seconds ago, its times moved on by the delay.

    Before the first such moment it is a table without people, deals or log.
    """
    delay = dt.timedelta(seconds=table.watch_delay)
    now = timezone.now()
    moments = Moment.objects.filter(table=table)
    shown = _shown(table, now - delay)
    newer = moments.filter(version__gt=shown.version if shown else 0).order_by("version")
    following = newer.values_list("at", flat=True).first()
    wait = None if following is None else max(0.0, (following + delay - now).total_seconds())
    if shown is None:
        return Past(_untouched(table), _empty_seats(table), None, wait)
    before = _row(table, shown)
    seats = [_seat(table, values, delay) for values in shown.seats]
    _name_people(seats)
    found = running(before, past)
    return Past(before, seats, found.state if found is not None else None, wait)


class Seen(NamedTuple):
    """What somebody may see of a table's row; deals that ended after ``until`` are still played for them."""

    table: Table
    until: dt.datetime | None


def seen_by(table: Table, user_id: int | None) -> Seen:
    """Return the table's row as a person may see it: who has no seat sees some tables only as they were a while ago."""
    if not table.watch_delay or table.deal_number == 0 or seat_of(table.pk, user_id) is not None:
        return Seen(table, None)
    until = timezone.now() - dt.timedelta(seconds=table.watch_delay)
    shown = _shown(table, until)
    return Seen(_untouched(table) if shown is None else _row(table, shown), until)


def _shown(table: Table, until: dt.datetime) -> Moment | None:
    return Moment.objects.filter(table=table, at__lte=until).order_by("-version").first()


def _row(table: Table, moment: Moment) -> Table:
    before = copy.copy(table)
    _restore(before, moment.row, dt.timedelta(seconds=table.watch_delay))
    return before


def _restore(row: models.Model, values: Mapping[str, Any], delay: dt.timedelta) -> None:
    for name, value in values.items():
        field = row._meta.get_field(name)
        assert isinstance(field, models.Field)
        was = field.to_python(value) if value is not None else None
        setattr(row, field.attname, was + delay if isinstance(was, dt.datetime) else was)


def _seat(table: Table, values: Mapping[str, Any], delay: dt.timedelta) -> Seat:
    seat = Seat(table=table)
    _restore(seat, values, delay)
    return seat


def _name_people(seats: list[Seat]) -> None:
    """Join the members to the seats in one query; a member who is gone by now leaves the seat without a person."""
    people = User.objects.in_bulk([seat.user_id for seat in seats if seat.user_id is not None])
    for seat in seats:
        seat.user = people.get(seat.user_id) if seat.user_id is not None else None


def _untouched(table: Table) -> Table:
    """Return the table's row as it was opened: nobody plays, nothing is known."""
    fresh = Table(
        **{
            field.attname: getattr(table, field.attname)
            for field in Table._meta.concrete_fields
            if field.name in KEPT_FROM_OPENING
        }
    )
    fresh.opened_at = table.opened_at
    return fresh


KEPT_FROM_OPENING = {
    *("id", "club", "game", "options", "listed", "opened_by", "clock", "pace_ms", "bot_think_ms"),
    *("stake", "asset", "buy_in_min", "buy_in_max", "pot_account", "chain_end", "chain_length"),
    *("commitment", "watch_delay", "rated"),
}
"""What an opening lays down and nothing later changes."""


def _empty_seats(table: Table) -> list[Seat]:
    numbers = Seat.objects.filter(table=table).order_by("number").values_list("number", flat=True)
    return [Seat(table=table, number=number) for number in numbers]
