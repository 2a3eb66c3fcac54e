"""Ready seatings: the catalogue's entries and the constructions, whole or as the start of a search."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from tournaments.rules.catalogue import Entry, Rows, larger_first, to_rounds
from tournaments.rules.construction import net_rounds
from tournaments.rules.meetings import larger_visits


@dataclass(frozen=True)
class Design:
    """A seating by place 0..N-1; with fewer rounds than asked it is free of repeats."""

    rows: Rows
    method: str  # "catalogue" or "construction"


def best_design(players: int, tables: int, rounds: int, shelf: Iterable[Entry]) -> Design | None:
    """Return a whole seating of ``rounds`` rounds, else the longest shorter one without repeats, else ``None``.

    Visits to larger tables are within 1. Of a longer entry with larger and smaller
    tables the start is not taken: its visits are fair for its full length only.
    """
    own = [entry for entry in shelf if (entry.players, entry.tables) == (players, tables)]
    for entry in own:
        if entry.rounds == rounds:
            return _from_entry(entry, rounds)
    clean = [entry for entry in own if entry.q == 0 and (entry.rounds < rounds or players % tables == 0)]
    found = [_from_entry(entry, min(rounds, entry.rounds)) for entry in clean]
    for length in sorted({min(rounds, tables + 1), min(rounds, tables)}, reverse=True):
        net = net_rounds(players, tables, length)
        if net is not None and _fair_visits(net):
            found.append(Design(larger_first(net), "construction"))
            break
    # Of equally long ones the construction: it is the easier to explain.
    return max(found, key=lambda design: (len(design.rows), design.method), default=None)


def relabel(rows: Rows, apart: Iterable[tuple[int, int]], rng: Random) -> Rows | None:
    """Give the places to the players by lot so that no pair of ``apart`` meets; ``None`` if that fails."""
    players = len(rows[0])
    places = rng.sample(range(players), players)
    order = rng.sample(range(len(rows)), len(rows))
    pairs = list(apart)

    def clashes() -> int:
        return sum(row[places[i]] == row[places[j]] for row in rows for i, j in pairs)

    left = clashes()
    for _ in range(2000):
        if not left:
            return [[rows[r][place] for place in places] for r in order]
        a, b = rng.sample(range(players), 2)
        places[a], places[b] = places[b], places[a]
        new = clashes()
        if new > left:
            places[a], places[b] = places[b], places[a]
        left = min(new, left)
    return None


def _from_entry(entry: Entry, rounds: int) -> Design:
    return Design([list(row) for row in entry.rows[:rounds]], "catalogue")


def _fair_visits(rows: Rows) -> bool:
    """Whether visits to larger tables are within 1."""
    names = tuple(range(len(rows[0])))
    visits = larger_visits(to_rounds(rows, names), names).values()
    return max(visits) - min(visits) <= 1
