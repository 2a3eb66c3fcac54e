"""How long an announcement takes from its publishing to the last of a table's sockets."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections import defaultdict
from uuid import UUID

import psycopg
import redis.asyncio as aioredis

from benchmarks.tables_play import Crowd

NEXT_VERSION = """
    WITH next AS (
        UPDATE games_table SET version = version + 1, changed_at = clock_timestamp() WHERE id = %(id)s RETURNING version
    )
    INSERT INTO games_logentry (table_id, version, move, by, events, at)
    SELECT %(id)s, version, '', 'table', '[{"type": "ready", "seat": 1}]', clock_timestamp() FROM next RETURNING version
"""


async def announce(crowd: Crowd, *, database: str, valkey: str, rate: float, seconds: float) -> list[float]:
    """Write and announce ``rate`` versions a second at the crowd's tables in turn; return the sorted milliseconds."""
    from games.broadcast import channel

    client = aioredis.from_url(valkey)
    said: list[tuple[UUID, int, float]] = []
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as writer:
        due = time.monotonic()
        for turn in range(int(rate * seconds)):
            table_id = crowd.tables[turn % len(crowd.tables)].id
            due += 1 / rate
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            row = await (await writer.execute(NEXT_VERSION, {"id": table_id})).fetchone()
            assert row is not None
            said.append((table_id, row[0], time.monotonic()))
            await client.publish(channel(table_id), row[0])
        await asyncio.sleep(2)
    await client.aclose()
    return _until_last(crowd, said)


def _until_last(crowd: Crowd, said: list[tuple[UUID, int, float]]) -> list[float]:
    shown: dict[UUID, list[tuple[list[int], list[float]]]] = defaultdict(list)
    for client in crowd.clients:
        shown[client.table_id].append(([s[0] for s in client.seen], [s[1] for s in client.seen]))
    found = []
    for table_id, version, moment in said:
        places = [(moments, bisect_left(versions, version)) for versions, moments in shown[table_id]]
        last = max(m[p] if p < len(m) else float("inf") for m, p in places)
        found.append((last - moment) * 1000)
    return sorted(found)
