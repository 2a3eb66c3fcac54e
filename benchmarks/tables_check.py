"""Whether every client was shown everything exactly once: its sequence of events against the log in the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.tables_sockets import Client
from games.rules.interface import event_for


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
        views = f", {self.views} views shown more than once" if self.views else ""
        return f"{told}{views}: {len(self.faults)} faults"


def have_seen(clients: Iterable[Client], log: Mapping[int, Any]) -> bool:
    """Whether all ``clients`` of a table that are still there were shown the end of its ``log``."""
    return all(client.closed or client.seen[-1][0] == max(log) for client in clients)


def verify(clients: Sequence[Client], log: Mapping[int, list[dict[str, Any]]], verdict: Verdict) -> None:
    """Compare what the ``clients`` of one table were shown with its ``log``; to be called when they have seen its end."""
    for client in clients:
        verdict.clients += 1
        who = f"table {client.table_id} seat {client.seat}"
        if client.closed:
            verdict.faults.append(f"{who}: {client.closed}")
        compare(who, client.seat, client.seen, log, verdict)
    for told in {id(client.shown): client.shown for client in clients}.values():
        verdict.views += told.compared
        verdict.faults += told.differences
    if sorted(log) != list(range(1, len(log) + 1)):
        verdict.faults.append(f"the log of {clients[0].table_id} has a gap or a double")


def compare(
    who: str,
    seat: int | None,
    seen: Sequence[tuple[int, float, list[Any]]],
    log: Mapping[int, list[dict[str, Any]]],
    verdict: Verdict,
) -> None:
    """Compare the frames that one client was shown (version, moment, events) with what the log told ``seat`` since the first."""
    before = seen[0][0]
    for version, _at, events in seen[1:]:
        verdict.frames += 1
        verdict.events += len(events)
        entries = range(before + 1, version + 1)
        wanted = [event_for(event, seat) for v in entries for event in log.get(v, [])]
        if version <= before:
            verdict.faults.append(f"{who}: version {version} was shown after {before}")
        elif events != wanted:
            verdict.faults.append(f"{who}: versions {before + 1} to {version} were shown with other events")
        before = max(before, version)
    if before != max(log):
        verdict.faults.append(f"{who}: last shown version {before}, the log ends at {max(log)}")
