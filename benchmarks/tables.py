"""Whole tables under load: real server processes, real sockets, one command, one table.

    python -m benchmarks.tables [--web 2 --workers 2] [--tables 100] [--rate 40] [--seconds 180] [--only play,clock]
    python -m benchmarks.tables --nodes 2 --only play,loss

Starts ``config.server`` on a folder of its own (its PostgreSQL and Valkey with
the settings of production, fsync on), lets signed-in members play both games
over WebSockets while watchers look on, and compares afterwards what every
client was shown with the log in the database. With ``--web 2`` the sockets of a
table are spread over the web processes by a small proxy (``benchmarks.proxy``).
With ``--nodes 2`` the site is a large one on one machine (``benchmarks.nodes``), and in the part ``loss`` one of its
nodes is killed while members play.

All of it, clients included, shares the machine's cores. Latencies are those of
the client: from handing the move to the system until the last socket of the
table has its frame. "A core" is one second of processor time of the site's own
processes (web, workers, PostgreSQL, Valkey), clients not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from asgiref.sync import sync_to_async

from benchmarks import tables_setup as setup
from benchmarks.nodes import Nodes
from benchmarks.proxy import in_front_of
from benchmarks.tables_play import SETTLE_SECONDS, Crowd, quantiles
from benchmarks.tables_site import Site

PARTS = ("memory", "play", "floor", "announce", "clock", "loss")
ANNOUNCEMENTS_A_SECOND = (50, 100, 200)
GIB = 1024**3


def main() -> int:
    """Measure; returns 1 when a client was shown anything but what the log says."""
    options = _options()
    site = Nodes(options.nodes) if options.nodes else Site(web=options.web, workers=options.workers)
    try:
        if options.first and not site.put_first():
            print("the system does not let this run go first", file=sys.stderr)
        if options.commit_ms:
            site.delay_commits(options.commit_ms)
        setup.use_site(site.environment)
        return asyncio.run(Measurement(site, options).run())
    finally:
        for line in site.complaints()[:40]:
            print(f"  the site said: {line}")
        site.stop()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--web", type=int, default=1, help="web processes (default: 1)")
    parser.add_argument(
        "--workers", type=int, default=1, help="workers for clock and for bots (default: 1 each)"
    )
    parser.add_argument(
        "--nodes", type=int, default=0, help="so many nodes behind nginx and PgBouncer instead"
    )
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--bots", type=int, default=0, help="seats of each table that bots hold (default: 0)")
    parser.add_argument("--watchers", type=int, default=8, help="watchers at each table (default: 8)")
    parser.add_argument(
        "--rate", type=float, default=40, help="members' moves a second at all tables (default: 40)"
    )
    parser.add_argument(
        "--seconds", type=float, default=180, help="how long they play at that rate (default: 180)"
    )
    parser.add_argument(
        "--saturated", type=float, default=30, help="seconds without pauses afterwards (default: 30)"
    )
    parser.add_argument(
        "--commit-ms", type=int, default=0, help="make each commit take so many ms longer: a slower disk"
    )
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument(
        "--first", action="store_true", help="as root: give this run precedence on a busy machine"
    )
    return parser.parse_args()


class Measurement:
    """One run over one site; every part prints what it found."""

    def __init__(self, site: Site, options: argparse.Namespace) -> None:
        self.site = site
        self.options = options
        self.moves_a_second = self.moves_a_core = 0.0
        self.faults = 0

    async def run(self) -> int:
        """Run the parts that were asked for, in their order; returns the exit code."""
        wanted = self.options.only.split(",")
        print("| what | figure | goal |\n|---|---|---|")
        async with self._door() as port:
            self.port = port
            self.people = await sync_to_async(setup.make_people)(
                self.options.tables * self.options.seats, prefix="Member"
            )
            for part in PARTS:
                if part in wanted:
                    await getattr(self, part)()
        print(f"faults: {self.faults}")
        return 1 if self.faults else 0

    @asynccontextmanager
    async def _door(self) -> AsyncIterator[int]:
        """The port that clients connect to: the web process itself, or the proxy in front of several."""
        if len(self.site.ports) == 1:
            yield self.site.ports[0]
            return
        async with in_front_of(self.site.ports) as (port, proxy):
            yield port
            _row("connections by web process", ", ".join(str(n) for n in proxy.taken.values()))

    async def play(self) -> None:
        """Members play at the given rate, then as fast as the site lets them."""
        options = self.options
        async with self._crowd(options.tables, bots=options.bots, watchers=options.watchers) as crowd:
            await crowd.begin()
            await asyncio.sleep(1)
            crowd.forget()
            await self._played(crowd, "play", options.seconds, options.rate)
            if options.saturated:
                await self._played(crowd, "saturated", options.saturated, None)

    async def _played(self, crowd: Crowd, name: str, seconds: float, rate: float | None) -> None:
        used = self.site.cpu_seconds()
        logged = await sync_to_async(setup.moves_in)(crowd.tables)
        await crowd.play(seconds, rate=rate)
        now = self.site.cpu_seconds()
        spent = {role: now[role] - used.get(role, 0.0) for role in now}
        moves = await sync_to_async(setup.moves_in)(crowd.tables) - logged
        each = f", {(moves - len(crowd.moves)) / seconds:.1f}/s by bots" if self.options.bots else ""
        _row(
            f"{name}: {len(crowd.clients)} sockets, {len(crowd.tables)} tables",
            f"{len(crowd.moves) / seconds:.1f} moves/s by members{each} ({moves} in all)",
        )
        _times(f"{name}: sent to last socket", crowd.latencies(), (40, 250) if rate else None)
        _times(f"{name}: sent to acknowledged", sorted((m.acknowledged - m.sent) * 1000 for m in crowd.moves))
        _row(f"{name}: processor time a move", _by_role(spent, moves))
        if rate is None:
            self.moves_a_second, self.moves_a_core = moves / seconds, moves / sum(spent.values())
            _row(f"{name}: moves/s a core", f"{self.moves_a_core:.0f}", "100")
        await self._verify(crowd, name)
        crowd.forget()

    async def floor(self) -> None:
        """The plain loop in the same database, on one connection and on eight."""
        from benchmarks import tables_floor
        from config.engines.postgres import SITE

        addresses = self.site.addresses
        await asyncio.to_thread(tables_floor.prepare, addresses["DATABASE_OWNER_URL"], SITE)
        for connections in (1, 8):
            found = await asyncio.to_thread(
                tables_floor.run, addresses["DATABASE_URL"], seconds=8, connections=connections
            )
            _row(
                f"floor: plain loop, {connections} connection(s)",
                f"{found.a_second:.0f}/s, {found.a_core:.0f}/s a core",
            )
            if self.moves_a_core:
                _row(
                    f"moves to that loop, {connections} connection(s)",
                    f"{self.moves_a_second / found.a_second:.2f} of its rate, "
                    f"{self.moves_a_core / found.a_core:.2f} of it a core",
                    "0.25",
                )

    async def announce(self) -> None:
        """New versions are written and announced at tables with 16 sockets."""
        from benchmarks.tables_announce import announce

        addresses = self.site.addresses
        async with self._crowd(20, watchers=10, clock="days") as crowd:
            await asyncio.sleep(4)
            for rate in ANNOUNCEMENTS_A_SECOND:
                crowd.forget()
                found = await announce(
                    crowd,
                    database=addresses["DATABASE_URL"],
                    valkey=addresses["REDIS_URL"],
                    rate=rate,
                    seconds=15,
                )
                _times(f"announced {rate}/s, to the last of 16 sockets", found, (10, 60))

    async def clock(self) -> None:
        """Nobody comes to play, so that the clock must; then every worker is killed."""
        from benchmarks import tables_clock as clock

        async with self._crowd(
            self.options.tables, watchers=1, members=False, clock="blitz", spread=8.0
        ) as crowd:
            await asyncio.sleep(2)
            await sync_to_async(clock.without_banks)(crowd.tables, self.options.seats)
            await asyncio.sleep(34)
            wall = clock.wall_clock()
            killed_at = time.time() * 1000
            killed = self.site.kill_workers()
            await asyncio.sleep(20)
            found = await sync_to_async(clock.time_outs)(crowd, wall)
            healthy = [t for t in found if t.due < killed_at - 1000]
            after = [t for t in found if killed_at - 50 <= t.due <= killed_at + 8000]
            _times("time-outs: late in the log", sorted(t.acted for t in healthy), (None, 150))
            _times("time-outs: late on a watcher's socket", sorted(t.shown for t in healthy))
            name = f"time-outs due within 8 s after SIGKILL of {killed} workers"
            _times(f"{name}: late in the log", sorted(t.acted for t in after), (None, 1500))
            _times(f"{name}: late on a watcher's socket", sorted(t.shown for t in after))
            await sync_to_async(setup.close_tables)(crowd.tables)
            await crowd.settle()
            await self._verify(crowd, "time-outs")

    async def loss(self) -> None:
        """A node is killed while members play: its sockets come back by the other, and every deal goes to its end."""
        if not isinstance(self.site, Nodes):
            return
        async with self._crowd(self.options.tables, watchers=2) as crowd:
            playing = asyncio.create_task(crowd.play(90, rate=self.options.rate))
            await asyncio.sleep(15)
            running = await sync_to_async(setup.running_deals)(crowd.tables)
            await asyncio.to_thread(self.site.kill_node, 0)
            await asyncio.sleep(0.5)
            back = await crowd.come_back(self.port)
            _times(
                f"{len(back)} of {len(crowd.clients)} sockets, back after SIGKILL of a node",
                [s * 1000 for s in back],
            )
            await playing
            await crowd.play(15, rate=None)  # a long deal has more moves than this rate gives it in 75 s
            left = await sync_to_async(setup.running_deals)(crowd.tables) & running
            _row(
                "deals that were running at the kill, and did not come to their end",
                f"{len(running)}, {len(left)}",
            )
            await self._verify(crowd, "a node lost")

    async def memory(self) -> None:
        """The growth of the web processes by the sockets of seated members."""
        number = 400
        async with self._crowd(20, watchers=0, clock="days"):
            await asyncio.sleep(5)
            before = self._resident()
            async with self._crowd(number, watchers=0, clock="days") as crowd:
                await asyncio.sleep(10)
                grown = self._resident() - before
                sockets = len(crowd.clients)
        _row(
            f"memory of {sockets} sockets of seated members, {number} tables",
            f"{grown / 1024**2:.1f} MiB: {grown / sockets / 1024:.1f} KiB each, so {GIB / grown * sockets:,.0f} in a GiB",
            "15,000",
        )

    def _resident(self) -> int:
        return sum(process.memory_info().rss for process in self.site.of_role("web"))

    @asynccontextmanager
    async def _crowd(
        self,
        number: int,
        *,
        watchers: int,
        members: bool = True,
        bots: int = 0,
        clock: str = "club",
        spread: float = 0.0,
    ) -> AsyncIterator[Crowd]:
        """Open tables, let everybody come, and end the tables afterwards; ``spread`` is how far apart they open."""
        opened: list[setup.OpenTable] = []
        crowd = Crowd(opened)
        for index in range(number):
            table = await sync_to_async(setup.open_table)(
                index, self.people, seats=self.options.seats, bots=bots, clock=clock, pace_ms=1000
            )
            opened.append(table)
            await asyncio.sleep(spread / number)
        await crowd.come(self.port, watchers=watchers, members=members)
        try:
            yield crowd
        finally:
            crowd.leave()
            await sync_to_async(setup.close_tables)(opened)

    async def _verify(self, crowd: Crowd, name: str) -> None:
        from benchmarks.tables_check import Verdict, have_seen, verify

        verdict = Verdict()
        deadline = time.monotonic() + SETTLE_SECONDS
        for table in crowd.tables:
            clients = [client for client in crowd.clients if client.table_id == table.id]
            log = await sync_to_async(setup.log_of)(table)
            # The next deal begins by itself, and what began a moment ago is shown a moment later.
            while not have_seen(clients, log) and time.monotonic() < deadline:
                await asyncio.sleep(0.2)
                log = await sync_to_async(setup.log_of)(table)
            verify(clients, log, verdict)
        self.faults += len(verdict.faults)
        refused = ", ".join(f"{code} {count}" for code, count in Counter(crowd.refused).items()) or "none"
        _row(f"{name}: shown against the log", f"{verdict}; moves refused: {refused}", "0 faults")
        for fault in verdict.faults[:5]:
            print(f"  {fault}")


def _row(what: str, figure: str, goal: str = "") -> None:
    print(f"| {what} | {figure} | {goal} |", flush=True)


def _times(what: str, found: Sequence[float], goals: tuple[float | None, float] | None = None) -> None:
    """Print a row about sorted milliseconds; ``goals`` are for the median and the 99th percentile."""
    half, most, worst = quantiles(found)
    goal = ""
    if goals is not None:
        goal = f"p99 {goals[1]} ms" if goals[0] is None else f"p50 {goals[0]}, p99 {goals[1]} ms"
    _row(what, f"p50 {half:.1f}, p99 {most:.1f}, max {worst:.1f} ms (n = {len(found)})", goal)


def _by_role(spent: Mapping[str, float], moves: int) -> str:
    """Return processor milliseconds a move, in all and by what the processes do, the most first."""
    most_first = sorted(spent.items(), key=lambda item: -item[1])
    parts = [
        f"{role} {seconds / moves * 1000:.2f}" for role, seconds in most_first if seconds / moves > 0.00001
    ]
    return f"{sum(spent.values()) / moves * 1000:.2f} ms: {', '.join(parts)}"


if __name__ == "__main__":
    sys.exit(main())
