"""What can be done at a table, on the real database."""

from __future__ import annotations

import datetime as dt
import hashlib
from uuid import uuid4

import pytest
from django.db.models import F
from django.utils import timezone

from clubs.models import User
from games import selectors, services
from games.errors import TableRefusal
from games.models import Deal, LogEntry, Seat, Silence, SweepMark, Table
from games.rules import GAMES, shuffle
from games.selectors import seed_of
from tests.games.tables import (
    first_legal,
    member,
    on_turn,
    open_table,
    play,
    play_bots_until,
    play_to_the_end,
    start,
    state_of,
)

pytestmark = pytest.mark.django_db
both_games = pytest.mark.parametrize("game", sorted(GAMES))


def code_of(call: pytest.ExceptionInfo[TableRefusal]) -> str:
    return call.value.code


def pass_time(table: Table, seconds: float) -> None:
    """Let the table's running turn or pause have begun ``seconds`` earlier."""
    gap = dt.timedelta(seconds=seconds)
    Table.objects.filter(pk=table.pk).update(
        due_at=F("due_at") - gap, turn_started_at=F("turn_started_at") - gap
    )
    table.refresh_from_db()


@both_games
def test_a_match_with_a_member_ends_with_a_ranking_of_all_seats(game: str) -> None:
    table = open_table(game, member("mari"))
    play_to_the_end(table)
    final = LogEntry.objects.filter(table=table).latest("version").events[-1]
    assert final["type"] == "final"
    assert sorted(seat for _, seat in final["ranking"]) == [seat.number for seat in table.seats.all()]
    assert table.due_at is None and table.turn_seat is None


@both_games
def test_every_deal_replays_from_deck_and_moves_to_its_stored_outcome(game: str) -> None:
    table = open_table(game, member("mari"))
    play_to_the_end(table)
    rules = GAMES[game]
    for deal in table.deals.all():
        state = selectors.first_state(table, deal)
        for move in LogEntry.objects.filter(deal=deal, ply__isnull=False).order_by("ply"):
            assert move.seat == rules.actor(state)
            state = rules.apply(state, move.move).state
        assert rules.outcome_json(state) == deal.outcome


@both_games
def test_versions_of_the_log_have_no_gap(game: str) -> None:
    table = open_table(game)
    play_to_the_end(table)
    versions = list(
        LogEntry.objects.filter(table=table).order_by("version").values_list("version", flat=True)
    )
    assert versions == list(range(1, table.version + 1))


@both_games
def test_every_deck_is_proven_by_the_commitment_published_before(game: str) -> None:
    table = open_table(game)
    opened = LogEntry.objects.get(table=table, version=1).events[0]
    play_to_the_end(table)
    for deal in table.deals.all():
        seed = seed_of(table, deal.number)
        back = seed
        for _ in range(deal.number):
            back = hashlib.sha256(back).digest()
        assert back.hex() == opened["commitment"] == table.commitment
        assert list(shuffle.deal_deck(seed, deal.nonces, deal.number)) == deal.deck
    first = table.deals.get(number=1)
    assert first.dealer == shuffle.first_dealer(seed_of(table, 1), first.nonces, sorted(first.seats), 1)


@both_games
def test_a_members_nonce_goes_into_the_shuffle_and_a_bots_is_its_seat_number(game: str) -> None:
    user = member("mari")
    table = open_table(game, user)
    services.choose_nonce(table_id=table.id, user_id=user.pk, nonce="minu õnnenumber 7")
    start(table)
    assert table.deals.get().nonces == [
        "minu õnnenumber 7",
        *(str(n) for n in range(2, table.seats.count() + 1)),
    ]


def test_a_nonce_is_refused_once_the_deck_depends_on_it() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    with pytest.raises(TableRefusal) as refused:
        services.choose_nonce(table_id=table.id, user_id=user.pk, nonce="late")
    assert code_of(refused) == "nonce_closed"


@pytest.mark.parametrize("nonce", ["", "x" * 65])
def test_a_nonce_of_a_wrong_length_is_refused(nonce: str) -> None:
    user = member("mari")
    table = open_table("least_score", user)
    with pytest.raises(TableRefusal) as refused:
        services.choose_nonce(table_id=table.id, user_id=user.pk, nonce=nonce)
    assert code_of(refused) == "bad_nonce"


