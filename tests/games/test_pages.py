"""Pages and files of the tables, asked for as a browser does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from clubs.models import User
from clubs.rules.zones import TIME_ZONE_COOKIE
from games import selectors, services
from games.models import Table
from games.rules import GAMES, proof, record
from games.rules.record import replay
from tests.games.tables import member, on_turn, open_table, play_to_the_end

pytestmark = pytest.mark.django_db
both_games = pytest.mark.parametrize("game", sorted(GAMES))
CHECKER = Path(__file__).parents[2] / "docs" / "check_deal.py"


def form_data(client: Client, game: str, **changes: Any) -> dict[str, Any]:
    """Return what the browser would send for the form of a game as it stands."""
    form = client.get("/", {"game": game}).context["form"]
    data = {name: field.initial for name, field in form.fields.items()}
    return {
        name: value for name, value in {**data, **changes}.items() if value is not False and value is not None
    }


@both_games
def test_a_newcomer_plays_at_once_as_a_guest(client: Client, game: str) -> None:
    response = client.post("/play/", form_data(client, game, declare_cap="None"))
    table = Table.objects.get()
    assert response.status_code == 302 and response["Location"] == f"/tables/{table.id}/"
    guest = User.objects.get()
    assert guest.is_guest and not guest.has_usable_password()
    assert table.seats.filter(user=guest).count() == 1
    client.cookies[TIME_ZONE_COOKIE] = "Asia/Kathmandu"
    page = client.get(response["Location"])
    assert page.status_code == 200 and 'data-zone="Asia/Kathmandu"' in page.content.decode()
    assert page.context["snapshot"]["table"]["you"] == table.seats.get(user=guest).number
    assert table in client.get("/").context["my_tables"]


@pytest.mark.parametrize(
    ("game", "changes", "field"),
    [
        ("three_card_loo", {"seats": "17"}, "seats"),
        ("three_card_loo", {"seats": "4"}, "seats"),
        ("three_card_loo", {"seats": "x"}, "seats"),
        ("three_card_loo", {"clock": "sundial"}, "clock"),
        ("three_card_loo", {"loo": "everything"}, "loo"),
        ("three_card_loo", {"loo_cap": "-1"}, "loo_cap"),
        ("least_score", {"seats": "7"}, "seats"),
        ("least_score", {"level": "wizard"}, "level"),
    ],
)
def test_a_form_that_cannot_be_is_shown_again_with_the_reason(
    client: Client, game: str, changes: dict[str, Any], field: str
) -> None:
    response = client.post("/play/", form_data(client, game, declare_cap="None", **changes))
    assert response.status_code == 422
    assert field in response.context["form"].errors
    page = response.content.decode()
    # What is wrong is said above the form, with a way to the field, which names its own fault.
    assert f'<a href="#id_{field}">' in page[page.index('id="errors"') :]
    assert f'aria-describedby="id_{field}_error"' in page and f'id="id_{field}_error"' in page
    assert not Table.objects.exists() and not User.objects.exists()


@pytest.mark.parametrize(
    ("game", "seats", "option", "shown", "value"),
    [
        ("least_score", "7", "packs", "two packs", "2"),
        ("three_card_loo", "4", "min_players", "at least 3 players (practice)", "3"),
    ],
)
def test_seats_were_offered_that_the_rules_refused_without_saying_what_allows_them(
    client: Client, game: str, seats: str, option: str, shown: str, value: str
) -> None:
    data = form_data(client, game, declare_cap="None", seats=seats)
    page = client.post("/play/", data)
    errors = page.context["form"].errors
    assert set(errors) == {"seats", option}
    assert errors[option] == [f"For so many seats choose “{shown}” here."]
    assert "<details open>" in page.content.decode(), "the option is to be seen"
    assert client.post("/play/", {**data, option: value}).status_code == 302


@pytest.mark.parametrize(
    ("game", "other"), [("least_score", "three_card_loo"), ("three_card_loo", "least_score")]
)
def test_a_game_chosen_before_its_options_arrived_is_played_by_the_usual_rules(
    client: Client, game: str, other: str
) -> None:
    """Without scripts, or on a slow line, the form that is sent still has the options of the other game."""
    sent = form_data(client, other) | {"game": game, "seats": "5"}
    assert client.post("/play/", sent).status_code == 302
    usual = GAMES[game].dump_options(GAMES[game].parse_options({}))
    assert Table.objects.get().options == usual


def test_an_unknown_game_is_answered_with_the_form(client: Client) -> None:
    assert client.post("/play/", {"game": "whist"}).status_code == 422
    assert client.get("/", {"game": "whist"}).status_code == 200
    assert client.get("/rules/whist/").status_code == 404


@both_games
def test_the_rules_page_of_each_game(client: Client, game: str) -> None:
    assert client.get(f"/rules/{game}/").status_code == 200


def test_a_table_that_does_not_exist_is_not_found(client: Client) -> None:
    for path in ("", "deals/1/record.json", "deals/1/proof.json"):
        assert client.get(f"/tables/{uuid4()}/{path}").status_code == 404
    assert client.post(f"/tables/{uuid4()}/leave/").status_code == 404
    assert client.post(f"/tables/{uuid4()}/again/").status_code == 404


def test_leaving_by_the_page_ends_a_table_that_has_no_other_member(client: Client) -> None:
    user = member("mari")
    client.force_login(user)
    table = on_turn("least_score", user)
    assert client.post(f"/tables/{table.id}/leave/").status_code == 302
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED


def test_playing_again_opens_a_new_table_with_the_same_rules(client: Client) -> None:
    user = member("mari")
    client.force_login(user)
    old = open_table("three_card_loo", user, loo=6)
    play_to_the_end(old)
    client.post(f"/tables/{old.id}/again/")
    new = Table.objects.exclude(pk=old.pk).get()
    assert (new.game, new.options, new.clock) == (old.game, old.options, old.clock)
    assert new.seats.filter(user=user).count() == 1
    assert new.commitment != old.commitment


def test_pages_do_not_act_when_they_are_only_looked_at(client: Client) -> None:
    table = open_table("least_score", member("mari"))
    for path in ("/play/", f"/tables/{table.id}/leave/", f"/tables/{table.id}/again/"):
        assert client.get(path).status_code == 405


def test_who_switched_the_language_after_a_refusal_was_shown_nothing(client: Client) -> None:
    """The switch led to the address that the form was sent to, whose answer to who only looks was empty."""
    refused = client.post(
        "/play/",
        {"game": "least_score", "seats": "10"},
        headers={"referer": "http://testserver/?game=least_score"},
    )
    assert refused.status_code == 422
    assert 'name="next" value="http://testserver/?game=least_score"' in refused.content.decode()
    looked = client.get("/play/")
    assert looked.status_code == 405 and looked["Allow"] == "POST"
    assert "<h1>There is no such page</h1>" in looked.content.decode()


def test_a_program_that_asks_only_for_the_head_of_a_page_was_refused(client: Client) -> None:
    for path in (
        "/",
        "/lobby/",
        "/learn/",
        "/rules/least_score/",
        "/events/",
        "/ratings/",
        "/statistics/",
        "/glossary/",
    ):
        assert client.head(path).status_code == 200, path


def test_forms_need_their_token() -> None:
    table = open_table("least_score", member("mari"))
    strict = Client(enforce_csrf_checks=True)
    for path in ("/play/", f"/tables/{table.id}/leave/", f"/tables/{table.id}/again/"):
        assert strict.post(path, {"game": "least_score"}).status_code == 403


def test_the_deck_of_a_running_deal_is_not_given_out(client: Client) -> None:
    user = member("mari")
    client.force_login(user)
    table = on_turn("least_score", user)
    assert client.get(f"/tables/{table.id}/deals/1/")["Location"] == f"/tables/{table.id}/"
    for name in ("record", "proof"):
        response = client.get(f"/tables/{table.id}/deals/1/{name}.json")
        assert response.status_code == 409
        assert response.json()["code"] == "deal_running"
    page = client.get(f"/tables/{table.id}/").content.decode()
    assert selectors.seed_of(table, 1).hex() not in page
    assert "deck" not in page


@both_games
def test_every_ended_deal_gives_a_record_that_replays_and_a_proof_that_holds(
    client: Client, tmp_path: Path, game: str
) -> None:
    table = open_table(game, member("mari"))
    play_to_the_end(table)
    for deal in table.deals.all():
        assert client.get(f"/tables/{table.id}/deals/{deal.number}/?v=3").status_code == 200
        raw = client.get(f"/tables/{table.id}/deals/{deal.number}/record.json").content
        played = replay(record.read_record(raw))
        assert played.refused is None
        assert GAMES[game].outcome_json(played.states[-1]) == deal.outcome
        raw = client.get(f"/tables/{table.id}/deals/{deal.number}/proof.json").content
        assert proof.faults(proof.parse_proof(raw)) == ()
    path = tmp_path / "proof.json"
    path.write_bytes(client.get(f"/tables/{table.id}/deals/1/proof.json").content)
    assert "first_dealer" in json.loads(path.read_text())
    checked = subprocess.run([sys.executable, CHECKER, path], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_member_opens_a_table_another_finds_it_in_the_lobby_and_sits_down() -> None:
    mari, jaan = Client(), Client()
    mari.force_login(member("mari"))
    jaan.force_login(member("jaan"))
    fields = mari.get("/tables/new/", {"game": "least_score"}).context["form"].fields
    data = {name: field.initial for name, field in fields.items()}
    data = {name: value for name, value in data.items() if value is not None and value is not False}
    opened = mari.post("/tables/new/", {**data, "declare_cap": "None", "seats": "3", "listed": "on"})
    table = Table.objects.get()
    assert opened["Location"] == f"/tables/{table.id}/"
    assert table.status == Table.Status.SEATING
    assert f"/tables/{table.id}/" in mari.get(opened["Location"]).content.decode()
    assert list(jaan.get("/lobby/", {"free": "1", "game": "least_score"}).context["tables"]) == [table]
    assert not jaan.get("/lobby/", {"game": "three_card_loo"}).context["tables"]
    assert jaan.post(f"/tables/{table.id}/sit/", {"seat": "3"}).status_code == 302
    assert jaan.get(f"/tables/{table.id}/").context["you"] == 3
    jaan.post(f"/tables/{table.id}/fill/")
    table.refresh_from_db()
    assert table.status == Table.Status.SEATING, "only who opened the table may call the bots"
    mari.post(f"/tables/{table.id}/fill/")
    table.refresh_from_db()
    assert table.status == Table.Status.BETWEEN
    assert jaan.get(f"/tables/{table.id}/", headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_a_table_that_is_not_listed_is_not_in_the_lobby(client: Client) -> None:
    table = open_table("least_score", member("mari"))
    assert table not in client.get("/lobby/").context["tables"]


@pytest.mark.parametrize("seat", ["9", "0", "-1", "x", "1e3", "9" * 40])
def test_a_seat_that_is_not_free_is_refused_with_a_message(client: Client, seat: str) -> None:
    client.force_login(member("jaan"))
    table = services.open_table(
        game="least_score", options={}, clock="club", members={}, bots={}, opened_by=None, seats=3
    )
    response = client.post(f"/tables/{table.id}/sit/", {"seat": seat}, follow=True)
    assert [str(message) for message in response.context["messages"]]
    assert not table.seats.filter(user__isnull=False).exists()
