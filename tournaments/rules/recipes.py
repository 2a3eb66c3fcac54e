"""How every entry of the catalogue was made, so that anybody can make it again.

A recipe is a line of text. ``starter v c m t seed``: the method of starters with c classes
modulo v, multiplier m, classes turning (t = 1) or not. ``search seed looks``: the search
of ``task``, started from the longest design without repeats that comes earlier in the
list (or from a construction), and from nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from tournaments.rules.catalogue import Entry, Rows, larger_first, to_rounds
from tournaments.rules.designs import best_design
from tournaments.rules.meetings import measure
from tournaments.rules.search import Expired, never
from tournaments.rules.sizes import split_evenly
from tournaments.rules.starters import Plan, develop
from tournaments.rules.task import prepare, search_task

_NODES = 200_000


@dataclass(frozen=True)
class Recipe:
    """An entry to be made: ``rounds`` rounds of ``players`` at ``tables`` tables, and how."""

    players: int
    tables: int
    rounds: int
    text: str


def make(recipe: Recipe, earlier: Iterable[Entry], expired: Expired = never) -> Entry:
    """Make an entry; ``earlier`` are those a search may start from. Raises ``ValueError`` if the recipe fails."""
    kind, *numbers = recipe.text.split()
    values = [int(number) for number in numbers]
    if kind == "starter":
        rows = _from_starter(recipe, values)
    elif kind == "search":
        rows = _from_search(recipe, values, earlier, expired)
    else:
        raise ValueError(f"unknown kind of recipe: {kind}")
    rows = larger_first(rows)
    names = tuple(range(recipe.players))
    q = measure(to_rounds(rows, names), names).q
    return Entry(recipe.players, recipe.tables, q, recipe.text, tuple(tuple(row) for row in rows))


def _from_starter(recipe: Recipe, values: list[int]) -> Rows:
    """Return the rounds developed from a starter."""
    modulus, classes, multiplier, turn, seed = values
    size = recipe.players // recipe.tables
    rows = develop(Plan(recipe.players, size, modulus, classes, multiplier, bool(turn)), seed, _NODES)
    if rows is None or len(rows) < recipe.rounds:
        raise ValueError(f"no starter found for {recipe}")
    return rows[: recipe.rounds]


def _from_search(recipe: Recipe, values: list[int], earlier: Iterable[Entry], expired: Expired) -> Rows:
    """Return the rounds found by a long search."""
    seed, looks = values
    rng = Random(seed)
    sizes = split_evenly(recipe.players, recipe.tables)
    task = prepare(tuple(range(recipe.players)), sizes, recipe.rounds, rng)
    start = best_design(recipe.players, recipe.tables, recipe.rounds - 1, earlier)
    return search_task(task, [start.rows] if start else [], rng, looks, expired).rows


RECIPES: tuple[Recipe, ...] = (
    Recipe(24, 6, 7, "starter 7 3 1 1 1"),
    Recipe(28, 7, 9, "starter 9 3 2 1 1"),
    Recipe(30, 6, 6, "starter 6 5 1 1 1"),
    Recipe(36, 9, 11, "starter 11 3 1 1 1"),
    Recipe(40, 10, 13, "starter 13 3 4 1 1"),
    Recipe(24, 6, 8, "search 1 20000000"),
    Recipe(24, 6, 9, "search 1 20000000"),
)
