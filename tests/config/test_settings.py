"""The settings, loaded as a new process loads them: what they take from the environment and what they refuse."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import variables
from config.embedded import write_addresses
from config.timetable import QUEUES, TIMETABLE

PROJECT = Path(__file__).resolve().parents[2]
EMBEDDED = {
    "DATABASE_URL": "postgres://site:s@/cardclub?host=/run/club",
    "DATABASE_OWNER_URL": "postgres://owner:o@/cardclub?host=/run/club",
    "REDIS_URL": "unix:///run/club/valkey.sock?db=0",
}


@pytest.fixture
def load(no_site_environment, tmp_path):
    """Return a function that loads the settings under a given environment and returns the named ones."""

    def run(*names: str, **environment: str) -> dict[str, object]:
        # Without the apps, which take longer to load and are asked about below.
        program = (
            "import json, sys; from django.conf import settings; settings.DEBUG;"
            "print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}, default=str))"
        )
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program, *names],
            cwd=PROJECT,
            env=no_site_environment
            | {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
            | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(done.stderr)
        return json.loads(done.stdout)

    return run


def test_without_any_environment_a_key_is_made_and_debugging_is_off(load, tmp_path):
    loaded = load("SECRET_KEY", "DEBUG", "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS")
    assert loaded["DEBUG"] is loaded["SESSION_COOKIE_SECURE"] is False
    assert loaded["SECURE_HSTS_SECONDS"] == 0
    assert loaded["SECRET_KEY"] == (tmp_path / "secret_key").read_text().strip()
    assert load("SECRET_KEY")["SECRET_KEY"] == loaded["SECRET_KEY"]


def test_an_own_database_without_a_secret_key_is_refused(load, tmp_path):
    with pytest.raises(AssertionError, match=r"SECRET_KEY is missing.*put it in the environment"):
        load(DATABASE_URL="postgres://u:p@db.example/club")
    assert not (tmp_path / "secret_key").exists()


def test_the_embedded_engines_are_found_where_they_left_word(load, tmp_path):
    write_addresses(tmp_path, EMBEDDED)
    loaded = load("DATABASES", "DATABASE_OWNER_URL", "REDIS_URL", "CELERY_BROKER_URL")
    assert loaded["DATABASES"]["default"]["USER"] == "site"
    assert loaded["DATABASES"]["default"]["HOST"] == "/run/club"
    assert loaded["DATABASE_OWNER_URL"] == EMBEDDED["DATABASE_OWNER_URL"]
    assert loaded["REDIS_URL"] == EMBEDDED["REDIS_URL"]
    assert loaded["CELERY_BROKER_URL"] == "redis+socket:///run/club/valkey.sock?virtual_host=0"


def test_the_embedded_owner_is_never_used_for_an_own_database(load, tmp_path):
    write_addresses(tmp_path, EMBEDDED)
    url = "postgres://u:p@db.example/club"
    loaded = load("DATABASES", "DATABASE_OWNER_URL", DATABASE_URL=url, SECRET_KEY="k")
    assert loaded["DATABASES"]["default"]["HOST"] == "db.example"
    assert loaded["DATABASE_OWNER_URL"] == url
    own = "postgres://boss:p@db.example/club"
    assert load("DATABASE_OWNER_URL", DATABASE_URL=url, DATABASE_OWNER_URL=own, SECRET_KEY="k") == {
        "DATABASE_OWNER_URL": own
    }


def test_behind_tls_cookies_are_secure_and_browsers_are_told(load):
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "SECURE_PROXY_SSL_HEADER")
    behind = load(*names, BEHIND_TLS="1")
    assert behind["SESSION_COOKIE_SECURE"] and behind["CSRF_COOKIE_SECURE"]
    assert behind["SECURE_HSTS_SECONDS"] >= 31_536_000
    assert behind["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]


def test_the_manual_lists_every_variable_as_the_settings_have_it():
    manual = (PROJECT / "docs" / "configuration.md").read_text()
    assert variables.table() in manual, "run `manage.py configuration --write`"
    assert variables.asked().keys() <= variables.MEANINGS.keys()
    elsewhere = ("HOST", "PORT", "ENGINE_USER", "PYTHON", "BACKUP_PASSPHRASE", "REDIS_URL")
    assert variables.MEANINGS.keys() - variables.asked().keys() == set(elsewhere)


def test_every_time_limit_of_the_queues_is_the_same():
    from config.celery import app

    limits = {
        app.conf.visibility_timeout,
        app.conf.broker_transport_options["visibility_timeout"],
        app.conf.result_backend_transport_options["visibility_timeout"],
    }
    assert limits == {180}
    assert app.conf.task_acks_late and app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_ignore_result and app.conf.result_backend is None
    assert app.conf.worker_eta_task_limit == 5000


def marked_tasks(path: Path) -> Iterator[str]:
    """Yield the names of the tasks that a module marks."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for mark in getattr(node, "decorator_list", ()):
            words = ast.unparse(mark)
            if words.startswith(("shared_task", "app.task")):
                named = re.search(r"\bname='([^']+)'", words)
                module = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
                yield named[1] if named else f"{module}.{node.name}"


