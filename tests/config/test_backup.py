"""Backup and restore as commands: what they keep, what they refuse, and that a refusal leaves everything as it was."""

from __future__ import annotations

import shutil
from io import BytesIO, StringIO
from pathlib import Path

import psycopg
import pytest
import redis
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection

from clubs.models import User
from config import pulse
from config.backup import archive, postgres_programs, restoring
from config.backup.making import counted
from config.trouble import Trouble
from games.models import ArchiveFile, LogEntry
from games.selectors.archive import _parsed, manifest_of, whole_log
from ledger.services.sealing import seal_pending
from tests.games.archives import archived_table
from tests.ledger.books import settle, small_book

pytestmark = pytest.mark.committed


@pytest.fixture
def place(committed_database, settings, tmp_path: Path) -> Path:
    """A site with a book, seals, an export and keys, everything of it in one folder."""
    settings.VAR_DIR = tmp_path
    settings.LEDGER_KEY_DIR, settings.LEDGER_HEADS_FILE = tmp_path / "keys", tmp_path / "heads.jsonl"
    settings.LEDGER_EXPORT_DIR = tmp_path / "exports"
    settings.ARCHIVE_DIR = tmp_path / "archive"
    settings.DATABASE_OWNER_URL = settings.DATABASE_URL
    small_book()
    settle()
    assert seal_pending()
    (tmp_path / "exports" / "1").mkdir(parents=True)
    (tmp_path / "exports" / "1" / "book.csv").write_text("an export")
    (tmp_path / "exports" / ".draft").write_text("being written")
    (tmp_path / "secret_key").write_text("of the site\n")
    return tmp_path


def backup(place: Path, **options: object) -> tuple[Path, str]:
    out = StringIO()
    call_command("backup", place / "club.backup", stdout=out, **options)
    return place / "club.backup", out.getvalue()


def restore(path: Path, **options: object) -> str:
    out = StringIO()
    call_command("restore", path, stdout=out, **options)
    return out.getvalue()


def test_a_backup_keeps_one_moment_of_the_database_and_all_files_but_drafts(place):
    archived_table()
    name = ArchiveFile.objects.get().name
    path, said = backup(place)
    manifest = archive.unpack(path, "", place / "out")
    assert set(manifest["kept"]) == {
        "database.dump",
        "heads.jsonl",
        "keys/signing_key",
        "keys/public_keys.jsonl",
        "exports/1/book.csv",
        "secret_key",
        f"archive/tables/{name}",
        f"archive/tables/{manifest_of(name)}",
    }
    assert manifest["counted"] == counted(connection) and manifest["counted"]["transactions"] > 0
    assert "ledger.0007_exports" in manifest["migrations"]
    assert "holds the site's keys, unsealed" in said


def test_a_site_is_given_up_for_a_backup_only_when_somebody_says_so_and_then_is_what_it_was(place):
    table = archived_table()
    log = [entry.version for entry in whole_log(table.pk)]
    path, _said = backup(place)
    before = counted(connection)
    shutil.rmtree(place / "archive")
    User.objects.create_user(username="late", password="a good long password")
    (place / "keys" / "signing_key").unlink()
    with pytest.raises(CommandError, match=r"people or chips of its own. With --replace"):
        restore(path)
    assert User.objects.filter(username="late").exists() and not (place / "keys" / "signing_key").exists()
    said = restore(path, replace=True)
    assert "The ledger is in order." in said
    assert counted(connection) == before
    _parsed.cache_clear()
    assert [entry.version for entry in whole_log(table.pk)] == log != []
    assert not LogEntry.objects.filter(table=table).exists()
    assert (place / "keys" / "signing_key").stat().st_mode & 0o077 == 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT has_table_privilege(%s, 'ledger_posting', 'UPDATE')", [django_settings.SITE_DB_ROLE]
        )
        assert cursor.fetchone() == (False,)
        cursor.execute(
            "SELECT has_table_privilege(%s, 'games_table', 'UPDATE')", [django_settings.SITE_DB_ROLE]
        )
        assert cursor.fetchone() == (True,)


def test_heads_that_were_published_after_the_backup_are_not_forgotten(place):
    path, _said = backup(place)
    small = (place / "heads.jsonl").read_bytes()
    later = small + small.splitlines(keepends=True)[-1].replace(b'"seq": "1"', b'"seq": "2"')
    (place / "heads.jsonl").write_bytes(later)
    said = restore(path, replace=True)
    assert "a new epoch of seals was opened" in said
    assert (place / "heads.jsonl").read_bytes().startswith(later)


def test_a_sealed_backup_needs_its_passphrase(place):
    passphrase = place / "passphrase"
    passphrase.write_text("a good long passphrase\n")
    path, said = backup(place, passphrase_file=passphrase)
    assert "unsealed" not in said and b"PGDMP" not in path.read_bytes()
    (place / "short").write_text("short")
    for given in (place / "nowhere", place / "short", None):
        with pytest.raises(CommandError, match="passphrase"):
            restore(path, passphrase_file=given, replace=True)
    assert "The ledger is in order." in restore(path, passphrase_file=passphrase, replace=True)


def test_a_backup_never_overwrites_another_one(place):
    backup(place)
    with pytest.raises(CommandError, match="exists already"):
        backup(place)
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("backup", place / "nowhere" / "club.backup")


def test_a_site_that_runs_is_not_restored_into(place):
    path, _said = backup(place)
    with redis.Redis.from_url(django_settings.REDIS_URL) as line:
        pulse.beat(line, "clock")
        try:
            with pytest.raises(CommandError, match=r"The site is running \(clock@"):
                restore(path, replace=True)
        finally:
            for key in line.scan_iter("pulse:*"):
                line.delete(key)


def test_a_server_without_the_sites_role_is_named_before_anything_is_touched(place, monkeypatch):
    path, _said = backup(place)
    monkeypatch.setattr(restoring, "role_exists", lambda connection, role: False)
    with pytest.raises(CommandError, match="has no role"):
        restore(path, replace=True)
    assert counted(connection)["transactions"] > 0


def test_a_damaged_dump_ends_in_one_line(place, settings):
    path, _said = backup(place)
    facts = archive.unpack(path, "", place / "out")
    with archive.writing(place / "bad", "") as out:
        out.add("database.dump", BytesIO(b"no dump"))
        out.finish({key: value for key, value in facts.items() if key not in ("kept", "format")})
    with pytest.raises(CommandError, match=r"^pg_restore gave up: .*archive"):
        restore(place / "bad", replace=True)


def test_programs_of_the_servers_version_are_taken_or_the_next_newer_ones():
    assert postgres_programs.find("pg_dump", 1).name == "pg_dump"
    with pytest.raises(Trouble, match="There is no pg_dump for PostgreSQL 99 here"):
        postgres_programs.find("pg_dump", 99)


def test_a_dump_that_fails_leaves_no_file(place, monkeypatch):
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "sslmode", "require")
    with pytest.raises((CommandError, psycopg.OperationalError)):
        backup(place)
    assert not (place / "club.backup").exists() and not list(place.glob(".club*"))
