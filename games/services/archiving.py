"""Moving the logs of old tables out of the database into files, without a moment at which they are nowhere.

A file is written, synced to the disk and read again before anything is removed, and its rows go in the same
transaction that records it. The database itself compares what the file holds with what it removes
(``games_remove_archived``), and nothing else may remove a row of a log.
"""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from clubs.models import Club
from games import selectors
from games.errors import TableRefusal
from games.models import ArchivedLog, ArchiveFile, Deal, LogEntry, Table
from games.rules.archive import FORMAT
from games.rules.cards import PACK
from games.selectors.archive import (
    YOUNGEST,
    ArchiveUnreadable,
    archive_folder,
    digest_of,
    manifest_of,
    read_member,
)

ARCHIVING_LOCK = 7_305_002
"""Key of the advisory lock of whoever archives: one at a time."""

TABLES_A_FILE = 200
"""So many tables at most go in one transaction; what is left of a month gets a further part."""


@dataclass
class Archived:
    """What one run moved: files, tables, entries of logs, and the bytes of the files."""

    files: int = 0
    tables: int = 0
    entries: int = 0
    size: int = 0


def archive_deals(*, before: dt.datetime, most_files: int | None = None) -> Archived:
    """Move the logs of tables that finished before ``before`` into files, a club's month at a time.

    Raises ``TableRefusal``: ``archive_too_young`` (a table rests for 30 days first), ``archive_busy``. A run
    that is cut off has done what it has done, and the next one goes on. Takes an advisory lock, no table's.
    """
    if before > selectors.clock() - YOUNGEST:
        raise TableRefusal("archive_too_young")
    done = Archived()
    while most_files is None or done.files < most_files:
        with transaction.atomic():
            made = _archive_next(before)
        if made is None:
            break
        done.files += 1
        done.tables += made.tables
        done.entries += made.entries
        done.size += made.size
    return done


