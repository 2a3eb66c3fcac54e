"""What a finished match takes in the database, and what archiving its log gives back.

    .venv/bin/python -m benchmarks.archive --matches 10

It starts engines of its own in a temporary folder (nothing of the site's data is touched), lets bots play that many
matches of each game to their ends through the product's own services, and prints what the tables take (with their
indexes), how fast the logs were archived, what the files take, and how long a replay waits for its file.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import django

from config.engines.running import Engines

PROJECT = Path(__file__).resolve().parents[1]
SIZES = "SELECT pg_total_relation_size(%s), pg_indexes_size(%s)"


def main() -> int:
    """Measure and print the table; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=10, help="matches of each game (default: 10)")
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory(prefix="cardclub-archive-") as folder:
        Path(folder).chmod(0o755)
        engines = Engines(Path(folder))
        environment = {**os.environ, **engines.start(), "SECRET_KEY": "only for this measurement"}
        environment |= {"ARCHIVE_DIR": f"{folder}/archive", "LOG_LEVEL": "ERROR"}
        try:
            return _run(matches, environment)
        finally:
            engines.stop()


def _run(matches: int, environment: dict[str, str]) -> int:
    os.environ.update(environment)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    migrating = [sys.executable, "manage.py", "migrate", "-v", "0"]
    subprocess.run(migrating, cwd=PROJECT, env=environment, check=True)
    django.setup()
    print("| what | figure |\n|---|---|")
    for _match in range(matches):
        for game, seats in (("three_card_loo", 5), ("least_score", 3)):
            _play(game, seats)
    _count()
    _archive()
    return 0


def _play(game: str, seats: int) -> None:
    from games import services
    from games.models import Table

    table = services.open_table(
        game=game,
        options={},
        clock="club",
        members={},
        bots=dict.fromkeys(range(1, seats + 1), "random"),
        opened_by=None,
        pace_ms=0,
        bot_think_ms=0,
    )
    while True:
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            return
        act = services.play_bot if table.status == Table.Status.PLAYING else services.start_due_deal
        act(table_id=table.pk, turn_version=table.turn_version)


def _count() -> None:
    from django.db import connection

    from games.models import Deal, LogEntry

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    entries, deals = LogEntry.objects.count(), Deal.objects.count()
    moves = LogEntry.objects.filter(ply__isnull=False).count()
    _row("moves, entries of logs, deals", f"{moves:,}, {entries:,}, {deals:,}")
    log, indexes = _size("games_logentry")
    _row("log: bytes an entry, of these in indexes", f"{log / entries:.0f}, {indexes / entries:.0f}")
    _row("log: bytes a move", f"{log / moves:.0f}")
    deal, _indexes = _size("games_deal")
    _row("deals: bytes a deal, bytes a move", f"{deal / deals:.0f}, {deal / moves:.0f}")
    _row("the log's part of both", f"{100 * log / (log + deal):.0f} %")


def _size(table: str) -> tuple[int, int]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(SIZES, [table, table])
        total, indexes = cursor.fetchone()
    return int(total), int(indexes)


def _archive() -> None:
    import datetime as dt

    from django.utils import timezone

    from games import selectors, services
    from games.models import ArchiveFile, Deal, Table
    from games.selectors.archive import _parsed

    while services.count_deals():
        pass
    then = timezone.now() - dt.timedelta(days=365)
    Table.objects.update(finished_at=then)
    Deal.objects.update(ended_at=then)
    started = time.perf_counter()
    made = services.archive_deals(before=timezone.now() - dt.timedelta(days=31))
    seconds = time.perf_counter() - started
    _row("archived, entries a second", f"{made.entries:,}, {made.entries / seconds:,.0f}")
    size = sum(ArchiveFile.objects.values_list("size", flat=True))
    _row("files: bytes an entry", f"{size / made.entries:.0f}")
    waits = []
    for deal in Deal.objects.select_related("table").order_by("?")[:50]:
        _parsed.cache_clear()
        started = time.perf_counter()
        selectors.record_of(deal.table, deal)
        waits.append(time.perf_counter() - started)
    waits.sort()
    _row(
        "record of an archived deal, p50 and worst",
        f"{waits[len(waits) // 2] * 1000:.0f} and {waits[-1] * 1000:.0f} ms",
    )


def _row(what: str, figure: str) -> None:
    print(f"| {what} | {figure} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
