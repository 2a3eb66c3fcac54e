"""Announcements: after a commit the processes with sockets at a table hear its new version.

An announcement of a version carries nothing else: it may be lost or doubled
without harm, because whoever hears it reads the truth from the database. What
is not in a table's log (chat, presence, a closed door) is announced as news: a
small JSON object with a ``kind``, as lossy as the rest. Each is one plain
PUBLISH over a connection that the process keeps.

PUBLISH knows nothing of the numbered databases of a server: the number stands in
the name of each channel, so that two sites on one server do not hear each other.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)

TABLE, USER, LOBBY = "table", "user", "lobby"


_connecting = threading.Lock()


def connection() -> redis.Redis:
    """Return this process's connections to Valkey, for plain synchronous calls.

    There is one for all threads, also for those that ask in the same moment: a
    second one would be thrown away while its pipeline still used it, and take the sockets along.
    """
    with _connecting:
        return _connection()


@functools.cache
def _connection() -> redis.Redis:
    return redis.Redis.from_url(settings.LAYER_URL, socket_timeout=2, socket_connect_timeout=2)


def name_of(kind: str, about: object = "") -> str:
    """Return the name of this site's channel of a kind, about one thing of that kind or about all."""
    number = connection().connection_pool.connection_kwargs.get("db") or 0
    return f"{number}:{kind}:{about}"


def channel(table_id: UUID) -> str:
    """Return the name of the channel on which the table's versions are announced."""
    return name_of(TABLE, table_id)


def user_channel(user_id: int) -> str:
    """Return the name of the channel on which a member's own news are announced."""
    return name_of(USER, user_id)


def lobby_channel() -> str:
    """Return the name of the channel on which changes of the lobby are announced."""
    return name_of(LOBBY)


def meant_by(name: str) -> UUID | int:
    """Return the table (UUID) or the member (number) that a channel of this site is about."""
    _number, kind, about = name.split(":")
    return int(about) if kind == USER else UUID(about)


CALLED = json.dumps({"kind": "call"})


def announce(heads: Iterable[tuple[UUID, int]], *, called: Iterable[int] = ()) -> None:
    """Publish ``(table, version)`` pairs now, and to the members ``called`` that something may wait for them.

    A Redis that is away is logged; the sweep makes good what was lost.
    """
    try:
        pipe = connection().pipeline(transaction=False)
        for table_id, version in heads:
            pipe.publish(channel(table_id), version)
        for user_id in called:
            pipe.publish(user_channel(user_id), CALLED)
        pipe.execute()
    except redis.RedisError as error:
        logger.warning("announcement lost, the sweep will repeat it: %s", error)


def announce_after_commit(table_id: UUID, version: int, *, called: Iterable[int] = ()) -> None:
    """Publish the table's version once the surrounding transaction is committed, and call the members ``called``."""
    after_commit(lambda: announce([(table_id, version)], called=called))


def announce_news_after_commit(table_id: UUID, news: Mapping[str, Any]) -> None:
    """Publish ``news`` (JSON-ready, with a ``kind``) to all who look at the table, once the transaction is committed.

    What is done with a kind is said by ``rooms.on_news``. News may be lost: what
    must not be is read from the database as well.
    """
    after_commit(lambda: publish_news(channel(table_id), news))


def close_sockets_after_commit(
    *, user_id: int, code: str, table_id: UUID | None = None, session_key: str | None = None
) -> None:
    """Close a member's sockets in every process once the surrounding transaction is committed.

    ``code`` (one of ``errors.MESSAGES``) is what the page is told. ``table_id``
    leaves sockets at other tables open, ``session_key`` those of other sessions.
    """
    news = {
        "kind": "close",
        "code": code,
        "table": None if table_id is None else str(table_id),
        "session": session_mark(session_key),
    }
    after_commit(lambda: publish_news(user_channel(user_id), news))


DOORS = "doors"
"""What lobbies are told when who may look in has changed."""


def announce_lobby_after_commit(what: str = "changed") -> None:
    """Publish that the lobby's list (or who may see it: ``DOORS``) has changed once the surrounding transaction is committed."""
    after_commit(lambda: announce_lobby(what))


def announce_lobby(what: str = "changed") -> None:
    """Publish now that the lobby's list has changed; a Redis that is away is logged, lobbies look by themselves."""
    try:
        connection().publish(lobby_channel(), what)
    except redis.RedisError as error:
        logger.warning("a change of the lobby was not announced: %s", error)


def session_mark(session_key: str | None) -> str:
    """Return what names a session in announcements: its hash, which signs nobody in; empty for no session."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:32] if session_key else ""


def publish_news(name: str, news: Mapping[str, Any]) -> None:
    """Publish ``news`` on the channel ``name`` now; a Redis that is away is logged."""
    try:
        connection().publish(name, json.dumps(news, ensure_ascii=False, separators=(",", ":")))
    except redis.RedisError as error:
        logger.warning("news of kind %s were lost: %s", news.get("kind"), error)


def after_commit(function: Callable[[], None]) -> None:
    """Run ``function`` once the surrounding transaction is committed; its failure is logged, not raised.

    What was committed stays true whatever fails here, and the sweep repeats what was lost.
    """
    transaction.on_commit(function, robust=True)
