"""Where the causes of transactions are to be seen: the ledger asks for the pages of many log entries at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from games import stakes
from games.models import LogEntry, Table
from games.selectors.archive import archived_deals


def causes_of(sources: Sequence[str]) -> dict[str, stakes.CauseLink]:
    """Return the pages that show the log entries which transactions name as their causes (``stakes.source_of``).

    One query, and two more for what is archived. Sources that name no entry are left out.
    """
    wanted = {place: source for source in sources if (place := _place(source)) is not None}
    entries = LogEntry.objects.select_related("table", "deal").filter(
        table_id__in={table for table, _version in wanted},
        version__in={version for _table, version in wanted},
    )
    found = {(entry.table_id, entry.version): entry for entry in entries}
    links = {source: _link(found[place]) for place, source in wanted.items() if place in found}
    return links | _archived_links({p: source for p, source in wanted.items() if p not in found})


def _place(source: str) -> tuple[UUID, int] | None:
    """The table and version that a source names."""
    parts = source.split("/")
    try:
        return UUID(parts[1]), int(parts[3])
    except (IndexError, ValueError):
        return None


def _archived_links(wanted: Mapping[tuple[UUID, int], str]) -> dict[str, stakes.CauseLink]:
    deals = archived_deals(wanted)
    tables = Table.objects.in_bulk({table for table, _version in deals}) if deals else {}
    return {wanted[place]: _page(tables[place[0]], deal, place[1]) for place, deal in deals.items()}


def _link(entry: LogEntry) -> stakes.CauseLink:
    return _page(entry.table, None if entry.deal is None else entry.deal.number, entry.version)


def _page(table: Table, deal: int | None, version: int) -> stakes.CauseLink:
    if deal is None:
        return stakes.CauseLink(reverse("games:table", args=[table.pk]), table.title)
    label = _("%(game)s, deal %(deal)d") % {"game": table.title, "deal": deal}
    page = reverse("games:deal", args=[table.pk, deal])
    return stakes.CauseLink(f"{page}?v={version}", label)
