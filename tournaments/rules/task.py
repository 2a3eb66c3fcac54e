"""What a draw is asked for, and the search for it.

A ``Task`` numbers the players from 0 and fixes table sizes, who sits out and the lower
bounds. ``search_task`` anneals from ready starts and from nothing, then polishes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from tournaments.rules.board import ABSENT, Board
from tournaments.rules.bounds import (
    Bounds,
    history_bound,
    meetings_of,
    pairs_bound,
    rounds_bound,
    visits_bound,
)
from tournaments.rules.meetings import Pair, Round, count_meetings, larger_visits
from tournaments.rules.polish import best_order, polish
from tournaments.rules.search import HOT, WARM, Expired, Rows, anneal
from tournaments.rules.sit_outs import choose_sit_outs, rounds_not_played
from tournaments.rules.sizes import Sizes


@dataclass(frozen=True)
class Task:
    """What is to be drawn, with players numbered from 0."""

    players: tuple[int, ...]
    history: tuple[Round, ...]
    sizes: tuple[Sizes, ...]
    absent: tuple[frozenset[int], ...]
    apart: tuple[tuple[int, int], ...]
    bounds: Bounds

    @property
    def fresh(self) -> bool:
        """Whether nothing has been played and everybody plays every round at the same sizes."""
        return not self.history and not any(self.absent)


@dataclass(frozen=True)
class Seated:
    """A seating found: ``rows[r][p]`` is the table of player p in round r (negative: sits out)."""

    rows: Rows
    method: str
    stopped: str
    looks: int


def prepare(
    players: tuple[int, ...],
    sizes: Sizes,
    rounds: int,
    rng: Random,
    *,
    history: Sequence[Round] = (),
    apart: Iterable[Pair] = (),
    volunteers: Sequence[frozenset[int]] = (),
) -> Task:
    """Fix who sits out of each round (the players beyond the tables' ``sizes``) and the bounds."""
    out = len(players) - sum(sizes)
    sat_out = rounds_not_played(history, players)
    number = {player: n for n, player in enumerate(players)}
    absent = []
    for r in range(rounds):
        asked = volunteers[r] if r < len(volunteers) else frozenset[int]()
        chosen = choose_sit_outs(players, out, sat_out=sat_out, volunteers=asked, rng=rng)
        for player in chosen:
            sat_out[player] += 1
        absent.append(frozenset(number[player] for player in chosen))
    pairs = {
        tuple(sorted((number[i], number[j]))) for i, j in apart if i in number and j in number and i != j
    }
    every = (sizes,) * rounds
    return Task(
        players,
        tuple(history),
        every,
        tuple(absent),
        tuple(sorted((i, j) for i, j in pairs)),
        _bounds(players, tuple(history), every),
    )


def _bounds(players: tuple[int, ...], history: tuple[Round, ...], sizes: tuple[Sizes, ...]) -> Bounds:
    """Return the lower bounds of Q over the history and the new rounds, among the players present."""
    among = set(players)
    met = [m for (i, j), m in count_meetings(history).items() if i in among and j in among]
    meetings = sum(meetings_of(size) for one in sizes for size in one)
    return Bounds(
        pairs=pairs_bound(len(players), meetings, met),
        rounds=rounds_bound(sizes, [len(players) - sum(one) for one in sizes])
        + history_bound(history, sizes, players),
        visits=0 if history else visits_bound(len(players), sizes[0], len(sizes)),
    )


def search_task(task: Task, starts: list[Rows], rng: Random, budget: int, expired: Expired) -> Seated:
    """Search from every start and from nothing, and polish the best."""
    players, rounds = len(task.players), len(task.sizes)
    number = {player: n for n, player in enumerate(task.players)}
    met = [[0] * players for _ in range(players)]
    for (i, j), m in count_meetings(task.history).items():
        if i in number and j in number:
            met[number[i]][number[j]] = met[number[j]][number[i]] = m
    visits = larger_visits(task.history, task.players)
    board = Board(task.sizes, task.absent, met, [visits[player] for player in task.players], task.apart)
    lanes = [*starts, []]
    best, looks, stopped = None, 0, "budget"
    for n, lane in enumerate(lanes):
        board.seat_at_random(rng, lane)
        share = (budget - looks) // (len(lanes) - n)
        hot = WARM if lane else HOT
        found = anneal(board, goal=task.bounds.best, rng=rng, budget=share, expired=expired, hot=hot)
        looks += found.looks
        if best is None or found.price < best.price:
            best, stopped = found, found.stopped
        if found.stopped != "budget":
            stopped = found.stopped
            break
    assert best is not None
    board.load(best.rows)
    before = _last_row(task)
    if task.fresh and rounds > 1:
        board.load([board.table[r] for r in best_order(board.table, before)])
    polish(board, before=before, rng=rng, tries=4000 if best.price or task.history else 500)
    return Seated(board.table, "search", stopped, looks)


def _last_row(task: Task) -> list[int] | None:
    """Return the tables of the last round played, by player, or ``None`` before the first."""
    if not task.history:
        return None
    table_of = {player: t for t, table in enumerate(task.history[-1]) for player in table}
    return [table_of.get(player, ABSENT) for player in task.players]
