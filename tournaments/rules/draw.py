"""The draw: who plays whom in the rounds still to come, with a certificate.

``plan`` takes the players present and the rounds already played and returns rounds
of tables in seat order. It uses a construction or the catalogue where they reach a
bound, else a search that starts from them; the same arguments give the same draw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from tournaments.rules import catalogue
from tournaments.rules.board import ABSENT, Board
from tournaments.rules.bounds import (
    Bounds,
    history_bound,
    meetings_of,
    pairs_bound,
    rounds_bound,
    visits_bound,
)
from tournaments.rules.catalogue import larger_first, to_rounds
from tournaments.rules.construction import net_rounds
from tournaments.rules.errors import BadDraw
from tournaments.rules.meetings import (
    Figures,
    Pair,
    Round,
    check_rounds,
    count_meetings,
    larger_visits,
    measure,
)
from tournaments.rules.polish import best_order, polish
from tournaments.rules.search import Expired, anneal, never
from tournaments.rules.seats import seat_counts, seat_rounds, seat_spread
from tournaments.rules.sit_outs import choose_sit_outs, rounds_not_played
from tournaments.rules.sizes import (
    LARGEST_TABLE,
    SMALLEST_TABLE,
    Sizes,
    check_numbers,
    sit_out_number,
    table_sizes,
)

MOST_LOOKS = 10_000_000  # swaps priced when the caller sets no budget: some seconds
LOTS = 4  # how many choices of who sits out are tried
Rows = list[list[int]]


@dataclass(frozen=True)
class Draw:
    """Rounds to be played and what is proved of them.

    ``rounds[r]`` are tables in seat order; ``sitting[r]`` who sits out. ``figures`` and
    ``bounds`` count the history too. ``method`` is "construction", "catalogue" or
    "search"; ``stopped`` says why a search ended ("bound", "budget", "deadline"; only the
    last depends on the clock). ``apart_met`` counts meetings of pairs kept apart.
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


@dataclass(frozen=True)
class _Task:
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
    budget: int | None = None,
    expired: Expired = never,
) -> Draw:
    """Draw ``rounds`` more rounds for ``players`` at tables of about ``ideal``.

    ``history`` holds the rounds played so far, also of players who have left;
    ``apart`` the pairs that should not meet; ``volunteers[r]`` who would like to sit out
    round r if somebody must. ``budget`` is the number of swaps a search may price (by
    default it grows with the numbers). Raises ``BadDraw``.
    """
    check_numbers(len(players), rounds)
    if len(set(players)) < len(players):
        raise BadDraw("duplicate_players", "the same player is listed twice")
    check_rounds(history)
    rng = Random(seed)
    looks_left = min(MOST_LOOKS, 20_000 * len(players) * rounds) if budget is None else budget
    best: Draw | None = None
    for lots_left in range(LOTS, 0, -1):
        task = _prepare(
            tuple(players), rounds, (ideal, smallest, largest), tuple(history), apart, volunteers, rng
        )
        if not any(task.absent):
            lots_left = 1
        rows, method, stopped, looks = _seat(task, rng, looks_left // lots_left, expired)
        looks_left -= looks
        draw = _finish(task, rows, method, stopped, looks, seed)
        if best is None or (draw.apart_met, draw.figures.key) < (best.apart_met, best.figures.key):
            best = draw
        if stopped != "budget" or lots_left == 1:
            return best
    raise AssertionError("the last lot returns")


def _prepare(
    players: tuple[int, ...],
    rounds: int,
    limits: tuple[int, int, int],
    history: tuple[Round, ...],
    apart: Iterable[Pair],
    volunteers: Sequence[frozenset[int]],
    rng: Random,
) -> _Task:
    """Fix who sits out, the table sizes and the bounds."""
    ideal, smallest, largest = limits
    out = (
        sit_out_number(len(players), smallest=smallest, largest=largest)
        if smallest <= ideal <= largest
        else 0
    )
    sizes = table_sizes(
        len(players) - out if out < len(players) else len(players),
        ideal=ideal,
        smallest=smallest,
        largest=largest,
    )
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
    return _Task(
        players,
        history,
        every,
        tuple(absent),
        tuple(sorted((i, j) for i, j in pairs)),
        _bounds(players, history, every),
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


def _seat(task: _Task, rng: Random, budget: int, expired: Expired) -> tuple[Rows, str, str, int]:
    """Return rows of tables by player, the method, why it ended and how many swaps were priced."""
    starts: list[tuple[Rows, str]] = []
    if task.fresh:
        for rows, method in _designs(task):
            relabelled = _relabel(rows, task, rng)
            if relabelled is not None and len(rows) == len(task.sizes):
                return relabelled, method, "bound", 0
            if relabelled is not None:
                starts.append((relabelled, method))
    return _search(task, [rows for rows, _ in starts], rng, budget, expired)


def _designs(task: _Task) -> list[tuple[Rows, str]]:
    """Return ready seatings, whole ones first, then shorter ones without repeats to start a search from."""
    players, tables, rounds = len(task.players), len(task.sizes[0]), len(task.sizes)
    entry = catalogue.find(players, tables, rounds)
    if entry is not None:
        return [([list(row) for row in entry.rows], "catalogue")]
    found: list[tuple[Rows, str]] = []
    for length in (rounds, tables + 1, tables):
        net = net_rounds(players, tables, length) if length <= rounds else None
        if net is not None and _fair_visits(net):
            found.append((larger_first(net), "construction"))
            break
    start = catalogue.longest_without_repeats(players, tables, rounds)
    if start is not None and (not found or len(found[0][0]) < start.rounds):
        found = [([list(row) for row in start.rows], "catalogue")]
    return found


def _fair_visits(rows: Rows) -> bool:
    """Whether visits to larger tables are within 1."""
    names = tuple(range(len(rows[0])))
    visits = larger_visits(to_rounds(rows, names), names).values()
    return max(visits) - min(visits) <= 1


def _relabel(rows: Rows, task: _Task, rng: Random) -> Rows | None:
    """Give the places of a design to the players by lot, pairs kept apart not meeting; ``None`` if that fails."""
    places = rng.sample(range(len(task.players)), len(task.players))
    order = rng.sample(range(len(rows)), len(rows))

    def clashes() -> int:
        return sum(row[places[i]] == row[places[j]] for row in rows for i, j in task.apart)

    left = clashes()
    for _ in range(2000):
        if not left:
            return [[rows[r][place] for place in places] for r in order]
        a, b = rng.sample(range(len(places)), 2)
        places[a], places[b] = places[b], places[a]
        new = clashes()
        if new > left:
            places[a], places[b] = places[b], places[a]
        left = min(new, left)
    return None


def _search(
    task: _Task, starts: list[Rows], rng: Random, budget: int, expired: Expired
) -> tuple[Rows, str, str, int]:
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
        found = anneal(board, goal=task.bounds.best, rng=rng, budget=share, expired=expired)
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
    return board.table, "search", stopped, looks


def _last_row(task: _Task) -> list[int] | None:
    """Return the tables of the last round played, by player, or ``None`` before the first."""
    if not task.history:
        return None
    table_of = {player: t for t, table in enumerate(task.history[-1]) for player in table}
    return [table_of.get(player, ABSENT) for player in task.players]


def _finish(task: _Task, rows: Rows, method: str, stopped: str, looks: int, seed: int) -> Draw:
    """Seat the tables and measure the draw."""
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
        method=method,
        stopped=stopped,
        looks=looks,
        seat_spread=seat_spread(rounds),
        apart_met=apart_met,
        seed=seed,
    )
