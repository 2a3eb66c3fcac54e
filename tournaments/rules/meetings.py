"""Who sat with whom: the counts by which draws are compared.

A round is a tuple of tables, a table a tuple of players in seat order (seat 1
first). Players are any distinct integers. m(i, j) is how often i and j shared a
table; Q is the sum over pairs of C(m, 2), so a third meeting costs 3, a second 1.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from tournaments.rules.errors import BadDraw

Seating = tuple[int, ...]
Round = tuple[Seating, ...]
Pair = tuple[int, int]


@dataclass(frozen=True)
class Figures:
    """What an organiser compares, best when small, in the order in which draws are judged.

    ``larger_spread``: most minus fewest visits to a larger table by one player.
    ``q``: sum of C(m, 2). ``repeats``: meetings beyond the first. ``third``: meetings
    beyond the second. ``back_to_back``: pairs together in two successive rounds, counted
    per round. ``strangers``: pairs that have neither met nor have a common opponent.
    """

    larger_spread: int
    q: int
    repeats: int
    third: int
    back_to_back: int
    strangers: int

    @property
    def key(self) -> tuple[int, int, int, int, int]:
        """The order in which draws are judged (repeats follow from q, so they are left out)."""
        return (self.larger_spread, self.q, self.third, self.back_to_back, self.strangers)


def check_rounds(rounds: Iterable[Round]) -> None:
    """Refuse rounds in which somebody sits twice or a table is empty; raises ``BadDraw``."""
    for number, tables in enumerate(rounds, 1):
        seated = [player for table in tables for player in table]
        if len(set(seated)) < len(seated) or not all(tables):
            detail = f"round {number} of the history seats a player twice or has an empty table"
            raise BadDraw("bad_history", detail)


def pairs_of(tables: Round) -> list[Pair]:
    """Return every pair that shares a table, the smaller player first."""
    return [pair for table in tables for pair in combinations(sorted(table), 2)]


def count_meetings(rounds: Iterable[Round]) -> Counter[Pair]:
    """Return m(i, j) for every pair that has met, the smaller player first."""
    return Counter(pair for tables in rounds for pair in pairs_of(tables))


def larger_visits(rounds: Iterable[Round], players: Iterable[int]) -> dict[int, int]:
    """Return how often each of ``players`` sat at a table larger than the round's smallest."""
    visits = dict.fromkeys(players, 0)
    for tables in rounds:
        smallest = min(map(len, tables), default=0)
        for table in tables:
            if len(table) > smallest:
                for player in table:
                    if player in visits:
                        visits[player] += 1
    return visits


def count_back_to_back(rounds: Sequence[Round], players: Iterable[int] | None = None) -> int:
    """Return how many pairs (of ``players``, default all) sit together in successive rounds."""
    among = None if players is None else set(players)
    total = 0
    for earlier, later in pairwise(rounds):
        common = set(pairs_of(earlier)) & set(pairs_of(later))
        total += sum(among is None or (i in among and j in among) for i, j in common)
    return total


def count_strangers(meetings: Iterable[Pair], players: Sequence[int]) -> int:
    """Return how many pairs of ``players`` have neither met nor have a common opponent."""
    place = {player: n for n, player in enumerate(players)}
    met = [1 << n for n in range(len(players))]
    for i, j in meetings:
        if i in place and j in place:
            met[place[i]] |= 1 << place[j]
            met[place[j]] |= 1 << place[i]
    known = 0
    for own in met:
        reach, rest = own, own
        while rest:
            low = rest & -rest
            reach |= met[low.bit_length() - 1]
            rest ^= low
        known += reach.bit_count() - 1
    return (len(players) * (len(players) - 1) - known) // 2


def measure(rounds: Sequence[Round], players: Sequence[int]) -> Figures:
    """Return the figures of ``rounds`` (history first) counted over pairs of ``players``."""
    among = set(players)
    counts = {pair: m for pair, m in count_meetings(rounds).items() if pair[0] in among and pair[1] in among}
    visits = larger_visits(rounds, players).values()
    return Figures(
        larger_spread=max(visits, default=0) - min(visits, default=0),
        q=sum(m * (m - 1) // 2 for m in counts.values()),
        repeats=sum(m - 1 for m in counts.values()),
        third=sum(m - 2 for m in counts.values() if m > 2),
        back_to_back=count_back_to_back(rounds, players),
        strangers=count_strangers(counts, players),
    )
