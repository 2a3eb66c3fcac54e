"""Tables for programs: what they see and do, where they do not play, and what another club keeps to itself."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from clubs.models import FIRST_CLUB, Membership, User
from games import services
from games.errors import TableRefusal
from games.models import Table
from games.rules.proof import faults, parse_proof
from tests.games.tables import member, on_turn, open_table, play_bots_until, play_to_the_end, start
from tests.programs import Program

pytestmark = pytest.mark.django_db


@pytest.fixture
def mari() -> User:
    user = member("mari")
    Membership.objects.create(user=user, club_id=FIRST_CLUB)
    return user


def test_a_program_opens_a_table_calls_bots_and_moves_by_what_it_is_told(mari):
    program = Program(mari)
    opened = program.post("/tables", {"game": "least_score", "seats": 3, "listed": True, "watch_delay": 5})
    assert opened.status == 201
    path = f"/tables/{opened.body['id']}"
    (listed,) = program.get("/tables?game=least_score&free=true").body
    assert (listed["id"], listed["free_seats"], listed["players"]) == (opened.body["id"], 2, ["mari"])
    assert program.get("/tables?game=three_card_loo").body == []
    assert program.post(f"{path}/bots", {"level": "random"}).status == 200
    assert program.post(f"{path}/nonce", {"value": "my own 42"}).status == 200
    table = Table.objects.get(pk=opened.body["id"])
    Table.objects.update(due_at=table.opened_at, bot_think_ms=0)
    start(table)
    play_bots_until(table, 1)
    view = program.get(path).body
    assert view["table"]["you"] == 1 and view["table"]["fair"]["nonce"] == "my own 42"
    move = {"id": str(uuid4()), "v": view["v"], "m": view["table"]["deal"]["legal"][0]}
    made = program.post(f"{path}/moves", move)
    assert made.status == 200 and made.body["v"] > view["v"]
    assert program.post(f"{path}/moves", move)[:2] == made[:2], "the same again, and nothing more is written"
    late = program.post(f"{path}/moves", {**move, "id": str(uuid4())})
    assert (late.status, late.code) == (409, "stale")
    assert program.get("/me/tables").body[0]["seat"] == 1


def test_a_preset_opens_its_table_and_what_is_said_besides_changes_it(mari):
    program = Program(mari)
    opened = program.post("/tables", {"preset": "least_score_sprint", "bots": 2, "clock": "days"}).body
    table = Table.objects.get(pk=opened["id"])
    assert (table.clock, table.options["threshold"], table.seats.exclude(bot_name="").count()) == (
        "days",
        50,
        2,
    )
    for wrong, code in (
        ({}, "bad_game"),
        ({"preset": "club_loo", "game": "least_score"}, "bad_game"),
        ({"game": "least_score", "seats": 3, "bots": 3}, "bad_seats"),
        ({"game": "least_score", "options": {"threshold": 7}}, "bad_option_value"),
        ({"game": "least_score", "level": "genius", "bots": 1}, "bad_level"),
    ):
        answer = program.post("/tables", wrong)
        assert (answer.status, answer.code) == (422, code), wrong


@pytest.mark.parametrize("kind", ["rated", "staked", "event", "event of bots", "casual"])
def test_programs_play_for_nobodys_rating_and_chips_and_at_events_for_bots_alone(mari, kind):
    table = on_turn("least_score", mari)
    terms: dict[str, Any] = {
        "rated": {"rated": True},
        "staked": {"stake": 5, "asset": "CHIPS", "pot_account": 1, "watch_delay": 0},
        "casual": {},
    }.get(kind, {"origin": "tournament:1"})
    Table.objects.filter(pk=table.pk).update(**terms)
    mari.is_bot = kind == "event of bots"
    mari.save()
    program = Program(mari)
    view = program.get(f"/tables/{table.id}").body
    move = {"id": str(uuid4()), "v": view["v"], "m": view["table"]["deal"]["legal"][0]}
    answer = program.post(f"/tables/{table.id}/moves", move)
    if kind in ("casual", "event of bots"):
        assert answer.status == 200
    else:
        assert (answer.status, answer.code) == (403, "by_hand_only")
        table.refresh_from_db()
        assert table.version == view["v"]


def test_an_account_of_a_bot_sits_at_no_rated_table(mari):
    mari.is_bot = True
    mari.save()
    with pytest.raises(TableRefusal, match="bots_not_rated"):
        services.open_table(
            game="least_score",
            options={},
            clock="club",
            members={1: mari},
            bots={},
            seats=3,
            opened_by=mari,
            rated=True,
        )
    table = open_table("least_score", mari)
    program = Program(mari)
    assert program.get(f"/tables/{table.id}").body["table"]["seats"][0]["program"] is True


def test_history_is_read_page_by_page_and_proves_itself(mari):
    tables = [open_table("least_score", mari, threshold=25) for _ in range(3)]
    for table in tables:
        play_to_the_end(table)
    program = Program(mari, "read")
    seen, path = [], "/me/history?limit=2"
    while path:
        page = program.get(path).body
        seen += [line["id"] for line in page["items"]]
        path = f"/me/history?limit=2&cursor={page['next']}" if page["next"] else ""
    assert seen == [str(table.id) for table in reversed(tables)]
    path = f"/tables/{tables[0].id}/deals"
    newest = program.get(f"{path}?limit=1").body
    assert newest["items"][0]["outcome"]
    proof = json.dumps(program.get(f"{path}/1/proof").body).encode()
    assert faults(parse_proof(proof)) == ()
    assert program.get(f"{path}/1/record").body["game"] == "least_score"
    assert program.get(f"{path}/99/proof").code == "no_such_deal"
