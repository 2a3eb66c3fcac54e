"""Where the causes of transactions are to be seen: the ledger asks for the pages of many log entries at once."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from games import stakes
from games.models import LogEntry


def causes_of(sources: Sequence[str]) -> dict[str, stakes.CauseLink]:
    """Return the pages that show the log entries which transactions name as their causes (``stakes.source_of``).

    One query. Sources that name no entry are left out.
    """
    wanted = {place: source for source in sources if (place := _place(source)) is not None}
    entries = LogEntry.objects.select_related("table", "deal").filter(
        table_id__in={table for table, _version in wanted},
        version__in={version for _table, version in wanted},
    )
    found = {(entry.table_id, entry.version): entry for entry in entries}
    return {source: _link(found[place]) for place, source in wanted.items() if place in found}


def _place(source: str) -> tuple[UUID, int] | None:
    """The table and version that a source names."""
    parts = source.split("/")
    try:
        return UUID(parts[1]), int(parts[3])
    except (IndexError, ValueError):
        return None


def _link(entry: LogEntry) -> stakes.CauseLink:
    if entry.deal is None:
        return stakes.CauseLink(reverse("games:table", args=[entry.table_id]), entry.table.title)
    label = _("%(game)s, deal %(deal)d") % {"game": entry.table.title, "deal": entry.deal.number}
    page = reverse("games:deal", args=[entry.table_id, entry.deal.number])
    return stakes.CauseLink(f"{page}?v={entry.version}", label)
