"""The lobby, the form that opens a table, the page of filling seats and the calls, asked for as a browser does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import FIRST_CLUB, Club, Membership, User
from games import selectors, services
from games.models import Table, WaitingPlace
from games.presets import PRESETS
from games.rules import GAMES
from games.services import StakeTerms
from tests.games.gatherings import gathering
from tests.games.tables import member, on_turn, open_table, start
from tests.games.test_stakes import club_chips, rich_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_chips")]
assert club_chips
TERMS = StakeTerms(asset="CHIPS", stake=10, buy_in_min=400, buy_in_max=1_000)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def said(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def asked(client: Client, **changes: Any) -> dict[str, Any]:
    """Return what the browser would send for the form that opens a table, as it stands."""
    form = client.get("/tables/new/", {"game": changes.get("game", "least_score")}).context["form"]
    data = {**form.usual(), **changes}
    return {name: value for name, value in data.items() if value is not False}


# The lobby -----------------------------------------------------------------------------------------------------------


def test_the_lobby_shows_what_the_filters_ask_for(client: Client) -> None:
    plain = gathering("least_score", 3, member("mari"), listed=True)
    rated = gathering("least_score", 3, member("jaan"), listed=True, rated=True)
    staked = gathering("least_score", 2, rich_member("liis"), listed=True, terms=TERMS)
    full = gathering(
        "three_card_loo", 5, member("kadri"), listed=True, bots=dict.fromkeys(range(2, 6), "random")
    )
    start(full)
    for wanted, found in (
        ({}, {plain, rated, staked, full}),
        ({"game": "three_card_loo"}, {full}),
        ({"rating": "rated"}, {rated}),
        ({"rating": "casual"}, {plain, staked, full}),
        ({"stakes": "with"}, {staked}),
        ({"stakes": "without", "free": "1"}, {plain, rated}),
        ({"clock": "blitz"}, set()),
    ):
        context = client.get("/lobby/", wanted).context
        assert {*context["open_tables"], *context["running_tables"]} == found, wanted
    assert client.get("/lobby/").context["running_tables"] == [full]


def test_private_tables_are_in_no_list_of_anybody_else(client: Client) -> None:
    mari, jaan = member("mari"), member("jaan")
    private = gathering("least_score", 3, mari)
    running = open_table("least_score", mari)
    start(running)
    finished = open_table("least_score", mari)
    services.close_table(table_id=finished.id)
    guest = client_of(jaan)
    for page in ("/", "/lobby/", "/lobby/mine/", "/calls/", "/history/", "/statistics/"):
        for who in (client, guest):
            text = who.get(page, follow=True).content.decode()
            for table in (private, running, finished):
                assert str(table.id) not in text, page
    assert client.get(f"/tables/{private.id}/").status_code == 200, "the link is the key"
    assert "noindex" in client.get(f"/tables/{private.id}/").content.decode()


def test_my_tables_name_who_is_on_turn_and_mine_come_first(client: Client) -> None:
    mari = member("mari")
    client.force_login(mari)
    waiting = gathering("least_score", 3, mari)
    mine = on_turn("least_score", mari)
    tables = client.get("/lobby/").context["my_tables"]
    assert tables[0] == mine and tables[0].my_turn and tables[0].turn_name == "mari"
    assert waiting in tables
    text = client.get("/lobby/mine/").content.decode()
    assert "your turn" in text and f"/tables/{mine.id}/" in text


def test_the_number_of_queries_does_not_grow_with_the_tables(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    mari = member("mari")
    for number in range(12):
        gathering("least_score", 3, member(f"host {number}"), mari, listed=True)
    client.force_login(mari)
    client.get("/lobby/")
    # Session, person, memberships, the club, two for rights in the menu, two for each of two lists, one for calls,
    # one for what there is to be told.
    with django_assert_num_queries(12):
        client.get("/lobby/")


# Calls ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["/", "/lobby/", "/rules/least_score/", "/statistics/"])
def test_every_page_has_the_way_back_to_a_table_where_it_is_my_turn(client: Client, page: str) -> None:
    mari = member("mari")
    table = on_turn("least_score", mari)
    client.force_login(mari)
    text = client.get(page).content.decode()
    assert "Your table is waiting" in text and f'href="/tables/{table.id}/"' in text
    assert "Your table is waiting" not in client_of(member("jaan")).get(page).content.decode()
    assert "Your table is waiting" not in Client().get(page).content.decode()


def test_a_table_does_not_call_from_its_own_page(client: Client) -> None:
    mari = member("mari")
    table = on_turn("least_score", mari)
    client.force_login(mari)
    assert "Your table is waiting" not in client.get(f"/tables/{table.id}/").content.decode()
    assert "Your table is waiting" not in client.get("/calls/", {"besides": str(table.id)}).content.decode()
    assert "Your table is waiting" in client.get("/calls/", {"besides": "x"}).content.decode()


def test_a_stand_ins_turn_calls_nobody() -> None:
    mari = member("mari")
    table = on_turn("least_score", mari)
    assert [call.table_id for call in selectors.calls_for(mari.pk)] == [table.id]
    table.seats.filter(user=mari).update(stand_in=True)
    assert selectors.calls_for(mari.pk) == []


def test_the_calls_cost_a_page_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    mari = member("mari")
    on_turn("least_score", mari)
    with django_assert_num_queries(1):
        selectors.calls_for(mari.pk)
    newcomer, known = Client(), client_of(mari)
    with django_assert_num_queries(1):  # the club
        newcomer.get("/rules/least_score/")
    # Session, person, memberships, the club, two for rights in the menu, one for calls, one for what there is to be told.
    with django_assert_num_queries(8):
        known.get("/rules/least_score/")


def test_an_offered_seat_calls_from_every_page(client: Client) -> None:
    mari, jaan, liis = member("mari"), member("jaan"), member("liis")
    table = gathering("least_score", 2, mari, jaan, pace_ms=8_000)
    services.join_line(table_id=table.id, user=liis)
    client.force_login(liis)
    assert "A seat is free for you" not in client.get("/").content.decode()
    services.leave_table(table_id=table.id, user_id=jaan.pk)
    assert "A seat is free for you" in client.get("/").content.decode()
    page = client.get(f"/tables/{table.id}/")
    assert page.context["offer"].offered_seat == 2 and page.context["place"] == 1


# Opening a table -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_is_a_table_that_opens(preset: str) -> None:
    client = client_of(member("mari"))
    page = client.get("/tables/new/", {"preset": preset})
    assert page.context["choice"], page.context["form"].errors
    data = {name: page.context["form"].data[name] for name in page.context["form"].data}
    opened = client.post("/tables/new/", data)
    table = Table.objects.get()
    assert opened["Location"] == f"/tables/{table.id}/"
    usual = PRESETS[preset]
    assert (table.game, table.clock, table.rated) == (usual.game, usual.clock, usual.rated)
    assert table.seats.count() == usual.seats
    assert sum(seat.is_bot for seat in table.seats.all()) == usual.bots
    assert {name: table.options[name] for name in usual.options} == usual.options


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_choice_is_told_in_one_line_before_anything_is_opened(game: str) -> None:
    client = client_of(rich_member("mari"))
    stakes = {"asset": "CHIPS", "stake": "10", "buy_in_min": "400", "buy_in_max": "900"}
    data = asked(client, game=game, seats="6", bots="2", **stakes)
    data.pop("listed")
    for response in (
        client.get("/tables/new/", {**data, "show": "1"}),
        client.post("/tables/new/", {**data, "show": "1"}),
    ):
        choice = response.context["choice"]
        for words in (
            "6 seats",
            "2 bots (Steady)",
            "10 CHIPS a stake, buy-in 400 to 900",
            "casual",
            "private",
        ):
            assert words in choice
        assert "the worst first deal costs" in choice
        assert "\n" not in choice
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"bots": "3", "seats": "3"}, "bots"),
        ({"bots": "1", "rated": "on"}, "bots"),
        ({"game": "three_card_loo", "seats": "5", "rated": "on", "min_players": "3"}, "rated"),
        ({"seats": "9"}, "seats"),
        ({"level": "wizard"}, "level"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(changes: dict[str, Any], field: str) -> None:
    client = client_of(member("mari"))
    data = asked(client, **changes)
    shown = client.get("/tables/new/", {**data, "show": "1"})
    assert field in shown.context["form"].errors and shown.context["choice"] == ""
    assert client.post("/tables/new/", data).status_code == 422
    assert not Table.objects.exists()


def test_guests_open_casual_tables_but_no_rated_one(client: Client) -> None:
    data = asked(client, seats="3")
    response = client.post("/tables/new/", {**data, "rated": "on"})
    assert response.status_code == 422 and "rated" in response.context["form"].errors
    assert not User.objects.filter(is_guest=True).exists(), "who is refused does not become a guest"
    assert client.post("/tables/new/", data).status_code == 302
    assert Table.objects.get().seats.get(number=1).user.is_guest


def test_a_second_rated_table_of_a_game_is_refused_with_a_link_to_the_first() -> None:
    mari = member("mari")
    first = gathering("least_score", 3, mari, rated=True)
    client = client_of(mari)
    response = client.post("/tables/new/", asked(client, seats="3", rated="on"))
    assert response.status_code == 422
    assert f'<a href="/tables/{first.id}/">' in response.content.decode()
    other = gathering("least_score", 3, member("jaan"), rated=True)
    (message,) = said(client.post(f"/tables/{other.id}/sit/", follow=True))
    assert f'<a href="/tables/{first.id}/">' in message


# The page of filling seats -------------------------------------------------------------------------------------------


def test_guests_are_told_how_to_go_on_at_rated_and_at_staked_tables(client: Client) -> None:
    for table in (
        gathering("least_score", 3, member("mari"), rated=True),
        gathering("least_score", 3, rich_member("liis"), terms=TERMS),
    ):
        page = client.get(f"/tables/{table.id}/").content.decode()
        assert f"/sign-in/?next=/tables/{table.id}/" in page and 'id="sit"' not in page
        (message,) = said(client.post(f"/tables/{table.id}/sit/", follow=True))
        assert "Guests" in message
        (message,) = said(client.post(f"/tables/{table.id}/wait/", follow=True))
        assert "Guests" in message
    assert not User.objects.filter(is_guest=True).exists()


def test_a_newcomer_sits_down_at_a_casual_table_as_a_guest(client: Client) -> None:
    table = gathering("least_score", 3, member("mari"))
    client.post(f"/tables/{table.id}/sit/", {"seat": "3"})
    assert table.seats.get(number=3).user.is_guest


def test_who_buys_in_sees_chips_range_and_the_worst_deal() -> None:
    liis, poor = rich_member("liis"), rich_member("poor", chips=50)
    table = gathering("least_score", 3, liis, options={"entry": 5}, terms=TERMS)
    page = client_of(rich_member("mari", chips=777)).get(f"/tables/{table.id}/")
    assert page.context["stakes"] == {
        "purse": 777,
        "worst": 10 * page.context["stakes"]["worst_stakes"],
        "worst_stakes": page.context["stakes"]["worst_stakes"],
    }
    assert page.context["stakes"]["worst_stakes"] >= 5, "at least the entry"
    text = page.content.decode()
    assert "777 CHIPS" in text and "400 to 1,000 chips" in text and 'name="buy_in"' in text
    text = client_of(poor).get(f"/tables/{table.id}/").content.decode()
    assert "too few chips" in text and 'name="buy_in"' not in text
    (message,) = said(client_of(poor).post(f"/tables/{table.id}/sit/", {"buy_in": "400"}, follow=True))
    assert "do not have that many chips" in message


def test_seats_change_hands_by_forms() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = gathering("three_card_loo", 7, mari)
    host, other = client_of(mari), client_of(jaan)
    path = f"/tables/{table.id}"
    other.post(f"{path}/sit/", {"seat": "3"})
    other.post(f"{path}/move/", {"seat": "5"})
    assert table.seats.get(user=jaan).number == 5
    host.post(f"{path}/fill/", {"level": "random", "count": "3"})
    assert [seat.number for seat in table.seats.all() if seat.is_bot] == [2, 3, 4]
    assert said(other.post(f"{path}/dismiss/", {"seat": "2"}, follow=True)), "only the host may"
    page = host.get(f"{path}/")
    assert page.context["host"] and page.context["missing"] == 0
    host.post(f"{path}/dismiss/", {"seat": "2"})
    assert host.get(f"{path}/").context["missing"] == 1
    (message,) = said(host.post(f"{path}/start/", follow=True))
    assert "Too few" in message
    host.post(f"{path}/fill/", {"count": "1"})
    host.post(f"{path}/start/")
    table.refresh_from_db()
    assert table.status == Table.Status.BETWEEN


def test_the_line_by_forms(client: Client) -> None:
    mari, jaan = member("mari"), member("jaan")
    table = gathering("least_score", 2, mari, jaan, pace_ms=8_000)
    path = f"/tables/{table.id}"
    client.post(f"{path}/wait/")
    guest = User.objects.get(is_guest=True)
    assert WaitingPlace.objects.get().user == guest
    assert client.get(f"{path}/").context["in_line"] == 1
    client.post(f"{path}/wait/no-longer/")
    assert not WaitingPlace.objects.exists()


def test_the_forms_of_seats_are_not_links_and_need_their_token() -> None:
    table = gathering("least_score", 3, member("mari"))
    strict = Client(enforce_csrf_checks=True)
    for name in ("sit", "move", "fill", "dismiss", "start", "wait", "wait/no-longer"):
        assert strict.get(f"/tables/{table.id}/{name}/").status_code == 405
        assert strict.post(f"/tables/{table.id}/{name}/").status_code == 403


def test_the_link_is_there_as_text_and_as_a_code_without_inline_style(client: Client) -> None:
    table = gathering("least_score", 3, member("mari"))
    text = client.get(f"/tables/{table.id}/").content.decode()
    assert f"http://testserver/tables/{table.id}/" in text
    drawn = re.search(r'<div class="qr".*?</div>', text, re.S)
    assert drawn and "<svg" in drawn[0] and "style=" not in drawn[0]


# Profiles ------------------------------------------------------------------------------------------------------------


def test_names_at_a_table_led_to_no_profile(client: Client) -> None:
    """They do where there is one to see: not a guest's, not a bot's, not that of somebody who keeps it for the club."""
    mari, jaan, guest = member("mari"), member("jaan"), User.objects.create_user("guest-1", is_guest=True)
    User.objects.filter(pk=mari.pk).update(seen_by=User.SeenBy.EVERYBODY)
    User.objects.filter(pk=jaan.pk).update(seen_by=User.SeenBy.CLUB)
    filling = gathering("three_card_loo", 5, mari, jaan, guest)
    playing = open_table("least_score", mari, jaan, guest)
    start(playing)
    pages = (f"/tables/{filling.pk}/", f"/tables/{playing.pk}/", f"/tables/{playing.pk}/history/")
    for visitor, seen in ((client, {"mari"}), (client_of(jaan), {"mari", "jaan"})):
        for page in pages:
            found = set(re.findall(r'href="/people/([\w-]+)/"', visitor.get(page).content.decode()))
            assert found == seen, page


def test_members_names_led_to_no_profile(client: Client) -> None:
    mari, jaan = member("mari"), member("jaan")
    User.objects.filter(pk=jaan.pk).update(seen_by=User.SeenBy.NOBODY)
    club = Club.objects.get(pk=FIRST_CLUB)
    for each in (mari, jaan):
        Membership.objects.get_or_create(club=club, user=each)
    client.force_login(mari)
    shown = client.get(f"/clubs/{club.slug}/members/").content.decode()
    assert re.findall(r'href="/people/([\w-]+)/"', shown) == ["mari"] and "jaan" in shown
