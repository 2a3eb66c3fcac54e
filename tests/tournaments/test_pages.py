"""Pages of events that everybody may see: what they show, what they keep back, and how much they ask of the database."""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import User
from tests.tournaments.events import (
    drive,
    enter_all,
    enter_table,
    event,
    give,
    members,
    played,
    released,
    with_players,
)
from tournaments import services
from tournaments.models import Entry, Round, Tournament
from tournaments.selectors.checking import check_draw
from tournaments.selectors.field import tables_of

pytestmark = pytest.mark.django_db

SCRIPT = "<script>alert('x')</script>"
PAGES = (
    *("", "players/", "players/1/", "rounds/1/", "rounds/1/tables/1/", "standings/"),
    *("dealers/", "replays/", "draw/", "draw/check/"),
)
ORGANISERS_PAGES = ("desk/", "terms/", "copy/", "record/")


def address(tournament: Tournament, page: str = "") -> str:
    return f"/events/{tournament.pk}/{page}"


def text_of(client: Client, path: str) -> str:
    """Return a page's words without tags, spaces made one."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


# What there is to be seen -------------------------------------------------------------------------------------------


def test_every_page_of_an_event_is_there_for_everybody_and_the_desk_for_organisers(
    client: Client, olga: User
) -> None:
    tournament = with_players(olga, 8, rounds=2)
    played(olga, tournament, 1)
    member = User.objects.create_user(username="mari")
    for signed_in in (None, member, olga):
        if signed_in is not None:
            client.force_login(signed_in)
        for page in PAGES:
            assert client.get(address(tournament, page)).status_code == 200, page
        for page in (*ORGANISERS_PAGES, "rounds/2/draft/"):
            wanted = 200 if signed_in == olga else 403 if signed_in else 302
            assert client.get(address(tournament, page)).status_code == wanted, page
    assert client.get("/events/").status_code == 200
    assert client.get(address(tournament, "result/")).status_code == 404


def test_the_way_to_the_own_seat_was_missing_on_half_of_the_pages(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    played(olga, tournament, 1)
    mari = User.objects.create_user(username="mari")
    Entry.objects.filter(tournament=tournament, number=2).update(user=mari)
    client.force_login(mari)
    seat = f'href="{address(tournament, "me/")}"'
    for page in (*PAGES, "print/", "files/"):
        assert client.get(address(tournament, page)).content.decode().count(seat), page


def test_a_draft_and_a_draw_that_is_not_released_are_for_organisers_only(client: Client, olga: User) -> None:
    draft = services.create_tournament(by=olga, name="Secret", game="least_score")
    assert client.get(address(draft)).status_code == 404
    assert "Secret" not in text_of(client, "/events/")
    tournament = with_players(olga, 8, rounds=3)
    released(olga, tournament, 1)
    assert client.get(address(tournament, "rounds/2/")).status_code == 404
    seed = str(Round.objects.get(tournament=tournament, number=2).draw.seed)
    assert seed not in text_of(client, address(tournament, "draw/"))
    client.force_login(olga)
    assert client.get(address(draft)).status_code == 200
    assert client.get(address(tournament, "rounds/2/")).status_code == 200
    assert seed in text_of(client, address(tournament, "draw/"))


def test_names_are_text_and_never_markup(client: Client, olga: User) -> None:
    tournament = event(olga, rounds=1, description=SCRIPT)
    services.change_tournament(tournament_id=tournament.pk, by=olga, name=SCRIPT)
    for n in range(4):
        services.register_by_hand(tournament_id=tournament.pk, by=olga, name=f"{SCRIPT} {n}")
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    played(olga, tournament, 1)
    client.force_login(olga)
    for page in (*PAGES, *ORGANISERS_PAGES):
        content = client.get(address(tournament, page)).content.decode()
        assert "<script>alert" not in content and "alert(" in content, page


def test_an_event_says_what_when_by_which_rules_and_for_what(client: Client, olga: User) -> None:
    give(olga, 1)  # The club has chips.
    opens = timezone.now() + dt.timedelta(days=1)
    tournament = services.create_tournament(
        by=olga,
        name="Cup",
        game="least_score",
        rounds=4,
        tie_breaks=["wins"],
        asset="CHIPS",
        fee=50,
        prizes={"1": [100], "4": [60, 40]},
        capacity=30,
        check_in_opens_at=opens,
        check_in_closes_at=opens + dt.timedelta(hours=1),
    )
    services.open_registration(tournament_id=tournament.pk, by=olga)
    words = text_of(client, address(tournament))
    for part in (
        "Least Score",
        "4 rounds; everybody deals once",
        "Ties are broken by: 1. tables won",
        "50 CHIPS",
        "of at most 30",
        "Sign in to enter",
        "Registration is open",
        "held back until all its tables are done",
    ):
        assert part in words
    # The day of an event is the one on which its check-in closes, at the club's place.
    month = f"{timezone.localtime(opens + dt.timedelta(hours=1)):%Y-%m}"
    assert "Cup" in text_of(client, f"/events/calendar/?month={month}")
    assert client.get("/events/calendar/?month=never").status_code == 200


def test_results_of_a_running_round_are_held_back_from_those_who_do_not_sit_there(
    client: Client, olga: User
) -> None:
    people = members(8)
    tournament = event(olga, rounds=2)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    row = released(olga, tournament, 1)
    first = tables_of(row)[0]
    enter_table(olga, tournament, first, {player: 111 * n for n, player in enumerate(first.seats)})
    own = Entry.objects.get(tournament=tournament, number=first.seats[0]).user
    other = Entry.objects.get(tournament=tournament, number=tables_of(row)[1].seats[0]).user
    assert own is not None and other is not None
    pages = ("rounds/1/tables/1/", "rounds/1/", "standings/", f"players/{first.seats[3]}/")
    for person, sees in ((None, ()), (other, ()), (own, pages[:1]), (olga, (pages[0], pages[1], pages[3]))):
        if person is not None:
            client.force_login(person)
        for page in pages:
            words = text_of(client, address(tournament, page))
            assert ("333" in words) == (page in sees), (person, page)
    enter_table(olga, tournament, tables_of(row)[1])
    for page in pages:
        assert "333" in text_of(Client(), address(tournament, page)), page


def test_a_page_that_knows_all_gets_nothing_new(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    content = client.get(address(tournament, "standings/")).content.decode()
    asks = re.search(r'hx-get="([^"]+)"', content)
    assert asks is not None
    path = asks[1].replace("&amp;", "&")
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    # The gate of the club looks at the event, and the page at its version.
    assert answer.status_code == 204 and len(asked) <= 2
    released(olga, tournament, 1)
    assert client.get(path).status_code == 200


def test_a_finished_event_has_its_final_table_and_asks_no_more(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1)
    played(olga, tournament, 1)
    services.finish_tournament(tournament_id=tournament.pk, by=olga)
    page = client.get(address(tournament, "result/"))
    assert page.status_code == 200 and "hx-get" not in page.content.decode()
    assert [row.rank for row, _rounds, _chips in page.context["lines"]] == [1, 1, 3, 3, 5, 5, 7, 7]
    assert "Winners" in text_of(client, address(tournament))


def test_an_online_event_leads_to_its_tables_and_to_the_replay_of_every_deal(
    client: Client, olga: User
) -> None:
    tournament = event(olga, venue="online", rounds=1, bots_allowed=True)
    names = [f"Bot {n}" for n in range(1, 4)]
    services.add_bots(tournament_id=tournament.pk, by=olga, level="random", names=names)
    person = members(1)[0]
    services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    released(olga, tournament, 1)
    client.force_login(person)
    here = client.get(address(tournament, "me/")).context["here"]
    assert f"/tables/{here.site_table}/" in client.get(address(tournament, "me/")).content.decode()
    assert "/tables/" in client.get(address(tournament, "rounds/1/")).content.decode()
    drive(tournament)
    client.logout()
    lines = client.get(address(tournament, "replays/")).context["lines"]
    assert [len(line.deals) for line in lines] == [4]
    for _number, table, deal in lines[0].deals:
        assert client.get(f"/tables/{table}/deals/{deal}/").status_code == 200
    assert "Replay" in text_of(client, address(tournament, "rounds/1/tables/1/"))


# The draw counted again ---------------------------------------------------------------------------------------------


def test_the_draw_is_counted_again_from_the_published_tables(client: Client, olga: User) -> None:
    tournament = with_players(olga, 12, rounds=3)
    played(olga, tournament, 1)
    assert not check_draw(tournament).complete
    played(olga, tournament, 2)
    released(olga, tournament, 3)
    page = client.get(address(tournament, "draw/check/"))
    found = page.context["found"]
    draw = Round.objects.get(tournament=tournament, number=3).draw
    assert found.complete and all(claim.holds for claim in found.claims)
    assert found.figures.q == draw.q and found.seat_spread == draw.seat_spread
    script = re.search(r'<script id="draw-data"[^>]*>(.*?)</script>', page.content.decode(), re.S)
    assert script is not None
    data = json.loads(script[1])
    assert data["rounds"] == [[list(table) for table in one] for one in draw.rounds]
    assert data["counted"]["q"] == draw.q
    # A number in which the browser differs is told by its name, not by that of the code.
    assert data["words"].keys() == data["counted"].keys() and "spread of seats" in data["words"].values()
    assert str(draw.seed) in text_of(client, address(tournament, "draw/"))


def test_a_certificate_that_claims_too_little_is_found_out(olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    played(olga, tournament, 1)
    released(olga, tournament, 2)
    table = tables_of(Round.objects.get(tournament=tournament, number=2))[0]
    before = check_draw(tournament)
    assert before.complete
    table.seats = list(tables_of(Round.objects.get(tournament=tournament, number=1))[0].seats)
    table.save(update_fields=["seats"])
    after = check_draw(tournament)
    assert after.figures.q > before.figures.q and not after.complete


# Bounded questions --------------------------------------------------------------------------------------------------


def _queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200, path
    return len(asked)


def test_172_players_take_no_more_queries_than_eight(client: Client, olga: User) -> None:
    counts: dict[str, list[int]] = {}
    pages = ("", "players/", "rounds/1/", "rounds/1/tables/1/", "standings/?page=all", "draw/check/", "desk/")
    client.force_login(olga)
    for size in (8, 172):
        tournament = event(olga, rounds=1)
        Entry.objects.bulk_create(
            Entry(tournament=tournament, number=n, name=f"Player {n}") for n in range(1, size + 1)
        )
        services.start_tournament(tournament_id=tournament.pk, by=olga)
        row = released(olga, tournament, 1)
        for table in tables_of(row)[:2]:
            enter_table(olga, tournament, table)
        for page in pages:
            counts.setdefault(page, []).append(_queries(client, address(tournament, page)))
    for page, (few, many) in counts.items():
        assert many <= few + 1 and many <= 22, (page, few, many)


def test_lists_of_many_events_take_as_many_queries_as_lists_of_one(client: Client, olga: User) -> None:
    found = []
    for _ in range(2):
        for n in range(3):
            services.register_by_hand(tournament_id=event(olga).pk, by=olga, name=f"Guest {n}")
        found.append([_queries(client, path) for path in ("/events/", "/events/calendar/")])
    assert found[0] == found[1]


def test_long_standings_are_shown_a_page_at_a_time(client: Client, olga: User) -> None:
    tournament = event(olga, rounds=1)
    Entry.objects.bulk_create(
        Entry(tournament=tournament, number=n, name=f"Player {n}") for n in range(1, 71)
    )
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    context: Any = client.get(address(tournament, "standings/")).context
    assert len(context["lines"]) == 60
    assert len(client.get(address(tournament, "standings/?page=2")).context["lines"]) == 10
    assert len(client.get(address(tournament, "standings/?page=all")).context["lines"]) == 70


def test_a_round_finds_the_table_of_a_player(client: Client, olga: User) -> None:
    tournament = with_players(olga, 12, rounds=1)
    released(olga, tournament, 1)
    enter_all(olga, tournament, 1)
    cards = client.get(address(tournament, "rounds/1/?find=guest+11")).context["cards"]
    assert len(cards) == 1 and any(seat.entry.name == "Guest 11" for seat in cards[0][0].seats)
