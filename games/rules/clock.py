"""The clock of a seat: a time for every move, and a bank for the moves that take longer.

A clock is stored as what is left of the bank and when the turn started;
everything else follows. All times are integers in milliseconds, instants are
milliseconds since any fixed moment, and "now" is always an argument: only the
server's clock counts, never a player's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SECOND = 1_000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE

RTT_ALLOWANCE = 140
"""How far above the round trip that the server measured a stated lag is believed (milliseconds)."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How a table is timed: ``per_move`` milliseconds for each move, ``bank`` milliseconds for a match."""

    name: str
    per_move: int
    bank: int

    def __post_init__(self) -> None:
        if self.per_move <= 0 or self.bank < 0:
            raise ValueError("a move needs some time and a bank is not negative")


PRESETS: dict[str, TimeControl] = {
    control.name: control
    for control in (
        TimeControl("blitz", per_move=8 * SECOND, bank=30 * SECOND),
        TimeControl("club", per_move=15 * SECOND, bank=90 * SECOND),
        TimeControl("relaxed", per_move=40 * SECOND, bank=5 * MINUTE),
        TimeControl("days", per_move=DAY, bank=0),
    )
}


class Clock(NamedTuple):
    """One seat's clock: the bank left, when its turn started and when that turn was paused, if so.

    ``turn_started`` is ``None`` while the seat is not on turn; ``paused_at``
    is ``None`` unless a turn is running and stands still.
    """

    bank_left: int
    turn_started: int | None = None
    paused_at: int | None = None


def new_clock(control: TimeControl) -> Clock:
    """Return a clock with a full bank, not running."""
    return Clock(control.bank)


def start_turn(clock: Clock, now: int) -> Clock:
    """Return the clock with a turn that starts ``now``; raises ``ValueError`` if one is running."""
    if clock.turn_started is not None:
        raise ValueError("the turn has already started")
    return clock._replace(turn_started=now)


def elapsed(clock: Clock, now: int) -> int:
    """Return the milliseconds that the running turn has taken so far; a pause does not count.

    A ``now`` before the start (another server's clock is behind) counts as the start.
    """
    until = now if clock.paused_at is None else clock.paused_at
    return max(0, until - _started(clock))


def deadline(control: TimeControl, clock: Clock) -> int | None:
    """Return the instant at which the turn runs out, or ``None`` when no turn runs or it is paused."""
    if clock.turn_started is None or clock.paused_at is not None:
        return None
    return clock.turn_started + control.per_move + clock.bank_left


def expired(control: TimeControl, clock: Clock, now: int, compensated: int = 0) -> bool:
    """Whether a move that arrives ``now`` comes too late, ``compensated`` milliseconds being forgiven.

    A move that arrives at the very deadline is in time.
    """
    if compensated < 0:
        raise ValueError("a compensation is not negative")
    limit = deadline(control, clock)
    return limit is not None and now - compensated > limit


def spend(control: TimeControl, clock: Clock, now: int, compensated: int = 0) -> Clock:
    """Return the clock after its turn ended ``now``, stopped, the bank less what the move took above its time.

    ``compensated`` milliseconds (``compensate``) are not counted. The bank
    neither grows nor goes below 0, whatever the arguments.
    """
    if compensated < 0:
        raise ValueError("a compensation is not negative")
    taken = max(0, elapsed(clock, now) - compensated)
    over = max(0, taken - control.per_move)
    return Clock(max(0, clock.bank_left - over))


def bank_used(control: TimeControl, clock: Clock, now: int) -> int:
    """Return the milliseconds of the bank that the running turn has used up by ``now``, for display."""
    return min(clock.bank_left, max(0, elapsed(clock, now) - control.per_move))


def pause(clock: Clock, now: int) -> Clock:
    """Return the clock standing still from ``now`` on; a clock that does not run is returned unchanged."""
    if clock.turn_started is None or clock.paused_at is not None:
        return clock
    return clock._replace(paused_at=max(now, clock.turn_started))


def resume(clock: Clock, now: int) -> Clock:
    """Return the clock running on from ``now``, the turn having as much time left as when it was paused."""
    if clock.paused_at is None:
        return clock
    gap = max(0, now - clock.paused_at)
    return clock._replace(turn_started=_started(clock) + gap, paused_at=None)


def extend(clock: Clock, down_from: int, down_to: int) -> Clock:
    """Return the clock with the outage from ``down_from`` to ``down_to`` given back to the running turn.

    Only the part of the outage inside the turn counts, so that the start never
    moves past ``down_to``. A clock that is paused or off turn lost nothing.
    """
    if down_to < down_from:
        raise ValueError("an outage begins before it ends")
    if clock.turn_started is None or clock.paused_at is not None:
        return clock
    lost = max(0, down_to - max(down_from, clock.turn_started))
    return clock._replace(turn_started=clock.turn_started + lost)


class LagQuota(NamedTuple):
    """The milliseconds of lag that a seat may still have forgiven; it refills with every move."""

    left: int


def new_quota(control: TimeControl) -> LagQuota:
    """Return the quota at the start of a match: three refills."""
    return LagQuota(3 * quota_refill(control))


def quota_refill(control: TimeControl) -> int:
    """Return the milliseconds by which a quota grows with each move: 100 and 1% of the move's time, at most 500."""
    return min(500, 100 + control.per_move // 100)


def quota_cap(control: TimeControl) -> int:
    """Return the most milliseconds that a quota can hold: seven refills."""
    return 7 * quota_refill(control)


class Compensation(NamedTuple):
    """What a move is forgiven, in milliseconds, and the quota after it."""

    compensated: int
    quota: LagQuota


def compensate(control: TimeControl, quota: LagQuota, lag: int, measured_rtt: int | None) -> Compensation:
    """Return how much of a player's stated ``lag`` one move is forgiven, and the refilled quota.

    As on lichess the lag is forgiven up to a quota. It is believed only up to
    the round trip that the server measured itself plus 140 ms, so that lying
    gains nothing more; without a measurement nothing is forgiven. A negative
    lag is no lag.
    """
    believed = 0 if measured_rtt is None else min(max(0, lag), max(0, measured_rtt) + RTT_ALLOWANCE)
    compensated = min(believed, quota.left)
    refilled = min(quota_cap(control), quota.left - compensated + quota_refill(control))
    return Compensation(compensated, LagQuota(refilled))


def _started(clock: Clock) -> int:
    if clock.turn_started is None:
        raise ValueError("no turn is running")
    return clock.turn_started
