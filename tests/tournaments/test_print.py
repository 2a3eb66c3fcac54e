"""Paper for the evening: cards, slips, seats by name, standings, diplomas, for a handful and for 172 players."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import User
from tests.tournaments.events import enter_table, event, played, released, with_players
from tournaments import services
from tournaments.models import Entry, Round, Tournament
from tournaments.selectors.field import tables_of

pytestmark = pytest.mark.django_db
SCORE = re.compile(r"\b432\b")
"""As a word of its own: an id of random digits may contain it."""
SHEETS = ("rounds/1/print/cards/", "rounds/1/print/slips/", "rounds/1/print/seats/", "print/standings/")


def address(tournament: Tournament, page: str) -> str:
    return f"/events/{tournament.pk}/{page}"


def content_of(client: Client, tournament: Tournament, page: str) -> str:
    answer = client.get(address(tournament, page))
    assert answer.status_code == 200, page
    return answer.content.decode()


def large(by: User, size: int) -> Tournament:
    tournament = event(by, rounds=1)
    Entry.objects.bulk_create(
        Entry(tournament=tournament, number=n, name=f"Player {n:03}") for n in range(1, size + 1)
    )
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    return tournament


def unbroken(page: str) -> str:
    """The page without the marks between which addresses are broken."""
    return re.sub("</?span>", "", page)


def test_a_poster_leads_phones_to_where_one_enters_and_checks_in(client: Client, olga: User) -> None:
    tournament = event(olga, check_in_needed=True)
    assert "print/poster/" in client.get(address(tournament, "print/")).content.decode()
    poster = client.get(address(tournament, "print/poster/")).content.decode()
    assert f"http://testserver/events/{tournament.pk}/" in unbroken(poster) and "<svg" in poster


def test_172_players_have_cards_slips_and_a_list_with_few_queries(client: Client, olga: User) -> None:
    tournament = large(olga, 172)
    row = Round.objects.get(tournament=tournament, number=1)
    tables = tables_of(row)
    pages = {}
    for page in SHEETS:
        with CaptureQueriesContext(connection) as asked:
            pages[page] = content_of(client, tournament, page)
        assert len(asked) <= 20, (page, len(asked))
        assert all(f"Player {n:03}" in pages[page] for n in range(1, 173)), page
    cards, slips, seats, _standings = pages.values()
    assert cards.count('<section class="card"') == len(tables) == cards.count("<svg")
    assert slips.count('<section class="slip"') == len(tables)
    listed = re.findall(r"<span>(Player \d+)</span> <b>(table \d+, seat \d+)</b>", seats)
    assert [name for name, _where in listed] == [f"Player {n:03}" for n in range(1, 173)]
    assert len({where for _name, where in listed}) == 172
    for table in tables[:3]:
        for seat, number in enumerate(table.seats, 1):
            assert (f"Player {number:03}", f"table {table.number}, seat {seat}") in listed


def test_a_card_leads_to_the_page_where_results_are_entered(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1, orbits=2)
    row = released(olga, tournament, 1)
    page = client.get(address(tournament, SHEETS[0]), headers={"host": "testserver"})
    card = page.context["cards"][1]
    assert card.address == f"http://testserver/events/{tournament.pk}/rounds/1/tables/2/"
    path = card.address.removeprefix("http://testserver")
    assert f'{reverse("login")}?next={path}"' in client.get(path).content.decode()
    client.force_login(olga)
    assert 'name="deal"' in client.get(path).content.decode()
    assert card.address in unbroken(page.content.decode())
    assert card.deals == ((1, 1), (2, 2), (3, 3), (4, 4), (5, 1), (6, 2), (7, 3), (8, 4))
    first = Entry.objects.get(tournament=tournament, number=tables_of(row)[1].seats[0])
    assert f"Seat 1 deals first: {first.name}" in page.content.decode()


def test_a_card_of_an_elimination_names_the_first_dealer_only(client: Client, olga: User) -> None:
    tournament = with_players(olga, 4, family="elimination", thresholds=[50], rounds=1, final_size=4)
    released(olga, tournament, 1)
    deals = client.get(address(tournament, SHEETS[0])).context["cards"][0].deals
    assert deals[0] == (1, 1) and {seat for _deal, seat in deals[1:]} == {0} and len(deals) == 8


def test_who_sits_out_and_who_plays_for_somebody_stand_in_the_list(client: Client, olga: User) -> None:
    tournament = with_players(olga, 9, rounds=1, size_min=4, size_ideal=4, size_max=4)
    released(olga, tournament, 1)
    services.substitute(tournament_id=tournament.pk, by=olga, number=3, name="Aadu Sub")
    places = client.get(address(tournament, SHEETS[2])).context["places"]
    assert sum(place.table is None for place in places) == 1 and len(places) == 9
    assert places[0].entry.played_by == "Aadu Sub"
    assert "sits out" in content_of(client, tournament, SHEETS[2])


def test_a_draft_is_printed_for_organisers_only_and_says_so(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1)
    services.draw(tournament_id=tournament.pk, by=olga)
    assert client.get(address(tournament, SHEETS[0])).status_code == 404
    client.force_login(olga)
    assert "Draft: not released yet" in content_of(client, tournament, SHEETS[0])
    assert "Table cards" in content_of(client, tournament, "print/")
    assert client.get(address(tournament, "rounds/1/print/money/")).status_code == 404


def test_printed_standings_hold_back_what_the_page_holds_back(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1)
    row = released(olga, tournament, 1)
    first = tables_of(row)[0]
    enter_table(olga, tournament, first, dict.fromkeys(first.seats, 432))
    client.force_login(olga)
    assert not SCORE.search(content_of(client, tournament, "print/standings/"))
    enter_table(olga, tournament, tables_of(row)[1])
    assert SCORE.search(content_of(client, tournament, "print/standings/"))


def test_diplomas_are_for_the_first_places_of_an_event_that_is_over(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1)
    played(olga, tournament, 1)
    assert client.get(address(tournament, "print/diplomas/")).status_code == 404
    services.finish_tournament(tournament_id=tournament.pk, by=olga)
    content = content_of(client, tournament, "print/diplomas/")
    assert re.findall(r"Place (\d)", content) == ["1", "1", "3", "3"]
    assert (
        len(re.findall(r'class="diploma"', content_of(client, tournament, "print/diplomas/?places=1"))) == 2
    )
    assert client.get(address(tournament, "print/diplomas/?places=many")).status_code == 200


def test_paper_is_black_on_white_and_breaks_between_cards() -> None:
    style = (Path(settings.BASE_DIR) / "static" / "css" / "print.css").read_text()
    # On a screen alone the sheet lies in the light of the room.
    paper = re.sub(r"@media screen[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
    colours = set(re.findall(r"#[0-9a-f]{3,6}\b", paper))
    assert colours == {"#fff", "#000", "#999"} and "prefers-color-scheme" not in paper
    for block in (".card {", ".diploma {"):
        assert "break-after: page" in style[style.index(block) :].split("}")[0]
    assert "break-inside: avoid" in style[style.index("tr {") :].split("}")[0]
