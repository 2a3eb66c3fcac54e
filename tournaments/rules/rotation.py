"""The deal goes round: who deals next at a table, with leavers, newcomers and knock-outs.

A table has fixed seats, numbered from 0 to the left, some of them empty. An orbit is one
deal by everybody who is due in it. The deal moves to the next seat on the left whose
player is due; when nobody is due the orbit is complete and everybody at the table is due
again. So nobody is passed over and nobody deals twice in one orbit, whatever happens.

All functions return a new table; a table never changes. ``begin_deal`` and ``finish_deal``
bracket every deal; nobody is taken off a table in between.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from tournaments.rules.errors import BadEvent


@dataclass(frozen=True)
class DealTable:
    """The dealer's side of a table.

    ``seats[s]`` is the player in seat s or ``None``; ``dealer`` the seat of the last
    dealer (-1 before the first deal: the deal starts at seat 0); ``due`` who still
    deals in this orbit; ``leaving`` who goes at his next own deal; ``entering`` who sits
    down (in that seat) when the orbit is complete; ``orbits`` how many are complete;
    ``in_deal`` whether a deal is being played.
    """

    seats: tuple[int | None, ...]
    dealer: int = -1
    due: frozenset[int] = frozenset()
    leaving: frozenset[int] = frozenset()
    entering: tuple[tuple[int, int], ...] = ()
    orbits: int = 0
    in_deal: bool = False

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody in a seat, in seat order."""
        return tuple(player for player in self.seats if player is not None)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """Seats that are empty and not promised to somebody entering."""
        promised = {seat for _, seat in self.entering}
        return tuple(s for s, player in enumerate(self.seats) if player is None and s not in promised)


class NextDeal(NamedTuple):
    """The deal to be played: its dealer and who gets cards (a leaver pays his deal but gets none)."""

    dealer: int
    dealt_to: tuple[int, ...]


class DealSeen(NamedTuple):
    """A deal that was played: its dealer and everybody at the table, as the ledger of deals counts it."""

    dealer: int
    players: tuple[int, ...]


def open_table(
    players: Sequence[int], *, first_dealer: int | None = None, seats: int | None = None
) -> DealTable:
    """Seat ``players`` in order at a table of ``seats`` seats; the first player (or ``first_dealer``) deals first."""
    if len(set(players)) < len(players) or not players:
        raise BadEvent("bad_table", "a table needs players, each of them once")
    empty = (None,) * max(0, (seats or 0) - len(players))
    start = 0 if first_dealer is None else _seat_of(tuple(players), first_dealer)
    return DealTable((*players, *empty), dealer=start - 1, due=frozenset(players))


def next_deal(table: DealTable) -> NextDeal | None:
    """Return the next deal, or ``None`` when fewer than two players are left to play it."""
    dealer = next_dealer(table)
    if dealer is None:
        return None
    dealt_to = tuple(p for p in table.players if not (p == dealer and p in table.leaving))
    return NextDeal(dealer, dealt_to) if len(dealt_to) >= 2 else None


def next_dealer(table: DealTable) -> int | None:
    """Return who deals next, or ``None`` at an empty table."""
    order = deal_order(table)
    return order[0] if order else None


def deal_order(table: DealTable) -> tuple[int, ...]:
    """Return those who are due in the order in which they will deal."""
    n = len(table.seats)
    around = (table.seats[(table.dealer + step) % n] for step in range(1, n + 1))
    return tuple(player for player in around if player in table.due and player is not None)


def next_orbit_order(table: DealTable) -> tuple[int, ...]:
    """Return everybody at the table in the order in which they will deal in the orbit after this one."""
    due = deal_order(table)
    last = _seat_of(table.seats, due[-1]) if due else table.dealer
    n = len(table.seats)
    around = (table.seats[(last + step) % n] for step in range(1, n + 1))
    return tuple(player for player in around if player is not None)


def begin_deal(table: DealTable) -> DealTable:
    """Return the table with its next deal under way; raises ``BadEvent`` when there is none."""
    _check_between(table)
    deal = next_deal(table)
    if deal is None:
        raise BadEvent("no_deal", "fewer than two players are left to play a deal at this table")
    return replace(
        table, dealer=_seat_of(table.seats, deal.dealer), due=table.due - {deal.dealer}, in_deal=True
    )


def finish_deal(table: DealTable, *, knocked_out: Iterable[int] = ()) -> DealTable:
    """Return the table after its deal: a leaving dealer and the knocked out are gone.

    When the orbit is complete those entering sit down and everybody is due again.
    """
    if not table.in_deal:
        raise BadEvent("no_deal", "no deal is being played at this table")
    dealer = table.seats[table.dealer]
    gone = set(knocked_out) | ({dealer} & table.leaving)
    table = replace(table, in_deal=False)
    for player in sorted(player for player in gone if player is not None):
        table = remove(table, player)
    return _complete(table)