def _archive_next(before: dt.datetime) -> ArchiveFile | None:
    """Write the next file and remove its rows; ``None`` when there is nothing to move."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [ARCHIVING_LOCK])
        if not cursor.fetchone()[0]:
            raise TableRefusal("archive_busy")
    tables = _next_tables(before)
    if not tables:
        return None
    club, month = tables[0].club, _month(tables[0])
    file = ArchiveFile(club=club, month=month, part=_next_part(club, month), tables=len(tables))
    logs = _write(file, tables)
    _read_again(file, logs)
    file.save(force_insert=True)
    for log in logs:
        log.file = file
    ArchivedLog.objects.bulk_create(logs)
    _remove_rows(file)
    return file


def _month(table: Table) -> dt.date:
    assert table.finished_at is not None
    return table.finished_at.astimezone(dt.UTC).date().replace(day=1)


def _waiting(before: dt.datetime) -> QuerySet[Table]:
    """Tables whose match is over for long enough, whose deals are all counted, and which have a log here."""
    open_deals = Deal.objects.filter(table=OuterRef("pk")).filter(Q(ended_at__isnull=True) | Q(counted=False))
    log = LogEntry.objects.filter(table=OuterRef("pk"))
    tables = Table.objects.filter(status=Table.Status.FINISHED, finished_at__lt=before, archived__isnull=True)
    return tables.filter(~Exists(open_deals), Exists(log)).order_by("finished_at", "pk")


def _next_tables(before: dt.datetime) -> list[Table]:
    """The tables of the oldest month that waits at some club, at most as many as go into a file."""
    first = _waiting(before).first()
    if first is None:
        return []
    month = _month(first)
    start = dt.datetime.combine(month, dt.time(), dt.UTC)
    end = (start + dt.timedelta(days=32)).replace(day=1)
    same = _waiting(before).filter(club=first.club_id, finished_at__gte=start, finished_at__lt=end)
    return list(same.select_related("club")[:TABLES_A_FILE])


def _next_part(club: Club, month: dt.date) -> int:
    parts = ArchiveFile.objects.filter(club=club, month=month)
    return int(parts.aggregate(last=Max("part"))["last"] or 0) + 1


# The file -----------------------------------------------------------------------------------------------------------


def _write(file: ArchiveFile, tables: list[Table]) -> list[ArchivedLog]:
    """Write the file and its manifest, see both safely on the disk, and return where in it each log stands."""
    place = Path(f"club-{file.club_id}") / f"{file.month:%Y-%m}-{file.part:04}"
    folder = archive_folder() / place.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft, logs = folder / f".{place.name}.unfinished", []
    whole, offset = hashlib.sha256(), 0
    with _private(draft) as out:
        for table in tables:
            lines = _log_lines(table)
            member = gzip.compress(b"\n".join([_header(table), *(line for _v, line in lines), b""]), mtime=0)
            logs.append(_located(table, lines, offset, len(member)))
            whole.update(member)
            out.write(member)
            offset += len(member)
        _sync(out)
    file.size, file.sha256, file.entries = offset, whole.digest(), sum(log.entries for log in logs)
    file.name = str(place.with_name(f"{place.name}-{file.sha256.hex()[:12]}.jsonl.gz"))
    manifest = _manifest(file, tables[0], logs)
    file.manifest_sha256 = hashlib.sha256(manifest).digest()
    described = draft.with_suffix(".manifest")
    with _private(described) as out:
        out.write(manifest)
        _sync(out)
    described.replace(archive_folder() / manifest_of(file.name))
    draft.replace(archive_folder() / file.name)
    for changed in (folder, archive_folder(), archive_folder().parent):
        _sync_folder(changed)
    return logs


def _header(table: Table) -> bytes:
    """Return a table's first line: what a log needs to be played again and proved without the database."""
    deals = list(Deal.objects.filter(table=table).order_by("number"))
    seeds = selectors.seeds_of(table, [deal.number for deal in deals])
    told = {
        "format": FORMAT,
        "table": str(table.pk),
        "club": table.club.slug,
        "game": table.game,
        "options": table.options,
        "commitment": table.commitment,
        "opened": _iso(table.opened_at),
        "finished": _iso(table.finished_at),
        "deals": [_deal(deal, seeds[deal.number]) for deal in deals],
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _deal(deal: Deal, seed: bytes) -> dict[str, Any]:
    kept = ("number", "dealer", "seats", "carried", "deck", "nonces", "outcome")
    facts = {"seed": seed.hex(), "packs": len(deal.deck) // len(PACK)}
    times = {"started": _iso(deal.started_at), "ended": _iso(deal.ended_at)}
    return {name: getattr(deal, name) for name in kept} | facts | times


def _iso(moment: dt.datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(dt.UTC).isoformat()


def _log_lines(table: Table) -> list[tuple[int, bytes]]:
    """Return a table's log as lines with their versions, made by the database: it will compare them with its rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT version, line FROM games_log_lines(%s, %s)", [table.pk, table.version])
        return [(version, line.encode()) for version, line in cursor.fetchall()]


def _located(table: Table, lines: list[tuple[int, bytes]], offset: int, length: int) -> ArchivedLog:
    return ArchivedLog(
        table=table,
        offset=offset,
        length=length,
        entries=len(lines),
        last_version=lines[-1][0],
        sha256=digest_of([line for _version, line in lines]),
        spans=_spans(lines),
    )


def _spans(lines: list[tuple[int, bytes]]) -> list[list[int | None]]:
    """Return [deal or None, first version, last version] of each stretch of a log."""
    spans: list[list[int | None]] = []
    for version, line in lines:
        deal = json.loads(line)["deal"]
        if spans and spans[-1][0] == deal:
            spans[-1][2] = version
        else:
            spans.append([deal, version, version])
    return spans


def _manifest(file: ArchiveFile, table: Table, logs: list[ArchivedLog]) -> bytes:
    told = {
        "format": FORMAT,
        "file": Path(file.name).name,
        "club": table.club.slug,
        "month": f"{file.month:%Y-%m}",
        "bytes": file.size,
        "sha256": file.sha256.hex(),
        "tables": [
            {
                "table": str(log.table_id),
                "offset": log.offset,
                "bytes": log.length,
                "entries": log.entries,
                "last_version": log.last_version,
                "log_sha256": log.sha256.hex(),
            }
            for log in logs
        ],
    }
    return json.dumps(told, indent=1).encode() + b"\n"


def _private(path: Path) -> Any:
    """Open a new file that only the site's user can read, in the place of what a cut-off run left there."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _sync(out: Any) -> None:
    out.flush()
    os.fsync(out.fileno())


def _sync_folder(folder: Path) -> None:
    """See the names in a folder safely on the disk: without them a synced file is lost all the same."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read_again(file: ArchiveFile, logs: list[ArchivedLog]) -> None:
    """Compare what is on the disk with what was to be written; raises ``ArchiveUnreadable``."""
    if faults := selectors.file_faults(file):
        raise ArchiveUnreadable("; ".join(faults))
    for log in logs:
        _header_line, lines = read_member(archive_folder() / file.name, log.offset, log.length)
        if digest_of(lines) != log.sha256 or len(lines) != log.entries:
            raise ArchiveUnreadable(f"{file.name}: the log of {log.table_id} is not what was written")


def _remove_rows(file: ArchiveFile) -> None:
    """Let the database remove the rows of a file, after it has compared them with the digests recorded."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT games_remove_archived(%s)", [file.pk])
