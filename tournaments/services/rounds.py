"""The course of rounds: confirmed, reopened, undone and brought back; the round's clock; who advances."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from clubs.models import User
from tournaments.errors import EventRefusal
from tournaments.models import Action, Draw, Entry, EventTable, Round, Tournament
from tournaments.selectors.field import gone_by, knock_outs_of, tables_of
from tournaments.services.advancing import cuts_of, decide_who_advances
from tournaments.services.attending import drop_leavers
from tournaments.services.club_tables import find_table
from tournaments.services.drawing import check_draw_fits, draw_rounds
from tournaments.services.fault_points import fault_point
from tournaments.services.knock_outs import record_knock_out
from tournaments.services.locked import (
    STATE,
    LockedTournament,
    check_organiser,
    check_reason,
    locked_tournament,
)
from tournaments.services.rating import forget_round, rate_round
from tournaments.services.releasing import redeem_chips, withdraw_release


def confirm_round(*, tournament_id: UUID, by: User | None, round_number: int) -> Round:
    """Confirm the results of a round: who advances is decided, leavers go, a planned rest is planned anew if it must be.

    Raises ``EventRefusal`` (``not_organiser``, ``not_now``, ``no_such_round``, ``not_released``, ``tables_open``).
    Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        row = locked.round(round_number)
        if row.state != Round.State.COMPLETE:
            raise EventRefusal("tables_open" if row.state == Round.State.PLAYING else "not_released")
        decide_who_advances(locked, row)
        fault_point("confirm.after_cut")
        drop_leavers(locked, by)
        row.state, row.confirmed_at, row.ends_at, row.paused_at = (
            Round.State.CONFIRMED,
            locked.now,
            None,
            None,
        )
        row.save(update_fields=["state", "confirmed_at", "ends_at", "paused_at"])
        locked.log("round_confirmed", by=by, after={"round": round_number})
        fault_point("confirm.before_plan")
        _plan_anew(locked, row, by)
        rate_round(locked, row)
        return row


def reopen_round(*, tournament_id: UUID, by: User, round_number: int, reason: str) -> Round:
    """Open a confirmed round for corrections, as long as no later one is released; who advanced is decided anew then.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``not_now``, ``no_such_round``,
    ``not_released``, ``later_round``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        row = locked.round(round_number)
        if row.state != Round.State.CONFIRMED:
            raise EventRefusal("not_released")
        _check_last(locked, row)
        if cuts_of(row):
            live = {e.number for e in locked.entries.values() if e.counts}
            record_knock_out(locked, row, [], live, "reopened")
        row.state, row.confirmed_at = Round.State.COMPLETE, None
        row.save(update_fields=["state", "confirmed_at"])
        fault_point("reopen.between")
        refresh_out(locked)
        locked.log("round_reopened", by=by, reason=reason, after={"round": round_number})
        return row


def undo_round(*, tournament_id: UUID, by: User, round_number: int, reason: str) -> Round:
    """Undo a released round: it is as drawn again; results stay in their versions and can be brought back.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``not_now``, ``no_such_round``,
    ``not_released``, ``later_round``). Takes the event's lock, then those of its tables.
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        row = locked.round(round_number)
        if row.current is None:
            raise EventRefusal("not_released")
        _check_last(locked, row)
        before = {"round": round_number, "take": row.current, "state": row.state, "draw": row.draw.number}
        tables = tables_of(row)
        withdraw_release(locked, row)
        fault_point("undo.between")
        refresh_out(locked)
        moved = redeem_chips(locked)
        locked.log("round_undone", by=by, reason=reason, before=before, moved=moved)
        forget_round(row, tables)
        return row


