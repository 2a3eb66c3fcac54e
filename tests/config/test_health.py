"""/healthz with each of its parts made to go wrong."""

from __future__ import annotations

import time

import pytest
import redis
from django.conf import settings as django_settings
from django.db import connection

from config import health
from config.celery import app, heartbeat
from config.timetable import SWEEP

QUEUES = django_settings.WORKER_QUEUES


@pytest.fixture
def noted():
    """Everything noted just now, as on a site that runs."""
    health.forget()
    for queue in QUEUES:
        heartbeat(queue)
    health.note("sweep")
    yield
    health.forget()


@pytest.fixture
def well(db, noted):
    """The same, with a database."""


def asked(client) -> tuple[int, dict[str, bool]]:
    answer = client.get("/healthz")
    parts = {name: part["ok"] for name, part in answer.json()["parts"].items()}
    assert answer.json()["ok"] is all(parts.values())
    return answer.status_code, parts


def noted_long_ago(what: str) -> None:
    client = redis.Redis.from_url(django_settings.REDIS_URL)
    client.set(f"health:{what}", time.time() - 3600)
    client.close()


def test_a_running_site_is_well(client, well):
    status, parts = asked(client)
    assert status == 200
    assert set(parts) == {"database", "redis", "sweep", *(f"worker_{queue}" for queue in QUEUES)}


@pytest.mark.parametrize("queue", QUEUES)
def test_a_queue_without_a_worker_is_named(client, well, queue):
    noted_long_ago(f"worker:{queue}")
    status, parts = asked(client)
    assert status == 503
    assert [name for name, ok in parts.items() if not ok] == [f"worker_{queue}"]


def test_a_sweep_that_stopped_is_named(client, well):
    noted_long_ago("sweep")
    status, parts = asked(client)
    assert (status, parts["sweep"]) == (503, False)


def test_a_site_that_never_swept_is_not_well(client, well):
    health.forget()
    status, parts = asked(client)
    assert status == 503
    assert [name for name, ok in parts.items() if ok] == ["database", "redis"]


def test_redis_that_does_not_answer_is_named_without_its_address(client, well, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["parts"]["redis"] == {"ok": False, "error": "ConnectionError"}
    assert answer.json()["parts"]["database"]["ok"] is True


@pytest.mark.committed
def test_a_database_that_does_not_answer_is_named_without_its_address(client, noted, monkeypatch):
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", 1)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["parts"]["database"] == {"ok": False, "error": "OperationalError"}
    assert answer.json()["parts"]["redis"]["ok"] is True


def test_only_a_sweep_that_went_well_counts(well):
    from config.celery import _note_sweep

    app.loader.import_default_modules()
    sweep = app.tasks[SWEEP]
    health.forget()
    _note_sweep(sweep, state="FAILURE")
    _note_sweep(app.tasks["config.heartbeat"], state="SUCCESS")
    assert health.age("sweep") is None
    _note_sweep(sweep, state="SUCCESS")
    assert health.age("sweep") < 5


def test_it_is_not_kept_by_caches_and_changes_nothing(client, well):
    answer = client.get("/healthz")
    assert "no-store" in answer["Cache-Control"]
    assert client.post("/healthz").status_code == 405


def test_a_state_is_logged_when_it_changes_and_django_adds_nothing(client, well, caplog):
    caplog.set_level("INFO")
    client.get("/healthz")
    caplog.clear()
    noted_long_ago("sweep")
    for _ in range(3):
        client.get("/healthz")
    health.note("sweep")
    client.get("/healthz")
    assert [record.getMessage() for record in caplog.records] == ["not well: sweep", "well"]
