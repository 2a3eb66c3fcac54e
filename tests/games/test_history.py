"""Pages of deals that are over, and what they must not tell of deals that are not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import selectors, services
from games.models import Deal, LogEntry, Table
from games.rules import GAMES
from games.rules.interface import event_for
from games.rules.record import replay
from games.selectors.proofs import Draw, _provable_draw
from games.wording import in_signs, move_in_words, outcome_in_words
from tests.games.tables import member, on_turn, open_table, play_bots_until, play_one, play_to_the_end, start

pytestmark = pytest.mark.django_db
both_games = pytest.mark.parametrize("game", sorted(GAMES))


def play_deals(table: Table, count: int) -> None:
    """Play so many deals of a table at which only bots sit."""
    for _deal in range(count):
        start(table)
        play_bots_until(table, None)


def steps_of(client: Client, table: Table, number: int, query: str = "") -> dict[str, Any]:
    """Return what the server gives for the replay of a deal."""
    response = client.get(f"/tables/{table.id}/deals/{number}/steps.json{query}")
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


def as_json(value: Any) -> Any:
    """Return a value as it comes out of JSON."""
    return json.loads(json.dumps(value))


@contextmanager
def at_most(queries: int) -> Iterator[None]:
    """Fail when the block asks the database more often."""
    with CaptureQueriesContext(connection) as asked:
        yield
    assert len(asked) <= queries, "\n".join(query["sql"][:200] for query in asked)


# The replay -----------------------------------------------------------------------------------------------------------


@both_games
def test_every_step_is_the_view_that_the_rules_give_its_seat(client: Client, game: str) -> None:
    table = open_table(game)
    play_deals(table, 1)
    deal = table.deals.get()
    states = replay(selectors.record_of(table, deal)).states
    rules = GAMES[game]
    for seat in (None, *deal.seats):
        found = steps_of(client, table, 1, "" if seat is None else f"?seat={seat}")
        shown = found["steps"][: len(states)]
        assert [step["deal"] for step in shown] == [
            as_json({**rules.view_for(state, seat), "legal": [], "refused": {}}) for state in states
        ]
        assert found["table"]["you"] == seat
        assert found["steps"][-1]["deal"]["outcome"] == deal.outcome
        assert [step["ply"] for step in shown] == [None, *range(1, len(states))]


@both_games
def test_the_events_of_a_step_are_the_public_ones(client: Client, game: str) -> None:
    table = open_table(game)
    play_deals(table, 1)
    logged = {entry.version: entry.events for entry in LogEntry.objects.filter(table=table)}
    for step in steps_of(client, table, 1, "?seat=1")["steps"]:
        assert step["events"] == as_json([event_for(event, None) for event in logged[step["v"]]])
        assert "private" not in json.dumps(step)


@both_games
def test_hands_of_others_come_only_when_they_are_asked_for(client: Client, game: str) -> None:
    table = open_table(game)
    play_deals(table, 1)
    deal = table.deals.get()
    first = steps_of(client, table, 1)["steps"][0]
    assert "hands" not in first and first["deal"]["hand"] is None
    cards = set(re.findall(r'"([2-9TJQKA][CDHS])"', json.dumps(first)))
    assert len(cards) == 1, "a watcher knows the turned-up card and nothing else"
    opened = steps_of(client, table, 1, "?hands=open")["steps"]
    hands = [card for held in opened[0]["hands"].values() for card in held["hand"]]
    assert set(hands) <= set(deal.deck)
    assert len(hands) == len(deal.seats) * {"three_card_loo": 3, "least_score": 5}[game]
    for step in opened:
        assert set(step["hands"]) == {str(seat) for seat in deal.seats}


@both_games
def test_a_deal_begins_with_the_match_that_the_one_before_left(client: Client, game: str) -> None:
    table = open_table(game, threshold=100) if game == "least_score" else open_table(game)
    play_deals(table, 3)
    found = [steps_of(client, table, number) for number in (1, 2, 3)]
    assert found[0]["table"]["match"]["deals"] == 0
    assert found[0]["after"] == found[1]["table"]["match"]
    assert found[1]["after"] == found[2]["table"]["match"]
    table.refresh_from_db()
    rules = GAMES[game]
    assert found[2]["after"] == as_json(rules.match_view(rules.load_match(table.match)))


def test_the_end_of_a_match_is_a_step_of_its_own(client: Client) -> None:
    table = open_table("least_score", threshold=25, match="first_out")
    play_to_the_end(table)
    steps = steps_of(client, table, table.deal_number)["steps"]
    assert [event["type"] for event in steps[-1]["events"]][-1] == "final"
    assert steps[-1]["deal"] == steps[-2]["deal"]


@both_games
def test_a_running_deal_is_not_replayed(client: Client, game: str) -> None:
    user = member("mari")
    client.force_login(user)
    table = on_turn(game, user)
    number = table.deal_number
    for query in ("", "?seat=1", "?seat=2", "?hands=open", "?seat=1&hands=open"):
        response = client.get(f"/tables/{table.id}/deals/{number}/steps.json{query}")
        assert response.status_code == 409
        assert response.json()["code"] == "deal_running"
        assert set(response.json()) == {"code", "message"}
    assert client.get(f"/tables/{table.id}/deals/{number}/")["Location"] == f"/tables/{table.id}/"


@pytest.mark.parametrize("query", ["?seat=9", "?seat=0", "?seat=-1", "?seat=x", "?seat=" + "9" * 40])
def test_a_seat_that_is_not_there_is_not_found(client: Client, query: str) -> None:
    table = open_table("least_score")
    play_deals(table, 1)
    assert client.get(f"/tables/{table.id}/deals/1/steps.json{query}").status_code == 404


@pytest.mark.parametrize("number", [0, 2, 99, 10**9, 10**12, 10**25])
def test_a_deal_that_is_not_there_is_not_found(client: Client, number: int) -> None:
    table = open_table("least_score")
    play_deals(table, 1)
    for name in ("", "steps.json", "record.json", "proof.json"):
        assert client.get(f"/tables/{table.id}/deals/{number}/{name}").status_code == 404


def test_the_page_tells_nothing_of_the_end_until_it_is_asked(client: Client) -> None:
    """A replay that spoils the end is one of the complaints about other sites."""
    table = open_table("three_card_loo")
    play_deals(table, 1)
    page = client.get(f"/tables/{table.id}/deals/1/").content.decode()
    assert "<details" in page and "<details open" not in page and 'all-moves" open' not in page
    outside = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    assert not re.search(r"[2-9JQKA10][♣♦♥♠]", outside)
    assert "looed" not in outside.replace("being looed costs", "")


def test_a_receipt_leads_to_its_move(client: Client) -> None:
    """The ledger's receipts link a version of the log; the page opens its list and marks the entry."""
    table = open_table("three_card_loo")
    play_deals(table, 1)
    paid = LogEntry.objects.filter(table=table, events__contains=[{"type": "stakes"}]).order_by("-version")[0]
    page = client.get(f"/tables/{table.id}/deals/1/?v={paid.version}").content.decode()
    assert f'<tr id="v{paid.version}" class="marked" aria-current="true">' in page
    assert 'class="all-moves" open' in page
    assert paid.version in [step["v"] for step in steps_of(client, table, 1)["steps"]]


