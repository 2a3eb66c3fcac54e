"""The shipped catalogue: seatings for the hard cases, where a search of seconds falls short.

``catalogue.txt`` holds one entry after another: a line "players tables rounds q recipe",
then one line a round with the table of every player as a letter (A is the largest
table). ``manage.py make_catalogue`` writes the file from the recipes below and
checks it; nothing in it is trusted without that check.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import ascii_letters, digits

from tournaments.rules.meetings import Round, measure
from tournaments.rules.sizes import split_evenly

LETTERS = ascii_letters[26:] + ascii_letters[:26] + digits
Rows = list[list[int]]


@dataclass(frozen=True)
class Entry:
    """A seating of whole rounds: ``rows[r][p]`` is the table of player p in round r, larger tables first."""

    players: int
    tables: int
    q: int
    recipe: str
    rows: tuple[tuple[int, ...], ...]

    @property
    def rounds(self) -> int:
        """How many rounds the entry seats."""
        return len(self.rows)


def to_rounds(rows: Iterable[Iterable[int]], players: tuple[int, ...]) -> tuple[Round, ...]:
    """Return rows of table numbers (negative: sits out) as rounds of tables of ``players``."""
    rounds = []
    for row in rows:
        tables: dict[int, list[int]] = {}
        for player, table in zip(players, row, strict=True):
            if table >= 0:
                tables.setdefault(table, []).append(player)
        rounds.append(tuple(tuple(tables[t]) for t in sorted(tables)))
    return tuple(rounds)


def larger_first(rows: Rows) -> Rows:
    """Return the rows with tables renumbered so that larger tables come first."""
    renumbered = []
    for row in rows:
        order = sorted(set(row) - {-1}, key=lambda table: (-row.count(table), table))
        number = {table: n for n, table in enumerate(order)} | {-1: -1}
        renumbered.append([number[table] for table in row])
    return renumbered


def dump(entries: Iterable[Entry]) -> str:
    """Return the text of the catalogue; ``parse`` is its inverse."""
    lines = []
    for entry in entries:
        lines.append(f"{entry.players} {entry.tables} {entry.rounds} {entry.q} {entry.recipe}")
        lines += ["".join(LETTERS[table] for table in row) for row in entry.rows]
    return "\n".join(lines) + "\n"


def parse(text: str) -> tuple[Entry, ...]:
    """Return the entries of a catalogue's text; raises ``ValueError`` for a broken line."""
    entries = []
    lines = iter(line for line in text.splitlines() if line and not line.startswith("#"))
    for head in lines:
        players, tables, rounds, q, recipe = head.split(" ", 4)
        rows = tuple(tuple(LETTERS.index(letter) for letter in next(lines)) for _ in range(int(rounds)))
        entries.append(Entry(int(players), int(tables), int(q), recipe, rows))
    return tuple(entries)


def check(entry: Entry) -> str | None:
    """Return what is wrong with an entry, or ``None``: sizes, visits to larger tables, its claimed Q."""
    sizes = split_evenly(entry.players, entry.tables)
    for number, row in enumerate(entry.rows, 1):
        if tuple(row.count(table) for table in range(entry.tables)) != sizes or len(row) != entry.players:
            return f"round {number} does not have the table sizes {sizes}"
    names = tuple(range(1, entry.players + 1))
    figures = measure(to_rounds(entry.rows, names), names)
    if figures.larger_spread > 1:
        return f"visits to larger tables differ by {figures.larger_spread}"
    if figures.q != entry.q:
        return f"Q is {figures.q}, not {entry.q}"
    return None


@cache
def load() -> tuple[Entry, ...]:
    """Return the shipped entries."""
    return parse(files("tournaments.rules").joinpath("catalogue.txt").read_text(encoding="ascii"))
