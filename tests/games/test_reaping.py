"""No table lives for ever: who is closed by the reaper, and who is not."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.cache import cache
from django.db.models import F

from games import services
from games.models import Deal, LogEntry, Seat, Table
from games.rules import GAMES
from tests.games.tables import member, on_turn, open_table, play, start, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_marks() -> None:
    cache.clear()


def age(table: Table, **ago: float) -> None:
    """Let everything at the table have happened so long ago."""
    gap = dt.timedelta(**ago)
    Table.objects.filter(pk=table.pk).update(opened_at=F("opened_at") - gap, changed_at=F("changed_at") - gap)
    LogEntry.objects.filter(table=table).update(at=F("at") - gap)


def is_closed(table: Table) -> bool:
    table.refresh_from_db()
    return table.status == Table.Status.FINISHED


def test_a_table_that_only_bots_and_stand_ins_play_is_closed_after_ten_minutes() -> None:
    """Tables with only watchers lived for ever (ringteki#780)."""
    table = on_turn("least_score", member("mari"))
    Seat.objects.filter(table=table, number=1).update(stand_in=True)
    age(table, minutes=9)
    assert services.reap() == 0
    age(table, minutes=2)
    assert services.reap() == 1
    assert is_closed(table) and not Deal.objects.filter(table=table, ended_at__isnull=True).exists()
    told = LogEntry.objects.filter(table=table, events__contains=[{"type": "deserted"}])
    assert told.count() == 1


def test_a_table_with_a_member_who_plays_stays_open() -> None:
    table = on_turn("least_score", member("mari"), seats=3)
    age(table, minutes=30)
    assert services.reap() == 0


def test_a_member_who_came_back_a_moment_ago_keeps_the_table() -> None:
    mari = member("mari")
    table = on_turn("least_score", mari)
    Seat.objects.filter(table=table, number=1).update(stand_in=True)
    age(table, minutes=30)
    services.take_back_seat(table_id=table.id, user_id=mari.pk)
    assert services.reap() == 0
    assert play(table, mari, GAMES["least_score"].default_move(state_of(table))).code == ""


def waiting_table() -> Table:
    return services.open_table(
        game="least_score",
        options={},
        clock="club",
        members={1: member("mari")},
        bots={},
        opened_by=None,
        seats=3,
    )


def test_seats_that_nobody_watches_fill_are_given_up_after_half_an_hour() -> None:
    table = waiting_table()
    age(table, minutes=29)
    assert services.reap() == 0
    age(table, minutes=2)
    assert services.reap() == 1 and is_closed(table)


def test_whoever_waits_with_the_page_open_may_wait_longer() -> None:
    table = waiting_table()
    age(table, minutes=45)
    services.note_waiting(table.id)
    assert services.reap() == 0
    cache.clear()
    assert services.reap() == 1


def test_a_match_that_stands_still_for_hours_is_closed() -> None:
    table = open_table("least_score", member("mari"), member("jaan"))
    Table.objects.filter(pk=table.pk).update(due_at=None)
    age(table, hours=2)
    assert services.reap() == 0
    age(table, hours=2)
    assert services.reap() == 1 and is_closed(table)


def test_a_table_with_a_day_a_move_has_fourteen_days() -> None:
    table = on_turn("least_score", member("mari"), seats=3)
    Table.objects.filter(pk=table.pk).update(clock="days")
    Seat.objects.filter(table=table, number=1).update(stand_in=True)
    age(table, days=13)
    assert services.reap() == 0
    age(table, days=2)
    assert services.reap() == 1


def test_tables_of_events_are_the_events_business() -> None:
    table = open_table("least_score", member("mari"))
    start(table)
    Table.objects.filter(pk=table.pk).update(origin="evening/1")
    Seat.objects.filter(table=table).update(stand_in=True)
    age(table, days=1)
    assert services.reap() == 0


def test_a_table_that_cannot_be_closed_holds_no_other_up(caplog: pytest.LogCaptureFixture) -> None:
    broken, sound = waiting_table(), open_table("least_score")
    start(sound)
    Table.objects.filter(pk=broken.pk).update(game="whist")
    for table in (broken, sound):
        age(table, hours=1)
    assert services.reap() == 1
    assert is_closed(sound) and str(broken.pk) in caplog.text
