"""Members who play at many tables over sockets, at a given rate or as fast as the site lets them."""

from __future__ import annotations

import asyncio
import random
import time
from bisect import bisect_left
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from benchmarks.tables_setup import OpenTable
from benchmarks.tables_sockets import Client, Shown, connect

SETTLE_SECONDS = 120
"""Seconds that a busy machine may take until all is shown."""


class Move(NamedTuple):
    """A move that was accepted: its table, the version it made, when it was sent and when it was acknowledged."""

    table_id: UUID
    version: int
    sent: float
    acknowledged: float


class Crowd:
    """All sockets of some tables: one for every member in a seat, and watchers."""

    def __init__(self, tables: Sequence[OpenTable]) -> None:
        self.tables = tables
        self.clients: list[Client] = []
        self.moves: list[Move] = []
        self.refused: list[str] = []
        self._chance = random.Random(len(tables))
        self._turns: OrderedDict[UUID, tuple[Client, int, list[str]]] = OrderedDict()
        self._under_way: dict[UUID, tuple[str, float]] = {}
        self._at_once = False

    async def come(self, port: int, *, watchers: int, members: bool = True) -> None:
        """Open all sockets, a few at a time; without ``members`` only those of watchers."""
        limit = asyncio.Semaphore(20)

        async def one(table: OpenTable, shown: Shown, seat: int | None, session: str) -> None:
            async with limit:
                client = await connect(port, table.id, shown, session=session, seat=seat)
            self.clients.append(client)
            client.on_state, client.on_answer = self._shown, self._answered
            assert client.state is not None
            self._shown(client, client.state, time.monotonic())

        coming = []
        for table in self.tables:
            shown = Shown()
            if members:
                coming += [one(table, shown, seat, person.session) for seat, person in table.seated.items()]
            coming += [one(table, shown, None, "") for _ in range(watchers)]
        await asyncio.gather(*coming)

    async def come_back(self, port: int) -> list[float]:
        """Open a new socket for each that was lost, as a browser does; returns how many seconds after the first try each was there.

        What a lost socket had sent may have been done or not: the new socket's first view tells.
        """
        began, found = time.monotonic(), []
        limit = asyncio.Semaphore(20)

        async def one(lost: Client) -> None:
            async with limit:
                while True:
                    try:
                        client = await connect(
                            port, lost.table_id, lost.shown, session=lost.session, seat=lost.seat
                        )
                        break
                    except (OSError, TimeoutError):
                        await asyncio.sleep(0.5)
            self.clients[self.clients.index(lost)] = client
            client.on_state, client.on_answer = self._shown, self._answered
            if client.seat is not None:
                self._under_way.pop(client.table_id, None)
            assert client.state is not None
            self._shown(client, client.state, time.monotonic())
            found.append(time.monotonic() - began)

        await asyncio.gather(*(one(client) for client in list(self.clients) if client.closed))
        return sorted(found)

    async def begin(self) -> None:
        """Wait until a member is on turn at every table, which on a busy machine may be late."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while len(self._turns) < len(self.tables) and time.monotonic() < deadline:
            await asyncio.sleep(0.1)

    async def play(self, seconds: float, *, rate: float | None) -> int:
        """Play for some time and return the number of moves sent; without a ``rate`` each turn is played at once."""
        before, end = len(self.moves), time.monotonic() + seconds
        self._at_once = rate is None
        if rate is None:
            for table_id in list(self._turns):
                self._move(table_id)
            await asyncio.sleep(seconds)
            self._at_once = False
        else:
            due = time.monotonic()
            while due < end:
                due += self._chance.expovariate(rate)
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                self._move_somewhere()
        await self.settle()
        return len(self.moves) - before

    async def settle(self) -> None:
        """Wait until every command is answered and nothing has been shown for a second."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < deadline:
            await asyncio.sleep(0.5)
            newest = max(client.seen[-1][1] for client in self.clients)
            if not self._under_way and time.monotonic() - newest > 1:
                return

    def forget(self) -> None:
        """Begin a new measurement with the same sockets: what was shown so far counts no more."""
        self.moves.clear()
        self.refused.clear()
        for client in self.clients:
            client.seen = client.seen[-1:]

    def leave(self) -> None:
        """Close all sockets."""
        for client in self.clients:
            client.leave()

    def latencies(self) -> list[float]:
        """For each move, milliseconds from its sending until the last socket of its table was shown it; sorted."""
        shown: dict[UUID, list[tuple[list[int], list[float]]]] = defaultdict(list)
        for client in self.clients:
            shown[client.table_id].append(([s[0] for s in client.seen], [s[1] for s in client.seen]))
        found = []
        for move in self.moves:
            last = 0.0
            for versions, moments in shown[move.table_id]:
                place = bisect_left(versions, move.version)
                last = max(last, moments[place] if place < len(moments) else float("inf"))
            found.append((last - move.sent) * 1000)
        return sorted(found)

    def _move_somewhere(self) -> None:
        """Move at the table that has waited longest; nothing happens when all wait for the site."""
        ready = next((table_id for table_id in self._turns if table_id not in self._under_way), None)
        if ready is not None:
            self._move(ready)

    def _move(self, table_id: UUID) -> None:
        if table_id in self._under_way:
            return
        client, version, legal = self._turns.pop(table_id)
        command = str(uuid4())
        self._under_way[table_id] = (command, time.monotonic())
        client.say({"t": "move", "id": command, "v": version, "m": self._chance.choice(legal)})

    def _shown(self, client: Client, frame: dict[str, Any], now: float) -> None:
        table = frame["table"]
        clock, legal = table["clock"], (table["deal"] or {}).get("legal")
        if client.seat is None or not clock or clock["seat"] != client.seat or not legal:
            return
        self._turns[client.table_id] = (client, frame["v"], legal)
        if self._at_once:
            self._move(client.table_id)

    def _answered(self, client: Client, frame: dict[str, Any], now: float) -> None:
        command, sent = self._under_way.get(client.table_id, ("", 0.0))
        if frame.get("id") != command:
            return
        del self._under_way[client.table_id]
        if frame["t"] == "ok":
            self.moves.append(Move(client.table_id, frame["v"], sent, now))
        else:
            self.refused.append(frame["code"])
            client.say({"t": "resync"})
        if self._at_once and client.table_id in self._turns:
            self._move(client.table_id)


def quantiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return median, 99th percentile and the largest of sorted ``values``."""
    if not values:
        return (float("nan"),) * 3
    return values[len(values) // 2], values[min(len(values) - 1, int(len(values) * 0.99))], values[-1]
