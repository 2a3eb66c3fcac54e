"""Lag compensation: what of a turn was the line's time and not the player's (``games.rules.clock.compensate``).

Only what a turn takes above the move's own time is forgiven, because only that
costs the bank; a quota is not spent on moves that need none of it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from games.models import Seat
from games.rules.clock import RTT_ALLOWANCE, Compensation, LagQuota, compensate, new_quota
from games.services.locked import LockedTable


@dataclass(frozen=True)
class Line:
    """How slow a player's line is, in milliseconds: what the page says, and what the server measured (if anything)."""

    stated: int = 0
    measured: int | None = None


NO_LAG = Line()


def quota_of(locked: LockedTable, seat: Seat) -> LagQuota:
    """Return what a seat may still have forgiven."""
    left = locked.table.lag_quotas.get(str(seat.number))
    return new_quota(locked.control) if left is None else LagQuota(int(left))


def forgiven(locked: LockedTable, seat: Seat, arrived: dt.datetime, line: Line) -> Compensation:
    """Return what a move that arrived at ``arrived`` is forgiven, and the quota after it."""
    over = over_time(locked, arrived)
    return compensate(locked.control, quota_of(locked, seat), min(line.stated, over), line.measured)


def note_quota(locked: LockedTable, seat: Seat, quota: LagQuota) -> None:
    """Write what a seat may still have forgiven after its move."""
    locked.table.lag_quotas = {**locked.table.lag_quotas, str(seat.number): quota.left}


def over_time(locked: LockedTable, arrived: dt.datetime) -> int:
    """Return the milliseconds that a turn which ends at ``arrived`` took above the move's own time."""
    started = locked.table.turn_started_at
    assert started is not None, "no turn is running"
    return max(0, (arrived - started) // dt.timedelta(milliseconds=1) - locked.control.per_move)


def grace(locked: LockedTable, seat: Seat, measured: int | None) -> dt.timedelta:
    """Return how long after the deadline a move of ``seat`` might still be in time: nothing without a living line."""
    if measured is None or seat.played_by_bot:
        return dt.timedelta()
    return dt.timedelta(milliseconds=min(quota_of(locked, seat).left, measured + RTT_ALLOWANCE))
