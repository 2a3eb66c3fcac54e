"""Seasons: league tables over several events."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import IntegrityError, transaction

from clubs.models import FIRST_CLUB, Club, User
from games.rules.errors import Refusal
from tournaments.errors import EventRefusal
from tournaments.models import Season, Tournament
from tournaments.rules.season import PointsRule
from tournaments.services.locked import check_club_organiser, check_organiser, locked_tournament


def create_season(
    *, by: User, name: str, by_place: Sequence[int] = (), best: int = 0, club: Club | None = None
) -> Season:
    """Create a season of a club (not given: the site's first).

    Raises ``EventRefusal`` (``not_organiser``, ``bad_name``, ``bad_points``, ``season_name_taken``).
    """
    club_id = FIRST_CLUB if club is None else club.pk
    check_club_organiser(by, club_id)
    if not 1 <= len(name.strip()) <= 80:
        raise EventRefusal("bad_name")
    try:
        PointsRule(tuple(by_place))
    except Refusal as refusal:
        raise EventRefusal(refusal.code, refusal.detail) from refusal
    if best < 0:
        raise EventRefusal("bad_points")
    try:
        with transaction.atomic():
            return Season.objects.create(
                club_id=club_id,
                name=name.strip(),
                by_place=list(by_place),
                best=best,
            )
    except IntegrityError as error:
        raise EventRefusal("season_name_taken") from error


def put_in_season(*, tournament_id: UUID, by: User, season: Season | None) -> Tournament:
    """Let an event count in a season, or in none any more.

    Raises ``EventRefusal`` (``not_organiser``, ``no_such_event``, ``no_such_season`` for another club's).
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        if season is not None and season.club_id != locked.tournament.club_id:
            raise EventRefusal("no_such_season")
        before = locked.tournament.season
        locked.tournament.season = season
        locked.log(
            "season", by=by, before=before.name if before else None, after=season.name if season else None
        )
        return locked.tournament
