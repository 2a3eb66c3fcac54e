"""Everything needed to render a table for any of its viewers: as it is, and as those with a delay may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from games import selectors
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table
from games.selectors import statements

NEVER = 2**62
"""A version that no table reaches: nothing of the log is read."""


class TableSnapshot:
    """A table with its seats and the state of its latest deal, read once.

    ``delay`` is how many seconds ago it looked like this, ``wait`` in how many
    seconds there is something newer to see (``None``: nothing is known of). ``common``
    keeps what its views have in common, by language.
    """

    delay = 0
    wait: float | None = None
    since: int | None = None
    log: Sequence[LogEntry] = ()

    def __init__(self, table_id: UUID, *, since: int | None = None) -> None:
        """Read the table as it is and its log after ``since``; raises ``TableRefusal("no_such_table")``."""
        rows, seats, entries = statements.run(
            statements.table_row(table_id),
            statements.seats_of(table_id),
            statements.entries_since(table_id, NEVER if since is None else since),
        )
        if not rows:
            raise TableRefusal("no_such_table")
        table, _now = statements.made_table(rows[0])
        self.table: Table = table
        self.seats: list[Seat] = statements.made_seats(seats, table)
        self.since = since
        self.common: dict[str, Any] = {}
        self.log = [statements.ENTRY.make(row) for row in entries]
        running = selectors.running(table)
        self.state: Any = running.state if running is not None else None

    @property
    def version(self) -> int:
        """The version that this snapshot shows."""
        return self.table.version

    def log_since(self, version: int) -> list[LogEntry]:
        """Return the entries of the log that led from ``version`` to what this snapshot shows."""
        known = self.log if self.since is not None and self.since <= version else None
        entries = [entry for entry in known or () if version < entry.version <= self.version]
        if version < self.version and (not entries or entries[0].version > version + 1):
            entries = selectors.log_since(self.table.id, version)
        return [entry for entry in entries if version < entry.version <= self.version]

    @property
    def delays_watchers(self) -> bool:
        """Whether those without a seat see the table as it was a while ago.

        Until the first deal there is nothing to hide, and whoever wants a seat must see who sits there.
        """
        return self.table.watch_delay > 0 and self.table.deal_number > 0

    def for_watchers(self) -> TableSnapshot:
        """Return the table as those without a seat may see it now."""
        return _PastSnapshot(self.table) if self.delays_watchers else self


class _PastSnapshot(TableSnapshot):
    """A table as it was ``table.watch_delay`` seconds ago."""

    def __init__(self, table: Table) -> None:
        self.delay = table.watch_delay
        self.common = {}
        self.table, self.seats, self.state, self.wait = selectors.past_of(table)

    def for_watchers(self) -> TableSnapshot:
        return self
