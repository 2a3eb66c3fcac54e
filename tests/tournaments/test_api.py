"""Events for programs: an organiser's program leads one from draft to end, a player's enters and reads."""

from __future__ import annotations

import pytest

from clubs.models import FIRST_CLUB, Membership, User
from tests.programs import Program
from tests.tournaments.events import event, organiser, released, with_players
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def in_club(name: str, *roles: str) -> User:
    user = User.objects.create_user(username=name)
    Membership.objects.create(user=user, club_id=FIRST_CLUB, roles=list(roles))
    return user


def test_a_program_leads_an_event_from_its_draft_to_its_end():
    leader = Program(in_club("carl", "organiser"))
    terms = {"game": "least_score", "venue": "club", "check_in_needed": False, "rounds": 1}
    made = leader.post("/events", {"name": "Friday", "terms": terms})
    assert made.status == 201 and made.body["state"] == "draft"
    path = f"/events/{made.body['id']}"
    player = Program(in_club("mari"))
    assert player.get(path).code == "no_such_event", "a draft is for organisers"
    assert leader.post(f"{path}/open").body["state"] == "registration"
    assert player.post(f"{path}/entry").status == 201
    assert player.post(f"{path}/entry").code == "already_entered"
    for n in range(1, 8):
        assert leader.post(f"{path}/entries", {"name": f"Guest {n}"}).status == 201
    assert leader.delete(f"{path}/entries/8").body["status"] == "withdrawn"
    assert leader.post(f"{path}/entries", {"name": "Guest 8"}).status == 201
    assert leader.post(f"{path}/start").body["state"] == "running"
    assert [row["state"] for row in leader.post(f"{path}/draw").body] == ["drawn"]
    assert player.get(f"{path}/rounds").body == [] and player.get(f"{path}/rounds/1").code == "no_such_round"
    assert player.get(f"{path}/draws").body == []
    assert leader.post(f"{path}/rounds/1/fix").body["state"] == "fixed"
    assert leader.post(f"{path}/rounds/1/release").body["state"] == "playing"
    tables = player.get(f"{path}/rounds/1").body["tables"]
    assert sum(len(table["seats"]) for table in tables) == 8
    assert player.get(f"{path}/draws").body[0]["rounds"][0] == [
        [seat["entry"] for seat in table["seats"]] for table in tables
    ]
    for table in tables:
        scores = {str(seat["entry"]): seat["seat"] for seat in table["seats"]}
        assert (
            leader.post(f"{path}/rounds/1/tables/{table['number']}/results", {"scores": scores}).status == 204
        )
    assert leader.post(f"{path}/rounds/1/confirm").body["state"] == "confirmed"
    assert leader.post(f"{path}/finish").body["state"] == "finished"
    standings = player.get(f"{path}/standings").body
    assert standings["complete"] == 1 and standings["rows"][0]["score"] == "1"
    assert player.get("/events").body["items"][0]["state"] == "finished"


def test_scope_and_right_are_both_needed_to_organise():
    by = organiser()
    there = event(by)
    member, officer = in_club("mari"), in_club("carl", "organiser")
    path = f"/events/{there.pk}/start"
    without_right = Program(member).post(path)
    assert (without_right.status, without_right.code) == (403, "not_organiser")
    without_scope = Program(officer, "read", "play", "audit").post(path)
    assert (without_scope.status, without_scope.code) == (403, "scope_missing")
    assert Program(member).post("/events", {"name": "Mine"}).code == "not_organiser"
    there.refresh_from_db()
    assert there.state == Tournament.State.REGISTRATION


def test_an_account_of_a_bot_enters_where_bots_take_part():
    by, robot = organiser(), in_club("robot")
    robot.is_bot = True
    robot.save()
    program = Program(robot)
    closed, open_to_bots = event(by), event(by, venue="online", bots_allowed=True)
    assert program.post(f"/events/{closed.pk}/entry").code == "bots_not_allowed"
    assert program.post(f"/events/{open_to_bots.pk}/entry").status == 201
    assert program.delete(f"/events/{open_to_bots.pk}/entry").body["status"] == "withdrawn"


def test_a_draw_tells_no_seed_and_no_round_that_is_still_to_come():
    by = organiser()
    there = with_players(by, 8, rounds=2)
    released(by, there, 1)
    (draw,) = Program(in_club("mari")).get(f"/events/{there.pk}/draws").body
    assert (draw["seed"], len(draw["rounds"]), len(draw["sitting"])) == (None, 1, 1)