def leave(table: DealTable, player: int) -> DealTable:
    """Let a player leave at his own next deal: he pays it and gets no cards; until then his seat is played."""
    if player not in table.players:
        raise BadEvent("not_at_table", f"player {player} does not sit at this table")
    return replace(table, leaving=table.leaving | {player})


def let_leavers_go(table: DealTable) -> DealTable:
    """Return the table without its leavers when too few others are left to play their last deals."""
    if table.in_deal or next_deal(table) is not None:
        return table
    for player in sorted(table.leaving):
        table = remove(table, player)
    return _complete(table)


def remove(table: DealTable, player: int) -> DealTable:
    """Take a player off the table now, between two deals: knocked out, or moved to another table."""
    _check_between(table)
    seat = _seat_of(table.seats, player)
    seats = tuple(None if s == seat else other for s, other in enumerate(table.seats))
    return replace(table, seats=seats, due=table.due - {player}, leaving=table.leaving - {player})


def take_out(table: DealTable, player: int) -> DealTable:
    """As ``remove``, and close the orbit if the player was the last one due."""
    return _complete(remove(table, player))


def enter(table: DealTable, player: int, seat: int) -> DealTable:
    """Promise a newcomer a free seat; he sits down between two orbits (at once if none has begun)."""
    _check_free(table, player, seat)
    return _complete(replace(table, entering=(*table.entering, (player, seat))))


def move_in(table: DealTable, player: int, seat: int, *, due: bool) -> DealTable:
    """Seat a player who comes from another table at once; ``due`` says whether he still deals in his orbit.

    One who has dealt in the orbit of his old table waits for the next orbit here (if one
    has begun), one who has not deals in this one: nobody skips or doubles a deal by moving.
    A player who comes in mid-deal is dealt in from the next deal on.
    """
    _check_free(table, player, seat)
    due = due or at_orbit_end(table)
    seats = tuple(player if s == seat else other for s, other in enumerate(table.seats))
    return replace(table, seats=seats, due=table.due | {player} if due else table.due)


def soonest_seats(table: DealTable) -> tuple[int, ...]:
    """Return the free seats in the order in which the deal comes to them."""
    free = set(table.free_seats)
    n = len(table.seats)
    around = ((table.dealer + step) % n for step in range(1, n + 1))
    return tuple(seat for seat in around if seat in free)


def at_orbit_end(table: DealTable) -> bool:
    """Whether the last orbit is complete and no deal of the next has been played."""
    return not table.in_deal and table.due == frozenset(table.players)


def deals_and_owed(deals: Iterable[DealSeen]) -> dict[int, tuple[int, Fraction]]:
    """Return for every player the deals he dealt and those he owed: 1/n of each deal of n players."""
    ledger: dict[int, tuple[int, Fraction]] = {}
    for deal in deals:
        for player in deal.players:
            dealt, owed = ledger.get(player, (0, Fraction(0)))
            ledger[player] = (dealt + (player == deal.dealer), owed + Fraction(1, len(deal.players)))
    return ledger


def _complete(table: DealTable) -> DealTable:
    """Begin the next orbit if nobody is due, or seat newcomers if none has begun."""
    fresh = at_orbit_end(table)
    if table.in_deal or (table.due and not fresh):
        return table
    seats = list(table.seats)
    for player, seat in table.entering:
        seats[seat] = player
    everybody = frozenset(player for player in seats if player is not None)
    orbits = table.orbits + (not table.due and not fresh)
    return replace(table, seats=tuple(seats), due=everybody, entering=(), orbits=orbits)


def _check_between(table: DealTable) -> None:
    """Refuse what may not happen in mid-deal; raises ``BadEvent``."""
    if table.in_deal:
        raise BadEvent("mid_deal", "a deal is being played at this table; wait until it is over")


def _check_free(table: DealTable, player: int, seat: int) -> None:
    """Refuse a taken seat or a player who is here already; raises ``BadEvent``."""
    if seat not in table.free_seats:
        raise BadEvent("seat_taken", f"seat {seat} is not free")
    if player in table.players or player in {p for p, _ in table.entering}:
        raise BadEvent("already_here", f"player {player} already has a seat at this table")


def _seat_of(seats: Sequence[int | None], player: int) -> int:
    """Return the seat of a player; raises ``BadEvent``."""
    if player not in seats:
        raise BadEvent("not_at_table", f"player {player} does not sit at this table")
    return seats.index(player)
