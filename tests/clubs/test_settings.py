"""What people see and change about themselves, and what others see of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from clubs.models import FIRST_CLUB, Club, Membership, User
from games.models import LogEntry, Table
from games.selectors.people import figures_of
from tests.clubs.test_doors import member, sign_in
from tests.games.tables import open_table, play_to_the_end

pytestmark = pytest.mark.django_db

SETTINGS = {"display_name": "Mari Maasikas", "language": "et", "seen_by": "nobody", "on_leaderboards": ""}


def test_name_language_and_privacy_are_kept_and_the_language_follows_to_another_device(client):
    mari = member(display_name="Mari")
    sign_in(client, "mari")
    answer = client.post("/settings/", SETTINGS)
    assert answer.status_code == 302 and answer.cookies["django_language"].value == "et"
    mari.refresh_from_db()
    assert (mari.display_name, mari.language, mari.seen_by) == ("Mari Maasikas", "et", "nobody")
    assert not mari.on_leaderboards
    elsewhere = Client(headers={"accept-language": "en"})
    assert sign_in(elsewhere, "mari").cookies["django_language"].value == "et"
    elsewhere.post("/i18n/setlang/", {"language": "en", "next": "/"})
    mari.refresh_from_db()
    assert mari.language == "en"


def test_times_are_told_in_the_zone_that_the_person_chose_on_every_device_and_nobody_elses(client):
    mari = member(display_name="Mari")
    sign_in(client, "mari")
    chosen = {**SETTINGS, "language": "en", "time_zone": "Asia/Tokyo"}
    UserSession.objects.update(created_at=datetime(2026, 1, 5, 22, 30, tzinfo=UTC))
    assert client.post("/settings/", {**chosen, "time_zone": "Moon/Crater"}).status_code == 200
    assert "6\xa0Jan\xa02026, 00:30" in client.get("/settings/sessions/").content.decode()  # Tallinn
    assert client.post("/settings/", chosen).status_code == 302
    mari.refresh_from_db()
    assert mari.time_zone == "Asia/Tokyo"
    assert "6\xa0Jan\xa02026, 07:30" in client.get("/settings/sessions/").content.decode()
    elsewhere = Client(headers={"accept-language": "en"})
    assert sign_in(elsewhere, "mari").cookies["time_zone"].value == "Asia/Tokyo"
    elsewhere.cookies["time_zone"] = "../../etc/passwd"
    assert "6\xa0Jan\xa02026, 00:30" in elsewhere.get("/settings/sessions/").content.decode()
    client.post("/settings/", {**chosen, "time_zone": ""})
    assert "6\xa0Jan\xa02026, 00:30" in client.get("/settings/sessions/").content.decode()


def test_a_name_that_looks_like_anothers_is_refused_and_the_own_one_is_not(client):
    member("jaan", "jaan@club.example", display_name="Jaan Tamm")
    member(display_name="Mari")
    sign_in(client, "mari")
    refused = client.post("/settings/", {**SETTINGS, "language": "en", "display_name": "JAAN  tamm."})
    assert refused.status_code == 200 and "has that name" in refused.content.decode()
    assert "JAAN" not in refused.content.decode().split("</header>")[0]
    assert client.post("/settings/", {**SETTINGS, "display_name": " MARI "}).status_code == 302


@pytest.mark.parametrize("seen_by", ["everybody", "club", "nobody"])
def test_a_profile_is_seen_by_those_who_may(seen_by):
    mari = member(display_name="Mari Maasikas", seen_by=seen_by)
    mate, other, keeper = (User.objects.create(username=name) for name in ("mate", "other", "keeper"))
    User.objects.filter(pk=keeper.pk).update(is_superuser=True)
    away = Club.objects.create(slug="away", name="Away")
    for user, club in ((mari, FIRST_CLUB), (mate, FIRST_CLUB), (other, away.pk)):
        Membership.objects.get_or_create(club_id=club, user=user)
    found = {}
    for viewer in (None, mate, other, keeper, mari):
        browser = Client()
        if viewer is not None:
            browser.force_login(User.objects.get(pk=viewer.pk))
        found[viewer and viewer.username] = browser.get("/people/mari/").status_code == 200
    everybody, club = seen_by == "everybody", seen_by != "nobody"
    assert found == {None: everybody, "mate": club, "other": everybody, "keeper": True, "mari": True}
    assert Client().get("/people/nobody/").status_code == 404


@pytest.mark.parametrize("game", ["three_card_loo", "least_score"])
def test_the_page_tells_what_the_log_tells(client, game):
    mari = member(display_name="Mari", seen_by="everybody")
    tables = [open_table(game, mari) for _ in range(2)]
    for table in tables:
        play_to_the_end(table)
    Table.objects.filter(pk=tables[0].pk).update(listed=True)
    open_table(game, mari)
    finals = [
        event
        for entry in LogEntry.objects.filter(table__in=tables)
        for event in entry.events
        if event["type"] == "final"
    ]
    places = [place for final in finals for place, seat in final["ranking"] if seat == 1]
    [figures] = figures_of(mari.pk)
    assert (figures.matches, figures.places, figures.wins) == (2, sum(places), places.count(1))
    taken = LogEntry.objects.filter(
        table__in=tables, events__contains=[{"type": "trick", "winner": 1}]
    ).count()
    declared = LogEntry.objects.filter(table__in=tables, seat=1, move="declare").count()
    assert figures.kinds["tricks" if game == "three_card_loo" else "declared"] == (taken or declared)
    # A table that was played by its link alone is nobody else's business.
    assert len(client.get("/people/mari/").context["matches"]) == 1
    client.force_login(mari)
    assert len(client.get("/people/mari/").context["matches"]) == 2


def test_a_session_is_ended_from_another_and_others_people_s_are_out_of_reach(client):
    member()
    member("jaan", "jaan@club.example")
    phone, strange = Client(headers={"user-agent": "Mozilla/5.0 (Android) Firefox/140"}), Client()
    for browser, name in ((client, "mari"), (phone, "mari"), (strange, "jaan")):
        sign_in(browser, name)
    page = client.get("/settings/sessions/").content.decode()
    assert "Firefox on Android" in page
    theirs = UserSession.objects.get(user__username="jaan")
    client.post("/settings/sessions/", {"session": theirs.pk})
    assert strange.get("/settings/").status_code == 200
    own = UserSession.objects.get(session_key=phone.session.session_key)
    client.post("/settings/sessions/", {"session": own.pk})
    assert phone.get("/settings/").status_code == 302
    sign_in(phone, "mari")
    client.post("/settings/sessions/", {})
    assert phone.get("/settings/").status_code == 302 and client.get("/settings/").status_code == 200
