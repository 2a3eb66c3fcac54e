"""Tables of events: given dealers, a wait after every deal, seats that are out, limits of deals, who leaves."""

from __future__ import annotations

from typing import Any

import pytest

from clubs.models import User
from games import selectors, services
from games.errors import TableRefusal
from games.models import Deal, LogEntry, Seat, Table
from games.rules import GAMES
from games.services import EventTerms
from games.signals import table_waits
from tests.games.tables import SEATS, member, play_one, start

pytestmark = pytest.mark.django_db
both_games = pytest.mark.parametrize("game", sorted(GAMES))
OPTIONS: dict[str, dict[str, Any]] = {
    "least_score": {"match": "counted"},
    "three_card_loo": {"rotations": 5},
}


def event_table(game: str, *people: User, bots: int | None = None, **terms: Any) -> Table:
    seats = len(people) + (SEATS[game] - len(people) if bots is None else bots)
    return services.open_table(
        game=game,
        options=OPTIONS[game],
        clock="club",
        members=dict(enumerate(people, 1)),
        bots=dict.fromkeys(range(len(people) + 1, seats + 1), "steady"),
        opened_by=None,
        pace_ms=0,
        bot_think_ms=0,
        event=EventTerms(**{"origin": "event/1", "first_dealer": 2, **terms}),
    )


def play_deal(table: Table) -> None:
    start(table)
    while table.status == Table.Status.PLAYING:
        play_one(table)
        table.refresh_from_db()


def heads() -> list[str]:
    return [str(table.pk) for table in selectors.tables_waiting_for("event/")]


@both_games
def test_the_dealer_that_the_event_drew_deals_first_and_no_lot_is_claimed(game: str) -> None:
    table = event_table(game)
    play_deal(table)
    (deal,) = Deal.objects.all()
    assert deal.dealer == 2 and selectors.first_draws([deal]) == {}


@both_games
def test_a_stepwise_table_waits_after_every_deal_until_the_event_lets_it_go_on(game: str) -> None:
    told: list[Any] = []

    def hear(sender: Any, table: Table, **_: Any) -> None:
        told.append((table.pk, table.origin))

    table = event_table(game, stepwise=True)
    assert heads() == [] and not selectors.waits(table)
    table_waits.connect(hear)
    try:
        play_deal(table)
    finally:
        table_waits.disconnect(hear)
    assert told == [(table.pk, "event/1")] and heads() == [str(table.pk)] and selectors.waits(table)
    assert not services.start_due_deal(table_id=table.pk, turn_version=table.turn_version)
    services.next_deal(table_id=table.pk, dealer=1)
    assert heads() == []
    play_deal(table)
    assert [deal.dealer for deal in selectors.deals_played(table.pk)] == [2, 1]
    assert [deal.number for deal in selectors.deals_played(table.pk, after=1)] == [2]


def test_who_is_out_is_dealt_in_no_more_and_cannot_deal() -> None:
    table = event_table("least_score", bots=4, stepwise=True)
    play_deal(table)
    for dealer, out in ((3, [3]), (9, []), (1, [9])):
        with pytest.raises(TableRefusal) as refused:
            services.next_deal(table_id=table.pk, dealer=dealer, out=out)
        assert refused.value.code == "bad_seats"
    services.next_deal(table_id=table.pk, dealer=4, out=[3])
    play_deal(table)
    services.next_deal(table_id=table.pk, dealer=1)
    play_deal(table)
    assert [deal.seats for deal in selectors.deals_played(table.pk, after=1)] == [(1, 2, 4), (1, 2, 4)]
    assert Seat.objects.get(number=3).out


@both_games
def test_a_table_ends_after_the_deals_that_the_event_wants(game: str) -> None:
    table = event_table(game, deal_limit=2)
    play_deal(table)
    assert table.status == Table.Status.BETWEEN
    play_deal(table)
    assert table.status == Table.Status.FINISHED and heads() == [str(table.pk)]
    final = LogEntry.objects.order_by("version").last()
    assert final is not None and final.events[-1]["type"] == "final"


@both_games
def test_a_limit_that_is_set_later_ends_the_table_when_its_deal_is_over(game: str) -> None:
    table = event_table(game)
    play_deal(table)
    start(table)
    services.limit_deals(table_id=table.pk, deals=2)
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    while table.status == Table.Status.PLAYING:
        play_one(table)
        table.refresh_from_db()
    assert table.status == Table.Status.FINISHED and len(selectors.deals_played(table.pk)) == 2
    other = event_table(game)
    play_deal(other)
    services.limit_deals(table_id=other.pk, deals=1)
    other.refresh_from_db()
    assert other.status == Table.Status.FINISHED
    version = other.version
    assert services.limit_deals(table_id=other.pk, deals=5) == version


@both_games
def test_results_from_tables_before_are_brought_along(game: str) -> None:
    table = event_table(game, stepwise=True, brought={1: 30, 3: 7})
    start(table)
    view = GAMES[game].match_view(GAMES[game].load_match(table.match))
    found = view["totals" if game == "least_score" else "net"]
    assert (found["1"], found["2"], found["3"]) == (30, 0, 7)


def test_nobody_is_knocked_out_by_a_count_that_belongs_to_the_event() -> None:
    table = event_table("least_score", stepwise=True, brought={1: 99, 2: 99, 3: 99})
    for _ in range(4):
        play_deal(table)
        view = GAMES["least_score"].match_view(GAMES["least_score"].load_match(table.match))
        assert view["out"] == [] and not view["over"]
        services.next_deal(table_id=table.pk, dealer=1)


def test_an_events_table_is_played_on_when_everybody_has_left() -> None:
    person = member("Mari")
    table = event_table("least_score", person, deal_limit=1)
    services.leave_table(table_id=table.pk, user_id=person.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.BETWEEN
    play_deal(table)
    assert table.status == Table.Status.FINISHED and len(selectors.deals_played(table.pk)) == 1


def test_a_bot_stands_in_for_who_has_not_come_and_gives_the_seat_back() -> None:
    person = member("Mari")
    table = event_table("least_score", person, stand_ins=[1], bot_names={2: "Robot"})
    assert Seat.objects.get(number=1).stand_in and Seat.objects.get(number=2).bot_name == "Robot"
    services.take_back_seat(table_id=table.pk, user_id=person.pk)
    assert not Seat.objects.get(number=1).stand_in


def test_tables_of_no_event_do_none_of_this() -> None:
    table = services.open_table(
        game="least_score",
        options={},
        clock="club",
        members={},
        bots={1: "steady", 2: "steady"},
        opened_by=None,
    )
    for act in (
        lambda: services.next_deal(table_id=table.pk, dealer=1),
        lambda: services.limit_deals(table_id=table.pk, deals=1),
    ):
        with pytest.raises(TableRefusal) as refused:
            act()
        assert refused.value.code == "not_waiting"
    with pytest.raises(TableRefusal) as refused:
        services.open_table(
            game="least_score",
            options={"match": "counted"},
            clock="club",
            members={},
            bots={1: "steady", 2: "steady"},
            opened_by=None,
        )
    assert refused.value.code == "bad_option_value"
