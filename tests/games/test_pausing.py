"""Pauses by consent: offers, agreement, the standing clock, and where they are refused."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from clubs.models import User
from games import services
from games.broadcast import connection
from games.errors import TableRefusal
from games.models import LogEntry, Seat, SweepMark, Table
from games.presence import clock_ms, new_line, presence_key
from games.rules.clock import PRESETS, Clock, deadline, pause, resume, start_turn
from games.snapshots import TableSnapshot
from games.table_view import state_frame
from tests.games.tables import first_legal, member, open_table, play, play_bots_until, start

pytestmark = pytest.mark.django_db


def code(call: pytest.ExceptionInfo[TableRefusal]) -> str:
    return call.value.code


def pass_time(table: Table, seconds: float) -> None:
    """Let everything at the table have begun ``seconds`` earlier, a pause included."""
    gap = dt.timedelta(seconds=seconds)
    Table.objects.filter(pk=table.pk).update(
        **{name: F(name) - gap for name in ("due_at", "turn_started_at", "paused_at", "pause_until")}
    )
    table.refresh_from_db()


def two_members(game: str = "least_score", **options: Any) -> tuple[Table, User, User]:
    """A table of two members and bots with a deal being played and the first member on turn."""
    mari, jaan = member("mari"), member("jaan")
    table = open_table(game, mari, jaan, **options)
    start(table)
    while True:
        play_bots_until(table, 1)
        if table.turn_seat == 1:
            return table, mari, jaan
        start(table)


def offer(table: Table, user: User) -> None:
    services.offer_pause(table_id=table.id, user_id=user.pk)
    table.refresh_from_db()


def answer(table: Table, user: User, *, agree: bool) -> None:
    services.answer_pause(table_id=table.id, user_id=user.pk, agree=agree)
    table.refresh_from_db()


def paused() -> tuple[Table, User, User]:
    table, mari, jaan = two_members()
    offer(table, mari)
    answer(table, jaan, agree=True)
    return table, mari, jaan


def view(table: Table, seat: int | None) -> dict[str, object]:
    frame = state_frame(TableSnapshot(table.id), seat=seat, events=[], now=timezone.now())
    shown: dict[str, object] = frame["table"]
    return shown


def test_a_pause_begins_when_all_who_play_have_agreed_and_the_clock_stands_still() -> None:
    table, mari, jaan = two_members()
    offer(table, mari)
    assert not table.paused and table.due_at is not None
    answer(table, jaan, agree=True)
    assert table.paused and table.due_at is None and table.pauses == 1


def test_nobody_moves_and_nothing_acts_during_a_pause() -> None:
    table, mari, _jaan = paused()
    pass_time(table, 500)
    before = table.version
    with pytest.raises(TableRefusal) as refused:
        play(table, mari, first_legal(table))
    assert code(refused) == "paused"
    assert not services.time_out(table_id=table.id, turn_version=table.turn_version)
    services.sweep()
    table.refresh_from_db()
    assert table.version == before and table.paused


def test_a_bot_on_turn_waits_through_a_pause_and_thinks_anew_after_it() -> None:
    table, mari, jaan = two_members()
    play(table, mari, first_legal(table))
    while True:
        table.refresh_from_db()
        if table.turn_seat == 3:
            break
        play(table, jaan, first_legal(table))
    offer(table, mari)
    answer(table, jaan, agree=True)
    old = table.turn_version
    assert not services.play_bot(table_id=table.id, turn_version=old)
    services.end_pause(table_id=table.id, user_id=jaan.pk)
    table.refresh_from_db()
    assert not services.play_bot(table_id=table.id, turn_version=old), (
        "an alarm from before the pause is late"
    )
    assert services.play_bot(table_id=table.id, turn_version=table.turn_version)


def test_after_a_pause_the_turn_has_as_much_time_left_as_before() -> None:
    """The row's arithmetic is the one of ``games.rules.clock``."""
    table, mari, jaan = two_members()
    pass_time(table, 20)
    offer(table, mari)
    answer(table, jaan, agree=True)
    started, paused_at, banks = table.turn_started_at, table.paused_at, table.banks
    assert started is not None and paused_at is not None
    pass_time(table, 300)
    services.end_pause(table_id=table.id, user_id=jaan.pk)
    table.refresh_from_db()
    assert table.due_at is not None and table.turn_started_at is not None
    gone = (paused_at - started).total_seconds()
    resumed_at = LogEntry.objects.filter(table=table).latest("version").at
    left = (table.due_at - resumed_at).total_seconds()
    control = PRESETS[table.clock]
    clock = pause(start_turn(Clock(banks["1"]), 0), round(gone * 1000))
    after = resume(clock, round(gone * 1000) + 300_000)
    expected = deadline(control, after)
    assert expected is not None
    assert left == pytest.approx((expected - round(gone * 1000) - 300_000) / 1000, abs=0.01)
    assert left == pytest.approx((control.per_move + banks["1"]) / 1000 - gone, abs=0.01)
    assert (table.due_at - table.turn_started_at).total_seconds() == pytest.approx(105, abs=0.01)
    version = table.version
    assert play(table, mari, first_legal(table)).code == ""
    table.refresh_from_db()
    moved_at = LogEntry.objects.get(table=table, version=version + 1).at
    taken = gone + (moved_at - resumed_at).total_seconds()
    assert table.banks["1"] == pytest.approx(90_000 - (taken * 1000 - 15_000), abs=5)


