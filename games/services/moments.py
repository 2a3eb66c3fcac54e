"""Keeping what delayed watchers will be shown: the table's row and seats as each commit leaves them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Field

from games.models import Moment, Seat, Table

SEAT_SECRETS = {"id", "table", "nonce", "account", "wallet"}
"""What a watcher's view does not need of a seat."""

PRUNE_EVERY = 16
"""Moments that nobody needs any more are removed whenever the version passes a multiple of this."""


def keep_moment(
    table: Table, seats: Iterable[Seat], columns: Sequence[str], now: dt.datetime, *, before: int
) -> None:
    """Keep the table as it is about to be committed; ``columns`` are the names of what changes in its row.

    ``before`` is its version before that: a transaction may make several, and pass over a number.
    """
    Moment.objects.create(
        table=table,
        version=table.version,
        row={name: _value(table, name) for name in columns},
        seats=[
            {f.name: _value(seat, f.name) for f in Seat._meta.fields if f.name not in SEAT_SECRETS}
            for seat in seats
        ],
        at=now,
    )
    if table.version // PRUNE_EVERY > before // PRUNE_EVERY:
        _prune(table, now)


def _value(row: Table | Seat, name: str) -> Any:
    field = row._meta.get_field(name)
    assert isinstance(field, Field)
    return getattr(row, field.attname)


def _prune(table: Table, now: dt.datetime) -> None:
    """Remove what lies before the moment that is shown now."""
    shown = (
        Moment.objects.filter(table=table, at__lte=now - dt.timedelta(seconds=table.watch_delay))
        .order_by("-version")
        .values_list("version", flat=True)
        .first()
    )
    if shown is not None:
        Moment.objects.filter(table=table, version__lt=shown).delete()
