"""The draw: who plays whom in the rounds still to come, with a certificate.

``plan`` takes the players present and the rounds already played and returns rounds
of tables in seat order. It uses a construction or the catalogue where they reach a
bound, else a search that starts from them; the same arguments give the same draw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from tournaments.rules import catalogue
from tournaments.rules.board import ABSENT
from tournaments.rules.bounds import Bounds
from tournaments.rules.catalogue import to_rounds
from tournaments.rules.designs import best_design, relabel
from tournaments.rules.errors import BadDraw
from tournaments.rules.meetings import Figures, Pair, Round, check_rounds, measure
from tournaments.rules.search import Expired, Rows, never
from tournaments.rules.seats import seat_counts, seat_rounds, seat_spread
from tournaments.rules.sizes import (
    LARGEST_TABLE,
    SMALLEST_TABLE,
    check_limits,
    check_numbers,
    sit_out_number,
    table_sizes,
)
from tournaments.rules.task import Seated, Task, prepare, search_task

MOST_LOOKS = 10_000_000  # swaps priced when the caller sets no budget: some seconds
LOTS = 4  # how many choices of who sits out are tried


@dataclass(frozen=True)
class Draw:
    """Rounds to be played and what is proved of them.

    ``rounds[r]`` are tables in seat order; ``sitting[r]`` who sits out. ``figures`` and
    ``bounds`` count the history too. ``method`` is "construction", "catalogue" or
    "search"; ``stopped`` says why a search ended ("bound", "budget", "deadline"; only the
    last depends on the clock; "ready" without a search). ``apart_met`` counts meetings of pairs kept apart.
    """

    rounds: tuple[Round, ...]
    sitting: tuple[tuple[int, ...], ...]
    figures: Figures
    bounds: Bounds
    method: str
    stopped: str
    looks: int
    seat_spread: int
    apart_met: int
    seed: int

    @property
    def optimal(self) -> bool:
        """Whether Q reaches a bound, so that no draw with these numbers has fewer repeats."""
        return self.gap == 0

    @property
    def gap(self) -> int:
        """Q minus the strongest bound."""
        return self.figures.q - self.bounds.best


def plan(
    players: Sequence[int],
    *,
    rounds: int,
    ideal: int,
    seed: int,
    smallest: int = SMALLEST_TABLE,
    largest: int = LARGEST_TABLE,
    history: Sequence[Round] = (),
    apart: Iterable[Pair] = (),
    volunteers: Sequence[frozenset[int]] = (),
    planned: Sequence[Round] = (),
    budget: int | None = None,
    expired: Expired = never,
) -> Draw:
    """Draw ``rounds`` more rounds for ``players`` at tables of about ``ideal``.

    ``history`` holds the rounds played so far, also of players who have left;
    ``apart`` the pairs that should not meet; ``volunteers[r]`` who would like to sit out
    round r if somebody must; ``planned`` the rounds drawn earlier for what is still to come:
    after a drop-out or a late entry the search starts from them. ``budget`` is the number
    of swaps a search may price (by default it grows with the numbers). Raises ``BadDraw``.
    """
    check_numbers(len(players), rounds)
    if len(set(players)) < len(players):
        raise BadDraw("duplicate_players", "the same player is listed twice")
    check_rounds([*history, *planned])
    check_limits(ideal, smallest, largest)
    rng = Random(seed)
    looks_left = min(MOST_LOOKS, 20_000 * len(players) * rounds) if budget is None else budget
    out = sit_out_number(len(players), smallest=smallest, largest=largest) % len(players)
    sizes = table_sizes(len(players) - out, ideal=ideal, smallest=smallest, largest=largest)
    lots = LOTS if out else 1
    draws: list[Draw] = []
    for lot in range(lots):
        task = prepare(
            tuple(players),
            sizes,
            rounds,
            rng,
            history=history,
            apart=apart,
            volunteers=volunteers,
            planned=planned,
        )
        seated = _seat(task, rng, looks_left // (lots - lot), expired)
        looks_left -= seated.looks
        draws.append(_finish(task, seated, seed))
        if seated.stopped != "budget":
            break
    return min(draws, key=lambda draw: (draw.apart_met, draw.figures.key))


def _seat(task: Task, rng: Random, budget: int, expired: Expired) -> Seated:
    """Seat the rounds by a design that has them all, else by a search that starts from the longest."""
    starts: list[Rows] = []
    if task.fresh:
        rounds = len(task.sizes)
        design = best_design(len(task.players), len(task.sizes[0]), rounds, catalogue.load())
        rows = None if design is None else relabel(design.rows, task.apart, rng)
        if design is not None and rows is not None:
            if len(rows) == rounds:
                return Seated(rows, design.method, "ready", 0)
            starts.append(rows)
    return search_task(task, starts, rng, budget, expired)


def _finish(task: Task, seated: Seated, seed: int) -> Draw:
    """Seat the tables and measure the draw."""
    rows = seated.rows
    had = {
        player: [count[seat] for seat in range(1, max(count) + 1)]
        for player, count in seat_counts(task.history).items()
    }
    rounds = seat_rounds(to_rounds(rows, task.players), had)
    everything = (*task.history, *rounds)
    apart_met = sum(row[i] == row[j] != ABSENT for row in rows for i, j in task.apart)
    sitting = tuple(tuple(p for p, t in zip(task.players, row, strict=True) if t == ABSENT) for row in rows)
    return Draw(
        rounds=rounds,
        sitting=sitting,
        figures=measure(everything, task.players),
        bounds=task.bounds,
        method=seated.method,
        stopped=seated.stopped,
        looks=seated.looks,
        seat_spread=seat_spread(rounds),
        apart_met=apart_met,
        seed=seed,
    )
