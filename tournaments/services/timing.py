"""Time is up: the orbit is finished, or only full orbits count, as the event's terms say."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from clubs.models import User
from tournaments.errors import EventRefusal
from tournaments.models import EventTable, Result, Round
from tournaments.selectors.field import deals_entered, tables_of
from tournaments.services.fault_points import fault_point
from tournaments.services.last_pot import share_last_pot
from tournaments.services.locked import STATE, LockedTournament, check_organiser, locked_tournament
from tournaments.services.releasing import complete_if_done
from tournaments.services.sittings import deals_begun, limit_sitting, open_sittings


def call_time(*, tournament_id: UUID, by: User | None, round_number: int) -> list[int]:
    """Call the time of a round of fixed orbits at every table whose time is up; returns their numbers.

    The site (``by`` nobody) calls it when the clock and the table's extra time are over; the organiser may
    call it earlier. The table then plays its orbit to the end; where only full orbits count
    (``Tournament.full_orbits_only``) it stops after the running deal, and deals beyond the last full orbit are
    struck. The first orbit is finished in any case. At the club the deals that are entered decide. Raises ``EventRefusal`` (``not_organiser``, ``not_now``, ``no_such_round``, ``not_released``).
    Takes the event's lock, then those of its tables.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        row = locked.round(round_number)
        if row.state != Round.State.PLAYING or locked.tournament.thresholds:
            raise EventRefusal("not_released")
        called = [
            table.number
            for table in tables_of(row)
            if table.state == EventTable.State.PLAYING and (by is not None or _is_over(locked, row, table))
            if _call(locked, table, by)
        ]
        if called:
            locked.log("time_called", by=by, after={"round": round_number, "tables": called})
            complete_if_done(locked, row)
        return called


def _is_over(locked: LockedTournament, row: Round, table: EventTable) -> bool:
    if row.ends_at is None or row.paused_at is not None:
        return False
    return row.ends_at + dt.timedelta(seconds=table.extra_seconds) <= locked.now


def _call(locked: LockedTournament, table: EventTable, by: User | None) -> bool:
    """Set how many deals the table still plays; returns whether that shortened anything."""
    size = len(table.seats)
    sitting = next((s for s in open_sittings(locked.tournament) if s.event_table_id == table.pk), None)
    played, running = (len(deals_entered(table)), False) if sitting is None else deals_begun(sitting)
    begun = played + running
    orbits = begun // size if locked.tournament.full_orbits_only else -(-begun // size)
    due = (
        max(1, orbits) * size
    )  # The first orbit is played to its end: a table without any would have no result.
    if table.deals_due is None or due >= table.deals_due:
        return False
    table.deals_due = due
    table.save(update_fields=["deals_due"])
    fault_point("time.between")
    if sitting is not None:
        limit_sitting(sitting, max(due, begun))
    elif played >= due:
        _finish_at_the_club(locked, table, played, by)
    return True


def _finish_at_the_club(locked: LockedTournament, table: EventTable, played: int, by: User | None) -> None:
    """Strike what was entered beyond the last full orbit; the table is done, as the clock or the organiser said."""
    for old in deals_entered(table)[table.deals_due or 0 : played]:
        Result.objects.create(
            event_table=table,
            kind=old.kind,
            number=old.number,
            version=old.version + 1,
            dealer=old.dealer,
            players=old.players,
            scores=old.scores,
            sheet=old.sheet,
            pot=old.pot,
            struck=True,
            by=by,
            at=locked.now,
            reason="time",
        )
    share_last_pot(locked, table, by)
    table.state = EventTable.State.DONE
    table.save(update_fields=["state"])
