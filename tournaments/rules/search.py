"""The search for a draw: annealing on swaps, one player's swaps weighed at a time.

A step picks a player of a round at random, prices every swap with a player of
another table, and takes one of them (or none) by the heat-bath rule: chance in
proportion to exp(-change / temperature). The temperature falls and is raised
again in cycles of growing length. Visits to larger tables stay as fair as they are: by single
swaps that keep them, and by exchanging two players in two rounds at once. Everything
follows from the random source, so the same seed and budget give the same draw on every
machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import exp
from random import Random

from tournaments.rules.board import ABSENT, Board

HOT, COLD = 0.3, 0.16
WARM = 0.23  # where a search from a good seating starts, lest it be forgotten
_CHUNK = 64  # steps at one temperature, and between two looks at the clock
_LEVELS = 24  # temperatures of a cycle
_RANGE = 1 << 14  # no change of price is as large
_UNIT = 1 << 20
_DOUBLE = 4  # exchanges in two rounds tried after a chunk of steps
_STEEP = 256  # a change for the better by more than this is taken as if by this

Rows = list[list[int]]
Expired = Callable[[], bool]


@dataclass(frozen=True)
class Found:
    """The best seating seen: its rows, price, how many swaps were priced and why the search ended."""

    rows: Rows
    price: int
    looks: int
    stopped: str  # "bound", "budget" or "deadline"


def never() -> bool:
    """The clock of a caller without a time limit."""
    return False


def anneal(
    board: Board, *, goal: int, rng: Random, budget: int, expired: Expired = never, hot: float = HOT
) -> Found:
    """Improve the board until its price is ``goal`` or ``budget`` swaps have been priced.

    ``expired`` is a safety net only: a draw cut short by it is marked "deadline", for
    it may differ from machine to machine.
    """
    best, rows = board.price, [list(row) for row in board.table]
    looks, cycle = 0, max(30_000, budget // 64)
    while best > goal and looks < budget:
        start = looks
        while looks - start < cycle and looks < budget:
            level = (looks - start) * _LEVELS // cycle
            looks += _steps(board, _chances(hot, level), best, rng)
            if board.price < best:
                best, rows = board.price, [list(row) for row in board.table]
                if best <= goal:
                    return Found(rows, best, looks, "bound")
            if expired():
                return Found(rows, best, looks, "deadline")
        cycle = cycle * 3 // 2
    return Found(rows, best, looks, "bound" if best <= goal else "budget")


@cache
def _chances(hot: float, level: int) -> list[int]:
    """Return exp(-change / temperature), times _UNIT, at index change + _RANGE, for a temperature of the cycle.

    Whole numbers add up exactly, so that the choice is the same on every machine.
    """
    heat = hot * (COLD / hot) ** (level / _LEVELS)
    slope = [round(_UNIT * exp(min(-change / heat, 24.0))) for change in range(-_STEEP, _STEEP)]
    return [slope[0]] * (_RANGE - _STEEP) + slope + [0] * (_RANGE - _STEEP)


def _steps(board: Board, chance: Sequence[int], best: int, rng: Random) -> int:
    """Take a chunk of steps at one temperature; stop early at a new best price. Return how many swaps were priced."""
    random, players, rounds = rng.random, board.players, len(board.table)
    looks = 0
    for _ in range(_CHUNK):
        r, i = int(random() * rounds), int(random() * players)
        if board.table[r][i] == ABSENT:
            continue
        looks += players
        j = _choose(board, r, i, chance, random)
        if j != i:
            board.swap(r, i, j, board.change(r, i, j))
            if board.price < best:
                return looks
    if any(board.uneven):
        for _ in range(_DOUBLE):
            looks += players
            _exchange_twice(board, chance, random)
            if board.price < best:
                break
    return looks


def _exchange_twice(board: Board, chance: Sequence[int], random: Callable[[], float]) -> None:
    """Try to swap two players in a round and back in another, if that exchanges a larger for a smaller table."""
    rounds, players = len(board.table), board.players
    r, s = int(random() * rounds), int(random() * rounds)
    i, j = int(random() * players), int(random() * players)
    at = [(board.table[q][p], q) for q, p in ((r, i), (r, j), (s, i), (s, j))]
    if r == s or [t != ABSENT and board.larger[q][t] for t, q in at] != [True, False, False, True]:
        return
    if min(t for t, _ in at) == ABSENT:
        return
    first = board.change(r, i, j)
    board.swap(r, i, j, first)
    second = board.change(s, i, j)
    if first + second <= 0 or random() * _UNIT < chance[first + second + _RANGE]:
        board.swap(s, i, j, second)
    else:
        board.swap(r, i, j, -first)


def _choose(board: Board, r: int, i: int, chance: Sequence[int], random: Callable[[], float]) -> int:
    """Return with whom player i swaps in round r, by the heat-bath rule; i itself for nobody."""
    row, weight, met_i, sizes = board.table[r], board.weight[r], board.met[i], board.sizes[r]
    a, own = row[i], weight[i]
    leave = sizes[a] - 2 - own[a] + _RANGE
    to = [leave + w + size for w, size in zip(own, sizes, strict=True)]
    weights = [
        0 if b == a else chance[to[b] + w_j[a] - w_j[b] - m - m]
        for b, w_j, m in zip(row, weight, met_i, strict=True)
    ]
    for p in board.absent[r]:
        weights[p] = 0
    if board.uneven[r]:
        flags, visits = board.larger[r], board.visits
        need = visits[i] - 1 if flags[a] else visits[i] + 1
        mine = flags[a]
        weights = [
            weight_j if flags[b] == mine or v == need else 0
            for weight_j, b, v in zip(weights, row, visits, strict=True)
        ]
    weights[i] = _UNIT
    total = sum(weights)
    point = min(int(random() * total), total - 1)
    return next(j for j, upto in enumerate(accumulate(weights)) if point < upto)
