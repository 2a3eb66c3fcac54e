"""Swiss rounds: tables inside score bands, repeats avoided over the whole band at once.

Larger tables, if any, go to those who visited them least, so the field falls into one
part at larger and one at smaller tables. In each part the players, best first, are cut
into bands of some tables. A band that cannot be seated without a repeat is joined to a
neighbour as long as that saves repeats; within joined bands players keep to their own
side as far as the repeats allow. Small bands are searched to the end, so that what
is called unavoidable is proved.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

from tournaments.rules.board import APART, Board
from tournaments.rules.errors import BadDraw
from tournaments.rules.exact import cheapest_seating
from tournaments.rules.meetings import Pair, Round
from tournaments.rules.search import Expired, anneal, never
from tournaments.rules.sizes import Sizes

LOTS = 8  # how many choices of who sits at larger tables are tried while repeats remain


@dataclass(frozen=True)
class SwissRound:
    """One round: its tables, how many pairs meet again, and whether the least price was proved.

    ``joined`` lists the bands seated together (numbered from 0 through both parts of the
    field); ``price`` adds 1 for a second meeting, 2 for a third; ``proved`` says that
    no seating of these bands is cheaper.
    """

    tables: Round
    repeats: int
    price: int
    joined: tuple[tuple[int, ...], ...]
    proved: bool
    seed: int


@dataclass(frozen=True)
class _Group:
    """Neighbouring bands seated together; ``tables`` as seated, best band first."""

    bands: tuple[int, ...]
    players: tuple[int, ...]
    tables: tuple[tuple[int, ...], ...]
    price: int
    proved: bool


def order_by_score(cost: Mapping[int, Fraction], rng: Random) -> list[int]:
    """Return the players with the smallest ``cost`` first, equals by lot (not by number or registration)."""
    lot = {player: rng.random() for player in sorted(cost)}
    return sorted(cost, key=lambda player: (cost[player], lot[player]))


def swiss_round(
    ranked: Sequence[int],
    sizes: Sizes,
    *,
    met: Mapping[Pair, int],
    seed: int,
    visits: Mapping[int, int] | None = None,
    tables_per_band: int = 2,
    apart: Iterable[Pair] = (),
    budget: int = 200_000,
    expired: Expired = never,
) -> SwissRound:
    """Seat the players, best first, at tables of ``sizes`` (within 1 of each other).

    ``met`` counts earlier meetings by (smaller, larger) player; ``visits`` earlier visits
    to larger tables; a pair kept ``apart`` costs more than any repeat. ``budget`` is the
    number of swaps priced for a band. Raises ``BadDraw``.
    """
    if sum(sizes) != len(ranked) or len(set(ranked)) < len(ranked) or max(sizes) - min(sizes) > 1:
        raise BadDraw("sizes_impossible", f"tables of {sizes} do not seat {len(ranked)} different players")
    if tables_per_band < 1:
        raise BadDraw("bad_bands", "a band needs at least one table")
    price = dict(met)
    for i, j in apart:
        pair = (min(i, j), max(i, j))
        price[pair] = price.get(pair, 0) + APART
    rng = Random(seed)
    best: SwissRound | None = None
    for _ in range(LOTS if max(sizes) > min(sizes) else 1):
        hall = _Hall(price, rng, budget, expired)
        result = _seat_fields(_split_field(ranked, sizes, visits or {}, rng), tables_per_band, hall, seed)
        if best is None or result.price < best.price:
            best = result
        if best.price == 0:
            break
    assert best is not None
    return best


def _split_field(
    ranked: Sequence[int], sizes: Sizes, visits: Mapping[int, int], rng: Random
) -> list[tuple[list[int], int]]:
    """Return the parts of the field with their table size: those due at larger tables, and the others.

    Of players with equally many visits a run of neighbours in the standings is taken, where by lot.
    """
    large = max(sizes)
    seats = large * sizes.count(large)
    if seats == len(ranked):
        return [(list(ranked), large)]
    chosen: set[int] = set()
    for level in sorted({visits.get(player, 0) for player in ranked}):
        equal = [player for player in ranked if visits.get(player, 0) == level]
        left = seats - len(chosen)
        start = rng.randrange(len(equal) - left + 1) if left < len(equal) else 0
        chosen.update(equal[start : start + left])
        if len(chosen) == seats:
            break
    rest = [player for player in ranked if player not in chosen]
    return [([player for player in ranked if player in chosen], large), (rest, large - 1)]


def _seat_fields(fields: list[tuple[list[int], int]], width: int, hall: "_Hall", seed: int) -> SwissRound:
    """Seat every part of the field in bands of ``width`` tables."""
    tables: list[tuple[int, ...]] = []
    joined: list[tuple[int, ...]] = []
    proved, bands = True, 0
    for players, size in fields:
        step = width * size
        cut = [tuple(players[start : start + step]) for start in range(0, len(players), step)]
        groups = _join([hall.seat((bands + n,), band, size) for n, band in enumerate(cut)], hall, size)
        band_of = {player: bands + n for n, band in enumerate(cut) for player in band}
        bands += len(cut)
        for group in groups:
            tables += hall.keep_sides(group, band_of, width)
            joined.append(group.bands)
            proved = proved and group.proved
    price = sum(hall.table_price(table) for table in tables)
    repeats = sum(hall.price(i, j) % APART > 0 for table in tables for i, j in combinations(table, 2))
    return SwissRound(tuple(tables), repeats, price, tuple(joined), proved, seed)


def _join(groups: list[_Group], hall: "_Hall", size: int) -> list[_Group]:
    """Join neighbours as long as that saves repeats, the pair that saves most first."""
    tried: set[tuple[int, ...]] = set()
    while True:
        best: tuple[int, int, _Group] | None = None
        for n, (a, b) in enumerate(pairwise(groups)):
            if a.price + b.price == 0 or a.bands + b.bands in tried:
                continue
            both = hall.seat(a.bands + b.bands, a.players + b.players, size)
            saved = a.price + b.price - both.price
            if saved <= 0:
                tried.add(both.bands)
            elif best is None or saved > best[0]:
                best = (saved, n, both)
        if best is None:
            return groups
        _, n, both = best
        groups = [*groups[:n], both, *groups[n + 2 :]]


class _Hall:
    """Prices pairs and seats groups of bands as cheaply as possible."""

    def __init__(self, prices: Mapping[Pair, int], rng: Random, budget: int, expired: Expired) -> None:
        self.prices, self.rng, self.budget, self.expired = prices, rng, budget, expired

    def price(self, i: int, j: int) -> int:
        """Return what it costs to seat i and j together: how often they have met."""
        return self.prices.get((min(i, j), max(i, j)), 0)

    def table_price(self, table: Sequence[int]) -> int:
        """Return the price of a table."""
        return sum(self.price(i, j) for i, j in combinations(table, 2))

    def seat(self, bands: tuple[int, ...], players: tuple[int, ...], size: int) -> _Group:
        """Return the cheapest seating found of the players at tables of ``size``."""
        met = [[self.price(i, j) if i != j else 0 for j in players] for i in players]
        count = len(players) // size
        board = Board([(size,) * count], [frozenset()], met, [0] * len(players))
        board.seat_at_random(self.rng)
        start = sum(m * (m - 1) // 2 for n, row in enumerate(met) for m in row[:n])
        found = anneal(board, goal=start, rng=self.rng, budget=self.budget, expired=self.expired)
        board.load(found.rows)
        best, proved = board.members[0], found.price == start
        if not proved:
            better, proved = cheapest_seating(met, size, found.price - start, self.budget // 10)
            best = best if better is None else better
        tables = tuple(tuple(players[p] for p in table) for table in best)
        return _Group(bands, players, tables, sum(map(self.table_price, tables)), proved)

    def keep_sides(self, group: _Group, band_of: Mapping[int, int], width: int) -> list[tuple[int, ...]]:
        """Return the tables, best band first, players swapped back to their own bands where that is free."""
        place = {player: n for n, player in enumerate(group.players)}
        tables = [list(t) for t in sorted(group.tables, key=lambda table: sum(place[p] for p in table))]
        homes = [group.bands[0] + n // width for n in range(len(tables))]
        improved = len(group.bands) > 1
        while improved:
            improved = False
            for (s, a), (t, b) in combinations(enumerate(tables), 2):
                if homes[s] != homes[t] and self._swap_home(a, b, homes[s], homes[t], band_of):
                    improved = True
        return [tuple(table) for table in tables]

    def _swap_home(
        self, a: list[int], b: list[int], home_a: int, home_b: int, band_of: Mapping[int, int]
    ) -> bool:
        """Swap two players of two tables if both bands are then kept better at no higher price."""

        def astray(x: int, y: int) -> int:
            return abs(band_of[x] - home_a) + abs(band_of[y] - home_b)

        before = self.table_price(a) + self.table_price(b)
        for m, i in enumerate(a):
            for n, j in enumerate(b):
                if astray(j, i) < astray(i, j):
                    a[m], b[n] = j, i
                    if self.table_price(a) + self.table_price(b) <= before:
                        return True
                    a[m], b[n] = i, j
        return False
