"""Ratings: every rated match moves them once, in the order of its number, and can be counted again with the same result.

Whoever counts holds the pool's row until the commit, so that the matches of a pool
count one after another. It is the last lock of a transaction: tables, events and the
ledger's accounts are locked before it, and nothing after it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from games.models import RatedMatch, Rating, RatingChange, RatingPool
from games.selectors import ratings as records
from games.selectors.ratings import Placed, Standing
from games.services.locked import LockedTable
from games.skill import NEWCOMER, after_match

BATCH = 1000

Played = tuple[RatedMatch, Sequence[Placed]]
"""A match and what its record says, seat by seat; ``rating_id`` is known."""


def rate_table(locked: LockedTable) -> None:
    """Count the match that has just ended at a rated table, if it counts (``records.counted_places``).

    The final entry of the log is written; the table's lock is held, the pool's is taken.
    """
    table = locked.table
    if not table.rated:
        return
    placed = records.table_places([table.pk])[table.pk]
    if placed:
        pool = lock_pool(table.club_id, table.game)
        _count_next(pool, records.source_of(table.pk), locked.now, placed, table_id=table.pk)


def rate_result(
    *, club_id: int | None, game: str, source: str, at: dt.datetime, placed: Sequence[Placed]
) -> None:
    """Count a result that was not made at a rated table, or correct it: a ``source`` counts once.

    ``placed`` names people by ``user_id`` in a club, bots by ``bot_level`` without one.
    Nothing counts if somebody has no account, or with fewer than two players. A correction keeps the place of the match
    in the order and counts everything after it again. ``at`` is when it was played; a correction does not
    change it. Takes the pool's lock; a caller in a transaction takes no other lock afterwards.
    """
    with transaction.atomic():
        pool = lock_pool(club_id, game)
        match = RatedMatch.objects.filter(source=source).first()
        old = records.changes_places([match.pk]).get(match.pk, []) if match else []
        named = _name(pool, _counting(placed, old))
        if match is None:
            if named:
                _count_next(pool, source, at, named)
            return
        assert match.pool_id == pool.pk and match.table_id is None, f"{source} belongs to another pool"
        if [one[:3] + one[-1:] for one in named] != [one[:3] + one[-1:] for one in old]:
            _correct(pool, match, named)


def _counting(placed: Iterable[Placed], old: Iterable[Placed]) -> list[Placed]:
    """Return the result if it counts, else nothing: everybody has an account, or had one when it first counted."""
    before = {one.seat: one.rating_id for one in old}
    named = [one if any(one.player) else one._replace(rating_id=before.get(one.seat, 0)) for one in placed]
    known = all(any(one.player) or one.rating_id for one in named)
    return named if known and records.tells_something(named) else []


def withdraw_result(*, source: str) -> None:
    """Take a result back, as if it had not been played; an unknown ``source`` is no fault. Takes the pool's lock."""
    with transaction.atomic():
        match = RatedMatch.objects.select_related("pool").filter(source=source).first()
        if match is not None:
            pool = lock_pool(match.pool.club_id, match.pool.game)
            if records.changes_places([match.pk]):
                _correct(pool, match, ())


def recompute_ratings(pool: RatingPool, *, store: bool) -> list[str]:
    """Count all matches of a pool again from their records and return what differs, line by line.

    The records are the logs and seats of tables, in the order of the matches' numbers;
    results that were reported say themselves what they are. Rated tables that were not
    counted come last. With ``store`` the ratings are what was computed. Takes the pool's lock.
    """
    with transaction.atomic():
        pool = RatingPool.objects.select_for_update().get(pk=pool.pk)
        matches = list(pool.rated_matches.order_by("number"))
        missed = list(records.uncounted_tables(pool))
        placed = records.places_of(matches) | records.table_places([table.pk for table in missed])
        differences = [f"table {table.pk} was not counted" for table in missed]
        if store:
            for table in missed:
                pool.last += 1
                matches.append(_new_match(pool, records.source_of(table.pk), table.finished_at, table.pk))
            pool.save(update_fields=["last"])
        played = [(match, _name(pool, placed[match.table_id or match.pk], create=store)) for match in matches]
        standings: dict[int, Standing] = {}
        changes = _count(played, standings)
        differences += records.differences(pool, matches, changes, standings)
        if store and differences:
            RatingChange.objects.filter(match__pool=pool).delete()
            _store(pool, changes, standings)
            untouched = pool.ratings.exclude(pk__in=standings)
            untouched.update(mu=NEWCOMER.mu, sigma=NEWCOMER.sigma, matches=0, last_at=None)
        return differences


