"""This process's plain connections to Redis, for questions of the keeper's."""

from __future__ import annotations

from functools import cache

import redis
from django.conf import settings


@cache
def _line(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)


def line() -> redis.Redis:
    """Return the connections to the server of REDIS_URL; answers slower than 2 s count as none."""
    return _line(settings.REDIS_URL)


def broker() -> redis.Redis:
    """Return the connections to the server that has the queues of tasks."""
    return _line(settings.BROKER_URL)