# History --------------------------------------------------------------------------------------------------------------


@both_games
def test_the_history_of_a_table_tells_how_its_deals_ended(client: Client, game: str) -> None:
    table = open_table(game)
    play_deals(table, 2)
    page = client.get(f"/tables/{table.id}/history/")
    assert [row["deal"].number for row in page.context["rows"]] == [2, 1]
    names = selectors.names_at(table)
    for row in page.context["rows"]:
        deal = row["deal"]
        words = outcome_in_words(game, deal.outcome, dealer=deal.dealer, names=names)
        assert words and row["outcome"] == words
        assert f"/tables/{table.id}/deals/{deal.number}/" in page.content.decode()
    hidden = client.get(f"/tables/{table.id}/history/?results=hidden")
    assert not any(row["outcome"] for row in hidden.context["rows"])
    assert not any(sentence in hidden.content.decode() for sentence in words)


@both_games
def test_a_running_deal_is_in_no_list(client: Client, game: str) -> None:
    user = member("mari")
    table = on_turn(game, user)
    deal = Deal.objects.get(table=table, ended_at=None)
    seed = selectors.seed_of(table, deal.number).hex()
    client.force_login(user)
    history = client.get(f"/tables/{table.id}/history/")
    assert deal.number not in [row["deal"].number for row in history.context["rows"]]
    fair = client.get(f"/tables/{table.id}/fair/")
    assert deal.number not in [row["number"] for row in fair.context["rows"]]
    proofs = client.get(f"/tables/{table.id}/fair/proofs.json")
    assert deal.number not in [proof["deal"] for proof in proofs.json()["proofs"]]
    for response in (history, fair, proofs, client.get("/history/"), client.get("/statistics/")):
        page = response.content.decode()
        assert response.status_code == 200
        assert seed not in page, "the seed of a running deal is its deck"
        assert json.dumps(deal.deck)[1:30] not in page


