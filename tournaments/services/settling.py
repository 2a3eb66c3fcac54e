"""Taking over what was played at the site's tables, prompt by a task, in any case by the sweep."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.db.models.functions import Now

from games import selectors as tables
from tournaments.errors import EventRefusal
from tournaments.models import Round, Sitting, Tournament
from tournaments.schedule import ORIGIN_PREFIX, tournament_of
from tournaments.services.attending import close_check_in_of
from tournaments.services.fault_points import fault_point
from tournaments.services.floor import settle_floor
from tournaments.services.locked import STATE, LockedTournament, locked_tournament
from tournaments.services.organising import open_check_in
from tournaments.services.releasing import complete_if_done, release_round
from tournaments.services.sittings import open_sittings, take_whole_table
from tournaments.services.timing import call_time

logger = logging.getLogger(__name__)

SWEEP_SIZE = 50


def settle(*, tournament_id: UUID) -> bool:
    """Take over what the event's tables have played and go on; returns whether anything was there to be done.

    Doing it twice changes nothing. Takes the event's lock, then those of its tables.
    """
    with locked_tournament(tournament_id) as locked:
        before = locked.tournament.version
        row = Round.objects.filter(tournament=locked.tournament, state=Round.State.PLAYING).first()
        if locked.tournament.state != STATE.RUNNING or row is None:
            return False
        if locked.tournament.thresholds:
            settle_floor_round(locked, row)
        elif locked.tournament.online:
            _take_finished(locked, row)
            complete_if_done(locked, row)
        return locked.tournament.version > before


def settle_floor_round(locked: LockedTournament, row: Round) -> None:
    """Go on with an elimination's floor; its round may be over with that."""
    if settle_floor(locked, row):
        fault_point("settle.before_complete")
        complete_if_done(locked, row)


def sweep() -> int:
    """Do whatever is due at any event: lost settlements, rounds that open, check-ins; returns how much was done.

    This is the guarantee behind all signals and tasks. Events that another process works at are left to it.
    """
    done = sum(_guarded(_settle_unlocked, each) for each in _events_with_waiting_tables())
    done += sum(_guarded(_open_round, each) for each in _rounds_due())
    done += sum(_guarded(_call_time, each) for each in _rounds_over())
    return done + sum(_guarded(_check_in_step, each) for each in _check_ins_due())


def _events_with_waiting_tables() -> list[UUID]:
    """Return the events with a sitting that is still open although its table has no deal to play."""
    waiting = tables.tables_waiting_for(ORIGIN_PREFIX).filter(
        pk__in=Sitting.objects.filter(open=True, event_table__round__state=Round.State.PLAYING).values(
            "table"
        )
    )
    found = {tournament_of(origin) for origin in waiting.values_list("origin", flat=True)[:SWEEP_SIZE]}
    return sorted(each for each in found if each is not None)


def _settle_unlocked(tournament_id: UUID) -> bool:
    with locked_tournament(tournament_id, skip_locked=True):
        return settle(tournament_id=tournament_id)


def _rounds_due() -> list[tuple[UUID, int]]:
    """Return the rounds that open by themselves now."""
    rows = Round.objects.filter(state=Round.State.FIXED, opens_at__lte=Now(), tournament__state=STATE.RUNNING)
    return list(rows.values_list("tournament_id", "number")[:SWEEP_SIZE])


def _rounds_over() -> list[tuple[UUID, int]]:
    """Return the rounds whose clock has run out while tables still play (their extra time is looked at later)."""
    rows = Round.objects.filter(
        state=Round.State.PLAYING,
        ends_at__lte=Now(),
        paused_at__isnull=True,
        tournament__state=STATE.RUNNING,
        tournament__thresholds=[],
    )
    return list(rows.values_list("tournament_id", "number")[:SWEEP_SIZE])


def _call_time(due: tuple[UUID, int]) -> bool:
    return bool(call_time(tournament_id=due[0], by=None, round_number=due[1]))


def _open_round(due: tuple[UUID, int]) -> bool:
    """Release a round on time; one that cannot be released is taken off the timetable and noted."""
    tournament_id, number = due
    try:
        release_round(tournament_id=tournament_id, by=None, round_number=number)
        return True
    except EventRefusal as refusal:
        with locked_tournament(tournament_id) as locked:
            Round.objects.filter(tournament_id=tournament_id, number=number).update(opens_at=None)
            locked.log("not_opened", by=None, reason=refusal.code, after={"round": number})
        return False


def _check_ins_due() -> list[tuple[UUID, str]]:
    now = Now()
    opens = Tournament.objects.filter(state=STATE.REGISTRATION, check_in_opens_at__lte=now)
    closes = Tournament.objects.filter(state=STATE.CHECK_IN, check_in_closes_at__lte=now)
    due = [(pk, "open") for pk in opens.values_list("pk", flat=True)[:SWEEP_SIZE]]
    return due + [(pk, "close") for pk in closes.values_list("pk", flat=True)[:SWEEP_SIZE]]


def _check_in_step(due: tuple[UUID, str]) -> bool:
    """Open or close check-in on time. Closing is done again as long as the event has not begun: the waiting list may have come."""
    tournament_id, step = due
    if step == "open":
        open_check_in(tournament_id=tournament_id, by=None)
        return True
    with locked_tournament(tournament_id, skip_locked=True) as locked:
        locked.need(STATE.CHECK_IN)
        return bool(close_check_in_of(locked, None))


Due = TypeVar("Due")


def _guarded(act: Callable[[Due], bool], due: Due) -> bool:
    """Do one thing; a fault there is loud in the log and holds nothing else up."""
    try:
        return act(due)
    except EventRefusal as refusal:
        logger.info("nothing done for event %s: %s", due, refusal)
    except Exception:
        logger.exception("the sweep could not act at event %s", due)
    return False


def _take_finished(locked: LockedTournament, row: Round) -> None:
    for sitting in open_sittings(locked.tournament):
        if sitting.event_table.round_id == row.pk and tables.waits(sitting.table):
            take_whole_table(locked, sitting)
            fault_point("settle.between_tables")
            after = {"round": row.number, "table": sitting.event_table.number}
            locked.log("table_done", by=None, after=after)
