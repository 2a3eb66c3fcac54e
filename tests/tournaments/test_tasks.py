"""What happens by itself: a table that waits sends a task, a lost task is made good by the sweep, check-in by the clock."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from typing import Any

import pytest
from django.utils import timezone

from config.timetable import TIMETABLE
from games.models import Table
from tests.tournaments.events import event, members, organiser, play_deal, released, with_players
from tournaments import schedule, services, tasks
from tournaments.models import Entry, Result, Round, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[Any, ...]]]:
    """The tasks that are sent, by name and arguments."""
    tasks_sent: list[tuple[str, tuple[Any, ...]]] = []

    def send_task(name: str, args: tuple[Any, ...] = (), **_: Any) -> None:
        tasks_sent.append((name, tuple(args)))

    monkeypatch.setattr("celery.current_app.send_task", send_task)
    return tasks_sent


def online(by: Any, **terms: Any) -> Tournament:
    tournament = event(by, venue="online", bots_allowed=True, size_max=3, size_ideal=3, rounds=1, **terms)
    services.add_bots(tournament_id=tournament.pk, by=by, level="steady", names=["One", "Two", "Three"])
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    return tournament


def test_a_table_that_is_over_sends_for_its_event_after_the_commit(
    sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    tournament = online(organiser())
    table = Table.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        while table.status != Table.Status.FINISHED:
            play_deal(table)
    settles = [args for name, args in sent if name == "tournaments.tasks.settle"]
    assert settles == [(str(tournament.pk),)]
    tasks.settle(*settles[0])
    tasks.settle(*settles[0])
    assert Round.objects.get().state == "complete" and Result.objects.count() == 3


def test_a_lost_task_is_made_good_by_the_sweep() -> None:
    online(organiser())
    table = Table.objects.get()
    while table.status != Table.Status.FINISHED:
        play_deal(table)
    assert Round.objects.get().state == "playing"
    tasks.sweep()
    assert Round.objects.get().state == "complete"
    assert services.sweep() == 0


def test_a_lost_task_of_an_eliminations_floor_is_made_good_too() -> None:
    online(organiser(), family="elimination", thresholds=[90])
    table = Table.objects.get()
    play_deal(table)
    assert services.sweep() == 1 and Result.objects.count() == 1
    table.refresh_from_db()
    assert table.due_at is not None
    assert services.sweep() == 0


def test_check_in_opens_and_closes_by_the_clock() -> None:
    by = organiser()
    now = timezone.now()
    tournament = event(
        by,
        check_in_needed=True,
        capacity=2,
        check_in_opens_at=now + dt.timedelta(minutes=5),
        check_in_closes_at=now + dt.timedelta(minutes=30),
    )
    people = members(4)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    assert services.sweep() == 0
    Tournament.objects.update(check_in_opens_at=now)
    assert services.sweep() == 1 and Tournament.objects.get().state == "check_in"
    for number in (2, 4):
        services.check_in(tournament_id=tournament.pk, by=people[number - 1], number=number)
    Tournament.objects.update(check_in_closes_at=timezone.now())
    assert services.sweep() == 1
    statuses = list(Entry.objects.order_by("number").values_list("status", flat=True))
    assert statuses == ["no_show", "entered", "no_show", "entered"]
    assert services.sweep() == 0


def test_a_fault_at_one_event_holds_no_other_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    by = organiser()
    for _ in range(2):
        tournament = with_players(by, 4, rounds=1)
        services.draw(tournament_id=tournament.pk, by=by)
        services.confirm_draw(tournament_id=tournament.pk, by=by, round_number=1)
        services.schedule_round(tournament_id=tournament.pk, by=by, round_number=1, opens_at=timezone.now())
    from tournaments.services import settling

    honest, calls = settling.release_round, []

    def faulty(**arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 1:
            raise ZeroDivisionError
        return honest(**arguments)

    monkeypatch.setattr(settling, "release_round", faulty)
    with caplog.at_level(logging.ERROR):
        assert services.sweep() == 1
    assert "could not act" in caplog.text and Round.objects.filter(state="playing").count() == 1


def test_a_task_for_an_event_that_is_gone_does_nothing() -> None:
    tasks.settle(str(uuid.uuid4()))


def test_the_origin_of_a_table_names_its_event() -> None:
    pk = uuid.uuid4()
    assert schedule.tournament_of(schedule.origin_of(pk)) == pk
    assert schedule.tournament_of("league/7") is None


def test_the_sweep_of_events_is_on_the_timetable() -> None:
    assert TIMETABLE["events"]["task"] == tasks.sweep.name == "tournaments.tasks.sweep"
