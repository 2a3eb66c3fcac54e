"""The hub of a process: what it subscribes to, and who is shown what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async

from games.hub import HEADS_SECONDS, hub
from games.models import Table
from tests.games.sockets import Client
from tests.games.tables import open_table, play_one, start

pytestmark = pytest.mark.committed


@pytest.fixture(autouse=True)
async def closed_hub() -> AsyncIterator[None]:
    """Each test has an event loop of its own, and so a hub of its own."""
    yield
    await hub().close()


def running_tables(number: int) -> list[Table]:
    tables = [open_table("least_score") for _ in range(number)]
    for table in tables:
        start(table)
    return tables


async def test_tables_looked_at_in_the_same_moment_all_hear_their_announcements() -> None:
    """Each subscription made a connection of its own while there was none, and only the last was listened to."""
    tables = await sync_to_async(running_tables)(4)
    clients = [Client(table) for table in tables]
    assert all(await asyncio.gather(*(client.connect() for client in clients)))
    await asyncio.gather(*(client.kind("state") for client in clients))
    for table, client in zip(tables, clients, strict=True):
        await sync_to_async(play_one)(table)
        # Well before the heads are asked for.
        await client.read(
            lambda frame, seen=table.version: frame["t"] == "state" and frame["v"] > seen,
            timeout=HEADS_SECONDS / 5,
        )
    for client in clients:
        await client.socket.disconnect()
