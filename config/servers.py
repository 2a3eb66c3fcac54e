"""What the two servers must be: reachable, and new enough."""

from __future__ import annotations

from urllib.parse import urlsplit

import psycopg
import redis
from psycopg.conninfo import make_conninfo

from config.addresses import database
from config.trouble import Trouble

POSTGRESQL, REDIS = 15, 7
ANSWER_SECONDS = 5


def check_database(name: str, url: str) -> None:
    """Raise Trouble unless PostgreSQL answers at `url`, which the variable `name` gave, and is new enough."""
    described = database(url)
    login = make_conninfo(
        dbname=described["NAME"],
        host=described["HOST"] or None,
        port=described["PORT"] or None,
        user=described["USER"] or None,
        password=described["PASSWORD"] or None,
        connect_timeout=ANSWER_SECONDS,
    )
    try:
        with psycopg.connect(login) as connection:
            version = connection.info.server_version // 10_000
    except psycopg.OperationalError as error:
        raise Trouble(
            f"PostgreSQL does not answer at {_shown(url)} ({_reason(error)}): start it, or mend {name}."
        ) from None
    if version < POSTGRESQL:
        raise Trouble(
            f"PostgreSQL {version} at {_shown(url)} is too old, {POSTGRESQL} or newer is needed: upgrade it, or leave "
            f"{name} out and the embedded one is used."
        )


def check_redis(url: str) -> None:
    """Raise Trouble unless Redis or Valkey answers at `url` and is new enough (Valkey tells which Redis it equals)."""
    try:
        with redis.Redis.from_url(
            url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
        ) as client:
            version = str(client.info("server")["redis_version"])
    except (redis.RedisError, ValueError) as error:
        raise Trouble(
            f"Redis does not answer at {_shown(url)} ({_reason(error)}): start it, or mend REDIS_URL."
        ) from None
    if int(version.split(".")[0]) < REDIS:
        raise Trouble(
            f"Redis {version} at {_shown(url)} is too old, {REDIS} or newer is needed: upgrade it, or leave REDIS_URL out "
            f"and the embedded one is used."
        )


def _reason(error: Exception) -> str:
    """Return the last thing the library said; a closing question is not a reason."""
    lines = [line.strip() for line in str(error).strip().splitlines()]
    said = [line for line in lines if not line.startswith("Is the server running")]
    return (said or lines or [type(error).__name__])[-1]


def _shown(url: str) -> str:
    """Return `url` without its password."""
    parts = urlsplit(url)
    return url.replace(f":{parts.password}@", ":***@") if parts.password else url
