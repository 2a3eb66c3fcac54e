"""All seatings of small fields, so that bounds and searches can be compared with the truth."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from tournaments.rules.meetings import Round, measure


def all_seatings(players: Sequence[int], sizes: Sequence[int]) -> Iterator[Round]:
    """Yield every way to seat the players at tables of ``sizes``, tables of one size in one order only."""
    if not sizes:
        yield ()
        return
    size, rest = sizes[0], sizes[1:]
    for table in combinations(players, size):
        others = [player for player in players if player not in table]
        for tail in all_seatings(others, rest):
            if tail and len(tail[0]) == size and tail[0][0] < table[0]:
                continue
            yield (table, *tail)


def least_q(players: Sequence[int], sizes: Sequence[int], rounds: int, *, fair_visits: bool) -> int:
    """Return the least Q of any event, the first round fixed by symmetry."""
    seatings = list(all_seatings(players, sizes))
    best = None
    for later in product(seatings, repeat=rounds - 1):
        figures = measure((seatings[0], *later), players)
        if fair_visits and figures.larger_spread > 1:
            continue
        if best is None or figures.q < best:
            best = figures.q
    assert best is not None
    return best
