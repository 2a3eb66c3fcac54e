"""The doctor, check by check: each part of the site is made to go wrong for real, and the finding is seen."""

from __future__ import annotations

import datetime as dt
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
import redis
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from config import doctor, health, pulse, static_gathering
from config.doctor import FAILURE, WARNING, files, running
from config.doctor.archives import archives
from config.embedded import database_url
from games.models import ArchiveFile, SweepMark
from games.selectors.archive import manifest_of
from ledger.models import ClosedYear, Verification
from tests.games.archives import archived_table
from tests.ledger.books import small_book

NAMES = ("web", "beat", *django_settings.WORKER_QUEUES)
LONGEST_TEST = 600
"""Seconds that a test may take on a busy machine: what was a moment ago when it began is not yet old."""


@pytest.fixture
def line() -> Iterator[redis.Redis]:
    with redis.Redis.from_url(django_settings.REDIS_URL) as client:
        yield client


@pytest.fixture
def alive(line: redis.Redis) -> Iterator[None]:
    """Every process with a pulse and every worker with a heartbeat, as on a site that runs, however long a test takes."""
    for name in NAMES:
        pulse.beat(line, name)
    for key in line.scan_iter("pulse:*"):
        line.persist(key)
    for queue in django_settings.WORKER_QUEUES:
        line.set(f"health:worker:{queue}", time.time() + LONGEST_TEST)
    yield
    health.forget()
    for key in line.scan_iter("pulse:*"):
        line.delete(key)


@pytest.fixture
def well(db, alive, settings, tmp_path) -> None:
    """A site in order: its files in a folder of its own, a sweep a moment ago."""
    described = connection.settings_dict
    names = {key.lower(): described[key.upper()] for key in ("user", "password", "host", "port", "name")}
    settings.DATABASE_URL = settings.DATABASE_OWNER_URL = database_url(**names)
    settings.VAR_DIR = tmp_path
    settings.LEDGER_KEY_DIR, settings.LEDGER_HEADS_FILE = tmp_path / "keys", tmp_path / "heads.jsonl"
    settings.LEDGER_EXPORT_DIR = tmp_path / "exports"
    settings.ARCHIVE_DIR = tmp_path / "archive"
    at = timezone.now() + dt.timedelta(seconds=LONGEST_TEST)
    SweepMark.objects.update_or_create(pk=1, defaults={"at": at})


@pytest.fixture
def gathered(well, settings, tmp_path) -> None:
    """Static files gathered under names that carry their hash, as on a site that runs."""
    settings.STATIC_ROOT = tmp_path / "static"
    backend = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}
    static_gathering.gather()


def codes(*only: str, level: str | None = None) -> list[str]:
    found = doctor.examine(only).findings
    return [
        f.code
        for name in found
        for f in found[name]
        if level in (None, f.level) and (not only or name in only)
    ]


def test_a_site_in_order_has_nothing_to_be_put_right(gathered, site_role):
    with site_role():
        report = doctor.examine()
    assert [f for found in report.findings.values() for f in found if f.level == FAILURE] == []
    assert report.left_out == [] and not report.failed


def test_every_finding_says_what_is_wrong_and_what_to_do(well, settings):
    settings.SECRET_KEY, settings.ALLOWED_HOSTS, settings.DEBUG = "short", ["*"], True
    for found in doctor.examine().findings.values():
        for each in found:
            assert (
                each.says.endswith(".") and each.do.rstrip("`").endswith((".", ")")) and each.code.isascii()
            )


