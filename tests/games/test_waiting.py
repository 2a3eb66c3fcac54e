"""The line at a full table: who waits first is asked first, for half a minute, and then the next."""

from __future__ import annotations

import pytest

from clubs.models import User
from games import services
from games.models import LogEntry, Table, WaitingPlace
from games.services.waiting import LONGEST_LINE
from tests.games.gatherings import gathering, let_offers_run_out, line_of, refused
from tests.games.tables import first_legal, member, on_turn, play, play_to_the_end, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> tuple[User, User, User, User, User]:
    mari, jaan, liis, toomas, kadri = (member(name) for name in ("mari", "jaan", "liis", "toomas", "kadri"))
    return mari, jaan, liis, toomas, kadri


@pytest.fixture
def full(people: tuple[User, ...]) -> Table:
    """A full table before its first deal, with Liis and Toomas in the line."""
    table = gathering("least_score", 2, people[0], people[1], pace_ms=8_000)
    assert services.join_line(table_id=table.id, user=people[2]) == 1
    assert services.join_line(table_id=table.id, user=people[3]) == 2
    return table


def test_a_free_seat_is_kept_for_the_first_in_the_line(full: Table, people: tuple[User, ...]) -> None:
    mari, _jaan, liis, _toomas, kadri = people
    services.leave_table(table_id=full.id, user_id=mari.pk)
    assert line_of(full) == [("liis", 1), ("toomas", None)]
    refused("seat_kept", services.sit_down, table_id=full.id, user=kadri)
    refused("seat_kept", services.sit_down, table_id=full.id, user=kadri, number=1)
    assert services.sit_down(table_id=full.id, user=liis) == 1
    assert line_of(full) == [("toomas", None)]
    full.refresh_from_db()
    assert full.status == Table.Status.BETWEEN, "the countdown begins anew"


def test_an_offer_that_runs_out_goes_to_the_next_and_costs_the_place(
    full: Table, people: tuple[User, ...]
) -> None:
    services.leave_table(table_id=full.id, user_id=people[0].pk)
    assert services.pass_on_offers() == 0, "half a minute has not passed"
    let_offers_run_out()
    services.sweep()
    assert line_of(full) == [("toomas", 1)]
    refused("seat_kept", services.sit_down, table_id=full.id, user=people[2])
    let_offers_run_out()
    services.sweep()
    assert line_of(full) == []
    assert services.sit_down(table_id=full.id, user=people[4]) == 1


def test_an_offer_can_be_refused(full: Table, people: tuple[User, ...]) -> None:
    services.leave_table(table_id=full.id, user_id=people[0].pk)
    services.leave_line(table_id=full.id, user_id=people[2].pk)
    assert line_of(full) == [("toomas", 1)]


def test_a_kept_seat_is_not_given_to_a_bot_or_to_who_moves(full: Table, people: tuple[User, ...]) -> None:
    mari, jaan = people[:2]
    services.leave_table(table_id=full.id, user_id=mari.pk)
    services.fill_with_bots(table_id=full.id, user_id=jaan.pk)
    assert full.seats.get(number=1).is_free
    refused("seat_kept", services.move_seat, table_id=full.id, user_id=jaan.pk, number=1)


def test_a_host_does_not_start_while_a_seat_is_being_offered(people: tuple[User, ...]) -> None:
    mari, jaan, liis, toomas, _kadri = people
    table = gathering("least_score", 3, mari, jaan, liis, pace_ms=8_000)
    services.join_line(table_id=table.id, user=toomas)
    services.leave_table(table_id=table.id, user_id=liis.pk)
    refused("seat_offered", services.start_early, table_id=table.id, user_id=mari.pk)
    services.leave_line(table_id=table.id, user_id=toomas.pk)
    services.start_early(table_id=table.id, user_id=mari.pk)


def test_a_bot_that_is_sent_away_makes_room_for_the_first_in_the_line(people: tuple[User, ...]) -> None:
    mari, jaan = people[:2]
    table = gathering("least_score", 2, mari, bots={2: "steady"}, pace_ms=8_000)
    services.join_line(table_id=table.id, user=jaan)
    services.remove_bot(table_id=table.id, user_id=mari.pk, number=2)
    assert line_of(table) == [("jaan", 2)]


def test_who_may_wait_and_where(full: Table, people: tuple[User, ...]) -> None:
    mari, _jaan, liis, _toomas, kadri = people
    refused("already_seated", services.join_line, table_id=full.id, user=mari)
    assert services.join_line(table_id=full.id, user=liis) == 1, "twice changes nothing"
    assert WaitingPlace.objects.filter(table=full).count() == 2
    roomy = gathering("least_score", 3, mari)
    refused("seat_is_free", services.join_line, table_id=roomy.id, user=kadri)
    rated = gathering("least_score", 2, mari, kadri, rated=True, pace_ms=8_000)
    guest = User.objects.create(username="guest", is_guest=True)
    refused("guests_not_rated", services.join_line, table_id=rated.id, user=guest)
    services.close_table(table_id=full.id)
    refused("table_finished", services.join_line, table_id=full.id, user=kadri)


def test_nobody_waits_for_a_seat_that_an_event_gives_away(full: Table, people: tuple[User, ...]) -> None:
    Table.objects.filter(pk=full.pk).update(origin="an event")
    refused("event_goes_on", services.join_line, table_id=full.id, user=people[4])


def test_a_line_has_an_end(full: Table, people: tuple[User, ...]) -> None:
    for number in range(LONGEST_LINE - 2):
        services.join_line(table_id=full.id, user=User.objects.create(username=f"more {number}"))
    refused("line_full", services.join_line, table_id=full.id, user=people[4])


def test_the_line_waits_through_the_match_and_goes_on_to_the_next_one(
    full: Table, people: tuple[User, ...]
) -> None:
    mari, jaan = people[:2]
    Table.objects.filter(pk=full.pk).update(due_at=full.opened_at)
    start(full)
    assert services.join_line(table_id=full.id, user=people[4]) == 3, (
        "one may join it while the match is played"
    )
    assert line_of(full) == [("liis", None), ("toomas", None), ("kadri", None)]
    Table.objects.filter(pk=full.pk).update(pace_ms=0, bot_think_ms=0)
    play_to_the_end(full)
    following = services.play_again(table_id=full.id, user_id=mari.pk)
    assert [name for name, seat in line_of(Table.objects.get(pk=following)) if seat is None] == [
        "liis",
        "toomas",
        "kadri",
    ]
    services.leave_line(table_id=following, user_id=jaan.pk)
    assert ("liis", 2) in line_of(Table.objects.get(pk=following))


def test_joining_the_line_in_the_middle_of_a_turn_does_not_make_its_move_stale() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = on_turn("least_score", mari)
    seen, move = table.version, first_legal(table)
    services.join_line(table_id=table.id, user=jaan)
    assert play(table, mari, move, version=seen).code == ""


def test_the_log_tells_how_many_wait_and_not_who(full: Table) -> None:
    told = [
        event
        for entry in LogEntry.objects.filter(table=full)
        for event in entry.events
        if event["type"] == "line"
    ]
    assert told == [{"type": "line", "waiting": 1}, {"type": "line", "waiting": 2}]
