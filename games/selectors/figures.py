"""Figures for the site's keeper: how many tables there are, and how the clock goes."""

from __future__ import annotations

from django.db import connection
from django.db.models import Count

from games.models import Table


def count_open() -> list[tuple[str, str, int]]:
    """Game, status and number of the tables that are not finished."""
    unfinished = Table.objects.exclude(status=Table.Status.FINISHED)
    return list(
        unfinished.values_list("game", "status").annotate(number=Count("pk")).order_by("game", "status")
    )


def seconds_since_sweep() -> float | None:
    """Seconds since the last sweep of the deadlines by the database's clock, ``None`` when none ever ran."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp() - at)::float8 FROM games_sweepmark")
        row = cursor.fetchone()
    return None if row is None else row[0]