def lock_pool(club_id: int | None, game: str) -> RatingPool:
    """Return the pool of a club (``None``: the site's bots) and a game, locked until the commit; made if need be."""
    club = Q(club__isnull=True) if club_id is None else Q(club=club_id)
    pools = RatingPool.objects.select_for_update().filter(club, game=game)
    found = pools.first()
    if found is None:
        RatingPool.objects.bulk_create([RatingPool(club_id=club_id, game=game)], ignore_conflicts=True)
        found = pools.get()
    return found


def _count_next(
    pool: RatingPool, source: str, at: dt.datetime, placed: Sequence[Placed], *, table_id: UUID | None = None
) -> None:
    """Count one more match under the next number."""
    named = placed if all(one.rating_id for one in placed) else _name(pool, placed)
    standings = records.standings([one.rating_id for one in named])
    RatingPool.objects.filter(pk=pool.pk).update(last=F("last") + 1)
    pool.last += 1
    match = _new_match(pool, source, at, table_id)
    _store(pool, _count([(match, named)], standings), standings)


def _new_match(pool: RatingPool, source: str, at: dt.datetime | None, table_id: UUID | None) -> RatedMatch:
    assert at is not None, f"{source} has no end"
    return RatedMatch.objects.create(pool=pool, number=pool.last, table_id=table_id, source=source, at=at)


def _correct(pool: RatingPool, match: RatedMatch, placed: Sequence[Placed]) -> None:
    """Give a counted match another result and count it and everything after it again."""
    later = list(pool.rated_matches.filter(number__gte=match.number).order_by("number"))
    old = records.changes_places([one.pk for one in later])
    touched = {one.rating_id for places in (placed, *old.values()) for one in places}
    before = records.standings_before(pool, match.number)
    standings = {rating_id: before.get(rating_id, Standing()) for rating_id in touched}
    played = [(one, placed if one.pk == match.pk else old.get(one.pk, ())) for one in later]
    changes = _count(played, standings)
    RatingChange.objects.filter(match__in=later).delete()
    _store(pool, changes, standings)


def _name(pool: RatingPool, placed: Iterable[Placed], *, create: bool = True) -> list[Placed]:
    """Return ``placed`` in the order of the seats with the ids of their ratings, which are made if need be.

    Without ``create`` a player who has no rating yet gets a number of its own below zero.
    """
    ordered = sorted(placed, key=lambda one: one.seat)
    known = records.rating_ids(pool, ordered)
    new = {one.player for one in ordered if not one.rating_id} - known.keys()
    if new and create:
        rows = [
            Rating(pool=pool, user_id=user_id, bot_level=level) for user_id, level in sorted(new, key=str)
        ]
        known |= {(row.user_id, row.bot_level): row.pk for row in Rating.objects.bulk_create(rows)}
    known |= {player: -(player[0] or 1) for player in new - known.keys()}
    return [one._replace(rating_id=one.rating_id or known[one.player]) for one in ordered]


def _count(played: Iterable[Played], standings: dict[int, Standing]) -> list[RatingChange]:
    """Move ``standings`` by the matches, one after another, and return the changes, not yet stored."""
    changes: list[RatingChange] = []
    for match, placed in played:
        if not placed:
            continue
        before = [standings.get(one.rating_id, Standing()).at(match.at) for one in placed]
        players = [one.rating_id for one in placed]
        after = after_match(before, [one.place for one in placed], players)
        for one, old, new in zip(placed, before, after, strict=True):
            changes.append(
                RatingChange(
                    match=match,
                    seat=one.seat,
                    rating_id=one.rating_id,
                    place=one.place,
                    abandoned=one.abandoned,
                    mu_before=old.mu,
                    sigma_before=old.sigma,
                    mu_after=new.mu,
                    sigma_after=new.sigma,
                )
            )
        for rating_id, skill in dict(zip(players, after, strict=True)).items():
            standings[rating_id] = standings.get(rating_id, Standing()).after(skill, match.at)
    return changes


def _store(pool: RatingPool, changes: Sequence[RatingChange], standings: dict[int, Standing]) -> None:
    RatingChange.objects.bulk_create(changes, batch_size=BATCH)
    rows = list(pool.ratings.filter(pk__in=standings))
    for row in rows:
        standing = standings[row.pk]
        row.mu, row.sigma = standing.skill
        row.matches, row.last_at = standing.matches, standing.last_at
    Rating.objects.bulk_update(rows, ["mu", "sigma", "matches", "last_at"], batch_size=BATCH)
