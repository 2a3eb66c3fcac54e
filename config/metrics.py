"""/metrics for Prometheus: what every process counted, and how the site stands.

Each process counts for itself, in memory, and lays its numbers into Redis with its pulse (`config.pulse`). Whoever is
asked puts the numbers of all living processes together, each under its own label `process`: one address tells the
whole site, wherever its processes run, and a process that starts anew begins a series of its own. Numbers are at
most a pulse (5 s) old. What only the database and Redis know is asked when somebody asks here.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connections
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from config import pulse
from config.health import age
from config.redis_line import broker, line
from games import selectors as tables
from ledger import selectors as book

LOOPBACK = ("127.0.0.1", "::1")
# When each thing was created: nobody asks, and it doubles what must be carried.
disable_created_metrics()  # type: ignore[no-untyped-call]

REQUESTS = Counter("cardclub_http_requests", "Answered requests for pages.", ["method", "view", "status"])
REQUEST_SECONDS = Histogram(
    "cardclub_http_request_seconds",
    "From a request's arrival at Django until its answer was ready.",
    ["method"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)


class CountRequests(MiddlewareMixin):
    """Count every request under the name of its view, never under its address: that may hold anything."""

    def process_request(self, request: HttpRequest) -> None:
        """Note when the request came."""
        request.META["cardclub.began"] = time.perf_counter()

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Count the answer."""
        match = request.resolver_match
        view = match.view_name if match is not None else "none"
        method = request.method if request.method in ("GET", "HEAD", "POST") else "other"
        REQUESTS.labels(method, view, response.status_code).inc()
        began = request.META.get("cardclub.began")
        if began is not None:
            REQUEST_SECONDS.labels(method).observe(time.perf_counter() - began)
        return response


class PoolCollector(Collector):
    """How this process's pool of database connections is used."""

    def collect(self) -> Iterator[Metric]:
        """Ask the pool, if there is one."""
        pool = getattr(connections["default"], "pool", None)
        said = pool.get_stats() if pool is not None else {}
        family = GaugeMetricFamily(
            "cardclub_database_pool",
            "Connections of the pool, and requests that wait for one.",
            labels=["what"],
        )
        for what, key in (("open", "pool_size"), ("free", "pool_available"), ("waiting", "requests_waiting")):
            family.add_metric([what], said.get(key, 0))
        yield family


REGISTRY.register(PoolCollector())


def counted() -> list[Any]:
    """Return what this process counted, JSON-ready: name, type, help and samples of each family."""
    return [
        [family.name, family.type, family.documentation, [sample[:3] for sample in family.samples]]
        for family in REGISTRY.collect()
    ]


class Whole(Collector):
    """How the site stands, and the numbers of all living processes, each under its label."""

    def collect(self) -> Iterator[Metric]:
        """Ask everybody. What does not answer is left out; `cardclub_up` says so."""
        up = GaugeMetricFamily("cardclub_up", "Whether an engine answers.", labels=["engine"])
        for engine, asks in (("redis", (_of_processes, _in_redis)), ("database", (_in_database,))):
            found, answers = _asked(asks)
            up.add_metric([engine], float(answers))
            yield from found
        yield up


def _of_processes() -> Iterable[Metric]:
    """Put the processes' families together by name."""
    families: dict[str, Metric] = {}
    for process in pulse.living(line()):
        for name, kind, told, samples in process.counted or ():
            family = families.setdefault(name, Metric(name, told, kind))
            for sample, labels, value in samples:
                family.add_sample(sample, {**labels, "process": process.label}, value)
    return families.values()


def _asked(asks: Sequence[Callable[[], Iterable[Metric]]]) -> tuple[list[Metric], bool]:
    try:
        return [family for ask in asks for family in ask()], True
    except (DatabaseError, redis.RedisError):
        return [], False


def _in_redis() -> Iterator[Metric]:
    waiting = GaugeMetricFamily("cardclub_queue_tasks", "Tasks that wait in a queue.", labels=["queue"])
    beats = GaugeMetricFamily(
        "cardclub_worker_age_seconds", "Since a worker last took a heartbeat from a queue.", labels=["queue"]
    )
    for queue in settings.WORKER_QUEUES:
        waiting.add_metric([queue], int(broker().llen(queue)))
        seconds = age(f"worker:{queue}")
        if seconds is not None:
            beats.add_metric([queue], seconds)
    yield waiting
    yield beats


def _in_database() -> Iterator[Metric]:
    opened = GaugeMetricFamily("cardclub_tables", "Tables that are not finished.", labels=["game", "status"])
    for game, status, number in tables.count_open():
        opened.add_metric([game, status], number)
    yield opened
    lag = book.seal_lag()
    yield GaugeMetricFamily("cardclub_unsealed", "Transactions without a seal.", value=lag.waiting)
    yield GaugeMetricFamily("cardclub_seal_lag_seconds", "Age of the oldest of them.", value=lag.seconds)
    last = book.last_checks().last
    if last is not None:
        old = (timezone.now() - last.finished_at).total_seconds()
        yield GaugeMetricFamily(
            "cardclub_verification_age_seconds", "Since the ledger was last checked.", value=old
        )
        yield GaugeMetricFamily(
            "cardclub_ledger_in_order",
            "Whether that check found the ledger in order.",
            value=float(last.passed),
        )
    since = tables.seconds_since_sweep()
    if since is not None:
        yield GaugeMetricFamily("cardclub_sweep_age_seconds", "Since the last sweep.", value=since)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer in Prometheus' text format, to whoever has the token or, without one, sits at this machine."""
    if not _may_read(request):
        return HttpResponse("Not for you: see METRICS_TOKEN in docs/configuration.md.\n", "text/plain", 403)
    return HttpResponse(generate_latest(Whole()), CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    # A proxy on this machine comes from here too, but says for whom it asks.
    asks_for_another = any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP"))
    return request.META.get("REMOTE_ADDR") in LOOPBACK and not asks_for_another