def test_no_words_go_through_the_shuffles_number_of_who_may_not_write() -> None:
    user = member("mari")
    table = open_table("least_score", user)
    now = timezone.now()
    Silence.objects.create(user=user, table=table, until=now + dt.timedelta(hours=1), why="Shouting")
    with pytest.raises(TableRefusal) as refused:
        services.choose_nonce(table_id=table.id, user_id=user.pk, nonce="you all cheat")
    assert code_of(refused) == "plain_nonce"
    services.choose_nonce(table_id=table.id, user_id=user.pk, nonce="20261130")
    Silence.objects.update(lifted_at=timezone.now())
    services.choose_nonce(table_id=table.id, user_id=user.pk, nonce="sorry 7")
    User.objects.filter(pk=user.pk).update(is_guest=True)
    with pytest.raises(TableRefusal) as refused:
        services.choose_nonce(table_id=table.id, user_id=user.pk, nonce="words of a guest")
    assert code_of(refused) == "plain_nonce"


@both_games
def test_a_repeated_command_writes_nothing_and_answers_the_same(game: str) -> None:
    user = member("mari")
    table = on_turn(game, user)
    command, move = uuid4(), first_legal(table)
    first = play(table, user, move, command_id=command)
    entries = LogEntry.objects.filter(table=table).count()
    assert play(table, user, move, command_id=command) == first
    assert LogEntry.objects.filter(table=table).count() == entries


def test_somebody_elses_command_id_is_not_answered() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan)
    start(table)
    play_bots_until(table, 1)
    command = uuid4()
    play(table, mari, first_legal(table), command_id=command)
    with pytest.raises(TableRefusal) as refused:
        play(table, jaan, "declare", command_id=command)
    assert code_of(refused) == "bad_message"


def test_a_move_seen_on_an_older_turn_is_stale() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    with pytest.raises(TableRefusal) as refused:
        play(table, user, first_legal(table), version=table.turn_version - 1)
    assert code_of(refused) == "stale"


def test_a_move_from_a_version_that_does_not_exist_yet_is_stale() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    with pytest.raises(TableRefusal) as refused:
        play(table, user, first_legal(table), version=table.version + 1)
    assert code_of(refused) == "stale"


def test_another_members_ready_does_not_make_a_move_stale() -> None:
    """The version may rise during a turn (here: a member comes back) without the turn being another."""
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan)
    start(table)
    play_bots_until(table, 1)
    seen = table.version
    Seat.objects.filter(table=table, number=2).update(stand_in=True)
    services.take_back_seat(table_id=table.id, user_id=jaan.pk)
    assert play(table, mari, first_legal(table), version=seen).code == ""


def test_only_the_seat_on_turn_may_move_and_watchers_never() -> None:
    mari, jaan, tiit = member("mari"), member("jaan"), member("tiit")
    table = open_table("least_score", mari, jaan)
    start(table)
    play_bots_until(table, 1)
    with pytest.raises(TableRefusal) as refused:
        play(table, jaan, first_legal(table))
    assert code_of(refused) == "not_your_turn"
    with pytest.raises(TableRefusal) as refused:
        play(table, tiit, first_legal(table))
    assert code_of(refused) == "not_seated"


def test_an_illegal_move_is_refused_with_the_rules_code_and_costs_no_time() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    banks, version = table.banks, table.version
    with pytest.raises(TableRefusal) as refused:
        play(table, user, "declare")
    assert code_of(refused) == "first_turn"
    with pytest.raises(TableRefusal) as refused:
        play(table, user, "' OR 1=1 --")
    table.refresh_from_db()
    assert (table.banks, table.version) == (banks, version)


def test_time_above_the_moves_own_comes_from_the_bank() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    pass_time(table, 15 + 20)
    started = table.turn_started_at
    assert started is not None
    assert play(table, user, first_legal(table)).code == ""
    moved = LogEntry.objects.get(table=table, by=LogEntry.By.PERSON)
    taken_ms = (moved.at - started) // dt.timedelta(milliseconds=1)
    table.refresh_from_db()
    assert table.banks["1"] == 90_000 - (taken_ms - 15_000)


