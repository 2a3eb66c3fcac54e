"""Two people (or a person and the clock) change the course of one match at the same moment."""

from __future__ import annotations

import datetime as dt
import threading
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F

from clubs.models import User
from games import services
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table, WaitingPlace
from games.selectors.course import rematch_of
from games.services.locked import LockedTable
from games.services.rematch import open_rematch
from tests.games.tables import first_legal, member, open_table, play, play_bots_until, start
from tests.games.test_races import together

pytestmark = pytest.mark.committed


def playing(*members: User) -> Table:
    """A table of members and a bot with the first of them on turn."""
    while True:
        table = open_table("least_score", *members, seats=len(members) + 1)
        start(table)
        play_bots_until(table, 1)
        if table.turn_seat == 1:
            return table


def finished(*members: User) -> Table:
    table = playing(*members)
    services.close_table(table_id=table.id)
    table.refresh_from_db()
    return table


def told(table: Table, kind: str) -> int:
    return LogEntry.objects.filter(table=table, events__contains=[{"type": kind}]).count()


def codes(results: list[Any]) -> list[str]:
    return sorted(result.code for result in results if isinstance(result, TableRefusal))


def test_without_the_lock_two_presses_find_no_rematch_and_the_database_stops_one() -> None:
    """What the row lock prevents: both open a table, and only ``rematch_of`` being unique stops one."""
    people = [member("mari"), member("jaan")]
    table = finished(*people)
    both_have_looked = threading.Barrier(2)

    def press_without_lock(number: int) -> None:
        with transaction.atomic():
            row = Table.objects.get(pk=table.pk)
            seats = list(Seat.objects.filter(table=row).select_related("user"))
            free_of_lock = LockedTable(row, seats, row.changed_at)
            assert rematch_of(row) is None
            both_have_looked.wait()
            open_rematch(free_of_lock, free_of_lock.seats[number])

    results = together(lambda: press_without_lock(1), lambda: press_without_lock(2))
    assert sum(isinstance(result, IntegrityError) for result in results) == 1
    assert Table.objects.filter(rematch_of=table).count() == 1


def test_presses_at_the_same_moment_lead_everybody_to_one_table() -> None:
    people = [member("mari"), member("jaan"), member("tiit")]
    table = finished(*people)

    def press(user: User) -> Any:
        return services.play_again(table_id=table.id, user_id=user.pk)

    results = together(*[lambda user=user: press(user) for user in [*people, *people]])
    assert len(set(results)) == 1
    new = Table.objects.get(rematch_of=table)
    assert results[0] == new.pk and new.status == Table.Status.BETWEEN
    assert [seat.user for seat in new.seats.order_by("number")][:3] == people
    assert told(table, "again") == 3


def test_the_last_press_against_the_bots_that_take_the_free_seats() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = finished(mari, jaan)
    new = Table.objects.get(pk=services.play_again(table_id=table.id, user_id=mari.pk))
    gap = dt.timedelta(seconds=61)
    Table.objects.filter(pk=new.pk).update(opened_at=F("opened_at") - gap)
    WaitingPlace.objects.filter(table=new).update(offered_until=F("offered_until") - gap)
    together(
        services.fill_rematches,
        services.fill_rematches,
        lambda: services.play_again(table_id=table.id, user_id=jaan.pk),
    )
    seat = new.seats.get(number=2)
    assert (seat.user == jaan) != seat.is_bot


def test_two_who_agree_at_once_begin_one_pause() -> None:
    mari, jaan, tiit = member("mari"), member("jaan"), member("tiit")
    table = playing(mari, jaan, tiit)
    services.offer_pause(table_id=table.id, user_id=mari.pk)
    agree = [
        lambda user=user: services.answer_pause(table_id=table.id, user_id=user.pk, agree=True)
        for user in (jaan, tiit)
    ]
    results = together(*agree)
    table.refresh_from_db()
    assert codes(results) == [] and table.paused and table.pauses == 1 and told(table, "paused") == 1


def test_a_yes_against_a_no_is_one_or_the_other() -> None:
    mari, jaan, tiit = member("mari"), member("jaan"), member("tiit")
    table = playing(mari, jaan, tiit)
    services.offer_pause(table_id=table.id, user_id=mari.pk)
    services.answer_pause(table_id=table.id, user_id=jaan.pk, agree=True)
    results = together(
        lambda: services.answer_pause(table_id=table.id, user_id=tiit.pk, agree=True),
        lambda: services.answer_pause(table_id=table.id, user_id=jaan.pk, agree=False),
    )
    table.refresh_from_db()
    assert table.paused == (told(table, "paused") == 1) != (told(table, "pause_declined") == 1)
    assert codes(results) in (["paused"], ["no_pause_offered"])


def test_a_move_against_the_beginning_of_a_pause() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = playing(mari, jaan)
    services.offer_pause(table_id=table.id, user_id=mari.pk)
    move, version = first_legal(table), table.version
    results = together(
        lambda: play(table, mari, move),
        lambda: services.answer_pause(table_id=table.id, user_id=jaan.pk, agree=True),
    )
    table.refresh_from_db()
    assert table.paused and table.due_at is None
    # Others may have moved before mari's turn came.
    moves = LogEntry.objects.filter(table=table, version__gt=version, ply__isnull=False)
    assert moves.filter(by=LogEntry.By.PERSON).exists() != (codes(results) == ["paused"])


def test_a_pause_that_two_end_while_its_time_is_over_ends_once() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = playing(mari, jaan)
    services.offer_pause(table_id=table.id, user_id=mari.pk)
    services.answer_pause(table_id=table.id, user_id=jaan.pk, agree=True)
    Table.objects.filter(pk=table.pk).update(pause_until=F("pause_until") - dt.timedelta(minutes=11))
    results = together(
        lambda: services.end_pause(table_id=table.id, user_id=mari.pk),
        lambda: services.end_pause(table_id=table.id, user_id=jaan.pk),
        services.end_due_pauses,
        services.end_due_pauses,
    )
    table.refresh_from_db()
    assert told(table, "resumed") == 1 and not table.paused and table.due_at is not None
    assert set(codes(results)) <= {"not_paused"}


def test_an_early_end_against_the_return_of_who_was_away() -> None:
    """Either the match is over with the absent in the last place, or the absent play and it goes on."""
    mari, jaan = member("mari"), member("jaan")
    table = playing(mari, jaan)
    Seat.objects.filter(table=table, number=2).update(stand_in=True)
    results = together(
        lambda: services.end_now(table_id=table.id, user_id=mari.pk),
        lambda: services.take_back_seat(table_id=table.id, user_id=jaan.pk),
    )
    table.refresh_from_db()
    ended = table.status == Table.Status.FINISHED
    assert ended == table.seats.get(number=2).stand_in
    assert codes(results) == (["table_finished"] if ended else ["others_play"])


def test_the_reaper_against_the_return_of_a_member() -> None:
    mari = member("mari")
    table = playing(mari)
    Seat.objects.filter(table=table, number=1).update(stand_in=True)
    gap = dt.timedelta(minutes=30)
    Table.objects.filter(pk=table.pk).update(opened_at=F("opened_at") - gap, changed_at=F("changed_at") - gap)
    LogEntry.objects.filter(table=table).update(at=F("at") - gap)
    together(
        services.reap, services.reap, lambda: services.take_back_seat(table_id=table.id, user_id=mari.pk)
    )
    table.refresh_from_db()
    assert (table.status == Table.Status.FINISHED) == table.seats.get(number=1).stand_in
    assert told(table, "deserted") <= 1