def test_a_pause_between_two_deals_keeps_the_rest_of_the_countdown() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan)
    Table.objects.filter(pk=table.pk).update(pace_ms=60_000)
    start(table)
    play_bots_until(table, None)
    offer(table, mari)
    answer(table, jaan, agree=True)
    assert table.status == Table.Status.BETWEEN and table.paused
    with pytest.raises(TableRefusal) as refused:
        services.make_ready(table_id=table.id, user_id=mari.pk)
    assert code(refused) == "paused"
    assert not services.start_due_deal(table_id=table.id, turn_version=table.turn_version)
    left = table.pause_left_ms
    assert left is not None
    pass_time(table, 100)
    services.end_pause(table_id=table.id, user_id=mari.pk)
    table.refresh_from_db()
    assert table.due_at is not None
    now = LogEntry.objects.filter(table=table).latest("version").at
    assert (table.due_at - now).total_seconds() * 1000 == pytest.approx(left, abs=5)


def test_a_reloaded_page_shows_the_offer_and_then_the_standing_clock() -> None:
    """A refresh showed a running clock at a paused table (hanabi-live#1534), and lost offers (cuttle#853)."""
    table, mari, jaan = two_members()
    offer(table, mari)
    course = view(table, 2)["course"]
    assert isinstance(course, dict) and course["pause"]["seats"] == [1] and course["pause"]["asked"] == [2]
    assert {"agree", "decline"} <= set(course["can"])
    assert view(table, None)["course"]["can"] == []  # type: ignore[index]
    answer(table, jaan, agree=True)
    first = view(table, 1)
    pass_time(table, 0)
    again = view(table, 1)
    assert first == again
    clock = again["clock"]
    assert isinstance(clock, dict) and clock["stopped"] is not None
    assert clock["deadline"] - clock["stopped"] == pytest.approx(table.pause_left_ms, abs=2)


def test_an_offer_lapses_after_a_minute_and_one_more_can_be_made_in_the_next_deal_only() -> None:
    table, mari, jaan = two_members()
    offer(table, mari)
    pass_time(table, 61)
    with pytest.raises(TableRefusal) as refused:
        answer(table, jaan, agree=True)
    assert code(refused) == "no_pause_offered", "also before a sweep has noted that the minute is over"
    services.sweep()
    table.refresh_from_db()
    assert table.pause_until is None and table.pause_seats == []
    assert LogEntry.objects.filter(table=table, events__contains=[{"type": "pause_lapsed"}]).count() == 1
    with pytest.raises(TableRefusal) as refused:
        offer(table, mari)
    assert code(refused) == "pause_offered_before"


def here(table: Table, *seats: int, gone: tuple[int, ...] = ()) -> None:
    """Write into Valkey what the sockets of these seats would."""
    server = connection()
    now = clock_ms(server.time())
    moments = dict.fromkeys(seats, now + 30000) | dict.fromkeys(gone, now - 1)
    server.zadd(presence_key(table.pk), {new_line(seat): at for seat, at in moments.items()})
    server.expire(presence_key(table.pk), 30)


def test_who_is_away_need_not_agree_so_that_the_others_can_wait_for_them() -> None:
    mari, jaan, tiit = member("mari"), member("jaan"), member("tiit")
    table = open_table("least_score", mari, jaan, tiit)
    start(table)
    here(table, 1, 2, gone=(3,))
    offer(table, mari)
    assert not table.paused
    answer(table, jaan, agree=True)
    assert table.paused


def test_who_came_a_moment_ago_is_asked_though_not_known_to_be_here_yet() -> None:
    table, mari, _jaan = two_members()
    here(table, 1)
    offer(table, mari)
    assert not table.paused


