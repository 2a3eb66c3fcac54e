"""Races before the first deal: one member at two rated tables, one seat for many. First the race, then that it is won once."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from clubs.models import User
from games import services
from games.errors import TableRefusal
from games.models import Seat, Table, WaitingPlace
from tests.games.gatherings import gathering, line_of
from tests.games.tables import member
from tests.games.test_races import together

pytestmark = pytest.mark.committed
THREADS = 5


def rated_tables(count: int) -> list[Table]:
    return [gathering("least_score", 3, member(f"host {n}"), rated=True) for n in range(count)]


def test_without_the_databases_word_a_member_sits_at_two_rated_tables_at_once() -> None:
    """What the constraint prevents: each transaction looks, sees no other seat, and sits down."""
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX seat_one_rated_match_per_game")
    mari = member("mari")
    tables = rated_tables(2)
    both_have_looked = threading.Barrier(2)

    def sit(table: Table) -> bool:
        free = not Seat.objects.filter(user=mari, rated_game="least_score").exists()
        both_have_looked.wait()
        services.sit_down(table_id=table.id, user=mari)
        return free

    assert together(*[lambda table=table: sit(table) for table in tables]) == [True, True]
    assert Seat.objects.filter(user=mari, rated_game="least_score").count() == 2


def test_of_many_rated_tables_sat_down_at_in_the_same_moment_one_is_won() -> None:
    mari = member("mari")
    tables = rated_tables(THREADS)
    results = together(
        *[lambda table=table: services.sit_down(table_id=table.id, user=mari) for table in tables]
    )
    assert results.count(2) == 1
    refusals = [result for result in results if isinstance(result, TableRefusal)]
    assert {refusal.code for refusal in refusals} == {"rated_seat_held"} and len(refusals) == THREADS - 1
    held = Seat.objects.get(user=mari)
    assert {refusal.detail for refusal in refusals} == {str(held.table_id)}


def test_opening_two_rated_tables_in_the_same_moment_opens_one() -> None:
    mari = member("mari")

    def opened() -> Table:
        return gathering("three_card_loo", 5, mari, rated=True)

    results = together(opened, opened, opened)
    assert sum(isinstance(result, Table) for result in results) == 1
    assert Table.objects.count() == 1


def test_two_who_change_seats_with_each_others_wish_do_not_share_one() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = gathering("least_score", 4, mari, jaan)

    def move(user: User) -> int:
        return services.move_seat(table_id=table.id, user_id=user.pk, number=3)

    results = together(lambda: move(mari), lambda: move(jaan))
    assert sum(isinstance(result, TableRefusal) for result in results) == 1
    assert table.seats.filter(user__isnull=False).count() == 2


def test_an_offer_is_taken_or_passed_on_but_not_both() -> None:
    """The offered seat's half minute ends in the moment in which its member sits down."""
    for round_number in range(3):
        mari, jaan, liis, toomas = (member(f"{name} {round_number}") for name in "mjlt")
        table = gathering("least_score", 2, mari, jaan, pace_ms=8_000)
        for user in (liis, toomas):
            services.join_line(table_id=table.id, user=user)
        services.leave_table(table_id=table.id, user_id=mari.pk)
        WaitingPlace.objects.filter(table=table, offered_seat=1).update(offered_until=table.opened_at)
        together(
            lambda table=table, user=liis: services.sit_down(table_id=table.id, user=user),
            services.pass_on_offers,
            services.pass_on_offers,
        )
        sits = table.seats.filter(user=liis).exists()
        assert line_of(table) == ([(toomas.username, None)] if sits else [(toomas.username, 1)])
