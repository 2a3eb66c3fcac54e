"""Announcements: after a commit, whoever looks at an event hears that it has changed.

An announcement is the number of the last action on the event's channel. It may be lost: pages
also ask by themselves from time to time.
"""

from __future__ import annotations

from uuid import UUID

from games.broadcast import after_commit, name_of, publish_news


def channel(tournament_id: UUID) -> str:
    """Return the name of the channel on which the event's changes are announced."""
    return name_of("event", tournament_id)


def announce_after_commit(tournament_id: UUID, version: int) -> None:
    """Publish the number of the event's last action once the surrounding transaction is committed."""
    after_commit(lambda: publish_news(channel(tournament_id), {"kind": "event", "version": version}))
