"""Announcements: after a commit the processes with sockets at a table hear its new version.

An announcement carries the table and its version, nothing else: it may be lost
or doubled without harm, because whoever hears it reads the truth from the
database. It is one plain PUBLISH over a connection that the process keeps.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterable
from uuid import UUID

import redis
from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)

CHANNEL_PREFIX = "table:"


@functools.cache
def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


def channel(table_id: UUID) -> str:
    """Return the name of the channel on which the table's versions are announced."""
    return f"{CHANNEL_PREFIX}{table_id}"


def announce(heads: Iterable[tuple[UUID, int]]) -> None:
    """Publish ``(table, version)`` pairs now; a Redis that is away is logged and made good by the sweep."""
    try:
        pipe = _redis().pipeline(transaction=False)
        for table_id, version in heads:
            pipe.publish(channel(table_id), version)
        pipe.execute()
    except redis.RedisError as error:
        logger.warning("announcement lost, the sweep will repeat it: %s", error)


def announce_after_commit(table_id: UUID, version: int) -> None:
    """Publish the table's version once the surrounding transaction is committed."""
    after_commit(lambda: announce([(table_id, version)]))


def after_commit(function: Callable[[], None]) -> None:
    """Run ``function`` once the surrounding transaction is committed; its failure is logged, not raised.

    What was committed stays true whatever fails here, and the sweep repeats what was lost.
    """
    transaction.on_commit(function, robust=True)
