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
from tournaments.rules.polish import best_order, fine_figures, polish
from tournaments.rules.search import HOT, WARM, Expired, Found, Rows, anneal
from tournaments.rules.sit_outs import choose_sit_outs, rounds_not_played
from tournaments.rules.sizes import Sizes

MORE_SEATINGS = 8  # other seatings of the least Q that are looked at to avoid third meetings


@dataclass(frozen=True)
class Task:
    """What is to be drawn, with players numbered from 0."""

    players: tuple[int, ...]
    history: tuple[Round, ...]
    sizes: tuple[Sizes, ...]
    absent: tuple[frozenset[int], ...]
    apart: tuple[tuple[int, int], ...]
    bounds: Bounds
    planned: tuple[Round, ...] = ()

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
    planned: Sequence[Round] = (),
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
        tuple(planned),
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
    """Search from the old plan, from every start and from nothing, and polish the best.

    While the bound is reached but some pair meets a third time, other seatings that reach
    it are looked for with what is left of the budget, and the best of them is taken.
    """
    board, goal = _empty_board(task), task.bounds.best
    lanes = [*starts, []]
    if len(task.planned) >= len(task.sizes):
        lanes.insert(0, [_mended(task, r, rng) for r in range(len(task.sizes))])
    found: list[Found] = []
    for n, lane in enumerate(lanes):
        board.seat_at_random(rng, lane)
        board.mend_visits()
        share = (budget - sum(one.looks for one in found)) // (len(lanes) - n)
        hot = WARM if lane else HOT
        found.append(anneal(board, goal=goal, rng=rng, budget=share, expired=expired, hot=hot))
        if found[-1].stopped != "budget":
            break
    best = min(found, key=lambda one: one.price)
    looks, stopped = sum(one.looks for one in found), found[-1].stopped
    key, rows = _polished(task, board, best.rows, rng)
    for _ in range(MORE_SEATINGS):
        if best.price > goal or not key[0] or looks >= budget or expired():
            break
        board.seat_at_random(rng)
        other = anneal(board, goal=goal, rng=rng, budget=budget - looks, expired=expired)
        looks += other.looks
        if other.price <= goal:
            key, rows = min((key, rows), _polished(task, board, other.rows, rng))
    return Seated(rows, "search", stopped, looks)


def _empty_board(task: Task) -> Board:
    """Return a board with the meetings and visits of the history."""
    players = len(task.players)
    number = {player: n for n, player in enumerate(task.players)}
    met = [[0] * players for _ in range(players)]
    for (i, j), m in count_meetings(task.history).items():
        if i in number and j in number:
            met[number[i]][number[j]] = met[number[j]][number[i]] = m
    visits = larger_visits(task.history, task.players)
    return Board(task.sizes, task.absent, met, [visits[player] for player in task.players], task.apart)


def _polished(task: Task, board: Board, rows: Rows, rng: Random) -> tuple[tuple[int, int, int], Rows]:
    """Return rows of the same Q with the finer aims as good as polishing gets them, and their figures."""
    board.load(rows)
    before = _last_row(task)
    if len(rows) > 1 and not any(task.absent):
        board.load([rows[r] for r in best_order(rows, before)])
    polish(board, before=before, rng=rng, tries=4000)
    return fine_figures(board, before), board.table


def _mended(task: Task, r: int, rng: Random) -> list[int]:
    """Return a round of the old plan for the players and sizes of now, as few as possible changing tables."""
    number = {player: n for n, player in enumerate(task.players) if n not in task.absent[r]}
    kept = [[number.pop(player) for player in table if player in number] for table in task.planned[r]]
    kept.sort(key=len, reverse=True)
    spare = [*number.values(), *(p for table in kept[len(task.sizes[r]) :] for p in table)]
    row = [ABSENT] * len(task.players)
    short: list[int] = []
    for t, size in enumerate(task.sizes[r]):
        table = kept[t] if t < len(kept) else []
        rng.shuffle(table)
        spare += table[size:]
        short += [t] * (size - len(table[:size]))
        for p in table[:size]:
            row[p] = t
    rng.shuffle(short)
    for p, t in zip(spare, short, strict=True):
        row[p] = t
    return row


def _last_row(task: Task) -> list[int] | None:
    """Return the tables of the last round played, by player, or ``None`` before the first."""
    if not task.history:
        return None
    table_of = {player: t for t, table in enumerate(task.history[-1]) for player in table}
    return [table_of.get(player, ABSENT) for player in task.players]
