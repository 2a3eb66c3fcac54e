"""Knock-outs: who leaves, in which place, and when a round of an elimination ends.

Totals are carried; a player whose total is strictly above the threshold is out (S14).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.rules.errors import BadEvent

Place = tuple[int, int]  # (place, player), equal results sharing a place


@dataclass(frozen=True)
class KnockOut:
    """What a deal does to the field.

    ``out`` are groups of equal rank, best first; ``survivors`` play on. When everybody
    exceeds the threshold, ``survivors`` is the winner alone, or those who tie for the
    lowest total: they play one more orbit between them (``play_off``).
    """

    out: tuple[tuple[int, ...], ...]
    survivors: tuple[int, ...]
    play_off: bool = False


def knock_out(before: Mapping[int, int], scores: Mapping[int, int], threshold: int) -> KnockOut:
    """Return who is out after a deal, or after several tables' deals that count as the same.

    ``before`` holds the totals of everybody concerned, ``scores`` what the deal adds
    (missing: 0). All above the threshold go together: the lower total ranks better, then
    the lower total before the deal; equal in both share the place.
    """
    if strangers := scores.keys() - before.keys():
        raise BadEvent("not_in_event", f"scores for players who are not in: {sorted(strangers)}")
    total = {player: old + scores.get(player, 0) for player, old in before.items()}
    over = [player for player in total if total[player] > threshold]
    survivors = tuple(sorted(player for player in total if total[player] <= threshold))
    if over and not survivors:
        lowest = min(total.values())
        survivors = tuple(sorted(player for player in total if total[player] == lowest))
        over = [player for player in over if player not in survivors]
        return KnockOut(_groups(over, total, before), survivors, play_off=len(survivors) > 1)
    return KnockOut(_groups(over, total, before), survivors)


def _groups(
    players: Iterable[int], total: Mapping[int, int], before: Mapping[int, int]
) -> tuple[tuple[int, ...], ...]:
    """Return the players in groups of equal total and equal total before, best group first."""
    groups: dict[tuple[int, int], list[int]] = {}
    for player in sorted(players):
        groups.setdefault((total[player], before[player]), []).append(player)
    return tuple(tuple(groups[key]) for key in sorted(groups))


def places(out: Sequence[Sequence[int]], still_in: int) -> tuple[Place, ...]:
    """Return the places of groups that go out together while ``still_in`` players stay."""
    result: list[Place] = []
    for group in out:
        place = still_in + len(result) + 1
        result += [(place, player) for player in group]
    return tuple(result)


def final_places(knock_outs: Sequence[KnockOut]) -> tuple[Place, ...]:
    """Return the final table of a whole elimination, best first, from its knock-outs in order."""
    if not knock_outs:
        return ()
    result: list[Place] = [(1, player) for player in knock_outs[-1].survivors]
    for step in reversed(knock_outs):
        result += places(step.out, len(result))
    return tuple(result)


@dataclass(frozen=True)
class RoundEnd:
    """When a round ends at a table.

    ``first_out``: at its first knock-out; ``orbits``: after ``count`` orbits;
    ``outs``: when ``count`` players there have reached the limit.
    """

    kind: Literal["first_out", "orbits", "outs"]
    count: int = 1


def round_over(rule: RoundEnd, *, orbits: int, outs: int) -> bool:
    """Whether the round is over at a table with so many complete orbits and knocked-out players."""
    if rule.kind == "first_out":
        return outs >= 1
    if rule.kind == "outs":
        return outs >= rule.count
    return orbits >= rule.count
