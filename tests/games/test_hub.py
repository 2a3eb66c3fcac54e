"""The hub of a process: what it subscribes to, and who is shown what."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import sync_to_async

from games.hub import hub
from games.models import Table
from games.rooms import Viewer
from tests.games.sockets import PATIENCE
from tests.games.tables import open_table, play_one, start

pytestmark = [pytest.mark.committed, pytest.mark.usefixtures("closed_hub")]


def running_tables(number: int) -> list[Table]:
    tables = [open_table("least_score") for _ in range(number)]
    for table in tables:
        start(table)
    return tables


async def test_tables_looked_at_in_the_same_moment_all_hear_their_announcements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each subscription made a connection of its own while there was none, and only the last was listened to."""
    # Nothing but an announcement brings the next view.
    monkeypatch.setattr("games.hub.HEADS_SECONDS", 10 * PATIENCE)
    tables = await sync_to_async(running_tables)(4)
    viewers = [Viewer(seat=None, user_id=None, language="en") for _ in tables]
    await asyncio.gather(*(hub().join(t.id, viewer) for t, viewer in zip(tables, viewers, strict=True)))
    for table, viewer in zip(tables, viewers, strict=True):
        before = viewer.version
        await sync_to_async(play_one)(table)
        async with asyncio.timeout(PATIENCE):
            while viewer.version == before:
                await viewer.outbox.get()
