"""Releasing a round: its tables open, players are told. Taking a release back."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from clubs.models import User
from tournaments import stakes
from tournaments.errors import EventRefusal
from tournaments.models import EventTable, Result, Round
from tournaments.rules import rotation
from tournaments.rules.floor import dump_table
from tournaments.selectors.field import players_in, results_of, tables_of, totals_of
from tournaments.services.fault_points import fault_point
from tournaments.services.locked import (
    STATE,
    LockedTournament,
    check_organiser,
    check_reason,
    locked_tournament,
)
from tournaments.services.reminding import settle_tables, tell_tables
from tournaments.services.sittings import close_sitting, open_sitting, open_sittings


def release_round(*, tournament_id: UUID, by: User | None, round_number: int) -> Round:
    """Release a round: online its tables open, each with the dealer that was drawn; at the club cards can be printed.

    Raises ``EventRefusal`` (``not_organiser``, ``not_now``, ``no_such_round``, ``not_fixed``,
    ``unconfirmed``, ``field_changed``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        row = locked.round(round_number)
        _check_releasable(locked, row)
        release(locked, row, by)
        return row


def release(locked: LockedTournament, row: Round, by: User | None) -> None:
    """As ``release_round``, under the lock that is held and with everything checked."""
    tournament = locked.tournament
    row.take += 1
    row.current, row.state, row.opens_at, row.paused_at = row.take, Round.State.PLAYING, None, None
    row.released_at = locked.now
    minutes = tournament.round_minutes
    row.ends_at = locked.now + dt.timedelta(minutes=minutes) if minutes else None
    row.waiting, row.moved, row.in_step, row.near_cut = [], {}, {}, False
    row.save()
    fault_point("release.after_round")
    moved = []
    if tournament.event_chips:
        seated = [locked.entries[player] for table in row.drawn_tables for player in table]
        moved = stakes.issue_event_chips(tournament, seated, locked.next_action)
    totals = totals_of(results_of(tournament)) if tournament.thresholds else {}
    for number, seats in enumerate(row.drawn_tables, 1):
        _open_table(locked, row, number, seats, totals)
        fault_point("release.between_tables")
    after = {"round": row.number, "take": row.take, "tables": row.drawn_tables, "draw": row.draw.number}
    locked.log("released", by=by, after=after, moved=moved)
    tell_tables(locked, row)


def unrelease_round(*, tournament_id: UUID, by: User, round_number: int, reason: str) -> Round:
    """Take a release back as long as no result is there: online tables close, the draw can be changed again.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``no_such_round``,
    ``not_released``, ``results_there``). Takes the event's lock, then those of its tables.
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        row = locked.round(round_number)
        if row.state != Round.State.PLAYING:
            raise EventRefusal("not_released")
        if Result.objects.filter(event_table__round=row, event_table__take=row.live_take).exists():
            raise EventRefusal("results_there")
        withdraw_release(locked, row)
        fault_point("unrelease.between")
        moved = redeem_chips(locked)
        after = {"round": round_number, "take": row.take}
        locked.log("unreleased", by=by, reason=reason, after=after, moved=moved)
        return row


def withdraw_release(locked: LockedTournament, row: Round) -> None:
    """Close the tables of a release and let the round be as drawn; what was played stays in its versions."""
    close_open_tables(locked)
    settle_tables(row)
    for table in tables_of(row):
        if table.state != EventTable.State.DONE:
            table.state = EventTable.State.VOID
            table.save(update_fields=["state"])
    row.undone, row.current, row.state = row.current, None, Round.State.DRAWN
    row.ends_at = row.paused_at = row.confirmed_at = None
    row.save()


def close_open_tables(locked: LockedTournament) -> None:
    """Close every table of the site at which the event is still played."""
    for sitting in open_sittings(locked.tournament):
        close_sitting(sitting)


def complete_if_done(locked: LockedTournament, row: Round) -> bool:
    """Note that a round is complete once all its tables are done; returns whether it is."""
    states = {table.state for table in tables_of(row)}
    if row.state != Round.State.PLAYING or states - {EventTable.State.DONE}:
        return False
    row.state = Round.State.COMPLETE
    row.save(update_fields=["state"])
    settle_tables(row)
    moved = redeem_chips(locked)
    locked.log("round_complete", by=None, after={"round": row.number}, moved=moved)
    return True


def redeem_chips(locked: LockedTournament) -> list[dict[str, object]]:
    """Take the event's own chips back from everybody, if it has any; returns what was moved."""
    if not locked.tournament.event_chips:
        return []
    return stakes.redeem_event_chips(locked.tournament, list(locked.entries.values()), locked.next_action)


def _check_releasable(locked: LockedTournament, row: Round) -> None:
    if row.state != Round.State.FIXED:
        raise EventRefusal("not_fixed" if row.state == Round.State.DRAWN else "released")
    earlier = Round.objects.filter(tournament=locked.tournament, number__lt=row.number)
    if earlier.exclude(state=Round.State.CONFIRMED).exists():
        raise EventRefusal("unconfirmed")
    drawn = sorted([player for table in row.drawn_tables for player in table] + row.sitting_out)
    if drawn != sorted(players_in(locked.tournament, locked.entries.values(), row.number)):
        raise EventRefusal("field_changed")


def _open_table(
    locked: LockedTournament, row: Round, number: int, seats: list[int], totals: dict[int, int]
) -> None:
    """Open one table of a round; seat 1 deals first, as drawn."""
    tournament = locked.tournament
    floor = None
    if tournament.thresholds and tournament.eliminates:
        dealing = rotation.begin_deal(rotation.open_table(seats, seats=max(tournament.size_max, len(seats))))
        floor = {**dump_table(dealing), "dealt_to": seats}
    table = EventTable.objects.create(
        round=row,
        take=row.take,
        number=number,
        seats=seats,
        deals_due=None if floor else tournament.orbits * len(seats),
        floor=floor,
    )
    fault_point("release.between_table_and_sitting")
    if tournament.online:
        brought = {player: totals.get(player, 0) for player in seats} if floor else None
        open_sitting(locked, table, seats, first_dealer=seats[0], brought=brought)
