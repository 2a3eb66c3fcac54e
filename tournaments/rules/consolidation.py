"""Breaking and balancing tables while players leave, never in mid-deal.

``consolidate`` is called after every deal with all tables as they are. It does whatever
can be done now and names the tables that must wait; what needs a table in mid-deal is
done by the call after that deal. The numbered rules are in ``docs/fairness.md``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from tournaments.rules import rotation
from tournaments.rules.errors import BadEvent
from tournaments.rules.meetings import Pair
from tournaments.rules.rotation import DealTable

Tables = dict[int, DealTable]


@dataclass(frozen=True)
class FloorRules:
    """Sizes of an elimination: ``ideal`` and ``seats`` a table, ``minimum`` of the game, ``final`` table."""

    ideal: int
    seats: int
    minimum: int = 2
    final: int = 0

    def __post_init__(self) -> None:
        if not 2 <= self.minimum <= self.ideal <= self.seats or not 0 <= self.final <= self.seats:
            detail = "minimum, ideal size and seats must be in order, and the final table must have its seats"
            raise BadEvent("bad_floor", detail)


@dataclass(frozen=True)
class Move:
    """A player changes tables; ``kind`` is "break", "balance", "enter" or "final" (seats count from 0)."""

    kind: str
    player: int
    source: int | None
    target: int
    seat: int


@dataclass(frozen=True)
class Consolidated:
    """The tables afterwards, the moves in order, the tables closed and those that must wait."""

    tables: Tables
    moves: tuple[Move, ...]
    closed: tuple[int, ...]
    held: frozenset[int]


@dataclass
class _Floor:
    """The tables while moves are being made."""

    tables: Tables
    rules: FloorRules
    moved: dict[int, int]
    met: Mapping[Pair, int]
    rng: Random
    moves: list[Move] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)

    def size(self, number: int) -> int:
        """Return how many sit at a table or are promised a seat there."""
        table = self.tables[number]
        return len(table.players) + len(table.entering)

    def sizes(self) -> dict[int, int]:
        """Return all sizes."""
        return {number: self.size(number) for number in sorted(self.tables)}

    def new_repeats(self, player: int, target: int, leaving: frozenset[int] = frozenset()) -> int:
        """Return how many at the table the player has met before."""
        others = [other for other in self.tables[target].players if other not in leaving]
        return sum(self.met.get((min(player, other), max(player, other)), 0) > 0 for other in others)

    def move(self, kind: str, player: int, source: int | None, target: int, seat: int, *, due: bool) -> None:
        """Record a move and seat the player at the target."""
        if kind == "enter":
            self.tables[target] = rotation.enter(self.tables[target], player, seat)
        else:
            self.tables[target] = rotation.move_in(self.tables[target], player, seat, due=due)
            self.moved[player] = self.moved.get(player, 0) + 1
        self.moves.append(Move(kind, player, source, target, seat))


def consolidate(
    tables: Mapping[int, DealTable],
    rules: FloorRules,
    *,
    break_order: Sequence[int],
    moved: Mapping[int, int],
    met: Mapping[Pair, int],
    rng: Random,
    waiting: Sequence[int] = (),
    near_cut: bool = False,
) -> Consolidated:
    """Seat those who wait, make the final table, break and balance as the rules demand.

    ``break_order`` is the published order; ``moved`` how often everybody has moved,
    ``met`` how often pairs have sat together; ``waiting`` who has no table yet, in order
    (those without a move in the answer wait on).
    """
    floor = _Floor(dict(tables), rules, dict(moved), met, rng)
    for number in [n for n, table in floor.tables.items() if not table.players and not table.entering]:
        _close(floor, number)
    live = sum(floor.sizes().values()) + len(waiting)
    if live <= rules.final and (len(floor.tables) > 1 or waiting):
        return _final_table(floor, waiting)
    to_break = _to_break(floor, break_order, live)
    _seat_waiting(floor, waiting, to_break)
    if _break_tables(floor, to_break):
        _balance(floor, near_cut)
        _rescue_short_tables(floor)
    return Consolidated(floor.tables, tuple(floor.moves), tuple(floor.closed), _held(floor))


def deal_for_deal(deals: Mapping[int, int], tables: Mapping[int, DealTable]) -> frozenset[int]:
    """Return the tables that may start a deal near a cut: those that have dealt no more than any other.

    ``deals`` counts the deals since the tables began to play in step, finished or under way.
    """
    fewest = min((deals.get(number, 0) for number in tables), default=0)
    return frozenset(n for n, table in tables.items() if not table.in_deal and deals.get(n, 0) == fewest)


def _final_table(floor: _Floor, waiting: Sequence[int]) -> Consolidated:
    """Draw all seats of the final table anew once every table is between deals; until then all wait."""
    if any(table.in_deal for table in floor.tables.values()):
        held = frozenset(number for number, table in floor.tables.items() if not table.in_deal)
        return Consolidated(floor.tables, (), tuple(floor.closed), held)
    home = {player: n for n, table in sorted(floor.tables.items()) for player in table.players}
    home |= {player: n for n, table in sorted(floor.tables.items()) for player, _ in table.entering}
    players = sorted({*home, *waiting})
    number = min(floor.tables, default=1)
    for other in sorted(floor.tables):
        if other != number:
            floor.closed.append(other)
    floor.rng.shuffle(players)
    table = rotation.open_table(players, seats=floor.rules.seats)
    moves = tuple(
        Move("final", player, home.get(player), number, seat) for seat, player in enumerate(players)
    )
    return Consolidated({number: table}, moves, tuple(floor.closed), frozenset())


def _to_break(floor: _Floor, break_order: Sequence[int], live: int) -> list[int]:
    """Return the tables to close, in the published order, while ``live`` players fit in one fewer."""
    order = [number for number in break_order if number in floor.tables]
    order += [number for number in sorted(floor.tables, reverse=True) if number not in order]
    needed = max(1, -(-live // floor.rules.ideal))
    return order[: max(0, len(order) - needed)]


def _seat_waiting(floor: _Floor, waiting: Sequence[int], to_break: Sequence[int]) -> None:
    """Promise those who wait a seat at the smallest tables, before anybody from a closed table gets one."""
    for player in waiting:
        sizes = {n: s for n, s in floor.sizes().items() if floor.tables[n].free_seats and n not in to_break}
        if not sizes:
            return
        target = min(sizes, key=lambda n: (sizes[n], floor.new_repeats(player, n), floor.rng.random()))
        seat = floor.rng.choice(floor.tables[target].free_seats)
        floor.move("enter", player, None, target, seat, due=False)


def _break_tables(floor: _Floor, to_break: Sequence[int]) -> bool:
    """Close the tables in turn; return whether none has to wait for the end of its deal."""
    for number in to_break:
        if floor.tables[number].in_deal:
            return False
        _break(floor, number)
    return True


def _break(floor: _Floor, number: int) -> None:
    """Close a table: its players draw seats at the smallest tables (seats shuffled, then players shuffled)."""
    table = floor.tables[number]
    players = [*table.players, *(player for player, _ in table.entering)]
    _close(floor, number)
    sizes = floor.sizes()
    free = {n: floor.rng.sample(other.free_seats, len(other.free_seats)) for n, other in floor.tables.items()}
    seats: list[tuple[int, int]] = []
    for _ in players:
        target = min((n for n in sizes if free[n]), key=lambda n: (sizes[n], floor.rng.random()))
        seats.append((target, free[target].pop()))
        sizes[target] += 1
    floor.rng.shuffle(seats)
    floor.rng.shuffle(players)
    for player, (target, seat) in zip(players, seats, strict=True):
        due = player in table.due or player not in table.players
        floor.move("break", player, number, target, seat, due=due)
        if player in table.leaving:
            floor.tables[target] = rotation.leave(floor.tables[target], player)


def _close(floor: _Floor, number: int) -> None:
    del floor.tables[number]
    floor.closed.append(number)


def _balance(floor: _Floor, near_cut: bool) -> None:
    """Move players from the largest tables to the smallest until sizes are within the tolerance.

    The mover is the player who deals next; he gets the free place whose deal comes
    soonest. Of several such moves: fewest moves so far, soonest deal, fewest new repeats, lot.
    """
    while len(floor.tables) > 1:
        sizes = floor.sizes()
        largest, smallest = max(sizes.values()), min(sizes.values())
        if largest - smallest <= tolerance(len(sizes), near_cut):
            return
        choices = [
            choice
            for source in sizes
            if sizes[source] == largest and (player := _mover(floor.tables[source])) is not None
            for target in sizes
            if sizes[target] == smallest
            for choice in [_choice(floor, player, source, target)]
        ]
        if not choices:
            return
        *_, player, source, target, seat = min(choices)
        due = player in floor.tables[source].due
        floor.tables[source] = rotation.take_out(floor.tables[source], player)
        floor.move("balance", player, source, target, seat, due=due)


def tolerance(tables: int, near_cut: bool) -> int:
    """Return by how much sizes may differ: 2, but 1 with two tables left or near a cut."""
    return 1 if tables == 2 or near_cut else 2


def _mover(table: DealTable) -> int | None:
    """Return who deals next at a table between deals, passing over those who are leaving anyway.

    When everybody still due is leaving, that is who will begin the next orbit: a table
    must not stay too large because one who goes has the last deal.
    """
    if table.in_deal:
        return None
    order = (*rotation.deal_order(table), *rotation.next_orbit_order(table))
    return next((player for player in order if player not in table.leaving), None)


def _choice(
    floor: _Floor, player: int, source: int, target: int
) -> tuple[int, int, int, float, int, int, int, int]:
    """Return a move with its price in front: moves so far, wait for the deal, new repeats, lot."""
    table = floor.tables[target]
    seat = rotation.soonest_seats(table)[0]
    moved_in = rotation.move_in(table, player, seat, due=player in floor.tables[source].due)
    order = (*rotation.deal_order(moved_in), *rotation.next_orbit_order(moved_in))
    wait = order.index(player)
    repeats = floor.new_repeats(player, target)
    return (floor.moved.get(player, 0), wait, repeats, floor.rng.random(), player, source, target, seat)


def _rescue_short_tables(floor: _Floor) -> None:
    """Close a table below the game's minimum that no other table can help, if the others have room."""
    for number, size in floor.sizes().items():
        if size >= floor.rules.minimum or len(floor.tables) < 2 or floor.tables[number].in_deal:
            continue
        room = sum(len(table.free_seats) for n, table in floor.tables.items() if n != number)
        if not _help_is_coming(floor, number) and room >= size:
            _break(floor, number)


def _help_is_coming(floor: _Floor, number: int) -> bool:
    """Whether a table in mid-deal will be able to give a player to this one."""
    most = max((floor.size(n) for n, table in floor.tables.items() if table.in_deal), default=0)
    return most - floor.size(number) > 1 and most > floor.rules.minimum


def _held(floor: _Floor) -> frozenset[int]:
    """Return the tables between deals that wait: 3 or more short, or below the minimum with help coming."""
    sizes = floor.sizes()
    largest = max(sizes.values(), default=0)
    return frozenset(
        number
        for number, size in sizes.items()
        if not floor.tables[number].in_deal
        and (largest - size >= 3 or (size < floor.rules.minimum and _help_is_coming(floor, number)))
    )
