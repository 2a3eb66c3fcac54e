"""Throw nonsense at the sockets of a running site: `python -m benchmarks.fuzz_sockets --frames 100000`.

Starts the whole site on a folder of its own, opens a table at which nothing
happens by itself, and sends bad JSON, wrong types, stale and foreign commands,
broken frames and half handshakes from eight clients at once. Every frame must be answered
or end its socket by the rule of docs/protocol.md, the web process must live, its
memory must not grow without bound, and every row of tables, seats, deals, log
and ledger must be as it was. Says what it saw; exits with 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from uuid import UUID, uuid4

import psycopg

from benchmarks.tables_setup import Person, make_people, use_site
from benchmarks.tables_site import Site
from tests.games.fuzzing import Report, Target, fuzz

MIB = 1024 * 1024
WARM_UP = 0.05
"""The part of the frames after which memory is measured first."""

MOST_GROWTH = 48 * MIB
UNTOUCHED = {
    "games_table": "(id, status, match, deal_number, ply, banks, lag_quotas, turn_seat, turn_version)::text",
    # When the machine is so busy that no sweep ran for 5 s, the running turn gets that time back: an entry of its own.
    "games_logentry": "CASE WHEN events->0->>'type' = 'outage' THEN '' ELSE t::text END",
    **dict.fromkeys(
        ("games_seat", "games_deal", "ledger_account", "ledger_transaction", "ledger_posting"), "t::text"
    ),
}
"""What must be as it was, by table."""


def main() -> None:
    """Run the attack and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    site = Site()
    try:
        wrong = run(site, options.frames, options.seed)
    finally:
        site.stop()
    for line in wrong:
        print(f"WRONG: {line}")
    raise SystemExit(1 if wrong else 0)


def run(site: Site, frames: int, seed: int) -> list[str]:
    """Attack the site and return what was wrong."""
    use_site({**site.environment, **site.addresses})
    target = make_target(site.ports[0])
    [web] = site.of_role("web")
    before = fingerprints(site)
    warm = asyncio.run(fuzz(target, frames=int(frames * WARM_UP), seed=seed))
    memory = web.memory_info().rss
    started = time.monotonic()
    report = asyncio.run(fuzz(target, frames=frames - warm.frames, seed=seed + 1))
    seconds = time.monotonic() - started
    time.sleep(2)
    growth = web.memory_info().rss - memory
    say(report, seconds, memory, growth)
    wrong = [*warm.faults, *report.faults]
    if not web.is_running():
        wrong.append("the web process died")
    if growth > MOST_GROWTH:
        wrong.append(f"memory grew by {growth / MIB:.0f} MiB")
    after = fingerprints(site)
    wrong += [f"rows of {name} changed" for name in UNTOUCHED if before[name] != after[name]]
    wrong += [line for line in site.complaints() if "ERROR games" in line or "Exception in ASGI" in line]
    return wrong


def make_target(port: int) -> Target:
    """Open a table of members with a clock of days and make the first move; who knocks is on turn, waiting or strange."""
    from games import selectors, services
    from games.models import Table
    from games.rules import GAMES

    people = make_people(4, prefix="fuzz")
    seated: dict[int, Person] = dict(enumerate(people[:3], start=1))
    table = services.open_table(
        game="least_score",
        options={},
        clock="days",
        members={seat: person.user for seat, person in seated.items()},
        bots={},
        opened_by=people[0].user,
        pace_ms=60_000,
    )
    services.start_due_deal(table_id=table.id, turn_version=table.turn_version)
    while (table := Table.objects.get(pk=table.pk)).status != Table.Status.PLAYING:
        time.sleep(0.2)
    running = selectors.running(table)
    moved = table.turn_seat
    assert running is not None and moved is not None
    command = uuid4()
    services.play_move(
        table_id=table.id,
        user_id=seated[moved].user.pk,
        move=GAMES[table.game].legal_moves(running.state)[0],
        version=table.version,
        command_id=command,
    )
    table.refresh_from_db()
    assert table.turn_seat is not None
    keys = {
        "on_turn": seated[table.turn_seat].session,
        "waiting": seated[moved].session,
        "stranger": people[3].session,
        "nobody": "",
    }
    return Target(port, UUID(str(table.id)), uuid4(), table.version, keys, [str(command)])


def fingerprints(site: Site) -> dict[str, str]:
    """Return a hash of all rows of each table that a move could change."""
    with psycopg.connect(site.addresses["DATABASE_URL"]) as connection:
        found = {}
        for name, shown in UNTOUCHED.items():
            query = f"SELECT coalesce(md5(string_agg({shown}, '' ORDER BY id)), '') FROM {name} t"
            row = connection.execute(query).fetchone()  # type: ignore[arg-type]
            assert row is not None
            found[name] = row[0]
        return found


def say(report: Report, seconds: float, memory: int, growth: int) -> None:
    """Print the figures of the run."""
    print(
        f"{report.frames} frames on {report.sockets} sockets in {seconds:.0f} s ({report.frames / seconds:.0f} a second)"
    )
    print(f"web process: {memory / MIB:.0f} MiB after the warm-up, {growth / MIB:+.1f} MiB at the end")
    for title, counter in (("answers", report.answers), ("closes", report.closes)):
        print(f"{title}: " + ", ".join(f"{kind} {count}" for kind, count in counter.most_common()))


if __name__ == "__main__":
    main()
