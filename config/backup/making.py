"""Making a backup while people play: the database of one moment, and the files that must go with it."""

from __future__ import annotations

import datetime as dt
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

from config.backup.archive import Writer, writing
from config.backup.postgres_programs import environment, find
from config.roles import as_owner
from config.trouble import Trouble

DUMP, HEADS, SECRET = "database.dump", "heads.jsonl", "secret_key"

COUNTED = {
    "members": "SELECT count(*) FROM clubs_user",
    "open_tables": "SELECT count(*) FROM games_table WHERE status <> 'finished'",
    "log_entries": "SELECT count(*) FROM games_logentry",
    "transactions": "SELECT count(*) FROM ledger_transaction",
    "last_seal": "SELECT coalesce(max(seq), 0) FROM ledger_seal",
}
"""What the manifest says of the database's moment; after a restore the same is counted again."""


def make_backup(path: Path, *, passphrase: str = "") -> dict[str, Any]:
    """Write a backup to `path` and return its manifest. Raises Trouble.

    The heads are copied before the database's moment: every published head then has its seal in the dump. A seal
    that was made in between is published again when the backup is restored. Exports and archives are copied after it:
    whatever the dump lists is there.
    """
    if path.exists():
        raise Trouble(f"{path} exists already: choose another name, or remove it.")
    if not path.absolute().parent.is_dir():
        raise Trouble(f"There is no folder {path.absolute().parent}: make it, or choose another one.")
    with as_owner() as owner, writing(path, passphrase) as archive:
        _add_file(archive, HEADS, Path(settings.LEDGER_HEADS_FILE))
        with _one_moment(owner) as moment:
            facts = _facts(owner)
            _add_dump(archive, owner, moment)
        _add_folder(archive, "keys", Path(settings.LEDGER_KEY_DIR))
        _add_folder(archive, "exports", Path(settings.LEDGER_EXPORT_DIR))
        _add_folder(archive, "archive", Path(settings.ARCHIVE_DIR))
        _add_file(archive, SECRET, Path(settings.VAR_DIR) / SECRET)
        return archive.finish(facts)


@contextmanager
def _one_moment(owner: BaseDatabaseWrapper) -> Iterator[str]:
    """Keep one moment of the database open; gives the name under which others can look at it too."""
    with owner.cursor() as cursor:
        cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            cursor.execute("SELECT pg_export_snapshot()")
            yield cursor.fetchone()[0]
        finally:
            cursor.execute("ROLLBACK")


def _facts(owner: BaseDatabaseWrapper) -> dict[str, Any]:
    applied = sorted(f"{app}.{name}" for app, name in MigrationRecorder(owner).applied_migrations())
    return {
        "made_at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "postgresql": _version(owner),
        "site_role": settings.SITE_DB_ROLE,
        "migrations": applied,
        "counted": counted(owner),
        "signing_key_in_environment": bool(settings.LEDGER_SIGNING_KEY),
    }


def counted(owner: BaseDatabaseWrapper) -> dict[str, int]:
    """Count what `COUNTED` names."""
    found = {}
    with owner.cursor() as cursor:
        for name, statement in COUNTED.items():
            cursor.execute(statement)
            found[name] = int(cursor.fetchone()[0])
    return found


def _version(owner: BaseDatabaseWrapper) -> int:
    owner.ensure_connection()
    return int(owner.connection.info.server_version) // 10_000


def _add_dump(archive: Writer, owner: BaseDatabaseWrapper, moment: str) -> None:
    program = find("pg_dump", _version(owner))
    command = [str(program), "--format=custom", "--schema=public", "--no-owner", f"--snapshot={moment}"]
    with subprocess.Popen(
        command, env=environment(owner), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as dumping:
        assert dumping.stdout is not None and dumping.stderr is not None
        archive.add(DUMP, dumping.stdout)
        said = dumping.stderr.read().decode(errors="replace").strip()
    if dumping.returncode:
        raise Trouble(f"pg_dump gave up: {said or dumping.returncode}.")


def _add_folder(archive: Writer, name: str, folder: Path) -> None:
    """Keep every file of `folder`; one whose name begins with a dot is being written."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(".") for part in inside.parts):
            _add_file(archive, f"{name}/{inside}", path)


def _add_file(archive: Writer, name: str, path: Path) -> None:
    if path.is_file():
        with path.open("rb") as source:
            archive.add(name, source)
