"""Draws without a repeat from the affine plane over GF(q), q the number of tables.

Players are points (x, y) of the plane; the tables of a round are parallel lines.
Two points share one line only, so no pair meets twice.
"""

from random import Random

from tournaments.rules.galois import Field, field, prime_power
from tournaments.rules.sizes import split_evenly

Assignment = list[int]  # by player 0..N-1: the table (0..G-1) of one round
Point = tuple[int, int]
VERTICAL = -1


def line_of(plane: Field, slope: int, point: Point) -> int:
    """Return the number b of the line y = slope x + b through ``point``; x itself if VERTICAL."""
    x, y = point
    if slope == VERTICAL:
        return x
    product = plane.mul[slope][x]
    return next(b for b in range(plane.order) if plane.add[product][b] == y)


def net_rounds(players: int, tables: int, rounds: int) -> list[Assignment] | None:
    """Return rounds without a repeat and with sizes within 1, or ``None`` when this way has none.

    ``tables`` is a prime power q with players <= q^2: columns x = 0..ceil(players / q) - 1,
    the missing points all in the last column, one round per slope: q rounds, and
    with q^2 players one more, the columns. Visits to larger tables are not balanced.
    """
    if prime_power(tables) is None or not tables < players <= tables**2:
        return None
    slopes = [*range(tables)] + ([VERTICAL] if players == tables**2 else [])
    if rounds > len(slopes):
        return None
    plane = field(tables)
    points = [divmod(number, tables) for number in range(players)]
    return [[line_of(plane, slope, point) for point in points] for slope in slopes[:rounds]]


def balanced_net_rounds(
    players: int, tables: int, rounds: int, rng: Random, tries: int
) -> list[Assignment] | None:
    """Return rounds as ``net_rounds`` does, but with visits to larger tables within 1.

    Only some points of the plane are used, chosen so that every line of every round has
    one of the two sizes and every player is on equally many larger lines, within 1: a
    search over sets of points, ``tries`` exchanges long at most. Tables come with no
    order of size; the caller sorts them.
    """
    if prime_power(tables) is None or not tables < players < tables**2 or rounds > tables + 1:
        return None
    plane = field(tables)
    points = [(x, y) for x in range(tables) for y in range(tables)]
    slopes = [VERTICAL, *range(tables)]
    restart = max(200, 20 * players)
    while tries > 0:
        chosen = rng.sample(slopes, rounds)
        lines = [[line_of(plane, slope, point) for slope in chosen] for point in points]
        search = _PointSet(lines, players, tables, rng)
        kept = search.run(min(tries, restart))
        if kept is not None:
            return [[lines[point][r] for point in kept] for r in range(rounds)]
        tries -= restart
    return None


class _PointSet:
    """A set of points of the plane whose lines should all have two sizes and whose players equal visits."""

    def __init__(self, lines: list[list[int]], players: int, tables: int, rng: Random) -> None:
        self.lines, self.rng, self.tables = lines, rng, tables
        order = rng.sample(range(len(lines)), len(lines))
        self.inside, self.outside = order[:players], order[players:]
        sizes = split_evenly(players, tables)
        self.small, self.uneven = sizes[-1], sizes[0] > sizes[-1]
        larger_seats = sizes[0] * sizes.count(sizes[0]) if self.uneven else 0
        self.fewest = larger_seats * len(lines[0]) // players
        self.count = [[0] * tables for _ in lines[0]]
        for point in self.inside:
            for r, line in enumerate(lines[point]):
                self.count[r][line] += 1

    def run(self, tries: int) -> list[int] | None:
        """Exchange points until all lines fit and visits are fair; return the points, or ``None``."""
        cost = self._cost()
        for _ in range(tries):
            if cost == 0:
                return self.inside
            i, j = self.rng.randrange(len(self.inside)), self.rng.randrange(len(self.outside))
            self._exchange(i, j)
            new = self._cost()
            if new <= cost or self.rng.random() < 0.02:
                cost = new
            else:
                self._exchange(i, j)
        return self.inside if cost == 0 else None

    def _exchange(self, i: int, j: int) -> None:
        """Put the outside point ``j`` in the place of the inside point ``i``."""
        out, new = self.inside[i], self.outside[j]
        for r, (old_line, new_line) in enumerate(zip(self.lines[out], self.lines[new], strict=True)):
            self.count[r][old_line] -= 1
            self.count[r][new_line] += 1
        self.inside[i], self.outside[j] = new, out

    def _cost(self) -> int:
        """Return how far sizes (weighted ten times) and visits are from what is asked."""
        small = self.small
        top = small + 1 if self.uneven else small
        wrong = 0
        for round_counts in self.count:
            for size in round_counts:
                if size < small:
                    wrong += small - size
                elif size > top:
                    wrong += size - top
        cost = 10 * wrong
        if self.uneven:
            for point in self.inside:
                visits = sum(self.count[r][line] > small for r, line in enumerate(self.lines[point]))
                if visits < self.fewest:
                    cost += self.fewest - visits
                elif visits > self.fewest + 1:
                    cost += visits - self.fewest - 1
        return cost