def test_long_histories_are_turned_page_by_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.selectors.history.PAGE_SIZE", 2)
    table = open_table("three_card_loo")
    play_deals(table, 5)
    seen, query = [], ""
    while True:
        page = client.get(f"/tables/{table.id}/history/{query}")
        seen.append([row["deal"].number for row in page.context["rows"]])
        if page.context["page"].before is None:
            break
        query = f"?before={page.context['page'].before}"
        assert f'href="{query}"' in page.content.decode()
    assert seen == [[5, 4], [3, 2], [1]]
    for odd in ("x", "-3", "0", "9" * 30):
        found = client.get(f"/tables/{table.id}/history/?before={odd}")
        assert [row["deal"].number for row in found.context["rows"]] == [5, 4]


def test_a_table_without_deals_has_an_empty_history(client: Client) -> None:
    table = open_table("least_score", member("mari"))
    for path in ("history/", "fair/", "fair/proofs.json"):
        assert client.get(f"/tables/{table.id}/{path}").status_code == 200
        assert client.get(f"/tables/{uuid4()}/{path}").status_code == 404


def test_my_games_are_mine_and_tell_no_result(client: Client) -> None:
    mari, jaan = member("mari"), member("jaan")
    assert client.get("/history/")["Location"].endswith("?next=/history/"), "a visitor is asked to sign in"
    mine, other = open_table("three_card_loo", mari), open_table("three_card_loo", jaan)
    for table in (mine, other):
        start(table)
        services.close_table(table_id=table.id)
    open_table("least_score", mari)  # nothing was dealt there yet
    client.force_login(mari)
    page = client.get("/history/")
    assert [table.pk for table in page.context["page"].tables] == [mine.pk]
    assert f"/tables/{mine.id}/history/?results=hidden" in page.content.decode()
    deal = mine.deals.get()
    for sentence in outcome_in_words(
        "three_card_loo", deal.outcome, dealer=deal.dealer, names=selectors.names_at(mine)
    ):
        assert sentence not in page.content.decode()


def test_my_games_are_turned_page_by_page_even_if_opened_at_one_moment(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.selectors.history.PAGE_SIZE", 2)
    mari = member("mari")
    client.force_login(mari)
    tables = [open_table("least_score", mari) for _ in range(5)]
    Table.objects.update(deal_number=1, opened_at=timezone.now())
    seen: list[Any] = []
    address: str | None = "/history/"
    while address:
        page = client.get(address)
        seen += [table.pk for table in page.context["page"].tables]
        following = re.search(r'href="(\?after=[^"]+)"', page.content.decode())
        address = f"/history/{following[1]}" if following else None
    assert sorted(seen) == sorted(table.pk for table in tables)
    for odd in ("x", "2026-01-01~x", "~", "2026-01-01T00:00:00~" + str(uuid4()), "\x00"):
        assert len(client.get("/history/", {"after": odd}).context["page"].tables) == 2


# The fair deal --------------------------------------------------------------------------------------------------------


@both_games
def test_the_fair_page_shows_what_the_proofs_say(client: Client, game: str) -> None:
    table = open_table(game, threshold=25) if game == "least_score" else open_table(game)
    play_deals(table, 2)
    answer = client.get(f"/tables/{table.id}/fair/proofs.json").json()
    assert answer["next"] is None
    for number, proof in enumerate(answer["proofs"], start=1):
        assert proof == client.get(f"/tables/{table.id}/deals/{number}/proof.json").json()
    page = client.get(f"/tables/{table.id}/fair/")
    text = page.content.decode()
    assert table.commitment in text
    for row, proof in zip(page.context["rows"], answer["proofs"], strict=True):
        assert row["seed"] == proof["seed"] and proof["seed"] in text
        assert [held["nonce"] for held in row["nonces"]] == proof["nonces"]
    assert page.context["rows"][0]["drawn"] == selectors.names_at(table)[answer["proofs"][0]["first_dealer"]]
    assert page.context["rows"][1]["drawn"] == ""


def test_proofs_come_in_parts(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.views.fair.PROOFS_A_PAGE", 2)
    table = open_table("three_card_loo")
    play_deals(table, 3)
    address, seen = f"/tables/{table.id}/fair/proofs.json", []
    while address:
        answer = client.get(address).json()
        seen.append([proof["deal"] for proof in answer["proofs"]])
        address = answer["next"]
    assert seen == [[1, 2], [3]]


def test_the_secret_end_of_the_chain_is_on_no_page(client: Client) -> None:
    table = open_table("three_card_loo")
    play_deals(table, 2)
    later = {selectors.seed_of(table, number).hex() for number in range(3, 8)}
    later.add(bytes(table.chain_end).hex())
    for path in ("fair/", "fair/proofs.json", "history/", "deals/2/", "deals/2/steps.json?hands=open"):
        page = client.get(f"/tables/{table.id}/{path}").content.decode()
        assert not any(seed in page for seed in later)


def test_a_lot_is_not_proved_by_nonces_of_other_seats() -> None:
    """A seat that sat the first deal out took part in the lot, and its nonce is not among the deal's."""
    draw = Draw(dealer=2, seats=(1, 2, 3))
    assert _provable_draw(Deal(seats=[2, 3, 1]), draw) == (2, (1, 2, 3))
    assert _provable_draw(Deal(seats=[2, 3]), draw) is None
    assert _provable_draw(Deal(seats=[1, 2, 3]), None) is None


# Words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("fold", "folds"),
        ("TD", "10♦"),
        ("declare", "declares"),
        ("7H 7S > stock", "lays 7♥ 7♠, takes the stock"),
        ("AC > TH", "lays A♣, takes 10♥"),
        ("shuffle AS KD 2C", "3 cards are shuffled anew"),
    ],
)
def test_moves_in_words(move: str, words: str) -> None:
    assert move_in_words(move) == words