APPS = ("clubs", "config", "games", "ledger", "tournaments")
TASKS = {name for app in APPS for path in (PROJECT / app).rglob("*.py") for name in marked_tasks(path)}


def test_every_task_has_a_queue_that_somebody_works_on():
    from django.conf import settings

    from config.celery import app
    from config.process import WORKERS

    app.loader.import_default_modules()
    own = {name for name in app.tasks if not name.startswith("celery.")}
    assert {"games.tasks.sweep", "config.heartbeat"} <= own
    route = app.amqp.router.route
    queues = {route({}, name)["queue"].name for name in own}
    assert queues <= set(settings.WORKER_QUEUES) == set(WORKERS)
    assert {entry["task"] for entry in TIMETABLE.values()} <= own
    assert {entry["options"]["queue"] for entry in TIMETABLE.values()} == set(QUEUES)


def test_a_worker_knows_every_task_that_is_sent_to_it(no_site_environment, tmp_path):
    """Nothing that a worker loads named the task that sends mails: it threw them all away."""
    write_addresses(tmp_path, EMBEDDED)
    program = "import django; django.setup(); from config.celery import app; app.loader.import_default_modules(); print(*app.tasks)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT,
        env=no_site_environment
        | {
            "VAR_DIR": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "EMAIL_URL": "smtp://mail.example",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    known = set(done.stdout.split())
    assert len(TASKS) > 20 and "config.mail.deliver" in TASKS
    assert TASKS - known == set()


def test_beat_finds_the_same_broker_as_the_workers_and_loads_no_django(no_site_environment, tmp_path):
    write_addresses(tmp_path, EMBEDDED)
    program = (
        "import sys; from config.beat import app; print(app.conf.broker_url, 'django.db' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT,
        env=no_site_environment | {"VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["redis+socket:///run/club/valkey.sock?virtual_host=0", "False"]


@pytest.mark.parametrize(
    ("task", "queue"),
    [
        ("games.tasks.play_bot", "bots"),
        ("games.tasks.play_time_out", "clock"),
        ("games.tasks.sweep", "clock"),
        ("games.tasks.reap", "default"),
        ("ledger.tasks.seal", "clock"),
        ("ledger.tasks.verify_all", "default"),
    ],
)
def test_bots_and_long_work_never_stand_before_a_deadline(task, queue):
    from config.celery import app

    assert app.amqp.router.route({}, task)["queue"].name == queue


def test_a_form_of_the_log_that_nobody_knows_is_refused(load):
    with pytest.raises(AssertionError, match=r"LOG_FORMAT is 'xml': choose line or json"):
        load("LOG_FORMAT", LOG_FORMAT="xml")


@pytest.mark.parametrize("form", ["line", "json"])
def test_beat_logs_as_the_others_do(no_site_environment, tmp_path, form):
    write_addresses(tmp_path, EMBEDDED)
    program = (
        "import logging; from config.beat import app; app.log.setup(); logging.getLogger('x').warning('hm')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PROJECT,
        env=no_site_environment | {"VAR_DIR": str(tmp_path), "LOG_FORMAT": form},
        capture_output=True,
        text=True,
        check=True,
    )
    if form == "line":
        assert done.stderr.endswith(" beat WARNING x: hm\n")
    else:
        assert json.loads(done.stderr)["process"] == "beat"


def test_djangos_own_check_of_a_deployment_finds_nothing_behind_tls(no_site_environment, tmp_path):
    given = {"DATABASE_URL": "postgres://u:p@db.example/club", "VAR_DIR": str(tmp_path)}
    given |= {"SECRET_KEY": "only for tests, and long enough for every algorithm: 50", "BEHIND_TLS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=PROJECT,
        env=no_site_environment | given | {"ALLOWED_HOSTS": "club.example"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
