"""Whether every client was shown everything exactly once: its sequence of events against the log in the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.tables_setup import OpenTable, log_of
from benchmarks.tables_sockets import Client


@dataclass
class Verdict:
    """What was compared, and every fault found, in words."""

    clients: int = 0
    frames: int = 0
    events: int = 0
    views: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        told = f"{self.clients} clients, {self.frames} frames, {self.events} events"
        views = f", {self.views} views shown by two processes" if self.views else ""
        return f"{told}{views}: {len(self.faults)} faults"


def verify(tables: Sequence[OpenTable], clients: Iterable[Client]) -> Verdict:
    """Compare what ``clients`` were shown with the logs of their ``tables``; to be called when all is quiet."""
    verdict, by_table = Verdict(), {table.id: table for table in tables}
    logs = {table.id: log_of(table) for table in tables}
    shown = {}
    for client in clients:
        verdict.clients += 1
        shown[client.table_id] = client.shown
        _verify_client(client, logs[by_table[client.table_id].id], verdict)
    for told in shown.values():
        verdict.views += told.compared
        verdict.faults += told.differences
    for table_id, log in logs.items():
        if sorted(log) != list(range(1, len(log) + 1)):
            verdict.faults.append(f"the log of {table_id} has a gap or a double")
    return verdict


def _verify_client(client: Client, log: dict[int, list[dict[str, Any]]], verdict: Verdict) -> None:
    from games.rules.interface import event_for

    who = f"table {client.table_id} seat {client.seat}"
    if client.closed:
        verdict.faults.append(f"{who}: {client.closed}")
    before = client.seen[0][0]
    for version, _at, events in client.seen[1:]:
        verdict.frames += 1
        verdict.events += len(events)
        entries = range(before + 1, version + 1)
        wanted = [event_for(event, client.seat) for v in entries for event in log.get(v, [])]
        if version <= before:
            verdict.faults.append(f"{who}: version {version} was shown after {before}")
        elif events != wanted:
            verdict.faults.append(f"{who}: versions {before + 1} to {version} were shown with other events")
        before = max(before, version)
    if before != max(log):
        verdict.faults.append(f"{who}: last shown version {before}, the log ends at {max(log)}")