def test_a_move_after_the_deadline_is_too_late_and_the_time_out_is_played() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    default = GAMES["least_score"].default_move(state_of(table))
    pass_time(table, 15 + 90 + 1)
    assert play(table, user, first_legal(table)).code == "too_late"
    entry = LogEntry.objects.filter(table=table, seat=1, ply__isnull=False).latest("version")
    assert (entry.by, entry.move) == (LogEntry.By.CLOCK, default)


def test_a_time_out_before_the_deadline_does_nothing() -> None:
    table = on_turn("least_score", member("mari"))
    assert not services.time_out(table_id=table.id, turn_version=table.turn_version)


def test_a_late_bot_and_a_late_time_out_do_nothing() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    old = table.turn_version
    play(table, user, first_legal(table))
    table.refresh_from_db()
    before = table.version
    assert not services.play_bot(table_id=table.id, turn_version=old)
    assert not services.time_out(table_id=table.id, turn_version=old)
    table.refresh_from_db()
    assert table.version == before


def test_a_bot_never_plays_for_a_member_who_is_there() -> None:
    table = on_turn("least_score", member("mari"))
    assert not services.play_bot(table_id=table.id, turn_version=table.turn_version)


def time_out_twice(table: Table) -> None:
    for _ in range(2):
        play_bots_until(table, 1)
        if table.status != Table.Status.PLAYING:
            start(table)
            play_bots_until(table, 1)
        pass_time(table, 200)
        assert services.time_out(table_id=table.id, turn_version=table.turn_version)
        table.refresh_from_db()


def test_after_two_time_outs_in_a_row_a_bot_stands_in_and_the_member_takes_the_seat_back() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    time_out_twice(table)
    seat = table.seats.get(number=1)
    assert seat.stand_in and seat.played_by_bot
    services.take_back_seat(table_id=table.id, user_id=user.pk)
    seat.refresh_from_db()
    assert not seat.stand_in and seat.time_outs == 0
    with pytest.raises(TableRefusal) as refused:
        services.take_back_seat(table_id=table.id, user_id=user.pk)
    assert code_of(refused) == "not_standing_in"


def test_a_member_with_a_stand_in_may_simply_move_again() -> None:
    user = member("mari")
    table = on_turn("least_score", user)
    Seat.objects.filter(table=table, number=1).update(stand_in=True, time_outs=2)
    assert play(table, user, first_legal(table)).code == ""
    assert not table.seats.get(number=1).stand_in