def test_names_with_capital_letters_are_no_cards() -> None:
    assert in_signs("AS TEAS KHAN 10H") == "A♠ TEAS KHAN 10H"


NAMES = {1: "Mari", 2: "Jaan", 3: "Kadri"}


@pytest.mark.parametrize(
    ("game", "outcome", "words"),
    [
        (
            "three_card_loo",
            {"deltas": {"1": 4, "2": 2, "3": -3}, "tricks": {"1": 2, "2": 1, "3": 0}, "looed": [3], "pot": 3},
            ["Mari (2 tricks) and Jaan (1 trick).", "Looed: Kadri.", "3 stakes stayed in the pot."],
        ),
        (
            "three_card_loo",
            {"deltas": {"1": 0, "2": 0, "3": 0}, "tricks": {"1": 0, "2": 0, "3": 0}, "looed": [], "pot": 0},
            ["Everybody else folded: Kadri took the pot."],
        ),
        (
            "three_card_loo",
            {"deltas": {"1": 0, "2": 5, "3": -3}, "tricks": {"1": 0, "2": 0, "3": 0}, "looed": [], "pot": 0},
            ["Everybody else folded: Jaan took the pot."],
        ),
        (
            "least_score",
            {"scores": {}, "totals": {"1": 7, "2": 9, "3": 12}, "declarer": 1, "success": True},
            ["Mari declared 7 and was lowest."],
        ),
        (
            "least_score",
            {"scores": {}, "totals": {"1": 7, "2": 5, "3": 5}, "declarer": 1, "success": False},
            ["Mari declared 7 and was caught.", "Lowest: Jaan and Kadri with 5."],
        ),
        (
            "least_score",
            {"scores": {}, "totals": {"1": 7, "2": 5, "3": 9}, "declarer": None, "success": None},
            ["Nobody declared; the hands were shown.", "Lowest: Jaan with 5."],
        ),
        (
            "least_score",
            {"scores": {}, "totals": {"1": 7, "2": 5}, "declarer": None, "success": None, "void": True},
            ["No card was left to draw: the deal was void."],
        ),
    ],
)
def test_outcomes_in_words(game: str, outcome: dict[str, Any], words: list[str]) -> None:
    assert outcome_in_words(game, outcome, dealer=3, names=NAMES) == words


# How often the database is asked ----------------------------------------------------------------------------------------


def test_the_database_is_asked_no_more_often_for_more(client: Client) -> None:
    user = member("mari")
    table = open_table("three_card_loo", user, seats=7)
    client.force_login(user)
    for other in ("three_card_loo", "least_score", "least_score"):
        started = open_table(other, user)
        start(started)
    for _deal in range(3):
        start(table)
        while table.status == Table.Status.PLAYING:
            play_one(table)
            table.refresh_from_db()
    # The session, the member and the memberships, the club and, for the menu, what the member may do, what there is to be
    # told and which tables wait.
    session = 8
    with at_most(session + 6):  # also who of the players has a profile to be looked at
        assert client.get(f"/tables/{table.id}/history/").status_code == 200
    with at_most(session + 2):
        assert client.get("/history/").status_code == 200
    with at_most(session + 4):
        assert client.get(f"/tables/{table.id}/deals/3/").status_code == 200
    with at_most(8):
        assert client.get(f"/tables/{table.id}/deals/3/steps.json?seat=1&hands=open").status_code == 200
    with at_most(session + 4):
        assert client.get(f"/tables/{table.id}/fair/").status_code == 200
    with at_most(8):
        assert client.get(f"/tables/{table.id}/fair/proofs.json").status_code == 200
    with at_most(session + 1):
        assert client.get("/statistics/").status_code == 200
