"""Draws without a repeat from the affine plane over GF(q), q the number of tables.

Players are points (x, y) of the plane; the tables of a round are parallel lines.
Two points share one line only, so no pair meets twice.
"""

from tournaments.rules.galois import Field, field, prime_power

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
