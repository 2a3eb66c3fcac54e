"""Seasons: a public table of several events, and organisers who put events in and take them out."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from clubs.models import User
from tests.tournaments.events import enter_table, event, members, released, with_players
from tournaments import services
from tournaments.models import Action, Round, Season, Tournament
from tournaments.selectors.field import tables_of
from tournaments.selectors.seasons import league_of

pytestmark = pytest.mark.django_db


def finished(by: User, people: list[User], season: Season | None, *, guests: int = 0) -> Tournament:
    """Play an event of one table in which ``people`` come in this order; guests come first of all."""
    tournament = event(by, rounds=1)
    for n in range(guests):
        services.register_by_hand(tournament_id=tournament.pk, by=by, name=f"Guest {n}")
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    (table,) = tables_of(Round.objects.get(tournament=tournament, number=1))
    enter_table(by, tournament, table, {number: 10 * number for number in table.seats})
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    services.finish_tournament(tournament_id=tournament.pk, by=by)
    services.put_in_season(tournament_id=tournament.pk, by=by, season=season)
    return tournament


def words_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_the_table_shows_every_result_and_which_of_them_count(client: Client, olga: User) -> None:
    season = services.create_season(by=olga, name="Winter", by_place=[5, 3, 1], best=2)
    one, two, three = members(3)
    finished(olga, [one, two, three], season)
    finished(olga, [two, one, three], season)
    finished(olga, [one, two, three], season)
    lines = league_of(season).lines
    assert [(line.rank, line.user, line.points) for line in lines] == [
        (1, one, 10),
        (2, two, 8),
        (3, three, 2),
    ]
    assert [[(won.points, won.counts) for won in line.won] for line in lines] == [
        [(5, True), (3, False), (5, True)],
        [(3, True), (5, True), (3, False)],
        [(1, True), (1, True), (1, False)],
    ]
    words = words_of(client, f"/events/seasons/{season.pk}/")
    assert "Points by place: 1. 5, 2. 3, 3. 1; no points after that." in words
    assert "The best 2 results of each player count." in words and "(3)" in words and "Take out" not in words
    assert "Winter" in words_of(client, "/events/seasons/") and "3 events played" in words_of(
        client, "/events/seasons/"
    )


def test_guests_take_no_points_from_members_and_who_missed_an_event_has_none(olga: User) -> None:
    season = services.create_season(by=olga, name="Winter")
    one, two, three = members(3)
    finished(olga, [one, two], season, guests=2)
    finished(olga, [two, one, three], season)
    found = league_of(season)
    assert [(line.user, line.points) for line in found.lines] == [(one, 4), (two, 4), (three, 1)]
    assert {line.rank for line in found.lines[:2]} == {1}
    absent = next(line for line in found.lines if line.user == three)
    assert [(won.points, won.counts) for won in absent.won] == [(None, False), (1, True)]


def test_an_event_that_is_not_over_or_a_draft_counts_for_nothing(client: Client, olga: User) -> None:
    season = services.create_season(by=olga, name="Winter")
    running = with_players(olga, 4, rounds=1)
    draft = services.create_tournament(by=olga, name="Secret", game="least_score")
    for tournament in (running, draft):
        services.put_in_season(tournament_id=tournament.pk, by=olga, season=season)
    words = words_of(client, f"/events/seasons/{season.pk}/")
    assert league_of(season).lines == () and "Friday" in words and "Secret" not in words
    client.force_login(olga)
    assert "Secret" in words_of(client, f"/events/seasons/{season.pk}/")


def test_organisers_make_a_season_and_put_events_in_and_out(client: Client, olga: User) -> None:
    tournament = event(olga)
    client.force_login(olga)
    answer = client.post("/events/seasons/", {"name": "Spring", "by_place": "10, 6 3", "best": "4"})
    season = Season.objects.get(name="Spring")
    assert answer["Location"] == f"/events/seasons/{season.pk}/"
    assert (season.by_place, season.best) == ([10, 6, 3], 4)
    put, take = f"/events/seasons/{season.pk}/put/", f"/events/seasons/{season.pk}/take/"
    assert client.post(put, {"event": str(tournament.pk)}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.season == season
    assert client.post(take, {"event": str(tournament.pk)}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.season is None
    kinds = Action.objects.filter(tournament=tournament, kind="season").order_by("number")
    assert [(action.before, action.after) for action in kinds] == [(None, "Spring"), ("Spring", None)]
    assert client.post(take, {"event": str(tournament.pk)}).status_code == 404
    assert client.post(put, {"event": "no number"}).status_code == 404


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"by_place": "5 x"}, "whole numbers"),
        ({"by_place": "5 6"}, "cannot be worth less"),
        ({"best": "-1"}, "greater than or equal to 0"),
        ({"name": ""}, "required"),
        ({"name": "Taken"}, "There is a season of that name"),
    ],
)
def test_a_season_that_cannot_be_is_refused_with_everything_typed(
    client: Client, olga: User, typed: dict[str, str], said: str
) -> None:
    services.create_season(by=olga, name="Taken")
    client.force_login(olga)
    answer = client.post("/events/seasons/", {"name": "Spring", "by_place": "7 5", "best": "1", **typed})
    assert answer.status_code == 422 and said in answer.content.decode()
    assert Season.objects.count() == 1 and typed.get("by_place", "7 5") in answer.content.decode()


def test_no_crafted_post_changes_a_season(client: Client, olga: User) -> None:
    season = services.create_season(by=olga, name="Winter")
    tournament = event(olga)
    client.force_login(members(1)[0])
    for path in ("", f"{season.pk}/put/", f"{season.pk}/take/"):
        sent = {"name": "Mine", "best": "0", "event": str(tournament.pk)}
        assert client.post(f"/events/seasons/{path}", sent).status_code == 403
    client.logout()
    assert client.post("/events/seasons/", {"name": "Mine", "best": "0"}).status_code == 403
    tournament.refresh_from_db()
    assert tournament.season is None and Season.objects.count() == 1
    assert client.get("/events/seasons/999999/").status_code == 404