# --- Settings -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("check", "code", "changes"),
    [
        ("secret_key", "secret_key_weak", {"SECRET_KEY": "short"}),
        ("secret_key", "secret_key_weak", {"SECRET_KEY": "a" * 60}),
        ("secret_key", "secret_key_weak", {"SECRET_KEY": "django-insecure-" + "abcdefghijklmnop" * 4}),
        ("debug", "debug_on", {"DEBUG": True}),
        ("hosts", "any_host", {"ALLOWED_HOSTS": ["*"]}),
        ("hosts", "no_hosts", {"ALLOWED_HOSTS": []}),
        ("tls", "no_tls", {"ALLOWED_HOSTS": ["localhost", "club.example"]}),
        ("tls", "tls_without_name", {"BEHIND_TLS": True, "ALLOWED_HOSTS": ["localhost"]}),
        ("django", "check_security.W019", {"X_FRAME_OPTIONS": "SAMEORIGIN"}),
        ("mail", "mail_by_hand", {"MAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend"}),
        (
            "mail",
            "mail_away",
            {
                "MAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
                "EMAIL_HOST": "127.0.0.1",
                "EMAIL_PORT": 1,
            },
        ),
        (
            "mail_links",
            "mail_links_here",
            {
                "MAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
                "SITE_URL": "http://club.example",
            },
        ),
        ("redis", "redis_away", {"REDIS_URL": "redis://127.0.0.1:1/0"}),
        ("redis", "redis_away", {"LAYER_URL": "redis://127.0.0.1:1/0"}),
        ("database", "database_away", {"DATABASE_URL": "postgres://site:secret@127.0.0.1:1/club"}),
    ],
)
def test_a_setting_without_sense_is_named(well, settings, check, code, changes):
    for name, value in changes.items():
        setattr(settings, name, value)
    assert codes(check) == [code]