@both_games
def test_when_the_last_member_leaves_the_match_ends_at_once(game: str) -> None:
    user = member("mari")
    table = on_turn(game, user)
    services.leave_table(table_id=table.id, user_id=user.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert not Deal.objects.filter(table=table, ended_at__isnull=True).exists()
    with pytest.raises(TableRefusal) as refused:
        play(table, user, "declare")
    assert code_of(refused) == "not_seated"


def test_one_of_two_members_leaving_is_played_by_a_bot_and_the_match_goes_on() -> None:
    """L25: the seat's result stays that player's."""
    mari, jaan = member("mari"), member("jaan")
    table = open_table("three_card_loo", mari, jaan)
    start(table)
    services.leave_table(table_id=table.id, user_id=mari.pk)
    play_to_the_end(table)
    assert table.seats.get(number=1).user == mari
    assert not LogEntry.objects.filter(table=table, seat=1, by=LogEntry.By.PERSON, ply__isnull=False).exists()


def test_the_next_deal_starts_early_once_every_member_is_ready() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan)
    services.make_ready(table_id=table.id, user_id=mari.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.BETWEEN
    services.make_ready(table_id=table.id, user_id=jaan.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    assert not table.seats.filter(ready=True).exists()


def test_saying_ready_again_and_again_does_not_fill_the_log() -> None:
    mari, jaan = member("mari"), member("jaan")
    table = open_table("least_score", mari, jaan)
    first = services.make_ready(table_id=table.id, user_id=mari.pk)
    assert [services.make_ready(table_id=table.id, user_id=mari.pk) for _ in range(3)] == [first] * 3
    assert LogEntry.objects.filter(table=table, events__contains=[{"type": "ready"}]).count() == 1


def test_a_deal_does_not_start_before_its_time() -> None:
    table = open_table("least_score", member("mari"))
    pass_time(table, -60)
    assert not services.start_due_deal(table_id=table.id, turn_version=table.turn_version)


@both_games
def test_the_sweep_alone_brings_a_table_of_bots_to_its_end(game: str) -> None:
    """Every alarm may be lost: the sweep finds whatever is due, bots included."""
    table = open_table(game)
    for _ in range(2_000):
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            break
        pass_time(table, 60)
        services.sweep()
    assert table.status == Table.Status.FINISHED


def after_an_outage_of(seconds: float) -> None:
    services.sweep()
    SweepMark.objects.update(at=F("at") - dt.timedelta(seconds=seconds))
    services.sweep()


def test_after_an_outage_running_turns_get_their_part_of_it_back_once() -> None:
    table = on_turn("least_score", member("mari"))
    pass_time(table, 60)
    before, version = table.due_at, table.version
    assert before is not None
    after_an_outage_of(30)
    services.sweep()
    table.refresh_from_db()
    assert table.due_at is not None
    assert dt.timedelta(seconds=29.9) < table.due_at - before < dt.timedelta(seconds=60)
    assert table.version == version + 1
    assert LogEntry.objects.get(table=table, version=table.version).events[0]["type"] == "outage"


def test_a_turn_that_began_after_the_outage_gets_nothing_back_and_neither_does_a_bot() -> None:
    mine, bots = on_turn("least_score", member("mari")), open_table("least_score")
    start(bots)
    times = [mine.due_at, bots.due_at]
    services.sweep()
    later = dt.timedelta(seconds=20)
    SweepMark.objects.update(at=F("at") - later)
    Table.objects.update(turn_started_at=F("turn_started_at") + later)
    services.give_back_outage()
    for table in (mine, bots):
        table.refresh_from_db()
    assert [mine.due_at, bots.due_at] == times


def test_a_short_gap_between_sweeps_is_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    # With minutes for seconds, so that what the test itself takes is no outage.
    monkeypatch.setattr("games.services.clockwork.OUTAGE_SECONDS", 300)
    table = on_turn("least_score", member("mari"))
    after_an_outage_of(120)
    assert Table.objects.get(pk=table.pk).version == table.version


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"game": "whist"}, "bad_game"),
        ({"clock": "sundial"}, "bad_clock"),
        ({"bots": {1: "random", 2: "random"}}, "bad_seats"),
        ({"bots": dict.fromkeys(range(1, 18), "random")}, "bad_seats"),
        ({"bots": dict.fromkeys((1, 2, 3, 4, 6), "random")}, "bad_seats"),
        ({"bots": dict.fromkeys(range(1, 6), "wizard")}, "bad_level"),
        ({"options": {"colour": "red"}}, "unknown_option"),
        ({"options": {"loo": "everything"}}, "bad_option_value"),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_nothing_is_written(
    changes: dict[str, object], code: str
) -> None:
    wanted: dict[str, object] = {
        "game": "three_card_loo",
        "options": {},
        "clock": "club",
        "members": {},
        "bots": dict.fromkeys(range(1, 6), "random"),
        "opened_by": None,
    }
    with pytest.raises(TableRefusal) as refused:
        services.open_table(**{**wanted, **changes})
    assert code_of(refused) == code
    assert not Table.objects.exists()


def test_a_table_whose_rows_are_broken_holds_no_other_table_up(caplog: pytest.LogCaptureFixture) -> None:
    """An error at one table once ended the whole sweep: nothing else was played, nothing announced."""
    broken, sound = open_table("least_score"), open_table("least_score")
    start(broken)
    start(sound)
    Deal.objects.filter(table=broken).update(deck=["AS"])
    selectors.remembered.forget(broken.pk)
    Table.objects.update(due_at=F("due_at") - dt.timedelta(seconds=60))
    before = sound.version
    assert services.sweep() == 1
    sound.refresh_from_db()
    assert sound.version > before
    assert str(broken.pk) in caplog.text
