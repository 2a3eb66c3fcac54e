"""The projector's page: public, by the server's time, silent as long as nothing changes, and it keeps back what others do."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import User
from tests.tournaments.events import enter_table, event, played, released, with_players
from tournaments import services
from tournaments.models import Entry, Tournament
from tournaments.selectors.field import tables_of

pytestmark = pytest.mark.django_db

SCORE = re.compile(r"\b432\b")
"""As a word of its own: an id of random digits may contain it."""


def state(client: Client, tournament: Tournament, etag: str = "") -> tuple[int, str, str]:
    """Return status, words and ETag of what the screen shows."""
    answer = client.get(f"/events/{tournament.pk}/screen/state/", headers={"If-None-Match": etag})
    assert abs(int(answer["Server-Time"]) - timezone.now().timestamp() * 1000) < 60_000
    return answer.status_code, answer.content.decode(), answer["ETag"]


def test_the_screen_is_public_and_a_draft_has_none(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    page = client.get(f"/events/{tournament.pk}/screen/")
    assert page.status_code == 200 and "<script>" not in page.content.decode()
    assert "style=" not in page.content.decode()
    assert f'data-zone="{timezone.get_current_timezone_name()}"' in page.content.decode()
    draft = services.create_tournament(by=olga, name="Secret", game="least_score")
    for path in ("screen/", "screen/state/"):
        assert client.get(f"/events/{draft.pk}/{path}").status_code == 404


def test_a_late_table_hears_of_the_round_within_one_question(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    status, words, etag = state(client, tournament)
    assert status == 200 and "Table 1" not in words
    with CaptureQueriesContext(connection) as asked:
        status, words, same = state(client, tournament, etag)
    assert (status, words, same) == (304, "", etag) and len(asked) <= 2  # The club's gate asks too.
    released(olga, tournament, 1)
    status, words, later = state(client, tournament, etag)
    assert status == 200 and later != etag
    assert "Round 1" in words and "Table 1" in words and "Table 2" in words and "Next: round 2." in words
    assert all(f"Guest {n}<" in words for n in range(1, 9))


def test_the_clock_is_the_servers_and_shows_pauses_and_extra_time(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1, round_minutes=30)
    row = released(olga, tournament, 1)
    assert row.ends_at is not None
    _status, words, _etag = state(client, tournament)
    assert f'data-ends="{int(row.ends_at.timestamp() * 1000)}"' in words and "data-paused" not in words
    services.give_extra_time(
        tournament_id=tournament.pk, by=olga, round_number=1, table_number=2, seconds=180
    )
    services.stop_clock(tournament_id=tournament.pk, by=olga, round_number=1)
    row.refresh_from_db()
    _status, words, _etag = state(client, tournament)
    assert row.paused_at is not None and f'data-paused="{int(row.paused_at.timestamp() * 1000)}"' in words
    assert re.search(r'data-extra="180">Table 2', words)
    services.stop_clock(tournament_id=tournament.pk, by=olga, round_number=1)
    enter_table(olga, tournament, tables_of(row)[1])
    _status, words, _etag = state(client, tournament)
    assert "data-paused" not in words and "data-extra" not in words and "done" in words


def test_the_screen_holds_results_back_whoever_is_signed_in(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    row = released(olga, tournament, 1)
    first = tables_of(row)[0]
    enter_table(olga, tournament, first, dict.fromkeys(first.seats, 432))
    client.force_login(olga)
    assert not SCORE.search(state(client, tournament)[1])
    enter_table(olga, tournament, tables_of(row)[1])
    assert SCORE.search(state(client, tournament)[1])
    services.confirm_round(tournament_id=tournament.pk, by=olga, round_number=1)
    services.confirm_draw(tournament_id=tournament.pk, by=olga, round_number=2)
    opens = timezone.now() + dt.timedelta(hours=1)
    services.schedule_round(tournament_id=tournament.pk, by=olga, round_number=2, opens_at=opens)
    words = state(client, tournament)[1]
    assert "Round 2 begins at" in words
    said = words[words.index("Round 2 begins at") :].partition("<")[0]
    assert f"{timezone.localtime(opens):%H:%M}" in said
    page = client.get(f"/events/{tournament.pk}/").content.decode()
    assert said in page, "players read it too, not only the hall"


def test_172_players_fit_on_slides(client: Client, olga: User) -> None:
    tournament = event(olga, rounds=1)
    Entry.objects.bulk_create(
        Entry(tournament=tournament, number=n, name=f"Player {n}") for n in range(1, 173)
    )
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    row = released(olga, tournament, 1)
    with CaptureQueriesContext(connection) as asked:
        words = state(client, tournament)[1]
    assert len(asked) <= 20
    slides = words.split('<section class="slide')[1:]
    tables = len(tables_of(row))
    assert len(slides) == -(-tables // 6) and all(slide.count("<h3>") <= 6 for slide in slides)
    assert len(re.findall(r"<li><b>\d</b> Player", words)) == 172


def test_an_event_that_is_over_shows_its_final_standings(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1)
    played(olga, tournament, 1)
    services.finish_tournament(tournament_id=tournament.pk, by=olga)
    words = state(client, tournament)[1]
    assert "The event is over." in words and words.count("<li><b>") == 8 and "data-ends" not in words
