"""Seasons with everything that their tables are made of: each member's points at each event, and which of them count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, Q, QuerySet

from clubs.models import Club, User
from tournaments.models import Season, Tournament
from tournaments.rules.season import PointsRule, event_points, league_table
from tournaments.selectors.places import without
from tournaments.selectors.standings import standings_of

STATE = Tournament.State
OVER = (STATE.FINISHED, STATE.ARCHIVED)


@dataclass(frozen=True)
class Won:
    """A member's points at one event (``None``: not there), and whether they count for the season."""

    points: Fraction | None
    counts: bool


@dataclass(frozen=True)
class LeagueLine:
    """A line of a season's table: ``won`` has one place for each event, in their order."""

    rank: int
    user: User
    points: Fraction
    won: tuple[Won, ...]


@dataclass(frozen=True)
class League:
    """A season's table: the events that count in it, oldest first, and the members by rank."""

    events: tuple[Tournament, ...]
    lines: tuple[LeagueLine, ...]


def seasons(club: Club) -> QuerySet[Season]:
    """Return the seasons of a club, newest first, with ``played`` and ``coming`` events counted; drafts are in neither."""
    played = Count("events", filter=Q(events__state__in=OVER))
    coming = Count("events", filter=Q(events__state__in=[STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING]))
    return (
        Season.objects.filter(club=club).annotate(played=played, coming=coming).order_by("-created_at", "-pk")
    )


def league_of(season: Season) -> League:
    """Return the table of a season over its finished events.

    Members only: bots and guests by name are left out, those behind them move up. Of equal results
    that cannot all count the earlier ones do.
    """
    events = tuple(season.events.filter(state__in=OVER).order_by("finished_at", "created_at", "pk"))
    rule = PointsRule(tuple(season.by_place))
    points = [points_at(tournament, rule) for tournament in events]
    table = league_table(points, season.best)
    people = User.objects.in_bulk([row.player for row in table])
    lines = [
        LeagueLine(row.rank, people[row.player], row.points, _won(points, row.player, season.best))
        for row in table
        if row.player in people
    ]
    return League(events, tuple(lines))


def points_at(tournament: Tournament, rule: PointsRule) -> dict[int, Fraction]:
    """Return the points of one event by member (the user's id)."""
    rows = standings_of(tournament, seen="all").rows
    members = {row.entry.number: row.entry.user_id for row in rows if row.entry.user_id}
    left_out = {row.entry.number for row in rows} - members.keys()
    places = without([(row.rank, row.entry.number) for row in rows], left_out)
    return {members[player]: won for player, won in event_points(places, rule).items()}


def _won(points: Sequence[Mapping[int, Fraction]], player: int, best: int) -> tuple[Won, ...]:
    own = [(at, each[player]) for at, each in enumerate(points) if player in each]
    own.sort(key=lambda result: (-result[1], result[0]))
    kept = {at for at, _points in (own[:best] if best else own)}
    return tuple(Won(each.get(player), at in kept) for at, each in enumerate(points))
