"""How every entry of the catalogue was made, so that anybody can make it again.

A recipe is a line of text. ``starter v classes fixed m n seed``: the method of ``starters``
with n starters modulo v, the maps of classes and of fixed points written as digits (- for
none) and the multiplier m. ``search seed looks``: the search
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
    kind, *words = recipe.text.split()
    if kind == "starter":
        rows = _from_starter(recipe, *words)
    elif kind == "search":
        rows = _from_search(recipe, words, earlier, expired)
    else:
        raise ValueError(f"unknown kind of recipe: {kind}")
    rows = larger_first(rows)
    names = tuple(range(recipe.players))
    q = measure(to_rounds(rows, names), names).q
    return Entry(recipe.players, recipe.tables, q, recipe.text, tuple(tuple(row) for row in rows))


def _from_starter(
    recipe: Recipe, modulus: str, classes: str, fixed: str, multiplier: str, starters: str, seed: str
) -> Rows:
    """Return the rounds developed from starters."""
    plan = Plan(
        size=recipe.players // recipe.tables,
        modulus=int(modulus),
        class_map=tuple(map(int, classes)),
        fixed_map=tuple(map(int, fixed.replace("-", ""))),
        multiplier=int(multiplier),
        starters=int(starters),
    )
    rows = develop(plan, int(seed), _NODES) if plan.players == recipe.players else None
    if rows is None or len(rows) != recipe.rounds:
        raise ValueError(f"no starter found for {recipe}")
    return rows


def _from_search(recipe: Recipe, words: list[str], earlier: Iterable[Entry], expired: Expired) -> Rows:
    """Return the rounds found by a long search."""
    seed, looks = map(int, words)
    rng = Random(seed)
    sizes = split_evenly(recipe.players, recipe.tables)
    task = prepare(tuple(range(recipe.players)), sizes, recipe.rounds, rng)
    start = best_design(recipe.players, recipe.tables, recipe.rounds - 1, earlier)
    return search_task(task, [start.rows] if start else [], rng, looks, expired).rows


RECIPES: tuple[Recipe, ...] = (
    Recipe(24, 6, 7, "starter 7 120 120 1 1 1"),
    Recipe(28, 7, 9, "starter 9 120 0 2 1 1"),
    Recipe(30, 6, 6, "starter 6 12340 - 1 1 1"),
    Recipe(32, 8, 10, "starter 5 103245 01 4 2 2"),
    Recipe(36, 9, 11, "starter 11 120 120 1 1 1"),
    Recipe(40, 10, 13, "starter 13 120 0 4 1 1"),
    Recipe(24, 6, 8, "search 1 20000000"),
    Recipe(24, 6, 9, "search 1 20000000"),
    Recipe(14, 4, 5, "search 1 20000000"),
    Recipe(23, 5, 5, "search 1 20000000"),
    Recipe(26, 2, 3, "search 1 4000000"),
    Recipe(28, 6, 5, "search 1 20000000"),
    Recipe(29, 6, 5, "search 1 20000000"),
    Recipe(33, 6, 5, "search 1 20000000"),
    Recipe(34, 6, 5, "search 1 20000000"),
    Recipe(35, 6, 4, "search 1 20000000"),
    Recipe(35, 6, 5, "search 1 20000000"),
    Recipe(36, 6, 4, "search 1 20000000"),
    Recipe(36, 6, 5, "search 1 20000000"),
    Recipe(36, 7, 5, "search 1 20000000"),
    Recipe(37, 6, 5, "search 1 20000000"),
    Recipe(37, 7, 5, "search 1 20000000"),
    Recipe(39, 7, 4, "search 1 20000000"),
    Recipe(39, 7, 5, "search 1 20000000"),
    Recipe(40, 7, 5, "search 1 20000000"),
    Recipe(42, 3, 4, "search 1 4000000"),
    Recipe(43, 6, 5, "search 1 20000000"),
    Recipe(43, 7, 5, "search 1 20000000"),
    Recipe(44, 6, 5, "search 1 20000000"),
    Recipe(45, 8, 5, "search 1 20000000"),
    Recipe(46, 7, 5, "search 1 20000000"),
    Recipe(46, 8, 5, "search 1 20000000"),
    Recipe(47, 3, 4, "search 1 4000000"),
    Recipe(47, 7, 5, "search 1 20000000"),
    Recipe(49, 5, 5, "search 1 4000000"),
    Recipe(49, 8, 5, "search 1 20000000"),
    Recipe(50, 4, 5, "search 1 4000000"),
    Recipe(50, 5, 5, "search 1 20000000"),
    Recipe(50, 7, 5, "search 1 20000000"),
    Recipe(50, 8, 5, "search 1 20000000"),
    Recipe(51, 6, 5, "search 1 20000000"),
    Recipe(51, 7, 5, "search 1 20000000"),
    Recipe(53, 5, 5, "search 1 4000000"),
    Recipe(53, 7, 5, "search 1 20000000"),
    Recipe(53, 8, 4, "search 1 20000000"),
    Recipe(53, 8, 5, "search 1 20000000"),
    Recipe(54, 4, 4, "search 1 4000000"),
    Recipe(54, 7, 5, "search 1 20000000"),
    Recipe(54, 8, 5, "search 1 20000000"),
    Recipe(55, 4, 4, "search 1 4000000"),
    Recipe(55, 4, 5, "search 1 4000000"),
    Recipe(55, 6, 5, "search 1 4000000"),
    Recipe(55, 7, 5, "search 1 20000000"),
    Recipe(56, 4, 4, "search 1 4000000"),
    Recipe(56, 4, 5, "search 1 4000000"),
    Recipe(56, 7, 5, "search 1 20000000"),
    Recipe(56, 9, 5, "search 1 20000000"),
    Recipe(57, 4, 5, "search 1 4000000"),
    Recipe(57, 5, 5, "search 1 4000000"),
    Recipe(57, 6, 5, "search 1 20000000"),
    Recipe(57, 7, 5, "search 1 20000000"),
    Recipe(57, 8, 5, "search 1 20000000"),
    Recipe(58, 4, 3, "search 1 4000000"),
    Recipe(58, 4, 4, "search 1 4000000"),
    Recipe(58, 4, 5, "search 1 4000000"),
    Recipe(58, 5, 4, "search 1 4000000"),
    Recipe(58, 5, 5, "search 1 4000000"),
    Recipe(58, 6, 5, "search 1 4000000"),
    Recipe(58, 7, 5, "search 1 20000000"),
    Recipe(58, 8, 5, "search 1 20000000"),
    Recipe(59, 4, 5, "search 1 4000000"),
    Recipe(59, 7, 5, "search 1 20000000"),
    Recipe(59, 8, 5, "search 1 20000000"),
    Recipe(60, 7, 5, "search 1 20000000"),
    Recipe(60, 8, 5, "search 1 20000000"),
    Recipe(60, 9, 5, "search 1 20000000"),
    Recipe(61, 4, 4, "search 1 4000000"),
    Recipe(61, 4, 5, "search 1 4000000"),
    Recipe(61, 6, 5, "search 1 4000000"),
    Recipe(61, 8, 5, "search 1 20000000"),
    Recipe(61, 9, 5, "search 1 20000000"),
    Recipe(62, 4, 4, "search 1 4000000"),
    Recipe(62, 4, 5, "search 1 4000000"),
    Recipe(62, 5, 5, "search 1 4000000"),
    Recipe(62, 6, 5, "search 1 4000000"),
    Recipe(62, 8, 5, "search 1 20000000"),
    Recipe(63, 4, 4, "search 1 4000000"),
    Recipe(63, 4, 5, "search 1 4000000"),
    Recipe(63, 5, 4, "search 1 4000000"),
    Recipe(63, 5, 5, "search 1 4000000"),
    Recipe(64, 5, 4, "search 1 4000000"),
    Recipe(64, 5, 5, "search 1 4000000"),
    Recipe(64, 7, 5, "search 1 4000000"),
    Recipe(64, 9, 5, "search 1 20000000"),
)
