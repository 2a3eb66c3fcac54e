"""Ratings as pages show them: the best of a club, one person's history, what a match brought."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, QuerySet
from django.utils import timezone

from clubs.models import Club, User
from clubs.selectors import may_see_person, seen_of
from clubs.selectors.clubs import Person
from games.models import Rating, RatingChange
from games.rules import GAMES

PAGE = 50
LISTED_FOR = dt.timedelta(days=365)
"""Who has played no rated match for so long is not listed; the rating stays."""

DRAWN = 100
"""So many of the latest matches are drawn in a chart."""


class Line(NamedTuple):
    """A line of a leaderboard: the place (equal ratings share one), and whether who looks may see the history."""

    place: int
    rating: Rating
    linked: bool


class Leaderboard(NamedTuple):
    """A page of a club's leaderboard. ``own`` is the line of who looks, wherever it stands, and ``hidden``
    whether others do not see it; ``pages`` is at least 1."""

    lines: Sequence[Line]
    bots: Sequence[Rating]
    own: Line | None
    hidden: bool
    page: int
    pages: int
    listed: int


class History(NamedTuple):
    """A person's rating in a club and game: the changes of a page, newest first, and those that are drawn, oldest first."""

    rating: Rating
    changes: Sequence[RatingChange]
    drawn: Sequence[RatingChange]
    before: int | None


def leaderboard(club: Club, game: str, viewer: Person, *, page: int = 1) -> Leaderboard:
    """Return a page of the best of ``club``; a page that there is not is the nearest one."""
    listed = _listed(club, game)
    count = listed.count()
    pages = max(1, -(-count // PAGE))
    page = min(max(1, page), pages)
    start = (page - 1) * PAGE
    rows = list(listed.order_by("-ordinal", "pk")[start : start + PAGE])
    seen = seen_of(viewer, club, [row.user for row in rows if row.user])
    above = listed.filter(ordinal__gt=rows[0].ordinal).count() if rows else 0
    lines: list[Line] = []
    for number, row in enumerate(rows, start=start + 1):
        place = number if lines else above + 1
        if lines and row.ordinal == lines[-1].rating.ordinal:
            place = lines[-1].place
        lines.append(Line(place, row, row.user_id in seen))
    own = _own_line(club, game, viewer, listed)
    return Leaderboard(
        lines,
        list(
            Rating.objects.filter(pool__club=None, pool__game=game, matches__gt=0).order_by("-ordinal", "pk")
        ),
        own,
        own is not None and not listed.filter(pk=own.rating.pk).exists(),
        page,
        pages,
        count,
    )


def ratings_of(person: User, club: Club) -> list[Rating]:
    """Return a person's ratings in a club, game by game in the order of the games."""
    rows = Rating.objects.filter(user=person, pool__club=club, matches__gt=0).select_related("pool")
    return sorted(rows, key=lambda row: list(GAMES).index(row.pool.game))


def rating_history(
    club: Club, game: str, viewer: Person, person_id: int, *, before: int | None = None
) -> History | None:
    """Return a page of a person's rated matches before the match of a number; ``None`` if ``viewer`` may not see them
    or there are none."""
    rows = Rating.objects.filter(pool__club=club, pool__game=game, user=person_id, matches__gt=0)
    rating = rows.select_related("user", "pool").first()
    if rating is None or rating.user is None or not may_see_person(viewer, rating.user):
        return None
    changes = rating.changes.select_related("match__table").order_by("-match__number")
    older = changes.filter(match__number__lt=before) if before else changes
    found = list(older.annotate(seats=Count("match__changes"))[: PAGE + 1])
    following = found[PAGE - 1].match.number if len(found) > PAGE else None
    return History(rating, found[:PAGE], list(changes[:DRAWN])[::-1], following)


def changes_at(table_id: UUID) -> list[RatingChange]:
    """Return what the match at a table did to ratings, best place first; nothing if it did not count."""
    changes = RatingChange.objects.filter(match__table=table_id).select_related("rating__user")
    return list(changes.order_by("place", "seat"))


def _listed(club: Club, game: str) -> QuerySet[Rating]:
    """Return the ratings that everybody sees."""
    rows = Rating.objects.filter(pool__club=club, pool__game=game, matches__gt=0)
    return rows.filter(
        user__on_leaderboards=True, user__is_active=True, last_at__gte=timezone.now() - LISTED_FOR
    ).select_related("user")


def _own_line(club: Club, game: str, viewer: Person, listed: QuerySet[Rating]) -> Line | None:
    if not viewer.is_authenticated:
        return None
    row = Rating.objects.filter(pool__club=club, pool__game=game, user=viewer.pk, matches__gt=0).first()
    if row is None:
        return None
    return Line(listed.filter(ordinal__gt=row.ordinal).count() + 1, row, True)
