"""The finer aims of a draw once Q is as low as it gets: third meetings, back-to-back repeats, strangers.

Swaps that leave Q as it is are tried in the order of the aims; the rounds of a
finished draw are put in the order with the fewest back-to-back repeats.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

from tournaments.rules.board import ABSENT, Board
from tournaments.rules.meetings import Pair, count_strangers

Rows = list[list[int]]
_CHUNK = 256  # swaps looked at between two counts of the aims
_EXACT = 8  # rounds up to which the best order is found for certain


def polish(board: Board, *, before: Sequence[int] | None, rng: Random, tries: int) -> None:
    """Lower third meetings, then back-to-back repeats, then strangers, by swaps that leave Q as it is.

    ``before[p]`` is the table of player p in the last round already played (negative:
    none), ``None`` without one. ``tries`` swaps (fewer in a large field) are looked at for strangers, and up to four
    times as many for the other two, as long as they help now and then; a swap that changes
    neither is taken too, so seatings of the same Q are walked through.
    """
    fine = _Fine(board, before)
    n, patience = 0, tries
    while n < min(patience, 4 * tries) and fine_figures(board, before)[:2] != (0, 0):
        for look in range(n, n + _CHUNK):
            swap = fine.free_swap(rng.random)
            if swap is None or (gain := fine.gain(*swap)) > (0, 0):
                continue
            board.swap(*swap, 0)
            if gain < (0, 0):
                patience = look + tries
        n += _CHUNK
    strangers = fine.strangers()
    # Counting strangers takes time in proportion to the square of the players.
    for _ in range(min(tries, 4_000_000 // board.players**2)):
        if not strangers:
            return
        swap = fine.free_swap(rng.random)
        if swap is not None and fine.gain(*swap) <= (0, 0):
            board.swap(*swap, 0)
            left = fine.strangers()
            if left > strangers:
                board.swap(*swap, 0)
            strangers = min(left, strangers)


def fine_figures(board: Board, before: Sequence[int] | None) -> tuple[int, int, int]:
    """Return third meetings, back-to-back repeats and strangers of the board."""
    fine = _Fine(board, before)
    chain = ([] if before is None else [before]) + board.table
    return fine.third(), sum(_common(a, b) for a, b in pairwise(chain)), fine.strangers()


class _Fine:
    """The finer figures of a board and how a swap changes them."""

    def __init__(self, board: Board, before: Sequence[int] | None) -> None:
        self.board, self.before = board, before

    def free_swap(self, random: Callable[[], float]) -> tuple[int, int, int] | None:
        """Return a swap (round and two players) drawn at random if it leaves Q and visits as they are."""
        board = self.board
        r = int(random() * len(board.table))
        i, j = int(random() * board.players), int(random() * board.players)
        a, b = board.table[r][i], board.table[r][j]
        if a == b or ABSENT in (a, b) or board.change(r, i, j) != 0 or not board.keeps_visits(r, i, j):
            return None
        return r, i, j

    def gain(self, r: int, i: int, j: int) -> tuple[int, int]:
        """Return the change of (third meetings, back-to-back repeats) by a swap in round r."""
        tables, row = self.board.members[r], self.board.table[r]
        with_i = [k for k in tables[row[i]] if k != i]
        with_j = [k for k in tables[row[j]] if k != j]
        lost = [(i, k) for k in with_i] + [(j, k) for k in with_j]
        won = [(j, k) for k in with_i] + [(i, k) for k in with_j]
        met = self.board.met
        third = sum(met[p][k] >= 2 for p, k in won) - sum(met[p][k] > 2 for p, k in lost)
        near = self._beside(r)
        return third, sum(self._together(near, *pair) for pair in won) - sum(
            self._together(near, *p) for p in lost
        )

    def _beside(self, r: int) -> list[Sequence[int]]:
        """Return the rounds next to round r, the last played one included."""
        table = self.board.table
        near: list[Sequence[int]] = [table[r - 1]] if r else [] if self.before is None else [self.before]
        return near + table[r + 1 : r + 2]

    @staticmethod
    def _together(rows: list[Sequence[int]], p: int, k: int) -> int:
        """Return in how many of the rows p and k share a table."""
        return sum(row[p] == row[k] and row[p] >= 0 for row in rows)

    def third(self) -> int:
        """Return the meetings beyond the second."""
        return sum(m - 2 for row in self.board.met for m in row if m > 2) // 2

    def strangers(self) -> int:
        """Return how many pairs have neither met nor have a common opponent."""
        met = self.board.met
        pairs: list[Pair] = [(i, j) for i, row in enumerate(met) for j in range(i) if row[j]]
        return count_strangers(pairs, range(self.board.players))


def best_order(rows: Rows, before: Sequence[int] | None) -> list[int]:
    """Return the order of rounds with the fewest back-to-back repeats (exact up to eight rounds)."""
    n = len(rows)
    cost = [[_common(a, b) for b in rows] for a in rows]
    start = [0 if before is None else _common(before, row) for row in rows]
    if n <= _EXACT:
        return _exact_order(n, cost, start)
    order = _nearest(n, cost, start)
    improved = True
    while improved:
        improved = False
        for a in range(n - 1):
            for b in range(a + 1, n):
                other = order[:a] + order[a : b + 1][::-1] + order[b + 1 :]
                if _length(other, cost, start) < _length(order, cost, start):
                    order, improved = other, True
    return order


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """Return how many pairs share a table in both rows."""
    cells: dict[tuple[int, int], int] = {}
    for cell in zip(a, b, strict=True):
        if min(cell) >= 0:
            cells[cell] = cells.get(cell, 0) + 1
    return sum(count * (count - 1) // 2 for count in cells.values())


def _length(order: Sequence[int], cost: list[list[int]], start: list[int]) -> int:
    """Return the back-to-back repeats of an order."""
    return start[order[0]] + sum(cost[a][b] for a, b in pairwise(order))


def _nearest(n: int, cost: list[list[int]], start: list[int]) -> list[int]:
    """Return an order that always goes on to the round with the fewest common pairs."""
    order = [min(range(n), key=start.__getitem__)]
    while len(order) < n:
        order.append(min((r for r in range(n) if r not in order), key=cost[order[-1]].__getitem__))
    return order


def _exact_order(n: int, cost: list[list[int]], start: list[int]) -> list[int]:
    """Return the best order by dynamic programming over sets of rounds."""
    best: dict[tuple[int, int], tuple[int, list[int]]] = {(1 << r, r): (start[r], [r]) for r in range(n)}
    for _ in range(n - 1):
        longer: dict[tuple[int, int], tuple[int, list[int]]] = {}
        for (done, last), (length, order) in best.items():
            for r in range(n):
                if done >> r & 1:
                    continue
                key, total = (done | 1 << r, r), length + cost[last][r]
                if key not in longer or total < longer[key][0]:
                    longer[key] = (total, [*order, r])
        best = longer
    return min(best.values())[1]
