"""The API as a whole: one shape of refusals with one table of statuses, and a description of everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest

from clubs.api.problems import MESSAGES, STATUSES, status_of
from clubs.errors.tokens import MESSAGES as TOKENS
from clubs.models import FIRST_CLUB, Club, Membership, User
from config.api import api
from games.errors import MESSAGES as TABLES
from games.models import Table
from ledger.errors import LedgerError
from tests.games.tables import member, open_table, play_to_the_end
from tests.programs import Program
from tests.tournaments.events import event, organiser
from tournaments.errors import MESSAGES as EVENTS

SHOWN = {400, 401, 403, 404, 405, 409, 422, 429, 500, 503}


def ledger_codes() -> Iterator[str]:
    kinds = [LedgerError]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if "code" in vars(kind):
            yield kind.code


def test_every_code_has_a_status_and_no_status_waits_for_a_code_that_is_gone():
    known = {*MESSAGES, *TOKENS, *TABLES, *EVENTS, *ledger_codes()}
    assert {status_of(code) for code in known} <= SHOWN
    assert set(STATUSES) <= known, set(STATUSES) - known
    samples = {
        "no_such_table": 404,
        "unknown_account": 404,
        "bad_nonce": 422,
        "malformed_move": 422,
        "not_your_turn": 409,
        "stale": 409,
        "not_seated": 403,
        "by_hand_only": 403,
        "token_missing": 401,
        "chat_too_fast": 429,
        "unavailable": 503,
    }
    assert {code: status_of(code) for code in samples} == samples


def test_every_operation_is_described_with_its_answers():
    description = api.description_of_all
    assert description["openapi"].startswith("3.1")
    names = set()
    for path, methods in description["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in methods.values():
            names.add(operation["operationId"])
            assert operation["summary"] and operation["description"].endswith((".", ":"))
            assert operation["security"] == [{"Token": []}] and operation["x-scope"]
            assert {401, 403, 404, 409, 422, 429} <= set(operation["responses"])
    assert len(names) == sum(len(methods) for methods in description["paths"].values())


@pytest.mark.django_db
def test_the_description_is_there_for_programs_and_for_people(client):
    told = client.get("/api/v1/openapi.json")
    assert told.json()["paths"].keys() == api.description_of_all["paths"].keys()
    page = client.get("/api/v1/").content.decode().replace("<wbr>", "")
    for path in api.description_of_all["paths"]:
        assert path in page
    assert not re.search(r"<style|style=|<script(?! type=\"module\" src=\"/static/)", page)


@pytest.mark.django_db
def test_whatever_is_wrong_is_told_in_one_shape(client):
    program = Program(User.objects.create_user(username="mari"))
    answers = {
        "no_such_address": (404, program.get("/nowhere")),
        "method_not_allowed": (405, program.delete("/me")),
        "bad_request": (422, program.get("/me/history?limit=1000")),
        "bad_cursor": (422, program.get("/me/history?cursor=abc")),
        "no_such_table": (404, program.get("/tables/00000000-0000-0000-0000-000000000000")),
    }
    for code, (status, answer) in answers.items():
        assert (answer.status, answer.code) == (status, code)
        assert set(answer.body) == {"code", "message", "detail"} and answer.body["message"]
    assert answers["method_not_allowed"][1].headers["Allow"] == "GET"
    assert answers["bad_request"][1].body["detail"][0]["where"] == "query.limit"
    unread = client.post(
        "/api/v1/tables",
        "{",
        content_type="application/json",
        headers={"authorization": f"Bearer {program.text}"},
    )
    assert (unread.status_code, unread.json()["code"]) == (422, "bad_request")


@pytest.mark.django_db
def test_a_fault_is_loud_in_the_log_and_quiet_to_the_program(monkeypatch, caplog):
    program = Program(User.objects.create_user(username="mari"))
    monkeypatch.setattr("games.api.tables.selectors.tables_of", lambda _id: 1 / 0)
    answer = program.get("/me/tables")
    assert (answer.status, answer.code) == (500, "fault")
    assert "division" not in answer.body["message"]
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.django_db
def test_what_belongs_to_another_club_is_not_there():
    """Every address that names a table, an event or an account is asked about those of a club that keeps to itself."""
    mari = member("mari")
    Membership.objects.create(user=mari, club_id=FIRST_CLUB)
    other = Club.objects.create(slug="others", name="Others", listed=False, welcomes_guests=False)
    jaan = member("jaan")
    Membership.objects.create(user=jaan, club=other)
    table = open_table("least_score", jaan)
    play_to_the_end(table)
    Table.objects.filter(pk=table.pk).update(club=other)
    there = event(organiser())
    type(there).objects.filter(pk=there.pk).update(club=other)
    program = Program(mari)
    values = {"table": table.id, "event": there.id, "number": 1, "entry": 1, "place": 1, "account": 1}
    bodies = {
        "moves": {"id": str(uuid4()), "v": 1, "m": "declare"},
        "nonce": {"value": "1"},
        "results": {"scores": {"1": 0}},
    }
    asked = 0
    for path, methods in api.description_of_all["paths"].items():
        if "{table}" not in path and "{event}" not in path:
            continue
        for method in methods:
            said = bodies.get(
                path.rsplit("/", 1)[1], {"id": str(uuid4()), "text": "hi"} if path.endswith("chat") else {}
            )
            told = path.removeprefix("/api/v1").format(**values)
            answer = program.ask(method, told, said if method == "post" else None)
            assert answer.status == 404, (method, path, answer)
            asked += 1
    assert asked > 35
    assert program.get("/tables?club=others").status == 404
