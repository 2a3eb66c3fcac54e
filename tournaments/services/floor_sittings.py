"""The site's tables under an elimination's floor: they go on from deal to deal, or another one opens for new company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.models import EventTable, Sitting
from tournaments.rules import rotation
from tournaments.rules.rotation import DealTable
from tournaments.services.fault_points import fault_point
from tournaments.services.locked import LockedTournament
from tournaments.services.sittings import close_sitting, go_on, open_sitting


def deal_again(sitting: Sitting, table: DealTable) -> None:
    """Have a void deal dealt again by the same dealer (S11)."""
    dealer = table.seats[table.dealer]
    assert dealer is not None, "a deal that was played has a dealer"
    at_table = [player for player in sitting.seats if player in table.players]
    go_on(
        sitting,
        dealer=dealer if dealer in at_table else at_table[-1],
        out=[player for player in sitting.seats if player not in table.players],
    )


def deal_next(
    locked: LockedTournament,
    row: EventTable,
    sitting: Sitting | None,
    table: DealTable,
    deal: rotation.NextDeal,
    totals: Mapping[int, int],
) -> Sitting:
    """Let the table of the site go on with ``deal``, or open another one, with the ``totals``, when somebody has come to sit here."""
    dealt_to = list(deal.dealt_to)
    dealer = deal.dealer if deal.dealer in dealt_to else _right_of(table, deal)
    if sitting is not None and _can_go_on(sitting, dealt_to):
        go_on(sitting, dealer=dealer, out=[p for p in sitting.seats if p not in dealt_to])
        return sitting
    if sitting is not None:
        close_sitting(sitting)
        fault_point("floor.between_sittings")
    brought = {player: totals.get(player, 0) for player in dealt_to}
    return open_sitting(locked, row, dealt_to, first_dealer=dealer, brought=brought)


def _can_go_on(sitting: Sitting, dealt_to: Sequence[int]) -> bool:
    """Whether the table of the site still has a seat, in the same order, for everybody who is dealt in."""
    kept = [player for player in sitting.seats if player in dealt_to]
    gone = set(sitting.seats) - set(dealt_to)
    returned = set(sitting.table.seats.filter(out=True).values_list("number", flat=True))
    back = {player for seat, player in enumerate(sitting.seats, 1) if seat in returned} - gone
    return sorted(kept) == sorted(dealt_to) and kept == _turned(dealt_to, kept) and not back


def _turned(order: Sequence[int], kept: Sequence[int]) -> list[int]:
    """Return ``order`` round the table from where ``kept`` begins."""
    if not kept or kept[0] not in order:
        return list(order)
    at = list(order).index(kept[0])
    return [*order[at:], *order[:at]]


def _right_of(table: DealTable, deal: rotation.NextDeal) -> int:
    """Return who deals in the game's eyes for one who leaves now: the neighbour on the right, so that the same seat starts."""
    seat = table.seats.index(deal.dealer)
    n = len(table.seats)
    around = (table.seats[(seat - step) % n] for step in range(1, n))
    return next(player for player in around if player in deal.dealt_to)
