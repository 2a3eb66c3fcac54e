"""Races at one table: threads on the real database. First the race without the lock, then that the product holds."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connections
from django.db.models import F

from games import services
from games.errors import TableRefusal
from games.models import LogEntry, Table
from tests.games.tables import first_legal, member, on_turn, open_table, start

pytestmark = pytest.mark.committed
THREADS = 6


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls at the same moment, each in a thread with a connection of its own; returns results or errors."""
    gate = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        gate.wait()
        try:
            results[place] = call()
        except Exception as error:
            results[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_without_the_lock_two_moves_read_the_same_version() -> None:
    """What the row lock prevents: both writers come to the same version, and only the log's constraint stops one."""
    table = on_turn("least_score", member("mari"))
    both_have_read = threading.Barrier(2)

    def write_without_lock() -> None:
        version = Table.objects.get(pk=table.pk).version
        both_have_read.wait()
        LogEntry.objects.create(
            table=table, version=version + 1, by=LogEntry.By.TABLE, at=dt.datetime.now(dt.UTC)
        )

    results = together(write_without_lock, write_without_lock)
    assert sum(isinstance(result, IntegrityError) for result in results) == 1


def test_of_many_moves_of_one_turn_exactly_one_is_played() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    move = first_legal(table)

    def play() -> services.Answer:
        return services.play_move(
            table_id=table.id, user_id=user.pk, move=move, version=table.version, command_id=uuid4()
        )

    results = together(*[play] * THREADS)
    assert sum(isinstance(result, services.Answer) for result in results) == 1
    codes = {result.code for result in results if isinstance(result, TableRefusal)}
    assert codes <= {"stale", "not_your_turn", "no_deal"}
    assert LogEntry.objects.filter(table=table, by=LogEntry.By.PERSON).count() == 1


def test_of_many_copies_of_one_command_exactly_one_is_written_and_all_are_answered_alike() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    move, command = first_legal(table), uuid4()

    def play() -> services.Answer:
        return services.play_move(
            table_id=table.id, user_id=user.pk, move=move, version=table.version, command_id=command
        )

    results = together(*[play] * THREADS)
    assert len(set(results)) == 1 and isinstance(results[0], services.Answer)
    assert LogEntry.objects.filter(table=table, command_id=command).count() == 1


def test_a_time_out_against_a_move_exactly_one_wins() -> None:
    user = member("mari")
    for _ in range(5):
        table = on_turn("least_score", user)
        late = dt.timedelta(seconds=105)
        Table.objects.filter(pk=table.pk).update(
            due_at=F("due_at") - late, turn_started_at=F("turn_started_at") - late
        )
        move = first_legal(table)

        def play(table: Table = table, move: str = move) -> services.Answer:
            return services.play_move(
                table_id=table.id, user_id=user.pk, move=move, version=table.version, command_id=uuid4()
            )

        def time_out(table: Table = table) -> bool:
            return services.time_out(table_id=table.id, turn_version=table.turn_version)

        together(play, time_out, time_out)
        turn = LogEntry.objects.filter(table=table, seat=1, ply__isnull=False, version__gt=table.turn_version)
        assert turn.count() == 1


def test_two_sweeps_and_two_alarms_act_once() -> None:
    """Two beats must do no harm."""
    table = open_table("least_score")
    calls = [services.sweep, services.sweep]
    calls += [
        lambda: services.start_due_deal(table_id=table.id, turn_version=table.turn_version) for _ in range(2)
    ]
    together(*calls)
    assert table.deals.count() == 1


def test_bots_tasks_delivered_twice_play_once() -> None:
    table = open_table("three_card_loo")
    start(table)
    together(
        *[
            lambda: services.play_bot(table_id=table.id, turn_version=table.turn_version)
            for _ in range(THREADS)
        ]
    )
    assert LogEntry.objects.filter(table=table, ply=1).count() == 1
    assert Table.objects.get(pk=table.pk).ply == 1


def test_the_last_free_seat_is_taken_once() -> None:
    people = [member(f"member {n}") for n in range(THREADS)]
    table = services.open_table(
        game="least_score", options={}, clock="club", members={}, bots={1: "random"}, opened_by=None, seats=2
    )
    results = together(
        *[lambda user=user: services.sit_down(table_id=table.id, user=user) for user in people]
    )
    assert results.count(2) == 1
    codes = {result.code for result in results if isinstance(result, TableRefusal)}
    assert codes <= {"table_full", "match_running"}