def redo_round(*, tournament_id: UUID, by: User, round_number: int, reason: str) -> Round:
    """Bring a round back that was undone after all its tables were done: its results count again, unconfirmed.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``not_now``, ``no_such_round``,
    ``nothing_undone``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        row = locked.round(round_number)
        done = EventTable.objects.filter(round=row, take=row.undone or 0).values_list("state", flat=True)
        if row.current is not None or not done or set(done) != {EventTable.State.DONE}:
            raise EventRefusal("nothing_undone")
        row.draw = _draw_of_take(locked, row)
        row.current, row.undone, row.state = row.undone, None, Round.State.COMPLETE
        row.save(update_fields=["draw", "current", "undone", "state"])
        fault_point("redo.between")
        refresh_out(locked)
        locked.log("round_redone", by=by, reason=reason, after={"round": round_number, "take": row.current})
        return row


def schedule_round(
    *, tournament_id: UUID, by: User, round_number: int, opens_at: dt.datetime | None
) -> Round:
    """Let a round whose draw is confirmed open by itself at a time, or not by itself any more.

    Raises ``EventRefusal`` (``not_organiser``, ``no_such_round``, ``not_fixed``, ``released``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        row = locked.round(round_number)
        if row.state != Round.State.FIXED:
            raise EventRefusal("not_fixed" if row.state == Round.State.DRAWN else "released")
        row.opens_at = opens_at
        row.save(update_fields=["opens_at"])
        after = {"round": round_number, "opens_at": opens_at.isoformat() if opens_at else None}
        locked.log("round_scheduled", by=by, after=after)
        return row


def stop_clock(*, tournament_id: UUID, by: User, round_number: int) -> Round:
    """Stop the clock of a round, or let it go on: what was left is kept.

    Raises ``EventRefusal`` (``not_organiser``, ``no_such_round``, ``not_released``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        row = locked.round(round_number)
        if row.state != Round.State.PLAYING or row.ends_at is None:
            raise EventRefusal("not_released")
        if row.paused_at is None:
            row.paused_at = locked.now
        else:
            row.ends_at += locked.now - row.paused_at
            row.paused_at = None
        row.save(update_fields=["paused_at", "ends_at"])
        kind = "clock_stopped" if row.paused_at else "clock_goes_on"
        locked.log(kind, by=by, after={"round": round_number})
        return row


def give_extra_time(
    *, tournament_id: UUID, by: User, round_number: int, table_number: int, seconds: int
) -> EventTable:
    """Give a table more time. Raises ``EventRefusal`` (``not_organiser``, ``bad_term`` and what finds the table)."""
    check_organiser(by, tournament_id)
    if not 1 <= seconds <= 3600:
        raise EventRefusal("bad_term", "extra time is from 1 second to an hour")
    with locked_tournament(tournament_id) as locked:
        row, table = find_table(locked, round_number, table_number)
        table.extra_seconds += seconds
        table.save(update_fields=["extra_seconds"])
        after = {"round": row.number, "table": table_number, "seconds": table.extra_seconds}
        locked.log("extra_time", by=by, after=after)
        return table


def refresh_out(locked: LockedTournament) -> None:
    """Let entries be out exactly if a knock-out that counts says so."""
    gone = gone_by(knock_outs_of(locked.tournament))
    for entry in locked.entries.values():
        if entry.status == Entry.Status.OUT and entry.number not in gone:
            entry.status = Entry.Status.ENTERED
        elif entry.status == Entry.Status.ENTERED and entry.number in gone:
            entry.status = Entry.Status.OUT
        else:
            continue
        entry.save(update_fields=["status"])


def _check_last(locked: LockedTournament, row: Round) -> None:
    later = Round.objects.filter(tournament=locked.tournament, number__gt=row.number, current__isnull=False)
    if later.exists():
        raise EventRefusal("later_round")


def _draw_of_take(locked: LockedTournament, row: Round) -> Draw:
    """Return the draw that the undone release followed."""
    undone = Action.objects.filter(
        tournament=locked.tournament,
        kind="round_undone",
        before__round=row.number,
        before__take=row.undone,
    ).last()
    if undone is None or undone.before is None:
        raise EventRefusal("nothing_undone")
    return Draw.objects.get(tournament=locked.tournament, number=undone.before["draw"])


def _plan_anew(locked: LockedTournament, row: Round, by: User | None) -> None:
    """After a drop-out or a late entry plan the rest of a planned event anew."""
    tournament = locked.tournament
    if tournament.eliminates or tournament.seating != Tournament.Seating.PLANNED:
        return
    following = (
        Round.objects.filter(tournament=tournament, number=row.number + 1).select_related("draw").first()
    )
    if following is None:
        return
    try:
        check_draw_fits(locked, following)
    except EventRefusal:
        _try_to_draw(locked, by)


def _try_to_draw(locked: LockedTournament, by: User | None) -> None:
    """Draw if there is anybody to draw; what the organiser must decide is left to the organiser."""
    try:
        draw_rounds(locked, by, "")
    except EventRefusal as refusal:
        locked.log("not_drawn", by=by, reason=refusal.code)
