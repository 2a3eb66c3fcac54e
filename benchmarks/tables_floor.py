"""The floor under a move: the least that any server must do for one in PostgreSQL, in a plain loop.

Lock a row, read it, insert a log entry of the same shape as ours with its unique
key, update the row, commit. Nothing is computed, nobody is told.
"""

from __future__ import annotations

import threading
import time
from typing import NamedTuple
from uuid import uuid4

import psutil
import psycopg
from psycopg.types.json import Jsonb

SHAPE = """
CREATE TABLE floor_table (id uuid PRIMARY KEY, version bigint NOT NULL, ply int NOT NULL, match jsonb, due_at timestamptz);
CREATE TABLE floor_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, table_id uuid NOT NULL REFERENCES floor_table,
    version bigint NOT NULL, move text NOT NULL, events jsonb NOT NULL, at timestamptz NOT NULL, UNIQUE (table_id, version)
);
GRANT SELECT, INSERT, UPDATE ON floor_table, floor_log TO {role};
"""
EVENTS = Jsonb([{"type": "played", "seat": 3, "card": "7H"}, {"type": "turn", "seat": 4}])


class Floor(NamedTuple):
    """Loops a second of the wall's time, and for each second of processor time (loop and PostgreSQL together)."""

    a_second: float
    a_core: float


def prepare(owner: str, role: str) -> None:
    """Make the two tables of the loop as the database's owner."""
    with psycopg.connect(owner) as connection:
        connection.execute(SHAPE.format(role=role))


def run(address: str, *, seconds: float, connections: int) -> Floor:
    """Loop on ``connections`` at once, each at a row of its own."""
    counts, backends = [0] * connections, [0] * connections
    begin = threading.Barrier(connections + 1)
    done = threading.Barrier(connections + 1)

    def work(index: int) -> None:
        with psycopg.connect(address) as connection:
            backends[index] = connection.info.backend_pid
            table_id = uuid4()
            connection.execute("INSERT INTO floor_table VALUES (%s, 0, 0, '{}', now())", [table_id])
            connection.commit()
            begin.wait()
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                _once(connection, table_id)
                counts[index] += 1
            done.wait()
            done.wait()

    threads = [threading.Thread(target=work, args=(index,)) for index in range(connections)]
    for thread in threads:
        thread.start()
    begin.wait()
    started, before = time.monotonic(), _processor(backends)
    done.wait()
    took, used = time.monotonic() - started, _processor(backends) - before
    done.wait()
    for thread in threads:
        thread.join()
    return Floor(sum(counts) / took, sum(counts) / used)


def _once(connection: psycopg.Connection, table_id: object) -> None:
    row = connection.execute(
        "SELECT version, ply, match, due_at, clock_timestamp() FROM floor_table WHERE id = %s FOR UPDATE",
        [table_id],
    ).fetchone()
    assert row is not None
    connection.execute(
        "INSERT INTO floor_log (table_id, version, move, events, at) VALUES (%s, %s, '7H', %s, %s)",
        [table_id, row[0] + 1, EVENTS, row[4]],
    )
    connection.execute(
        "UPDATE floor_table SET version = %s, ply = %s, due_at = %s WHERE id = %s",
        [row[0] + 1, row[1] + 1, row[4], table_id],
    )
    connection.commit()


def _processor(backends: list[int]) -> float:
    """Return the processor time of this process and of the connections' server processes so far."""
    times = [psutil.Process(pid).cpu_times() for pid in (psutil.Process().pid, *backends)]
    return sum(t.user + t.system for t in times)
