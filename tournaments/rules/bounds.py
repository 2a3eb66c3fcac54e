"""Lower bounds of Q: the certificate that no draw can have fewer repeats.

Each bound holds for every draw with the given numbers; a draw that reaches one of
them is optimal. They are proved in ``docs/fairness.md``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.rules.meetings import Round, pairs_of
from tournaments.rules.sizes import Sizes

_NEVER = 1 << 60  # the cost of what cannot be; far above every Q


@dataclass(frozen=True)
class Bounds:
    """Lower bounds of Q. ``visits`` holds for draws with larger-table visits within 1 only."""

    pairs: int
    rounds: int
    visits: int = 0

    @property
    def best(self) -> int:
        """The strongest of them."""
        return max(self.pairs, self.rounds, self.visits)


def meetings_of(size: int) -> int:
    """Return how many pairs a table of ``size`` makes: C(size, 2)."""
    return size * (size - 1) // 2


def split_repeats(size: int, tables: int) -> int:
    """Return f(size, tables): the fewest pairs of ``size`` players spread over ``tables`` that stay together."""
    if tables <= 0:
        return _NEVER if size > 0 else 0
    each, larger = divmod(size, tables)
    return larger * meetings_of(each + 1) + (tables - larger) * meetings_of(each)


def pairs_bound(players: int, meetings: int, met: Iterable[int] = ()) -> int:
    """Return the least Q when ``meetings`` more meetings fall on C(players, 2) pairs.

    ``met`` lists the earlier meetings of the pairs that have some. Each new meeting
    costs what its pair has met before, so the cheapest pairs are filled first.
    """
    levels = Counter(met)
    levels[0] = meetings_of(players) - sum(count for level, count in levels.items() if level)
    total = sum(count * meetings_of(level) for level, count in levels.items())
    level, at_level = 0, levels[0]
    while meetings > 0:
        if at_level == 0 and not any(count for other, count in levels.items() if other > level):
            return _NEVER  # a single player: no pair to meet
        step = min(meetings, at_level)
        total += step * level
        meetings -= step
        level += 1
        at_level += levels[level]
    return total


def rounds_bound(rounds_sizes: Sequence[Sizes], absent: Sequence[int]) -> int:
    """Return the least Q from comparing the new rounds two by two.

    ``absent[r]`` is how many players do not play round r: a table may hide that many
    from a comparison. Q is the sum over pairs of rounds of the pairs common to both.
    """
    total = 0
    for r, s in combinations(range(len(rounds_sizes)), 2):
        total += max(
            _common(rounds_sizes[r], len(rounds_sizes[s]), absent[s]),
            _common(rounds_sizes[s], len(rounds_sizes[r]), absent[r]),
        )
    return total


def _common(sizes: Sizes, tables: int, absent: int) -> int:
    """Return the fewest pairs of one round that meet again over ``tables`` of another."""
    return sum(split_repeats(max(0, size - absent), tables) for size in sizes)


def history_bound(history: Sequence[Round], rounds_sizes: Sequence[Sizes], players: Sequence[int]) -> int:
    """Return the least Q among ``players`` from pairs of rounds of which at least one is in the history."""
    among = set(players)
    kept = [tuple(tuple(p for p in table if p in among) for table in tables) for tables in history]
    total = sum(
        count * (count - 1) // 2 for count in Counter(p for tables in kept for p in pairs_of(tables)).values()
    )
    for tables in kept:
        old = tuple(len(table) for table in tables if table)
        missing = len(among) - sum(old)
        for new in rounds_sizes:
            absent = len(among) - sum(new)
            total += max(_common(old, len(new), absent), _common(new, len(old), missing) if old else 0)
    return total


def visits_bound(players: int, sizes: Sizes, rounds: int) -> int:
    """Return the least Q of a whole event whose visits to larger tables are within 1.

    ``sizes`` (larger first, within 1) hold in every round. Fair visits fix how many
    players are at a larger table in both of two rounds, summed over all pairs of rounds;
    the tables of two rounds then split over larger and smaller tables apart.
    """
    larger_size, smaller = sizes[0], len(sizes) - sizes.count(sizes[0])
    larger = len(sizes) - smaller
    seats = larger * larger_size
    if smaller == 0 or seats + smaller * (larger_size - 1) != players:
        return 0
    visits, more = divmod(seats * rounds, players)
    together = more * meetings_of(visits + 1) + (players - more) * meetings_of(visits)

    def split(size: int) -> Callable[[int], int]:
        return lambda to_larger: _split_two(size, to_larger, larger, smaller)

    def two_rounds(both: int) -> int:
        """The fewest common pairs of two rounds with ``both`` players at larger tables in both."""
        if not max(0, 2 * seats - players) <= both <= seats:
            return _NEVER
        return _spread(split(larger_size), both, larger) + _spread(
            split(larger_size - 1), seats - both, smaller
        )

    # two_rounds is convex, so spreading the fixed total evenly over the pairs of rounds is least.
    return _spread(two_rounds, together, meetings_of(rounds)) if rounds > 1 else 0


def _split_two(size: int, to_larger: int, larger: int, smaller: int) -> int:
    """Return the fewest pairs kept when a table sends ``to_larger`` players to larger tables."""
    if not 0 <= to_larger <= size:
        return _NEVER
    return split_repeats(to_larger, larger) + split_repeats(size - to_larger, smaller)


def _spread(cost: Callable[[int], int], total: int, parts: int) -> int:
    """Return the sum of a convex ``cost`` over ``parts`` whole numbers adding up to ``total``, at its least."""
    each, more = divmod(total, parts)
    return more * cost(each + 1) + (parts - more) * cost(each) if more else parts * cost(each)
