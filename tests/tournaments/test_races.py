"""Two at once: the last place, a draw and a withdrawal, two settlements of one table. With the lock off one of them lies."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection

from games.models import Table
from tests.ledger.test_races import until_somebody_waits
from tests.tournaments.events import event, members, organiser, play_deal, released
from tournaments import services
from tournaments.errors import EventRefusal
from tournaments.models import Entry, Result, Round, Tournament

pytestmark = pytest.mark.committed


def together(*acts: Callable[[], Any]) -> list[Any]:
    """Run the acts at the same time, each on its own connection; returns what each came to."""
    answers: list[Any] = [None] * len(acts)
    ready = threading.Barrier(len(acts))

    def run(n: int, act: Callable[[], Any]) -> None:
        try:
            connection.ensure_connection()
            ready.wait()
            answers[n] = act()
        except Exception as error:
            answers[n] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n, act)) for n, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Take the lock of events off."""

    def switch_off() -> None:
        from django.db import models, transaction

        from games.services.locked import ClockTimestamp
        from tournaments.services import entering, locked

        @contextlib.contextmanager
        def open_wide(tournament_id: Any, **_: Any) -> Iterator[Any]:
            with transaction.atomic():
                row = Tournament.objects.annotate(
                    locked_at=ClockTimestamp(output_field=models.DateTimeField())
                ).get(pk=tournament_id)
                yield locked.LockedTournament(row, row.locked_at)
                # Before it commits, so that another has read what this one read.
                until_somebody_waits()

        monkeypatch.setattr(entering, "locked_tournament", open_wide)

    return switch_off


def last_place(people: list[Any], tournament: Tournament) -> list[Any]:
    return together(*(lambda p=p: services.register(tournament_id=tournament.pk, user=p) for p in people))


def test_the_last_place_is_given_once(committed_database: object) -> None:
    by = organiser()
    tournament = event(by, capacity=2)
    answers = last_place(members(6), tournament)
    assert all(isinstance(answer, Entry) for answer in answers)
    statuses = list(Entry.objects.order_by("number").values_list("status", flat=True))
    assert statuses == ["entered"] * 2 + ["waiting"] * 4


def test_with_the_lock_off_the_race_is_real(committed_database: object, unlocked: Callable[[], None]) -> None:
    by = organiser()
    tournament = event(by, capacity=2)
    unlocked()
    answers = last_place(members(6), tournament)
    assert any(isinstance(answer, Exception) for answer in answers)


def test_a_table_is_taken_over_once_however_many_ask(committed_database: object) -> None:
    by = organiser()
    tournament = event(by, venue="online", bots_allowed=True, rounds=1, size_max=3, size_ideal=3)
    services.add_bots(tournament_id=tournament.pk, by=by, level="steady", names=["One", "Two", "Three"])
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    table = Table.objects.get()
    while table.status != Table.Status.FINISHED:
        play_deal(table)
    answers = together(*[lambda: services.settle(tournament_id=tournament.pk)] * 3, services.sweep)
    assert not any(isinstance(answer, Exception) for answer in answers)
    assert Result.objects.count() == 3 and Round.objects.get().state == "complete"


def test_a_release_and_a_withdrawal_at_once_seat_exactly_who_is_in(committed_database: object) -> None:
    by = organiser()
    tournament = event(by, rounds=1)
    for n in range(8):
        services.register_by_hand(tournament_id=tournament.pk, by=by, name=f"Guest {n}")
    at = {"tournament_id": tournament.pk, "by": by}
    services.start_tournament(**at)
    services.draw(**at)
    services.confirm_draw(**at, round_number=1)
    release, leave = together(
        lambda: services.release_round(**at, round_number=1), lambda: services.withdraw(**at, number=3)
    )
    assert isinstance(leave, Entry)
    if isinstance(release, EventRefusal):
        assert release.code == "field_changed" and leave.status == "withdrawn"
    else:
        assert Round.objects.get().state == "playing" and leave.leaving
