"""Files of an event: what is in them, for whom, and that no cell is a formula."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from clubs.models import User
from tests.tournaments.events import (
    drive,
    enter_table,
    event,
    give,
    members,
    played,
    released,
    treasurer,
    with_players,
)
from tournaments import services
from tournaments.models import Entry, Round, Tournament
from tournaments.selectors.exports import PARTS
from tournaments.selectors.field import tables_of
from tournaments.selectors.sheets import SHEETS

pytestmark = pytest.mark.django_db

SCORE = re.compile(r"\b43210\b")
"""As a word of its own: an id of random digits may contain it."""
CHECKER = Path(__file__).parents[2] / "docs" / "check_draw.py"


def pieces(client: Client, tournament: Tournament, name: str) -> list[str]:
    answer: Any = client.get(f"/events/{tournament.pk}/files/{name}")
    assert answer.status_code == 200 and answer.streaming, name

    async def collect() -> list[str]:
        return [piece.decode() async for piece in answer.streaming_content]

    return async_to_sync(collect)()


def exported(client: Client, tournament: Tournament) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("".join(pieces(client, tournament, "event.json")))
    return found


def sheet(client: Client, tournament: Tournament, what: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(pieces(client, tournament, f"{what}.csv")))))


def checked(raw: dict[str, Any], tmp_path: Path) -> tuple[int, str]:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(CHECKER), str(path)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_the_whole_event_is_in_its_json_with_every_version(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    played(olga, tournament, 1)
    services.undo_round(tournament_id=tournament.pk, by=olga, round_number=1, reason="wrong seats")
    services.draw(tournament_id=tournament.pk, by=olga)
    released(olga, tournament, 1)
    first = tables_of(Round.objects.get(tournament=tournament, number=1))[0]
    enter_table(olga, tournament, first, dict.fromkeys(first.seats, 5))
    services.correct_deal(
        tournament_id=tournament.pk,
        by=olga,
        round_number=1,
        table_number=1,
        deal=0,
        reason="misread",
        scores=dict.fromkeys(first.seats, 7),
    )
    client.force_login(olga)
    found = exported(client, tournament)
    assert found["event"]["name"] == "Friday" and len(found["entries"]) == 8
    assert found["version"] == found["version_at_end"] and found["everything"] is True
    assert [(t["release"], t["counts"]) for t in found["tables"]] == [(1, False)] * 2 + [(2, True)] * 2
    again = [r for r in found["results"] if r["release"] == 2]
    assert [(r["version"], set(r["scores"].values()), r["reason"]) for r in again] == [
        (1, {5}, ""),
        (2, {7}, "misread"),
    ]
    assert [a["number"] for a in found["record"]] == list(range(1, len(found["record"]) + 1))
    assert {draw["version"] for draw in found["draws"]} == {1, 2}
    assert [draw["in_use"] for draw in found["draws"]] == [False, True]


def test_others_get_nothing_of_what_is_held_back_drafted_or_undone(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=3)
    played(olga, tournament, 1)
    services.undo_round(tournament_id=tournament.pk, by=olga, round_number=1, reason="secret reason")
    services.draw(tournament_id=tournament.pk, by=olga)
    row = released(olga, tournament, 1)
    first = tables_of(row)[0]
    enter_table(olga, tournament, first, dict.fromkeys(first.seats, 43210))
    text = "".join(pieces(client, tournament, "event.json"))
    found = json.loads(text)
    assert found["everything"] is False and found["results"] == [] and found["record"] == []
    assert not SCORE.search(text) and "secret reason" not in text and str(row.draw.seed) not in text
    assert str(tournament.seed) not in text
    assert [draw["complete"] for draw in found["draws"]] == [False]
    assert found["draws"][0]["rounds"] == row.draw.rounds[:1]
    assert {table["release"] for table in found["tables"]} == {2}
    sheets = {what: "".join(pieces(client, tournament, f"{what}.csv")) for what in SHEETS}
    assert all(not SCORE.search(text) and str(row.draw.seed) not in text for text in sheets.values())
    client.force_login(olga)
    assert {line["score"] for line in sheet(client, tournament, "results")} >= {"43210"}
    client.logout()
    enter_table(olga, tournament, tables_of(row)[1])
    assert {line["score"] for line in sheet(client, tournament, "results")} >= {"43210"}


def test_a_draft_has_no_files_for_others(client: Client, olga: User) -> None:
    draft = services.create_tournament(by=olga, name="Secret", game="least_score")
    for name in ("", "event.json", "entries.csv"):
        assert client.get(f"/events/{draft.pk}/files/{name}").status_code == 404
    client.force_login(olga)
    assert client.get(f"/events/{draft.pk}/files/").status_code == 200
    assert client.get(f"/events/{draft.pk}/files/wallets.csv").status_code == 404


def test_no_name_is_a_formula_in_a_sheet(client: Client, olga: User) -> None:
    tournament = event(olga, rounds=1)
    begins = ("=", "+", "-", "@", "\t=", "=HYPERLINK(")
    for n, begin in enumerate(begins):
        services.register_by_hand(tournament_id=tournament.pk, by=olga, name=f"{begin}1+{n}")
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    played(olga, tournament, 1)
    services.finish_tournament(tournament_id=tournament.pk, by=olga)
    client.force_login(olga)
    for what in SHEETS:
        for line in sheet(client, tournament, what):
            for column in ("name", "played_by"):
                assert not (line.get(column) or "").strip().startswith(("=", "+", "-", "@")), (what, line)
    names = [line["name"] for line in sheet(client, tournament, "entries")]
    assert len(names) == len(begins) and all(name.startswith("'") for name in names)
    assert [row["name"] for row in exported(client, tournament)["entries"]] == [n[1:] for n in names]


def test_the_sheets_say_who_sat_where_scored_what_and_won_what(client: Client) -> None:
    tara = treasurer()
    tournament = event(
        tara, rounds=1, asset=_chips(tara), guaranteed=100, prizes={"1": [60, 40]}, standings_live=True
    )
    people = members(8)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=tara)
    played(tara, tournament, 1)
    services.finish_tournament(tournament_id=tournament.pk, by=tara)
    services.pay_prizes(tournament_id=tournament.pk, by=tara)
    seats = sheet(client, tournament, "tables")
    assert len(seats) == 8 and {line["name"] for line in seats} == {p.shown_name for p in people}
    assert sum(line["deals_first"] == "True" for line in seats) == 2
    scores = {line["entry"]: int(line["score"]) for line in sheet(client, tournament, "results")}
    assert sorted(scores.values()) == [0, 0, 10, 10, 20, 20, 30, 30]
    standings = sheet(client, tournament, "standings")
    assert [(line["rank"], line["score"]) for line in standings][:3] == [("1", "0"), ("1", "0"), ("3", "10")]
    paid = [line for line in sheet(client, tournament, "prizes") if line["kind"] == "paid"]
    assert [(line["place"], line["chips"]) for line in paid] == [("1", "50"), ("1", "50")]
    assert [line["chips"] for line in sheet(client, tournament, "prizes") if line["share"]] == ["60", "40"]
    draws = sheet(client, tournament, "draws")
    assert [len(line["seats"].split()) for line in draws] == [4, 4] and draws[0]["optimal"] == "True"


def _chips(person: User) -> str:
    give(person, 1)
    return "CHIPS"


def test_the_ledger_of_dealers_comes_from_the_deals_of_an_online_event(client: Client, olga: User) -> None:
    tournament = event(olga, venue="online", rounds=1, bots_allowed=True)
    names = [f"Bot {n}" for n in range(1, 4)]
    services.add_bots(tournament_id=tournament.pk, by=olga, level="random", names=names)
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    released(olga, tournament, 1)
    drive(tournament)
    lines = sheet(client, tournament, "dealers")
    assert [(line["dealt"], line["owed"]) for line in lines] == [("1", "1")] * 3
    deals = [row for row in exported(client, tournament)["results"] if row["kind"] == "deal"]
    assert len(deals) == 3 and all(row["sheet"] is None or row["sheet"] for row in deals)


@pytest.mark.parametrize("seating", ["planned", "swiss"])
def test_the_draws_of_an_export_can_be_checked_with_the_small_program(
    client: Client, olga: User, tmp_path: Path, seating: str
) -> None:
    tournament = with_players(olga, 12, rounds=3, seating=seating)
    for number in (1, 2, 3):
        played(olga, tournament, number)
    found = exported(client, tournament)
    assert all(draw["complete"] for draw in found["draws"])
    assert checked(found, tmp_path) == (0, "OK\n")
    last = found["draws"][-1]
    last["q"] -= 1
    code, said = checked(found, tmp_path)
    assert code == 1 and f"version {last['version']}: q is " in said
    last["q"] += 1
    tables = [table for table in found["tables"] if table["round"] == 1]
    if seating == "swiss":
        tables[0]["seats"], tables[1]["seats"] = tables[0]["seats"][:2], tables[1]["seats"]
        assert checked(found, tmp_path)[0] == 1, "a history that was falsified is found out"


def test_a_file_comes_in_pieces_and_asks_a_bounded_number_of_times(
    client: Client, olga: User, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = event(olga, rounds=1)
    Entry.objects.bulk_create(
        Entry(tournament=tournament, number=n, name=f"Player {n}") for n in range(1, 173)
    )
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    row = released(olga, tournament, 1)
    enter_table(olga, tournament, tables_of(row)[0])
    monkeypatch.setattr("tournaments.views.exports.LINES", 50)
    with django_assert_max_num_queries(40):
        assert len(pieces(client, tournament, "tables.csv")) == 4
        text = pieces(client, tournament, "event.json")
    assert len(text) > 4 and len(json.loads("".join(text))["entries"]) == 172


def test_every_key_of_the_json_is_documented(client: Client, olga: User) -> None:
    tournament = with_players(olga, 4, rounds=1)
    played(olga, tournament, 1)
    client.force_login(olga)
    found = exported(client, tournament)
    text = (CHECKER.parent / "tournaments.md").read_text()
    table = text[text.index("## Files") :].split("\n## ")[0]
    told = {line.split("|")[1].strip(" `"): line for line in table.splitlines() if line.startswith("| `")}
    for key, value in found.items():
        assert f"`{key}`" in table, key
        if isinstance(value, list):
            missing = [name for row in value for name in row if f"`{name}`" not in told[key]]
            assert missing == [], key
    assert told.keys() == PARTS.keys() | {"event"}