def test_a_mail_server_that_answers_is_well(db, settings):
    def answer(server: socket.socket) -> None:
        line, _address = server.accept()
        with line, line.makefile("rb") as said:
            line.sendall(b"220 mail.example\r\n")
            for command in said:
                line.sendall(b"221 bye\r\n" if command.startswith(b"QUIT") else b"250 mail.example\r\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        threading.Thread(target=answer, args=(server,), daemon=True).start()
        assert codes("mail") == []


def test_what_needs_an_engine_that_does_not_answer_is_left_out(well, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    report = doctor.examine()
    assert {"beat", "workers", "redis_policy", "clocks"} <= set(report.left_out)
    assert "guards" in report.findings


# --- The database -------------------------------------------------------------------------------------------------
def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    ("check", "code", "statement"),
    [
        ("guards", "guard_missing", "ALTER TABLE ledger_posting DISABLE TRIGGER append_only"),
        # An ordinary trigger is switched off by `session_replication_role = replica`.
        ("guards", "guard_missing", "ALTER TABLE ledger_posting ENABLE TRIGGER append_only"),
        ("guards", "guard_missing", "DROP TRIGGER never_emptied ON ledger_seal"),
        ("guards", "role_may_change_book", "GRANT UPDATE ON ledger_transaction TO {role}"),
        ("log_guards", "log_guard_down", "ALTER TABLE games_logentry DISABLE TRIGGER only_archived"),
        ("log_guards", "log_guard_down", "ALTER TABLE games_logentry ENABLE TRIGGER only_archived"),
        ("log_guards", "log_guard_down", "DROP TRIGGER never_emptied ON games_logentry"),
        ("log_guards", "role_may_change_logs", "GRANT DELETE ON games_logentry TO {role}"),
        ("migrations", "migrations_pending", "DELETE FROM django_migrations WHERE app = 'ledger'"),
        ("role", "role_may_change_book", "GRANT DELETE ON ledger_leaf TO {role}"),
        ("role", "role_may_change_book", "GRANT TRUNCATE ON ledger_posting TO {role}"),
        (
            "role",
            "role_too_mighty",
            "GRANT CREATE ON SCHEMA public TO {role}; CREATE TABLE taken (); ALTER TABLE taken OWNER TO {role}",
        ),
    ],
)
def test_a_database_that_is_not_as_it_should_be(well, settings, site_role, check, code, statement):
    settings.DATABASE_OWNER_URL = "postgres://somebody-else@/club"
    run(statement.format(role=settings.SITE_DB_ROLE))
    with site_role():
        assert codes(check) == [code]


def test_one_role_for_everything_is_a_warning(well):
    assert codes("role", level=WARNING) == ["one_role"]


def test_without_this_versions_tables_they_are_not_read(well):
    run("DELETE FROM django_migrations WHERE app = 'ledger'")
    assert {"guards", "sweep", "seals", "verification"} <= set(doctor.examine().left_out)


@pytest.mark.parametrize("change", [{"at": timezone.now() - dt.timedelta(minutes=1)}, None])
def test_a_sweep_that_is_late_or_never_was(well, change):
    SweepMark.objects.all().delete() if change is None else SweepMark.objects.update(**change)
    assert codes("sweep") == ["sweep_late"]


def test_transactions_that_nobody_seals(well, monkeypatch):
    small_book()
    assert codes("seals") == []
    monkeypatch.setattr(running, "SEAL_SECONDS", 0)
    assert codes("seals") == ["seal_late"]


@pytest.mark.parametrize(
    ("passed", "hours", "code"), [(False, 0, "ledger_faulty"), (True, 5, "verification_old"), (True, 1, None)]
)
def test_a_book_that_is_not_in_order_or_was_not_looked_at(well, passed, hours, code):
    started = timezone.now() - dt.timedelta(hours=hours)
    Verification.objects.create(
        scope="full",
        started_at=started,
        transactions=1,
        passed=passed,
        code="" if passed else "leaf_mismatch",
    )
    assert codes("verification") == ([code] if code else [])


# --- Redis and what must be running -------------------------------------------------------------------------------
def test_redis_that_throws_tasks_away_or_is_nearly_full(well, settings, engines):
    """On a server of its own: what it is told holds for everybody who uses it."""
    settings.REDIS_URL = settings.BROKER_URL = engines(postgres=False).start()["REDIS_URL"]
    assert codes("redis_policy") == []
    with redis.Redis.from_url(settings.REDIS_URL) as own:
        own.config_set("maxmemory-policy", "allkeys-lru")
        assert codes("redis_policy") == ["redis_evicts"]
        own.config_set("maxmemory-policy", "noeviction")
        own.config_set("maxmemory", int(own.info("memory")["used_memory"] * 1.1))
    assert codes("redis_policy") == ["redis_nearly_full"]


def test_a_queue_that_nobody_gets_to_the_end_of(well, line):
    line.rpush("bots", *["task"] * (running.QUEUE_LENGTH + 1))
    try:
        assert codes("queues") == ["queue_long"]
    finally:
        line.delete("bots")


def silence(line: redis.Redis, name: str) -> None:
    for key in line.scan_iter(f"pulse:{name}:*"):
        line.delete(key)


@pytest.mark.parametrize(
    ("name", "check", "code"), [("beat", "beat", "beat_silent"), ("web", "web", "web_silent")]
)
def test_a_process_without_a_pulse(well, line, name, check, code):
    silence(line, name)
    assert codes(check) == [code]


def test_a_queue_whose_worker_does_nothing_although_it_lives(well, line):
    line.set("health:worker:clock", time.time() - 3600)
    assert codes("workers") == ["worker_silent"]


def test_without_beat_a_worker_that_lives_is_not_blamed(well, line):
    for queue in django_settings.WORKER_QUEUES:
        line.set(f"health:worker:{queue}", time.time() - 3600)
    silence(line, "beat")
    silence(line, "bots")
    assert codes("workers") == ["worker_silent"]
    assert "`python -m config.process bots`" in doctor.examine(["workers"]).findings["workers"][0].do


def test_a_process_whose_clock_is_wrong(well, line, monkeypatch):
    right = time.time
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(pulse.time, "time", lambda: right() + 60)
        pulse.beat(line, "clock")
    [finding] = doctor.examine(["clocks"]).findings["clocks"]
    assert finding.code == "clock_skew" and "clock@" in finding.says
    # What was measured contains half of the time that the question took, and somebody else may have had the processor.
    assert 50 < float(re.search(r"([\d.]+) s\b", finding.says)[1]) < 70


# --- Files --------------------------------------------------------------------------------------------------------
def test_a_disk_that_fills(well, monkeypatch):
    monkeypatch.setattr(files, "LITTLE_BYTES", 10**18)
    assert codes("disk", level=WARNING) == ["disk_full"]
    monkeypatch.setattr(files, "NO_BYTES", 10**18)
    assert codes("disk", level=FAILURE) == ["disk_full"]


def test_static_files_that_were_never_gathered_or_lost_or_are_of_another_version(gathered, settings):
    stamp = settings.STATIC_ROOT / static_gathering.STAMP
    stamp.write_text("another version")
    assert codes("static_files") == ["static_files_old"]
    static_gathering.gather()
    manifest = json.loads((settings.STATIC_ROOT / files.MANIFEST).read_text())
    (settings.STATIC_ROOT / next(iter(manifest["paths"].values()))).unlink()
    assert codes("static_files") == ["static_files_missing"]
    settings.STATIC_ROOT = settings.VAR_DIR / "nowhere"
    assert codes("static_files") == ["static_files_missing"]


def test_a_signing_key_that_others_can_read(well, settings):
    settings.LEDGER_KEY_DIR.mkdir()
    key = settings.LEDGER_KEY_DIR / "signing_key"
    key.write_text("00" * 32)
    key.chmod(0o600)
    assert codes("signing_key") == []
    key.chmod(0o640)
    assert codes("signing_key") == ["signing_key_open"]


@pytest.mark.parametrize(
    ("check", "code", "setting"),
    [
        ("heads_file", "heads_file_unwritable", "LEDGER_HEADS_FILE"),
        ("exports", "exports_unwritable", "LEDGER_EXPORT_DIR"),
        ("archive_folder", "archive_unwritable", "ARCHIVE_DIR"),
    ],
)
def test_a_place_that_cannot_be_written(well, settings, check, code, setting):
    (settings.VAR_DIR / "a file").write_text("")
    # Root may write everywhere, but nobody can make a file below a file.
    setattr(settings, setting, settings.VAR_DIR / "a file" / "x")
    assert codes(check) == [code]


@pytest.mark.parametrize("lost", ["the file", "its end", "its manifest", "a year of the book"])
def test_an_archive_that_was_lost(well, settings, lost):
    archived_table()
    assert codes("archives") == []
    file = ArchiveFile.objects.get()
    path = settings.ARCHIVE_DIR / "tables" / file.name
    if lost == "a year of the book":
        ClosedYear.objects.create(
            club_id=1, year=2025, last_seal=1, transactions=0, postings=0, size=1, sha256=b"x" * 32, file="x",
            closed_by=uuid4(),
        )  # fmt: skip
    elif lost == "its end":
        path.write_bytes(path.read_bytes()[:-1])
    else:
        (path if lost == "the file" else path.with_name(manifest_of(path.name))).unlink()
    assert codes("archives") == ["archive_missing"]
    assert next(iter(archives())).says.startswith("1 archive file is missing")


# --- The command --------------------------------------------------------------------------------------------------
def test_the_command_ends_with_1_after_a_failure_and_tells_machines_the_same(
    gathered, settings, capsys, site_role
):
    with site_role():
        call_command("doctor")
        assert "ok       guards" in capsys.readouterr().out
        settings.SECRET_KEY = "short"
        with pytest.raises(SystemExit) as end:
            call_command("doctor", "--json")
    said = json.loads(capsys.readouterr().out)
    assert end.value.code == 1 and said["ok"] is False
    assert [f["code"] for f in said["checks"]["secret_key"]] == ["secret_key_weak"]


def test_a_check_that_fails_itself_is_a_finding_and_holds_no_other_up(well, monkeypatch, caplog):
    monkeypatch.setattr(running.selectors, "seal_lag", lambda: 1 / 0)
    report = doctor.examine(["seals", "verification"])
    assert [f.code for f in report.findings["seals"]] == ["check_failed"]
    assert report.findings["verification"] == []
    assert "ZeroDivisionError" in caplog.text
