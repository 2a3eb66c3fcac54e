"""The cut: who advances, and what decides a tie that the published tie-breaks leave."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from tournaments.rules.errors import BadEvent

Ranked = Sequence[tuple[Any, int]]  # (key, player); the smaller key is better, equal keys are tied
Method = Literal["clear", "extended", "lot"]


@dataclass(frozen=True)
class Cut:
    """Who goes through and who does not.

    With ``method`` "lot" ``tied`` is the order drawn for ``places`` places, for the record.
    """

    through: tuple[int, ...]
    out: tuple[int, ...]
    method: Method
    tied: tuple[int, ...] = ()
    places: int = 0


def cut_best(ranked: Ranked, places: int, *, at_most: int | None = None, seed: int = 0) -> Cut:
    """Advance the best ``places`` of ``ranked``.

    A tie at the line extends the cut when ``at_most`` allows the whole tied group, else
    it is a lot drawn from ``seed`` over the player numbers in order (neither seating nor
    time of registration enters).
    """
    if not 0 <= places <= len(ranked):
        raise BadEvent("bad_cut", f"{places} of {len(ranked)} players cannot advance")
    through: list[int] = []
    groups = _tied_groups(ranked)
    for n, group in enumerate(groups):
        rest = tuple(player for later in groups[n + 1 :] for player in later)
        left = places - len(through)
        if left == 0:
            return Cut(tuple(through), (*group, *rest), "clear")
        if len(group) <= left:
            through += group
        elif at_most is not None and len(through) + len(group) <= at_most:
            return Cut((*through, *group), rest, "extended", tied=group)
        else:
            drawn = draw_lot(group, seed)
            return Cut((*through, *drawn[:left]), (*drawn[left:], *rest), "lot", tied=drawn, places=left)
    return Cut(tuple(through), (), "clear")


def draw_lot(players: Sequence[int], seed: int) -> tuple[int, ...]:
    """Return the players in an order drawn from ``seed``; the order they are given in does not matter."""
    order = sorted(players)
    Random(seed).shuffle(order)
    return tuple(order)


def cut_tables(tables: Sequence[Ranked], quotas: Sequence[int], *, seeds: Sequence[int]) -> tuple[Cut, ...]:
    """Advance the best ``quotas[t]`` of every table; ``seeds[t]`` decides its lot."""
    return tuple(
        cut_best(ranked, quota, seed=seed) for ranked, quota, seed in zip(tables, quotas, seeds, strict=True)
    )


def _tied_groups(ranked: Ranked) -> list[tuple[int, ...]]:
    """Return the players in groups of equal key, best group first."""
    groups: dict[Hashable, list[int]] = {}
    for key, player in sorted(ranked):
        groups.setdefault(key, []).append(player)
    return [tuple(group) for group in groups.values()]
