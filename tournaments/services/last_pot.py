"""The pot that is left at the end of a table of 3-Card Loo, shared among its seats (L21)."""

from __future__ import annotations

from clubs.models import User
from tournaments.models import EventTable, Result
from tournaments.rules.entry import split_pot
from tournaments.selectors.field import deals_entered
from tournaments.services.locked import LockedTournament


def share_last_pot(locked: LockedTournament, table: EventTable, by: User | None, reason: str = "") -> None:
    """Write who gets what of the pot that the last deal that counts left, as the result after the deals.

    When it was shared before and comes out otherwise now, because a deal was corrected or struck, the new
    shares are the next version, with the ``reason`` of the change.
    """
    deals = deals_entered(table)
    shares = _shares(table, deals)
    splits = Result.objects.filter(event_table=table, kind=Result.Kind.SPLIT)
    old = splits.order_by("-version").first()
    if shares == (old.scores if old else {}) or (old is None and not any(shares.values())):
        return
    Result.objects.create(
        event_table=table,
        kind=Result.Kind.SPLIT,
        number=old.number if old else deals[-1].number + 1,
        version=old.version + 1 if old else 1,
        players=table.seats,
        scores=shares,
        by=by,
        at=locked.now,
        reason=reason,
    )


def _shares(table: EventTable, deals: list[Result]) -> dict[str, int]:
    """Return the share of every seat, by entry; nothing is left where no deal with a dealer counts."""
    counted = [deal for deal in deals if not deal.struck]
    if not counted or counted[-1].dealer is None:
        return dict.fromkeys(map(str, table.seats), 0)
    left = table.seats.index(counted[-1].dealer) + 1
    shares = split_pot([*table.seats[left:], *table.seats[:left]], counted[-1].pot)
    return {str(player): share for player, share in shares.items()}