def test_presence_that_was_lost_asks_everybody() -> None:
    """After a loss of Valkey nobody seems to be here: that must not let one member stop the match."""
    table, mari, _jaan = two_members()
    here(table, gone=(1, 2))
    offer(table, mari)
    assert not table.paused


def test_one_no_ends_the_offer() -> None:
    table, mari, jaan = two_members()
    offer(table, mari)
    answer(table, jaan, agree=False)
    assert table.pause_until is None and not table.paused and table.pauses == 0


def test_two_offers_at_one_moment_are_an_agreement() -> None:
    table, mari, jaan = two_members()
    offer(table, mari)
    offer(table, jaan)
    assert table.paused


def test_a_pause_ends_by_itself_after_ten_minutes() -> None:
    table, _mari, _jaan = paused()
    pass_time(table, 601)
    services.sweep()
    table.refresh_from_db()
    assert not table.paused and table.due_at is not None and table.pause_until is None


def test_only_who_wanted_the_pause_ends_it_early() -> None:
    table, mari, jaan = two_members()
    Seat.objects.filter(table=table, number=2).update(stand_in=True)
    offer(table, mari)
    assert table.paused, "a bot need not agree"
    services.take_back_seat(table_id=table.id, user_id=jaan.pk)
    with pytest.raises(TableRefusal) as refused:
        services.end_pause(table_id=table.id, user_id=jaan.pk)
    assert code(refused) == "not_your_pause"
    services.end_pause(table_id=table.id, user_id=mari.pk)


def test_a_match_has_two_pauses() -> None:
    table, mari, jaan = paused()
    services.end_pause(table_id=table.id, user_id=mari.pk)
    offer(table, jaan)
    answer(table, mari, agree=True)
    services.end_pause(table_id=table.id, user_id=mari.pk)
    with pytest.raises(TableRefusal) as refused:
        offer(table, mari)
    assert code(refused) == "pauses_used_up"


def test_who_leaves_during_an_offer_need_not_be_asked() -> None:
    mari, jaan, tiit = member("mari"), member("jaan"), member("tiit")
    table = open_table("least_score", mari, jaan, tiit)
    start(table)
    offer(table, mari)
    answer(table, jaan, agree=True)
    assert not table.paused
    services.leave_table(table_id=table.id, user_id=tiit.pk)
    table.refresh_from_db()
    assert table.paused and table.due_at is None


def test_a_seat_that_is_left_during_a_pause_does_not_start_the_clock() -> None:
    table, mari, jaan = paused()
    services.leave_table(table_id=table.id, user_id=mari.pk)
    table.refresh_from_db()
    assert table.turn_seat == 1 and table.paused and table.due_at is None
    services.end_pause(table_id=table.id, user_id=jaan.pk)
    table.refresh_from_db()
    assert services.play_bot(table_id=table.id, turn_version=table.turn_version)


def test_a_pause_that_nobody_is_left_to_end_ends_at_once() -> None:
    mari, jaan, tiit = member("mari"), member("jaan"), member("tiit")
    table = open_table("least_score", mari, jaan, tiit)
    start(table)
    Seat.objects.filter(table=table, number=3).update(stand_in=True)
    offer(table, mari)
    answer(table, jaan, agree=True)
    services.take_back_seat(table_id=table.id, user_id=tiit.pk)
    services.leave_table(table_id=table.id, user_id=mari.pk)
    services.leave_table(table_id=table.id, user_id=jaan.pk)
    table.refresh_from_db()
    assert not table.paused and table.due_at is not None


def test_a_match_that_is_closed_during_a_pause_is_over_like_any_other() -> None:
    table, _mari, _jaan = paused()
    services.close_table(table_id=table.id)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED and not table.paused and table.pause_until is None


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"rated": True}, "pause_not_casual"),
        ({"origin": "evening/1"}, "pause_not_casual"),
        ({"clock": "days"}, "pause_with_days"),
    ],
)
def test_matches_that_count_are_not_paused(changes: dict[str, object], expected: str) -> None:
    """Pauses stalled tournaments elsewhere (online-go#694)."""
    table, mari, _jaan = two_members()
    Table.objects.filter(pk=table.pk).update(**changes)
    with pytest.raises(TableRefusal) as refused:
        offer(table, mari)
    assert code(refused) == expected
    assert "pause" not in view(table, 1)["course"]["can"]  # type: ignore[index]


def test_an_outage_during_a_pause_gives_nothing_back() -> None:
    _table, _mari, _jaan = paused()
    services.sweep()
    SweepMark.objects.update(at=F("at") - dt.timedelta(seconds=30))
    assert services.give_back_outage() == 0
