"""/metrics: who may read it, what it puts together, and each of the site's own figures made to move."""

from __future__ import annotations

import asyncio
import datetime as dt
import urllib.request
from pathlib import Path

import pytest
import redis
from django.conf import settings as django_settings
from django.db import connection, transaction
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from config import health, metrics, pulse
from games import services
from ledger.errors import LedgerError
from ledger.models import Verification
from ledger.services import accounts
from tests.games.processes import web_processes
from tests.games.tables import open_table
from tests.ledger.books import small_book
from tournaments.errors import EventRefusal

Numbers = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
def line():
    with redis.Redis.from_url(django_settings.REDIS_URL) as client:
        yield client
        for key in client.scan_iter("pulse:*"):
            client.delete(key)


def numbers(text: str) -> Numbers:
    """Return every sample of an answer; it must be in Prometheus' format."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def asked(client) -> Numbers:
    answer = client.get("/metrics")
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/plain; version=")
    return numbers(answer.content.decode())


def one(found: Numbers, name: str, **labels: str) -> float:
    """Return the sum over all samples of `name` that have these labels."""
    fitting = [v for (n, has), v in found.items() if n == name and labels.items() <= dict(has).items()]
    assert fitting, f"{name} {labels} is not told"
    return sum(fitting)


# --- Who may read it ----------------------------------------------------------------------------------------------
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("token", "address", "headers", "status"),
    [
        ("", "127.0.0.1", {}, 200),
        ("", "::1", {}, 200),
        ("", "192.0.2.7", {}, 403),
        # A proxy on this machine passes on what anybody asks.
        ("", "127.0.0.1", {"X-Forwarded-For": "192.0.2.7"}, 403),
        ("", "127.0.0.1", {"Forwarded": "for=192.0.2.7"}, 403),
        ("of the watcher", "192.0.2.7", {"Authorization": "Bearer of the watcher"}, 200),
        ("of the watcher", "192.0.2.7", {"Authorization": "Bearer of somebody"}, 403),
        ("of the watcher", "127.0.0.1", {}, 403),
    ],
)
def test_only_this_machine_or_who_has_the_token_may_read(client, settings, token, address, headers, status):
    settings.METRICS_TOKEN = token
    answer = client.get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert answer.status_code == status
    assert ("cardclub_" in answer.content.decode()) is (status == 200)


# --- What the site's own figures follow ---------------------------------------------------------------------------
@pytest.mark.django_db
def test_queues_and_workers(client, line):
    health.forget()
    health.note("worker:clock")
    before = one(asked(client), "cardclub_queue_tasks", queue="bots")
    line.rpush("bots", "a task", "another")
    try:
        found = asked(client)
    finally:
        line.ltrim("bots", 0, -3)
        health.forget()
    assert one(found, "cardclub_queue_tasks", queue="bots") == before + 2
    assert one(found, "cardclub_worker_age_seconds", queue="clock") < 60


@pytest.mark.django_db
def test_tables_the_sweep_and_the_ledger(client):
    empty = asked(client)
    assert one(empty, "cardclub_unsealed") == one(empty, "cardclub_seal_lag_seconds") == 0
    open_table("least_score")
    services.sweep()
    small_book()
    started = timezone.now() - dt.timedelta(hours=1)
    Verification.objects.create(
        scope="full",
        started_at=started,
        finished_at=started,
        transactions=1,
        passed=False,
        code="leaf_mismatch",
    )
    found = asked(client)
    assert one(found, "cardclub_tables", game="least_score") == 1
    assert one(found, "cardclub_sweep_age_seconds") < 60
    assert one(found, "cardclub_unsealed") > 0
    assert 3600 <= one(found, "cardclub_verification_age_seconds") < 3700
    assert one(found, "cardclub_ledger_in_order") == 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.01)")
    assert one(asked(client), "cardclub_seal_lag_seconds") > 0


@pytest.mark.django_db
def test_an_engine_that_is_away_is_told_and_the_other_still_read(client, settings):
    assert one(asked(client), "cardclub_up") == 2
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found = asked(client)
    assert one(found, "cardclub_up", engine="redis") == 0
    assert one(found, "cardclub_up", engine="database") == 1
    assert ("cardclub_sweep_gap_seconds_count", ()) not in found


# --- What processes count -----------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_refusals_of_the_ledger_and_of_events_and_requests_count_and_are_carried_by_the_pulse(client, line):
    pulse.beat(line, "test", metrics.counted)
    before = asked(client)
    with pytest.raises(LedgerError) as refused, transaction.atomic():
        accounts.close_account(account=1)
    EventRefusal("no_such_event")
    client.get("/no-such-page")
    pulse.beat(line, "test", metrics.counted)
    after = asked(client)

    def grown(name: str, **labels: str) -> float:
        fits = [key for key in after if key[0] == name and labels.items() <= dict(key[1]).items()]
        return sum(after[key] - before.get(key, 0) for key in fits)

    assert grown("cardclub_ledger_refusals_total", code=refused.value.code) == 1
    assert grown("cardclub_event_refusals_total", code="no_such_event") == 1
    assert grown("cardclub_http_requests_total", status="404", view="none") == 1
    assert grown("cardclub_http_requests_total", status="200", view="metrics") == 1
    assert grown("cardclub_http_request_seconds_count", method="GET") == 2
    assert all(dict(key[1])["process"].startswith("test@") for key in after if "_requests_" in key[0])


@pytest.mark.committed
async def test_a_web_process_tells_of_all_processes_and_of_its_pool(committed_database, tmp_path: Path, line):
    pulse.beat(line, "bots", metrics.counted)
    for key in line.scan_iter("pulse:bots:*"):
        line.persist(key)  # However long the web process takes to start.
    environment = {**committed_database.environment, "PROCESS_NAME": "web"}
    with web_processes(1, environment, tmp_path) as [web]:
        address = f"http://127.0.0.1:{web.port}/metrics"
        for _ in range(400):
            text = await asyncio.to_thread(
                lambda: urllib.request.urlopen(address, timeout=120).read().decode()
            )
            found = numbers(text)
            pools = [
                v for (name, labels), v in found.items() if "pool" in name and ("what", "open") in labels
            ]
            if sum(pools) >= 1:
                break
            await asyncio.sleep(0.5)
    assert sum(pools) >= 1
    processes = {dict(labels).get("process", "").split("@")[0] for _, labels in found}
    assert {"web", "bots"} <= processes
    assert one(found, "process_resident_memory_bytes") > 0
