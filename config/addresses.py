"""Addresses of the two engines, in the spelling each library wants.

One `DATABASE_URL` and one `REDIS_URL` name the servers; Django, Channels and Celery spell them differently, above all
when the server listens on a unix socket.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import environ

# channels_redis waits on idle sockets; redis-py 8 would close them after its default of 5 s.
SUBSCRIBER_SOCKET_TIMEOUT = 60


def database(url: str) -> dict[str, Any]:
    """Return Django's description of the PostgreSQL database at `url`.

    A unix socket's folder may be given as libpq does (`postgres://user:pw@/name?host=/folder`) or percent-encoded as
    the host; both end up in HOST with their capitals kept.
    """
    described: dict[str, Any] = dict(environ.Env.db_url_config(url))
    options = dict(described.pop("OPTIONS", {}))
    described["HOST"] = options.pop("host", "") or unquote(described.get("HOST", ""))
    described["OPTIONS"] = options
    return described


def celery_broker(url: str) -> str:
    """Return `url` as Celery's transport spells it; only unix sockets differ."""
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={number}"


def channel_layers(url: str) -> dict[str, dict[str, Any]]:
    """Return Django's CHANNEL_LAYERS for the server at `url`: publish and subscribe, no stored messages."""
    host = {"address": url, "socket_timeout": SUBSCRIBER_SOCKET_TIMEOUT}
    return {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [host], "prefix": "channels"},
        }
    }


def caches(url: str) -> dict[str, dict[str, Any]]:
    """Return Django's CACHES for the server at `url`."""
    return {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": url,
            "KEY_PREFIX": "cache",
        }
    }
