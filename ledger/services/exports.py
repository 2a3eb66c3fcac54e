"""Exports: parts of the book as files, made in the background and recorded with their SHA-256.

A request is a row that never changes (``Export``), and so is what came of it
(``ExportResult``). How far a running export is stands in the cache only. A file
is read from one snapshot of the book.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from ledger.errors import BadExport, ExportGone
from ledger.models import Export, ExportResult, Seal, Transaction
from ledger.services.drafts import Draft, sha256_of
from ledger.services.exported_postings import Wanted, expected_rows, write_postings
from ledger.services.exporting import export_beancount
from ledger.services.leaves import snapshot
from ledger.services.posting import LARGEST_ID, stored_bytes

LOCK = 7302
"""First half of the advisory lock by which one worker at a time makes an export; the second is its number."""

SIGN_SECONDS = 120
"""How long a sign of life counts: an export without one is waiting, or its worker died."""


@dataclass(frozen=True)
class Progress:
    """How far an export is: rows written, and about how many there will be (0: unknown)."""

    rows: int
    expected: int
    running: bool

    @property
    def percent(self) -> int:
        """Hundredths of the work that are done, at most 99: an export that is done has a result."""
        return min(99, 100 * self.rows // self.expected) if self.expected else 0


def request_export(*, format: str, wanted: Wanted, by: UUID) -> Export:
    """Write down what a person wants to take out of the book; ``run_export`` makes it.

    Raises ``BadExport`` for a format that there is not, days in the wrong order, or
    texts and numbers that the book cannot have.
    """
    texts = (wanted.asset, wanted.kind, wanted.source_prefix)
    if (
        format not in Export.Format.values
        or (wanted.since and wanted.until and wanted.since > wanted.until)
        or any(text and not stored_bytes(text) for text in texts)
        or not (wanted.account is None or 0 < wanted.account <= LARGEST_ID)
    ):
        raise BadExport()
    return Export.objects.create(format=format, chosen=wanted.as_json(), requested_by=by)


def run_export(*, export: int) -> ExportResult | None:
    """Make the file of an export and write down what came of it.

    Returns None when there is nothing to do: it has a result, somebody else is at
    it, or there is no such export. A file that cannot be written is a result; so is
    any other error, which is raised as well.
    """
    found = Export.objects.filter(pk=export, result__isnull=True).first()
    if found is None:
        return None
    record = partial(_record, found, started_at=timezone.now())
    try:
        made = _make(found)
    except OSError as error:
        return record(error=f"The file cannot be written: {error.strerror}")
    except Exception as error:
        record(error=f"{type(error).__name__}: {error}"[:500])
        raise
    finally:
        cache.delete(_sign(found.pk))
    return record(**made) if made else None


def progress_of(export: Export) -> Progress:
    """How far an export without a result is."""
    sign = cache.get(_sign(export.pk))
    rows, expected = sign or (0, 0)
    return Progress(rows, expected, running=sign is not None)


def export_folder() -> Path:
    """Where the files are."""
    return Path(settings.LEDGER_EXPORT_DIR)


def recorded_file(result: ExportResult) -> Path:
    """The file of an export, once it was found to be the one that was recorded.

    Raises ``ExportGone`` when it is not there or was changed."""
    path = export_folder() / result.file
    if not result.file or not path.is_file() or sha256_of(path) != bytes(result.sha256 or b""):
        raise ExportGone(export=result.pk)
    return path


def _make(export: Export) -> dict[str, Any] | None:
    """Write the file; None when somebody else is at it."""
    folder = export_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with snapshot():
        if not _sole_worker(export.pk):
            return None
        with Draft(folder, f"export-{export.pk}") as draft:
            rows = _write(export, draft)
            draft.keep(export.format)
        latest = Transaction.objects.order_by("-id").values_list("id", flat=True).first()
        seal = Seal.objects.order_by("-seq").values_list("seq", flat=True).first()
    written = {"rows": rows, "size": draft.size, "sha256": draft.digest, "file": draft.name}
    return written | {"last_transaction": latest, "last_seal": seal}


def _write(export: Export, draft: Draft) -> int:
    wanted = Wanted.from_json(export.chosen)
    if export.format == Export.Format.BEANCOUNT:
        told = partial(_tell, export.pk, _about_transactions())
        return export_beancount(draft, until=wanted.until, told=told)
    told = partial(_tell, export.pk, expected_rows(wanted))
    return write_postings(wanted, draft, told)


def _record(export: Export, **came_of_it: Any) -> ExportResult | None:
    """Write down the result; when another worker was quicker, this one's file is thrown away."""
    try:
        with transaction.atomic():
            return ExportResult.objects.create(export=export, **came_of_it)
    except IntegrityError:
        first = ExportResult.objects.get(export=export)
        if came_of_it.get("file") not in (None, first.file):
            with suppress(OSError):
                (export_folder() / came_of_it["file"]).unlink()
        return None


def _sole_worker(export: int) -> bool:
    """Whether nobody else makes this export; keeps others out to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [LOCK, export % 2**31])
        return bool(cursor.fetchone()[0])


def _about_transactions() -> int:
    """About how many transactions the book has, without counting them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples::bigint FROM pg_class WHERE oid = 'ledger_transaction'::regclass")
        return max(0, int(cursor.fetchone()[0]))


def _tell(export: int, expected: int, rows: int) -> None:
    cache.set(_sign(export), (rows, expected), SIGN_SECONDS)


def _sign(export: int) -> str:
    return f"ledger:export:{export}"
