"""/healthz: is everything that the site needs awake, in one cheap question.

Processes note in Redis when they last did their work; the page compares those times with now and asks no worker
anything. 200 when all is well, 503 with the same JSON when something is not.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

logger = logging.getLogger(__name__)

# Heartbeats come every 5 s, sweeps every second; both are late long before they are dead.
WORKER_MAX_AGE = 20
SWEEP_MAX_AGE = 10
NOTE_LIFETIME = 24 * 3600


@cache
def _client(url: str) -> redis.Redis:
    """Return this process's connection pool to the server at `url`; answers slower than 2 s count as none."""
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)


def note(what: str) -> None:
    """Remember that `what` was done now."""
    _client(settings.REDIS_URL).set(f"health:{what}", time.time(), ex=NOTE_LIFETIME)


def age(what: str) -> float | None:
    """Return the seconds since `what` was last noted, None when it never was."""
    at = _client(settings.REDIS_URL).get(f"health:{what}")
    return None if at is None else round(max(time.time() - float(at), 0.0), 1)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer with the state of each part: database, Redis, a worker for each queue, the last sweep."""
    parts: dict[str, Any] = {"database": _database(), "redis": _redis()}
    if parts["redis"]["ok"]:
        for queue in settings.WORKER_QUEUES:
            parts[f"worker_{queue}"] = _fresh(f"worker:{queue}", WORKER_MAX_AGE)
        parts["sweep"] = _fresh("sweep", SWEEP_MAX_AGE)
    failing = sorted(name for name, part in parts.items() if not part["ok"])
    _log_change(failing)
    return JsonResponse({"ok": not failing, "parts": parts}, status=503 if failing else 200)


# What failed when the page was asked last; None before anybody asked this process.
_last_failing: list[str] | None = None


def _log_change(failing: list[str]) -> None:
    """Log what fails when that is news: monitors ask every few seconds, and a site that starts is not well at first."""
    global _last_failing
    before, _last_failing = _last_failing, failing
    if failing == before:
        return
    if not failing:
        logger.info("well")
    elif before is None:
        logger.info("not well yet: %s", ", ".join(failing))
    else:
        logger.warning("not well: %s", ", ".join(failing))


def _database() -> dict[str, Any]:
    return _answers(_ask_database, DatabaseError)


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _redis() -> dict[str, Any]:
    return _answers(lambda: _client(settings.REDIS_URL).ping(), redis.RedisError)


def _answers(ask: Callable[[], Any], failure: type[Exception]) -> dict[str, Any]:
    """Return whether `ask` gets an answer and how long it took; reasons stay in the log, the page is public."""
    started = time.perf_counter()
    try:
        ask()
    except failure as error:
        return {"ok": False, "error": type(error).__name__}
    return {"ok": True, "ms": round((time.perf_counter() - started) * 1000, 1)}


def _fresh(what: str, limit: float) -> dict[str, Any]:
    """Return whether `what` was noted within `limit` seconds."""
    seconds = age(what)
    return {"ok": seconds is not None and seconds <= limit, "age": seconds}


def forget() -> None:
    """Drop all notes: what an earlier run did says nothing about this one."""
    client = _client(settings.REDIS_URL)
    for key in client.scan_iter("health:*"):
        client.delete(key)
