"""Old tables for tests of archives."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from games import services
from games.models import Deal, Table
from tests.games.tables import open_table

YEAR = dt.timedelta(days=365)


def age(table: Table, *, by: dt.timedelta = YEAR) -> Table:
    """Let a table's match have ended so long ago, and be counted."""
    services.close_table(table_id=table.pk)
    services.count_deals()
    then = timezone.now() - by
    Table.objects.filter(pk=table.pk).update(finished_at=then)
    Deal.objects.filter(table=table).update(ended_at=then)
    table.refresh_from_db()
    return table


def archive(**changes: int) -> services.Archived:
    """Move everything that is old enough."""
    return services.archive_deals(before=timezone.now() - dt.timedelta(days=31), **changes)


def archived_table() -> Table:
    """Return a table without deals whose log is in a file."""
    table = age(open_table("three_card_loo"))
    assert archive().tables == 1
    return table
