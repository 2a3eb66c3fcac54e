"""Who is away: no-shows, bots in a member's place, sitting out, the early end, and where an abandoned seat is ranked."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from clubs.models import User
from games import selectors, services
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table
from games.rules import GAMES
from games.selectors.course import final_ranking, may_end_now
from games.services.sitting_out import LONGEST_SIT_OUT
from games.snapshots import TableSnapshot
from games.table_view import state_frame
from tests.games.tables import (
    first_legal,
    member,
    open_table,
    play,
    play_bots_until,
    play_one,
    play_to_the_end,
    start,
    state_of,
)

pytestmark = pytest.mark.django_db
both_games = pytest.mark.parametrize("game", sorted(GAMES))


def code(call: pytest.ExceptionInfo[TableRefusal]) -> str:
    return call.value.code


def run_out(table: Table) -> None:
    """Let the time of the seat on turn run out and the clock act."""
    late = dt.timedelta(seconds=400)
    Table.objects.filter(pk=table.pk).update(
        due_at=F("due_at") - late, turn_started_at=F("turn_started_at") - late
    )
    table.refresh_from_db()
    assert services.time_out(table_id=table.id, turn_version=table.turn_version)
    table.refresh_from_db()


def at_turn_of(seat: int, *members: User, game: str = "least_score", **options: Any) -> Table:
    """A table of ``members`` and bots whose first deal is being played, ``seat`` on turn for the first time."""
    while True:
        table = open_table(game, *members, **options)
        start(table)
        play_bots_until(table, seat)
        if table.turn_seat == seat:
            return table


def final_of(table: Table) -> dict[str, object]:
    final: dict[str, object] = LogEntry.objects.filter(table=table).latest("version").events[-1]
    if final["type"] != "final":
        entries = LogEntry.objects.filter(table=table, events__contains=[{"type": "final"}])
        final = next(event for event in entries.get().events if event["type"] == "final")
    return final


# Away without a word ---------------------------------------------------------------------------------------------


def test_a_no_show_is_played_by_a_bot_after_the_first_time_out() -> None:
    """The opponents of somebody who never came had to wait the whole clock again and again (lila#13768)."""
    table = at_turn_of(1, member("mari"), member("jaan"))
    run_out(table)
    assert table.seats.get(number=1).stand_in
    assert LogEntry.objects.filter(table=table, events__contains=[{"type": "stand_in", "seat": 1}]).exists()


def test_a_member_who_has_moved_may_time_out_once_before_a_bot_sits_in() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = at_turn_of(1, mari, jaan)
    play(table, mari, first_legal(table))
    play_bots_until(table, 1)
    while table.turn_seat != 1:  # The deal was over before the turn came again.
        table = at_turn_of(1, mari, jaan)
        play(table, mari, first_legal(table))
        play_bots_until(table, 1)
    run_out(table)
    assert not table.seats.get(number=1).stand_in and table.seats.get(number=1).time_outs == 1


def test_a_first_move_that_comes_too_late_is_no_no_show() -> None:
    mari = member("mari")
    table = at_turn_of(1, mari, member("jaan"))
    Table.objects.filter(pk=table.pk).update(
        due_at=F("due_at") - dt.timedelta(seconds=200),
        turn_started_at=F("turn_started_at") - dt.timedelta(seconds=200),
    )
    assert play(table, mari, first_legal(table)).code == "too_late"
    assert not table.seats.get(number=1).stand_in


def test_the_absent_use_up_nobodys_time_but_their_own() -> None:
    """An absence clock ran on somebody else's turn (lila#6044)."""
    table = at_turn_of(1, member("mari"), member("jaan"))
    before = dict(table.banks)
    run_out(table)
    assert {seat: bank for seat, bank in table.banks.items() if seat != "1"} == {
        seat: bank for seat, bank in before.items() if seat != "1"
    }
    assert table.turn_started_at == LogEntry.objects.filter(table=table).latest("version").at


def test_a_member_who_returns_while_the_bot_thinks_gets_the_turn() -> None:
    """After a return nothing that was clicked had an effect (kraplow#172)."""
    mari = member("mari")
    table = at_turn_of(1, mari, member("jaan"))
    Seat.objects.filter(table=table, number=1).update(stand_in=True, time_outs=2)
    services.take_back_seat(table_id=table.id, user_id=mari.pk)
    bots_turn = table.turn_version
    table.refresh_from_db()
    assert table.turn_version > bots_turn
    assert not services.play_bot(table_id=table.id, turn_version=bots_turn)
    assert play(table, mari, first_legal(table)).code == ""


def test_a_seat_of_a_finished_match_is_not_taken_back() -> None:
    """That would have changed the ranking after the end."""
    mari, jaan = member("mari"), member("jaan")
    table = at_turn_of(1, mari, jaan)
    Seat.objects.filter(table=table, number=1).update(stand_in=True)
    services.close_table(table_id=table.id)
    with pytest.raises(TableRefusal) as refused:
        services.take_back_seat(table_id=table.id, user_id=mari.pk)
    assert code(refused) == "table_finished"


# A bot on request -------------------------------------------------------------------------------------------------


@both_games
def test_a_bot_plays_for_who_asks_for_it_until_the_seat_is_taken_back(game: str) -> None:
    mari, jaan = member("mari"), member("jaan")
    table = at_turn_of(2, mari, jaan, game=game)
    services.ask_stand_in(table_id=table.id, user_id=mari.pk)
    seat = table.seats.get(number=1)
    assert seat.stand_in and not seat.left
    asked = LogEntry.objects.filter(table=table, events__contains=[{"type": "stand_in", "asked": True}])
    assert asked.get().by == LogEntry.By.PERSON
    services.take_back_seat(table_id=table.id, user_id=mari.pk)
    assert not table.seats.get(number=1).stand_in


def test_a_bot_asked_for_in_ones_own_turn_plays_at_once_so_that_going_and_coming_gains_no_time() -> None:
    mari = member("mari")
    table = at_turn_of(1, mari, member("jaan"))
    services.ask_stand_in(table_id=table.id, user_id=mari.pk)
    assert LogEntry.objects.filter(table=table, by=LogEntry.By.STAND_IN, seat=1).count() == 1
    table.refresh_from_db()
    assert table.turn_seat != 1


@pytest.mark.parametrize("changes", [{"rated": True}, {"origin": "evening/1"}])
def test_no_bot_plays_on_request_where_something_hangs_on_it(changes: dict[str, object]) -> None:
    mari = member("mari")
    table = at_turn_of(2, mari, member("jaan"))
    Table.objects.filter(pk=table.pk).update(**changes)
    with pytest.raises(TableRefusal) as refused:
        services.ask_stand_in(table_id=table.id, user_id=mari.pk)
    assert code(refused) == "stand_in_not_casual"


# Sitting out --------------------------------------------------------------------------------------------------------


def loo_of(seats: int, *members: User) -> Table:
    table = open_table("three_card_loo", *members, seats=seats, rotations=5)
    start(table)
    return table


def next_deal(table: Table) -> list[int]:
    """Play the running deal out and start the next; returns the seats dealt in."""
    play_all(table)
    assert table.status == Table.Status.BETWEEN
    start(table)
    return sorted(table.deals.get(number=table.deal_number).seats)


def play_all(table: Table) -> None:
    table.refresh_from_db()
    while table.status == Table.Status.PLAYING:
        play_one(table)
        table.refresh_from_db()


def test_who_sits_out_is_dealt_in_no_more_from_the_next_deal_and_comes_back() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = loo_of(6, mari, jaan)
    services.sit_out(table_id=table.id, user_id=mari.pk)
    assert 1 in table.deals.get(number=1).seats, "the running deal is played on"
    assert next_deal(table) == [2, 3, 4, 5, 6]
    dealt = LogEntry.objects.filter(table=table, events__contains=[{"type": "deal", "sat_out": [1]}])
    assert dealt.count() == 1
    services.sit_in(table_id=table.id, user_id=mari.pk)
    assert next_deal(table) == [1, 2, 3, 4, 5, 6]
    assert table.seats.get(number=1).deals_out == 0


def test_nobody_sits_out_when_too_few_would_be_left() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = loo_of(6, mari, jaan)
    services.sit_out(table_id=table.id, user_id=mari.pk)
    with pytest.raises(TableRefusal) as refused:
        services.sit_out(table_id=table.id, user_id=jaan.pk)
    assert code(refused) == "too_few_without_you"


def test_least_score_deals_to_everybody() -> None:
    mari = member("mari")
    table = at_turn_of(1, mari, member("jaan"))
    with pytest.raises(TableRefusal) as refused:
        services.sit_out(table_id=table.id, user_id=mari.pk)
    assert code(refused) == "no_sitting_out"


def test_the_next_deal_does_not_wait_for_who_sits_out() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = loo_of(6, mari, jaan)
    services.sit_out(table_id=table.id, user_id=mari.pk)
    play_all(table)
    services.make_ready(table_id=table.id, user_id=jaan.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING


def test_who_sits_out_too_long_has_left() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = loo_of(6, mari, jaan)
    services.sit_out(table_id=table.id, user_id=mari.pk)
    play_all(table)
    Seat.objects.filter(table=table, number=1).update(deals_out=LONGEST_SIT_OUT - 1)
    start(table)
    assert not table.seats.get(number=1).left
    next_deal(table)
    seat = table.seats.get(number=1)
    assert seat.left and not seat.sitting_out
    left = LogEntry.objects.get(table=table, events__contains=[{"type": "left", "why": "sat_out"}])
    assert left.by == LogEntry.By.TABLE


def test_when_the_only_member_has_sat_out_too_long_the_match_is_over() -> None:
    mari = member("mari")
    table = loo_of(6, mari)
    services.sit_out(table_id=table.id, user_id=mari.pk)
    play_all(table)
    Seat.objects.filter(table=table, number=1).update(deals_out=LONGEST_SIT_OUT)
    start(table)
    assert table.status == Table.Status.FINISHED


def test_who_sits_out_is_dealt_in_again_when_too_few_are_left() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = loo_of(6, mari, jaan)
    Seat.objects.filter(table=table, number__in=(1, 2)).update(sitting_out=True)
    assert next_deal(table) == [1, 2, 3, 4, 5, 6]
    assert not table.seats.filter(sitting_out=True).exists()


# The early end ------------------------------------------------------------------------------------------------------


@both_games
def test_the_last_who_plays_may_end_the_match_and_the_others_come_last(game: str) -> None:
    """Rage-quitters made the others wait (lila#19786, online-go#2360)."""
    mari, jaan = member("mari"), member("jaan")
    table = at_turn_of(1, mari, jaan, game=game)
    with pytest.raises(TableRefusal) as refused:
        services.end_now(table_id=table.id, user_id=mari.pk)
    assert code(refused) == "others_play"
    Seat.objects.filter(table=table, number=2).update(stand_in=True)
    services.end_now(table_id=table.id, user_id=mari.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    final = final_of(table)
    assert final["ranking"][-1] == [table.seats.count(), 2]  # type: ignore[index]
    assert final["abandoned"] == [2]


def test_the_offer_to_end_stands_until_somebody_is_back() -> None:
    """A claim button vanished while it was being read (lila#12318)."""
    mari, jaan = member("mari"), member("jaan")
    table = at_turn_of(1, mari, jaan)
    Seat.objects.filter(table=table, number=2).update(stand_in=True)
    for _ in range(4):
        assert may_end_now(table, list(table.seats.all()), 1)
        play(table, mari, first_legal(table))
        play_bots_until(table, 1)
        if table.status != Table.Status.PLAYING:
            break
    assert may_end_now(table, list(table.seats.all()), 1)
    services.take_back_seat(table_id=table.id, user_id=jaan.pk)
    assert not may_end_now(table, list(table.seats.all()), 1)


def test_no_early_end_at_an_event_or_against_bots_alone() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = at_turn_of(1, mari)
    assert not may_end_now(table, list(table.seats.all()), 1), "leaving ends such a table"
    table = at_turn_of(1, mari, jaan)
    Seat.objects.filter(table=table, number=2).update(left=True)
    table.origin = "evening/1"
    assert not may_end_now(table, list(table.seats.all()), 1)


def test_ending_early_shows_no_hand_that_was_thrown_away_or_never_played() -> None:
    """ "End early" leaked the hands of the running deal (shengji#301): it is played out, and L5 keeps thrown hands hidden."""
    mari, jaan = member("mari"), member("jaan")
    hidden: list[str] = []
    while not hidden:  # Until somebody threw a hand away or kept a card.
        table = at_turn_of(2, mari, jaan, game="three_card_loo")
        hands = {seat: hand_of(table, seat) for seat in table.deals.get().seats}
        Seat.objects.filter(table=table, number=1).update(stand_in=True)
        services.end_now(table_id=table.id, user_id=jaan.pk)
        table.refresh_from_db()
        played = LogEntry.objects.filter(table=table, ply__isnull=False).values_list("move", flat=True)
        moves = " ".join(played)
        hidden = [card for seat, hand in hands.items() if seat != 2 for card in hand if card not in moves]
    frame = state_frame(TableSnapshot(table.id), seat=2, events=[], now=timezone.now())
    told = str((frame, selectors.recent_events(table.pk, 2, until=table.version)))
    assert not [card for card in hidden if f"'{card}'" in told]
    assert f"'{hands[2][0]}'" in told, "one's own hand is shown to the end"


def hand_of(table: Table, seat: int) -> list[str]:
    hand: list[str] = GAMES[table.game].view_for(state_of(table), seat)["hand"]
    return hand


# Where an abandoned seat is ranked ---------------------------------------------------------------------------------


def test_a_seat_that_was_left_comes_last_even_if_its_bot_wins() -> None:
    """Quit, let the AI win, still collect (Catan Universe)."""
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan, threshold=25)
    start(table)
    services.leave_table(table_id=table.id, user_id=jaan.pk)
    play_to_the_end(table)
    final = final_of(table)
    places = {seat: place for place, seat in final["ranking"]}  # type: ignore[attr-defined]
    assert places[2] == 3 and {places[1], places[3]} in ({1, 2}, {1}), "the two who stayed may tie"


def test_a_bot_plays_a_rated_match_to_its_end_for_who_left() -> None:
    """Ranked tables were stuck because no bot was allowed to finish them."""
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan, seats=2, threshold=25)
    Table.objects.filter(pk=table.pk).update(rated=True)
    start(table)
    services.leave_table(table_id=table.id, user_id=jaan.pk)
    play_to_the_end(table)
    assert final_of(table)["ranking"] == [[1, 1], [2, 2]]
    assert LogEntry.objects.filter(table=table, seat=2, by=LogEntry.By.STAND_IN).exists()


@both_games
def test_the_ranking_of_those_who_stayed_is_the_rules_own(game: str) -> None:
    table = open_table(game, member("mari"), member("jaan"))
    play_to_the_end(table)
    rules = GAMES[game]
    assert table.match is not None
    match, seats = rules.load_match(table.match), list(table.seats.all())
    assert final_ranking(match, table, seats) == [list(row) for row in rules.ranking(match)]
    best = rules.ranking(match)[0][1]
    next(seat for seat in seats if seat.number == best).left = True
    ranked = final_ranking(match, table, seats)
    order = [seat for _place, seat in rules.ranking(match) if seat != best]
    assert [seat for _place, seat in ranked] == [*order, best]
    assert ranked[0][0] == 1 and ranked[-1] == [len(seats), best]


def test_when_everybody_is_gone_nobody_is_first() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan, seats=2)
    start(table)
    services.leave_table(table_id=table.id, user_id=mari.pk)
    services.leave_table(table_id=table.id, user_id=jaan.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert {place for place, _seat in final_of(table)["ranking"]} == {2}  # type: ignore[attr-defined]


def test_a_day_a_move_is_left_to_the_sweep() -> None:
    """No alarm waits a day in the broker; the sweep finds the deadline."""
    mari, jaan = member("mari"), member("jaan")
    table = at_turn_of(1, mari, jaan)
    Table.objects.filter(pk=table.pk).update(clock="days", banks={"1": 0, "2": 0, "3": 0})
    play(table, mari, first_legal(table))
    play_bots_until(table, 2)
    assert table.due_at is not None and table.turn_started_at is not None
    assert table.due_at - table.turn_started_at == dt.timedelta(days=1)
    assert table.clock_title == "Days: one day a move"
    Table.objects.filter(pk=table.pk).update(
        due_at=F("due_at") - dt.timedelta(days=1, seconds=1),
        turn_started_at=F("turn_started_at") - dt.timedelta(days=1, seconds=1),
    )
    assert services.sweep() >= 1
    assert LogEntry.objects.filter(table=table, seat=2, by=LogEntry.By.CLOCK).exists()
    assert selectors.head_of(table.pk) == Table.objects.get(pk=table.pk).version
