"""How many requests a person's programs may make, counted in Valkey for all processes together."""

from __future__ import annotations

import functools
import logging
import math
from typing import Any, NamedTuple

import redis
from django.conf import settings

logger = logging.getLogger(__name__)

REQUESTS = 100
"""So many requests at once; they come back evenly over ``WINDOW_MS``. A socket of a player has the same limit."""

WINDOW_MS = 20_000

COUNT = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local step = ARGV[1] / ARGV[2]
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + step
local over = full - now - ARGV[1]
if over > 0 then return {-1, math.ceil(over)} end
redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
return {math.floor(-over / step + 0.001), 0}
"""
"""One request, as one step: what is kept is the moment at which all that was used has come back."""


class Limit(NamedTuple):
    """What is left after a request: ``left`` more at once, or none and how many whole seconds to wait."""

    left: int
    wait: int

    @property
    def reached(self) -> bool:
        """Whether the request is one too many."""
        return self.left < 0

    @property
    def headers(self) -> dict[str, str]:
        """The headers that tell a program how it stands."""
        told = {"X-RateLimit-Limit": str(REQUESTS), "X-RateLimit-Remaining": str(max(0, self.left))}
        return {**told, "Retry-After": str(self.wait)} if self.reached else told


def count_request(user_id: int) -> Limit:
    """Count one request of a person, whichever token it came with.

    A Valkey that is away counts nothing: it is logged, and people play on.
    """
    try:
        left, wait_ms = _script()(keys=[f"api:{user_id}"], args=[WINDOW_MS, REQUESTS])
    except redis.RedisError as error:
        logger.warning("requests of the API are not counted: %s", error)
        return Limit(REQUESTS, 0)
    return Limit(int(left), math.ceil(int(wait_ms) / 1000))


@functools.cache
def _script() -> Any:
    server = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
    return server.register_script(COUNT)
