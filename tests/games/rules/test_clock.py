"""The clock: nobody ever gains time, and nobody loses it to a pause or an outage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.clock import (
    PRESETS,
    RTT_ALLOWANCE,
    Clock,
    LagQuota,
    TimeControl,
    bank_used,
    compensate,
    deadline,
    elapsed,
    expired,
    extend,
    new_clock,
    new_quota,
    pause,
    quota_cap,
    quota_refill,
    resume,
    spend,
    start_turn,
)

CLUB = PRESETS["club"]
controls = st.sampled_from(list(PRESETS.values())) | st.builds(
    TimeControl, st.just("own"), st.integers(1, 10**8), st.integers(0, 10**8)
)
instants = st.integers(-(10**12), 10**13)
spans = st.integers(0, 10**9)
banks = st.integers(0, 10**8)


@pytest.mark.parametrize(
    ("name", "per_move", "bank"),
    [
        ("blitz", 8_000, 30_000),
        ("club", 15_000, 90_000),
        ("relaxed", 40_000, 300_000),
        ("days", 86_400_000, 0),
    ],
)
def test_presets(name: str, per_move: int, bank: int) -> None:
    assert (PRESETS[name].per_move, PRESETS[name].bank) == (per_move, bank)
    assert new_clock(PRESETS[name]) == Clock(bank)


@pytest.mark.parametrize(
    ("taken", "bank_left"),
    [(0, 90_000), (14_999, 90_000), (15_000, 90_000), (15_001, 89_999), (105_000, 0), (200_000, 0)],
)
def test_the_bank_pays_only_for_what_is_above_the_time_of_a_move(taken: int, bank_left: int) -> None:
    running = start_turn(new_clock(CLUB), 1_000)
    assert spend(CLUB, running, 1_000 + taken) == Clock(bank_left)
    assert bank_used(CLUB, running, 1_000 + taken) == 90_000 - bank_left


def test_a_move_at_the_very_deadline_is_in_time() -> None:
    running = start_turn(new_clock(CLUB), 1_000)
    assert deadline(CLUB, running) == 106_000
    assert not expired(CLUB, running, 106_000)
    assert expired(CLUB, running, 106_001)
    assert not expired(CLUB, running, 106_001, compensated=1)


def test_an_idle_clock_has_no_deadline_and_cannot_be_spent() -> None:
    idle = new_clock(CLUB)
    assert deadline(CLUB, idle) is None and not expired(CLUB, idle, 10**12)
    with pytest.raises(ValueError, match="no turn"):
        spend(CLUB, idle, 5)
    with pytest.raises(ValueError, match="already started"):
        start_turn(start_turn(idle, 1), 2)


@pytest.mark.parametrize("bad", [(0, 5), (-1, 5), (5, -1)])
def test_a_control_without_time_is_a_bug(bad: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="some time"):
        TimeControl("bad", *bad)


def test_negative_amounts_are_bugs() -> None:
    running = start_turn(new_clock(CLUB), 0)
    with pytest.raises(ValueError, match="not negative"):
        spend(CLUB, running, 5, -1)
    with pytest.raises(ValueError, match="not negative"):
        expired(CLUB, running, 5, -1)
    with pytest.raises(ValueError, match="begins before"):
        extend(running, 5, 4)


@given(controls, banks, instants, instants, spans)
def test_spending_never_adds_to_the_bank_and_never_overdraws_it(
    control: TimeControl, bank: int, start: int, now: int, compensated: int
) -> None:
    after = spend(control, start_turn(Clock(bank), start), now, compensated)
    assert 0 <= after.bank_left <= bank and after.turn_started is None


@given(controls, banks, instants, spans, spans)
def test_a_turn_is_late_exactly_when_the_bank_could_not_pay(
    control: TimeControl, bank: int, start: int, taken: int, compensated: int
) -> None:
    running = start_turn(Clock(bank), start)
    over = max(0, taken - compensated - control.per_move)
    assert expired(control, running, start + taken, compensated) == (over > bank)
    assert spend(control, running, start + taken, compensated).bank_left == max(0, bank - over)


@given(controls, banks, instants, spans, spans, spans)
def test_a_pause_neither_costs_nor_gives_time(
    control: TimeControl, bank: int, start: int, before: int, gap: int, after: int
) -> None:
    running = start_turn(Clock(bank), start)
    paused = pause(running, start + before)
    assert deadline(control, paused) is None and not expired(control, paused, start + before + gap)
    assert elapsed(paused, start + before + gap) == before
    resumed = resume(paused, start + before + gap)
    assert deadline(control, resumed) == start + control.per_move + bank + gap
    one = spend(control, resumed, start + before + gap + after)
    assert one == spend(control, running, start + before + after)


@given(instants, spans, spans)
def test_pausing_twice_or_resuming_what_runs_changes_nothing(start: int, before: int, later: int) -> None:
    running = start_turn(Clock(7), start)
    paused = pause(running, start + before)
    assert pause(paused, start + before + later) == paused
    assert resume(running, start + later) == running
    assert pause(Clock(7), start) == Clock(7) and resume(Clock(7), start) == Clock(7)


def test_a_pause_by_a_server_whose_clock_is_behind_gives_no_time() -> None:
    paused = pause(start_turn(Clock(7), 1_000), 400)
    assert elapsed(paused, 5_000) == 0
    assert resume(paused, 5_000).turn_started == 5_000


@given(controls, banks, instants, instants, spans)
def test_an_outage_gives_back_only_its_part_of_the_turn(
    control: TimeControl, bank: int, start: int, down_from: int, length: int
) -> None:
    running = start_turn(Clock(bank), start)
    down_to = down_from + length
    longer = extend(running, down_from, down_to)
    inside = max(0, down_to - max(down_from, start))
    limit, before = deadline(control, longer), deadline(control, running)
    assert limit is not None and before is not None
    assert limit - before == inside <= length
    assert longer.turn_started is not None and longer.turn_started <= max(start, down_to)
    assert longer.bank_left == bank


def test_an_outage_gives_nothing_to_a_clock_that_was_not_running() -> None:
    paused = pause(start_turn(Clock(7), 0), 5)
    assert extend(paused, 0, 100) == paused and extend(Clock(7), 0, 100) == Clock(7)


moves = st.lists(st.tuples(st.integers(-(10**6), 10**6), st.none() | st.integers(-10, 10**5)), max_size=60)


@given(controls, moves)
def test_compensation_is_bounded_by_what_the_server_measured_and_by_the_quota(
    control: TimeControl, played: list[tuple[int, int | None]]
) -> None:
    quota, forgiven = new_quota(control), 0
    for lag, rtt in played:
        done = compensate(control, quota, lag, rtt)
        believed = 0 if rtt is None else max(0, rtt) + RTT_ALLOWANCE
        assert 0 <= done.compensated <= min(max(0, lag), believed, quota.left)
        assert 0 <= done.quota.left <= quota_cap(control)
        quota, forgiven = done.quota, forgiven + done.compensated
    assert forgiven <= new_quota(control).left + len(played) * quota_refill(control)


def test_a_lie_about_lag_gains_no_more_than_the_allowance() -> None:
    honest = compensate(CLUB, LagQuota(1_000), 60, measured_rtt=60)
    liar = compensate(CLUB, LagQuota(1_000), 30_000, measured_rtt=60)
    assert liar.compensated - honest.compensated == RTT_ALLOWANCE


def test_an_unmeasured_connection_is_forgiven_nothing_but_refills() -> None:
    assert compensate(CLUB, LagQuota(10), 500, measured_rtt=None) == (0, LagQuota(10 + quota_refill(CLUB)))


def test_a_lagging_player_uses_up_the_quota_and_then_lives_from_the_refill() -> None:
    quota = new_quota(CLUB)
    gains = []
    for _ in range(30):
        gain, quota = compensate(CLUB, quota, 400, measured_rtt=500)
        gains.append(gain)
    assert gains[0] == 400 and gains[-1] == quota_refill(CLUB) == 250
