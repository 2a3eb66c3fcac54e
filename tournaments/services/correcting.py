"""Results corrected by the organiser: a new version with its reason, the old ones stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from clubs.models import User
from tournaments.errors import EventRefusal
from tournaments.models import EventTable, Result, Round
from tournaments.selectors.field import deals_entered
from tournaments.services.club_tables import find_table
from tournaments.services.fault_points import fault_point
from tournaments.services.last_pot import share_last_pot
from tournaments.services.locked import LockedTournament, check_organiser, check_reason, locked_tournament
from tournaments.services.sheets import numbers_of, plain_sheet, scored


def correct_deal(
    *,
    tournament_id: UUID,
    by: User,
    round_number: int,
    table_number: int,
    deal: int,
    reason: str,
    sheet: Mapping[str, Any] | None = None,
    scores: Mapping[Any, int] | None = None,
    strike: bool = False,
) -> Result:
    """Correct a result as organiser, also of an online table: a new version, the old ones stay.

    Give a ``sheet`` (at the club), or the ``scores`` themselves, or ``strike`` a deal that does not count. Pots
    that later deals of 3-Card Loo began with stay as they were played. Raises ``EventRefusal`` (``not_organiser``,
    ``reason_missing``, ``no_such_table``, ``no_such_result``, ``round_confirmed``, ``bad_sheet``, ``wrong_players``
    and the rules' codes). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        row, table = find_table(locked, round_number, table_number)
        if row.state == Round.State.CONFIRMED:
            raise EventRefusal("round_confirmed")
        old = Result.objects.filter(event_table=table, number=deal).order_by("-version").first()
        if old is None:
            raise EventRefusal("no_such_result")
        new = _corrected(locked, old, sheet, scores, strike)
        fixed = Result.objects.create(
            event_table=table,
            kind=old.kind,
            number=deal,
            version=old.version + 1,
            dealer=old.dealer,
            players=old.players,
            deal_id=old.deal_id,
            by=by,
            at=locked.now,
            reason=reason,
            **new,
        )
        fault_point("correct.between")
        if _is_over(table):
            share_last_pot(locked, table, by, reason)
        locked.log(
            "corrected",
            by=by,
            reason=reason,
            before={"scores": old.scores, "struck": old.struck, "version": old.version},
            after={
                "round": row.number,
                "table": table.number,
                "deal": deal,
                "scores": fixed.scores,
                "struck": fixed.struck,
            },
        )
        return fixed


def _is_over(table: EventTable) -> bool:
    """Whether all deals of a table are entered, so that its last pot is shared: of fixed rounds, and played to its end."""
    if table.floor is not None:
        return False
    done = (EventTable.State.REPORTED, EventTable.State.DONE)
    return table.state in done or len(deals_entered(table)) >= (table.deals_due or 0)


def _corrected(
    locked: LockedTournament,
    old: Result,
    sheet: Mapping[str, Any] | None,
    scores: Mapping[Any, int] | None,
    strike: bool,
) -> dict[str, Any]:
    """Return the columns of a corrected version."""
    if strike:
        return {"scores": old.scores, "sheet": old.sheet, "pot": old.pot, "struck": True}
    if sheet is not None and old.dealer is not None:
        before = Result.objects.filter(event_table=old.event_table, number=old.number - 1)
        carried = before.order_by("-version").first()
        found, pot = scored(locked, sheet, old.players, old.dealer, carried.pot if carried else 0)
        return {"scores": {str(p): s for p, s in found.items()}, "sheet": plain_sheet(sheet), "pot": pot}
    numbers = numbers_of(scores)
    if set(numbers) != {int(player) for player in old.scores}:
        raise EventRefusal("wrong_players")
    return {"scores": {str(p): s for p, s in numbers.items()}, "sheet": None, "pot": old.pot}
