"""The statistics of each club's deals: every deal that is over is added once, whenever that happens."""

from __future__ import annotations

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from games.models import Deal, DealStatistics, LogEntry
from games.rules import GAMES
from games.rules.errors import Refusal
from games.rules.record import Record
from games.rules.tally import Tally, tally
from games.selectors import archived_entries, first_draws

logger = logging.getLogger(__name__)

COUNTING_LOCK = 7_305_001
"""Key of the advisory lock that whoever counts holds until the commit: one at a time."""

BATCH = 200
"""Deals that are counted in one go: some 0.5 s of replaying."""

Key = tuple[int | None, str, str, str]
"""Club, game, kind and key of a count."""


@dataclass
class Count:
    """How often, and when the first and the last of the deals ended that were counted."""

    count: int
    since: dt.datetime
    until: dt.datetime


def count_deals(*, most: int = BATCH) -> int:
    """Add up to ``most`` ended deals to the statistics; returns how many, 0 also while somebody else counts.

    Whatever is counted is marked in the same transaction, so that a run that
    is repeated, killed or doubled counts nothing twice and leaves nothing out.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [COUNTING_LOCK])
            if not cursor.fetchone()[0]:
                return 0
        return _count_next(most)


def recount_deals() -> int:
    """Forget the statistics and count every ended deal anew; returns how many.

    One transaction: the old numbers are seen until the new ones are complete.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [COUNTING_LOCK])
        DealStatistics.objects.all().delete()
        Deal.objects.filter(counted=True).update(counted=False)
        counted = 0
        while more := _count_next(BATCH):
            counted += more
        return counted


def _count_next(most: int) -> int:
    """Count the next deals; four queries and one for the marks, however many deals there are."""
    waiting = Deal.objects.filter(counted=False, ended_at__isnull=False).select_related("table")
    deals = list(waiting.order_by("id")[:most])
    if not deals:
        return 0
    moves = _moves_of(deals)
    draws = first_draws(deals)
    found: dict[Key, Count] = {}
    for deal in deals:
        assert deal.ended_at is not None
        counts = _tally(deal, moves[deal.pk])
        counts["month", deal.ended_at.astimezone(dt.UTC).strftime("%Y-%m")] += 1
        if draw := draws.get(deal.pk):
            counts["first_dealer", f"{len(draw.seats)}:{draw.seats.index(draw.dealer) + 1}"] += 1
        for (kind, key), number in counts.items():
            _add(
                found,
                (deal.table.club_id, deal.table.game, kind, key),
                Count(number, deal.ended_at, deal.ended_at),
            )
    _store(found)
    Deal.objects.filter(pk__in=[deal.pk for deal in deals]).update(counted=True)
    return len(deals)


def _moves_of(deals: Sequence[Deal]) -> dict[int, list[str]]:
    moves: dict[int, list[str]] = defaultdict(list)
    entries = LogEntry.objects.filter(deal__in=deals, ply__isnull=False).order_by("deal_id", "ply")
    for deal_id, move in entries.values_list("deal_id", "move"):
        moves[deal_id].append(move)
    for entry in archived_entries([deal for deal in deals if deal.pk not in moves]):
        if entry.move:
            moves[entry.deal_id or 0].append(entry.move)
    return moves


def _tally(deal: Deal, moves: Iterable[str]) -> Tally:
    """Return what a deal adds; one whose log the rules do not accept is counted as that and named loudly."""
    game = deal.table.game
    try:
        record = Record(
            game=game,
            options=GAMES[game].parse_options(deal.table.options),
            seats=tuple(deal.seats),
            dealer=deal.dealer,
            deck=tuple(deal.deck),
            moves=tuple(moves),
            carried=deal.carried,
        )
        return tally(record, bots=deal.bots)
    except (Refusal, ValueError) as error:
        logger.error("deal %s of table %s is not a deal by the rules: %s", deal.number, deal.table_id, error)
        return Tally({("deals", ""): 1, ("unreadable", ""): 1})


def _add(found: dict[Key, Count], key: Key, more: Count) -> None:
    known = found.get(key)
    if known is None:
        found[key] = more
        return
    known.count += more.count
    known.since, known.until = min(known.since, more.since), max(known.until, more.until)


def _store(found: dict[Key, Count]) -> None:
    """Add to the rows; nobody else writes them while the lock is held."""
    clubs = {club for club, _game, _kind, _key in found}
    games = {game for _club, game, _kind, _key in found}
    for row in DealStatistics.objects.filter(club__in=clubs, game__in=games):
        key = (row.club_id, row.game, row.kind, row.key)
        if key in found:
            _add(found, key, Count(row.count, row.since, row.until))
    DealStatistics.objects.bulk_create(
        [
            DealStatistics(
                club_id=club,
                game=game,
                kind=kind,
                key=key,
                count=count.count,
                since=count.since,
                until=count.until,
            )
            for (club, game, kind, key), count in sorted(found.items())
        ],
        update_conflicts=True,
        unique_fields=["club", "game", "kind", "key"],
        update_fields=["count", "since", "until"],
    )
