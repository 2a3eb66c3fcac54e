"""Logs that were moved out of the database: read from their files when somebody asks for them."""

from __future__ import annotations

import datetime as dt
import functools
import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from games.models import ArchivedLog, ArchiveFile, Deal, LogEntry

YOUNGEST = dt.timedelta(days=30)
"""Tables that finished later than so long ago are in no archive; the database's own function holds to it too."""


class ArchiveUnreadable(Exception):
    """A file of an archive is not there, or not what was recorded. The doctor names it too."""


def archive_folder() -> Path:
    """Return the folder below which the files of ``ArchiveFile`` are."""
    return Path(settings.ARCHIVE_DIR) / "tables"


def archived_logs(table_ids: Collection[UUID]) -> dict[UUID, list[LogEntry]]:
    """Return the archived part of the logs of those tables that have one, oldest first. Two queries at most.

    The entries are not to be saved; they have no id. Raises ``ArchiveUnreadable``.
    """
    found = list(ArchivedLog.objects.filter(table__in=table_ids).select_related("file")) if table_ids else []
    if not found:
        return {}
    deals: dict[UUID, dict[int, int]] = defaultdict(dict)
    numbers = Deal.objects.filter(table__in=[log.table_id for log in found])
    for table_id, number, pk in numbers.values_list("table_id", "number", "pk"):
        deals[table_id][number] = pk
    return {log.table_id: _entries(log, deals[log.table_id]) for log in found}


def archived_log(table_id: UUID) -> list[LogEntry]:
    """Return the archived part of a table's log, nothing when it has none."""
    return archived_logs([table_id]).get(table_id, [])


def archived_entries(deals: Iterable[Deal]) -> list[LogEntry]:
    """Return the entries of those of ``deals`` whose logs are archived, by table and version.

    No query at all while no deal is old enough. Ask the database for its rows first: what it has lost meanwhile
    is in the archive by then.
    """
    oldest = timezone.now() - YOUNGEST
    wanted = {
        deal.pk: deal.table_id for deal in deals if deal.ended_at is not None and deal.ended_at < oldest
    }
    logs = archived_logs(set(wanted.values()))
    return [entry for log in logs.values() for entry in log if entry.deal_id in wanted]


def whole_log(table_id: UUID) -> list[LogEntry]:
    """Return everything in a table's log, oldest first, wherever it is kept."""
    rows = list(LogEntry.objects.filter(table_id=table_id).order_by("version"))
    return rows if rows and rows[0].version == 1 else archived_log(table_id) + rows


def archived_deals(places: Collection[tuple[UUID, int]]) -> dict[tuple[UUID, int], int | None]:
    """Return the numbers of the deals to which archived versions belong (``None``: to none), without opening a file."""
    if not places:
        return {}
    logs = ArchivedLog.objects.filter(table__in={table for table, _version in places})
    spans: dict[UUID, list[list[int | None]]] = {log.table_id: log.spans for log in logs}
    found: dict[tuple[UUID, int], int | None] = {}
    for table, version in places:
        for deal, first, last in spans.get(table, []):
            if (first or 0) <= version <= (last or 0):
                found[table, version] = deal
    return found


def file_faults(file: ArchiveFile) -> list[str]:
    """Return what is wrong with a file and its manifest, one sentence each: the whole file is read."""
    found = []
    for name, digest in ((file.name, file.sha256), (manifest_of(file.name), file.manifest_sha256)):
        try:
            content = (archive_folder() / name).read_bytes()
        except OSError as error:
            found.append(f"{name} cannot be read: {error.strerror}")
            continue
        if hashlib.sha256(content).digest() != bytes(digest):
            found.append(f"{name} is not the file that was recorded")
    return found


def manifest_of(name: str) -> str:
    """Return the name of the manifest that belongs to a file."""
    return name.removesuffix(".jsonl.gz") + ".manifest.json"


def read_member(path: Path, offset: int, length: int) -> tuple[bytes, list[bytes]]:
    """Return a table's first line and the lines of its log; raises ``ArchiveUnreadable``."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            header, *lines = gzip.decompress(file.read(length)).split(b"\n")
    except (OSError, EOFError) as error:
        raise ArchiveUnreadable(f"{path.name}: {error}") from error
    return header, lines[:-1]


def digest_of(lines: Sequence[bytes]) -> bytes:
    """Return what ``ArchivedLog.sha256`` is for the lines of a log; the database works it out in the same way."""
    return hashlib.sha256(b"\n".join(lines)).digest()


def _entries(log: ArchivedLog, deals: Mapping[int, int]) -> list[LogEntry]:
    path = archive_folder() / log.file.name
    lines = _parsed(path, log.offset, log.length, bytes(log.sha256))
    return [_entry(log.table_id, line, deals) for line in lines]


@functools.lru_cache(maxsize=8)
def _parsed(path: Path, offset: int, length: int, sha256: bytes) -> tuple[Mapping[str, Any], ...]:
    """A replay asks for the same log several times; a file never changes, so what was read of it stays true."""
    _header, lines = read_member(path, offset, length)
    if digest_of(lines) != sha256:
        raise ArchiveUnreadable(f"{path.name} at byte {offset} is not the log that was recorded")
    return tuple(json.loads(line) for line in lines)


def _entry(table_id: UUID, line: Mapping[str, Any], deals: Mapping[int, int]) -> LogEntry:
    number = line["deal"]
    return LogEntry(
        table_id=table_id,
        version=line["version"],
        deal_id=None if number is None else deals[number],
        ply=line["ply"],
        seat=line["seat"],
        move=line["move"],
        by=line["by"],
        command_id=UUID(line["command"]) if line["command"] else None,
        events=line["events"],
        at=dt.datetime.fromisoformat(line["at"]),
    )
