"""Chosen postings as CSV: which ones, which columns, row by row in constant memory.

Owners are random ids, and there are no notes: what has left the site cannot be erased.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from ledger.models import Posting
from ledger.selectors import choose_postings
from ledger.services.exporting import Writer
from ledger.services.spreadsheets import csv_text

STRIDE = 5_000
"""Rows that are written at once."""

COLUMNS = {
    "transaction": "transaction_id",
    "n": "n",
    "time": "at",
    "kind": "transaction__kind",
    "state": "transaction__state",
    "source": "transaction__source",
    "key": "transaction__key",
    "resolves": "transaction__resolves_id",
    "reverses": "transaction__reverses_id",
    "asset": "asset__code",
    "scale": "asset__scale",
    "amount": "amount",
    "from": "debit_id",
    "from_kind": "debit__kind",
    "from_ref": "debit__ref",
    "from_owner": "debit__owner",
    "from_balance": "debit_after",
    "to": "credit_id",
    "to_kind": "credit__kind",
    "to_ref": "credit__ref",
    "to_owner": "credit__owner",
    "to_balance": "credit_after",
}
"""Columns of the file and where in the book they are read. Amounts are in the asset's smallest unit, times in UTC."""


@dataclass(frozen=True)
class Wanted:
    """Which postings go into the file; what is empty does not restrict.

    Both days are included; they are days of the site's time zone.
    """

    account: int | None = None
    owner: UUID | None = None
    asset: str = ""
    kind: str = ""
    source_prefix: str = ""
    since: date | None = None
    until: date | None = None
    club: int | None = None

    def as_json(self) -> dict[str, Any]:
        """What was asked for, as a row keeps it: without what is empty."""
        wanted = {name: value for name, value in asdict(self).items() if value not in (None, "")}
        return {name: value if isinstance(value, int) else str(value) for name, value in wanted.items()}

    @classmethod
    def from_json(cls, chosen: dict[str, Any]) -> Wanted:
        """The same again, from a row."""
        readers: dict[str, Callable[[str], Any]] = {
            "owner": UUID,
            "since": date.fromisoformat,
            "until": date.fromisoformat,
        }
        names = {field.name for field in fields(cls)} & chosen.keys()
        return cls(**{n: readers[n](chosen[n]) if n in readers else chosen[n] for n in names})

    def postings(self) -> QuerySet[Posting]:
        """The postings that fit, in the order of the book."""
        return choose_postings(
            account=self.account,
            owner=self.owner,
            asset=self.asset,
            kind=self.kind,
            source_prefix=self.source_prefix,
            club=self.club,
            since=_midnight(self.since),
            until=_midnight(self.until + timedelta(days=1)) if self.until else None,
        )


def expected_rows(wanted: Wanted) -> int:
    """About how many postings fit, by what the database's planner expects."""
    [plan] = json.loads(wanted.postings().order_by().explain(format="json"))
    return int(plan["Plan"]["Plan Rows"])


def write_postings(wanted: Wanted, out: Writer, told: Callable[[int], None]) -> int:
    """Write the postings that fit and return how many; ``told`` hears how many are written on the way.

    Must run inside a transaction."""
    out.write(csv_text([COLUMNS]))
    stretch: list[list[object]] = []
    written = 0
    for posting in wanted.postings().values_list(*COLUMNS.values()).iterator(chunk_size=STRIDE):
        stretch.append([_cell(value) for value in posting])
        if len(stretch) == STRIDE:
            out.write(csv_text(stretch))
            written += len(stretch)
            stretch.clear()
            told(written)
    out.write(csv_text(stretch))
    return written + len(stretch)


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.hex if isinstance(value, UUID) else value


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else timezone.make_aware(datetime.combine(day, time.min))
