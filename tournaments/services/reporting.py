"""Results of tables at the club: entered deal by deal or as a whole, confirmed by a second player, disputed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from clubs.models import User
from tournaments.errors import EventRefusal
from tournaments.models import EventTable, Result, Round
from tournaments.rules.floor import load_table
from tournaments.selectors.field import deals_entered
from tournaments.services.club_tables import find_table, table_for_entry
from tournaments.services.fault_points import fault_point
from tournaments.services.floor import enter_floor_deal, settle_floor
from tournaments.services.last_pot import share_last_pot
from tournaments.services.locked import (
    LockedTournament,
    check_organiser,
    check_reason,
    is_organiser,
    locked_tournament,
)
from tournaments.services.releasing import complete_if_done
from tournaments.services.sheets import check_whole, plain_sheet, scored

T = EventTable.State


def enter_deal(
    *,
    tournament_id: UUID,
    by: User,
    round_number: int,
    table_number: int,
    deal: int,
    sheet: Mapping[str, Any],
) -> Result:
    """Enter the next deal of a table at the club, by a player of the table or the organiser.

    ``sheet`` of Least Score: ``{"totals": {entry: total}, "declarer": entry or None}``; of 3-Card Loo:
    ``{"playing": [entries], "tricks": {entry: n}, "miss": entry or None, "defended": bool}``. Entry numbers may be
    text. The scores follow from the rules. Raises ``EventRefusal`` (``not_at_table``, ``no_such_table``,
    ``online_table``, ``not_released``, ``table_done``, ``disputed``, ``wrong_deal``, ``all_deals_entered``, ``bad_sheet``,
    ``wrong_players`` and the rules' codes). Takes the event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        row, table = table_for_entry(locked, by, round_number, table_number)
        if table.floor is not None and table.state == T.DISPUTED:
            raise EventRefusal("disputed")  # Who is still in may depend on it.
        done = deals_entered(table)
        if deal != len(done) + 1:
            raise EventRefusal("wrong_deal", f"deal {len(done) + 1} is next")
        if table.deals_due is not None and len(done) >= table.deals_due:
            raise EventRefusal("all_deals_entered")
        dealer, players = _who_deals(table, done)
        scores, pot = scored(locked, sheet, players, dealer, done[-1].pot if done else 0)
        result = _store(locked, table, deal, by, players, dealer, scores, pot, sheet)
        fault_point("entry.between")
        _log_entry(locked, by, row, table, result)
        _after_deal(locked, row, table, by, scores)
        return result


def enter_whole(
    *, tournament_id: UUID, by: User, round_number: int, table_number: int, scores: Mapping[Any, int]
) -> Result:
    """Enter a whole round of a table at once: everybody's points or net stakes, in an event of fixed rounds.

    Raises what ``enter_deal`` raises, ``whole_only_in_rounds`` and ``bad_whole``. Takes the event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        row, table = table_for_entry(locked, by, round_number, table_number)
        if locked.tournament.thresholds:
            raise EventRefusal("whole_only_in_rounds")
        if deals_entered(table) or Result.objects.filter(event_table=table).exists():
            raise EventRefusal("wrong_deal")
        numbers = check_whole(locked.tournament.game, table.seats, scores)
        result = _store(locked, table, 0, by, table.seats, None, numbers, 0, None, kind=Result.Kind.WHOLE)
        _log_entry(locked, by, row, table, result)
        _report(table, by, is_organiser(by, tournament_id))
        complete_if_done(locked, row)
        return result


def confirm_table(*, tournament_id: UUID, by: User, round_number: int, table_number: int) -> EventTable:
    """Confirm a table's results as a second player of it, or as organiser, who alone decides a dispute.

    Raises ``EventRefusal`` (``not_at_table``, ``not_reported``, ``disputed``, ``own_entry`` and what finds the table). Takes the
    event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        row, table = table_for_entry(locked, by, round_number, table_number)
        if not _all_entered(table):
            raise EventRefusal("not_reported")
        _check_undisputed(locked, table, by)
        if table.reported_by_id == by.pk and not is_organiser(by, tournament_id):
            raise EventRefusal("own_entry")
        table.state, table.confirmed_by, table.dispute = T.DONE, by, ""
        table.save(update_fields=["state", "confirmed_by", "dispute"])
        after = {"round": row.number, "table": table.number}
        locked.log("table_confirmed", by=by, after=after)
        complete_if_done(locked, row)
        return table


def dispute_table(
    *, tournament_id: UUID, by: User, round_number: int, table_number: int, reason: str
) -> EventTable:
    """Dispute a table's results, as a player of it; the organiser decides.

    Raises ``EventRefusal`` (``reason_missing``, ``not_at_table``, ``not_reported``). Takes the event's lock.
    """
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        row, table = table_for_entry(locked, by, round_number, table_number)
        if not Result.objects.filter(event_table=table).exists():
            raise EventRefusal("not_reported")
        table.state, table.dispute = T.DISPUTED, reason
        table.save(update_fields=["state", "dispute"])
        after = {"round": row.number, "table": table.number}
        locked.log("table_disputed", by=by, reason=reason, after=after)
        return table


def resolve_dispute(
    *, tournament_id: UUID, by: User, round_number: int, table_number: int, reason: str
) -> EventTable:
    """Decide a dispute as organiser, after any correction: the results stand, and a table of an elimination plays on.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``no_such_table``, ``not_disputed``). Takes the
    event's lock.
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        row, table = find_table(locked, round_number, table_number)
        if table.state != T.DISPUTED:
            raise EventRefusal("not_disputed")
        before = table.dispute
        table.state, table.dispute = (T.DONE if _all_entered(table) else T.PLAYING), ""
        table.save(update_fields=["state", "dispute"])
        after = {"round": row.number, "table": table.number}
        locked.log("dispute_resolved", by=by, reason=reason, before=before, after=after)
        if table.floor is not None:
            settle_floor(locked, row)
        complete_if_done(locked, row)
        return table


def _all_entered(table: EventTable) -> bool:
    """Whether all deals of a table of fixed rounds are entered, or the round as a whole."""
    if table.floor is not None:
        return False
    whole = Result.objects.filter(event_table=table, kind=Result.Kind.WHOLE).exists()
    return whole or len(deals_entered(table)) >= (table.deals_due or 0)


def _who_deals(table: EventTable, done: Sequence[Result]) -> tuple[int, list[int]]:
    """Return the dealer of the table's next deal and who is dealt in."""
    if table.floor is None:
        return table.seats[len(done) % len(table.seats)], list(table.seats)
    floor = load_table(table.floor)
    if not floor.in_deal:
        raise EventRefusal("table_waits")
    dealer = floor.seats[floor.dealer]
    assert dealer is not None, "a deal that is played has a dealer"
    # Who got cards was settled when the deal began: one who announces to leave now plays it.
    return dealer, list((table.floor or {}).get("dealt_to", floor.players))


def _store(
    locked: LockedTournament,
    table: EventTable,
    number: int,
    by: User | None,
    players: Sequence[int],
    dealer: int | None,
    scores: Mapping[int, int],
    pot: int,
    sheet: Mapping[str, Any] | None,
    kind: str = Result.Kind.DEAL,
) -> Result:
    return Result.objects.create(
        event_table=table,
        kind=kind,
        number=number,
        dealer=dealer,
        players=list(players),
        scores={str(player): score for player, score in scores.items()},
        sheet=None if sheet is None else plain_sheet(sheet),
        pot=pot,
        by=by,
        at=locked.now,
    )


def _after_deal(
    locked: LockedTournament, row: Round, table: EventTable, by: User, scores: Mapping[int, int]
) -> None:
    """Go on after a deal: the floor of an elimination, or the end of a table of fixed rounds."""
    if table.floor is not None:
        if enter_floor_deal(locked, row, table, scores):
            complete_if_done(locked, row)
        return
    done = deals_entered(table)
    if table.deals_due is None or len(done) < table.deals_due:
        return
    share_last_pot(locked, table, by)
    _report(table, by, is_organiser(by, locked.tournament.pk))
    complete_if_done(locked, row)


def _check_undisputed(locked: LockedTournament, table: EventTable, by: User) -> None:
    """Raise ``EventRefusal("disputed")`` when the results are disputed, whose player does not want to be outvoted."""
    if table.state == T.DISPUTED and not is_organiser(by, locked.tournament.pk):
        raise EventRefusal("disputed")


def _report(table: EventTable, by: User, final: bool) -> None:
    """Note that all of a table is entered; what the organiser entered needs no second player. A dispute stays one."""
    if table.state != T.DISPUTED:
        table.state = T.DONE if final else T.REPORTED
    table.reported_by = by
    table.save(update_fields=["state", "reported_by"])


def _log_entry(locked: LockedTournament, by: User, row: Round, table: EventTable, result: Result) -> None:
    after = {
        "round": row.number,
        "table": table.number,
        "deal": result.number,
        "scores": result.scores,
    }
    locked.log("result_entered", by=by, after=after)
