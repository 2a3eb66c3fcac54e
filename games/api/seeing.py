"""Which tables a program may look at, and where it may play: what its person may, and no more."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest

from clubs.api.access import person
from games import selectors
from games.errors import TableRefusal
from games.models import Table


def table_at(request: HttpRequest, table_id: UUID, page: str = "") -> Table:
    """Return a table that the person may come to; ``page`` is the name of the page that shows the same.

    Raises ``TableRefusal("no_such_table")``, also for tables of clubs that the person may not see.
    """
    if selectors.table_gate(table_id, person(request), page) is None:
        raise TableRefusal("no_such_table")
    return Table.objects.select_related("club").defer("match", "chain_end").get(pk=table_id)


def check_programs_play(request: HttpRequest, table_id: UUID) -> None:
    """Refuse a program where only people play by hand.

    At casual tables programs play for everybody. At tables of events they play for accounts that
    are marked as bots, which enter where the event lets bots in. Nobody's program plays for chips
    or a rating. Raises ``TableRefusal`` (``no_such_table``, ``by_hand_only``).
    """
    table = table_at(request, table_id, "games:leave")
    of_event = bool(table.origin) and person(request).is_bot
    if table.rated or table.staked or not (table.casual or of_event):
        raise TableRefusal("by_hand_only")


def seen_table(request: HttpRequest, table_id: UUID, page: str) -> selectors.Seen:
    """Return what the person may see of a table: who has no seat may be behind. Raises ``TableRefusal``."""
    table = table_at(request, table_id, page)
    return selectors.seen_by(Table.objects.get(pk=table.pk), person(request).pk)
