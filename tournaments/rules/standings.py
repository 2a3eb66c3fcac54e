"""Standings: scores, tie-breaks in the published order, equal ranks, and what is still possible.

All arithmetic is exact (fractions). A table's result is the number each player scored
there; whether high or low is good is a property of the event.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tournaments.rules.errors import BadEvent

Scoring = Literal["high", "low", "places"]
Liveness = Literal["safe", "alive", "out"]


@dataclass(frozen=True)
class TableResult:
    """What the players of one table scored in a round (Loo: net stakes; Least Score: points)."""

    round: int
    scores: Mapping[int, int]


@dataclass(frozen=True)
class Row:
    """A line of the standings; ``rank`` is shared by equals, ``tie_breaks`` follow the published order."""

    rank: int
    player: int
    score: Fraction
    tie_breaks: tuple[Fraction, ...]


def place_points(scores: Mapping[int, int], *, low_wins: bool) -> dict[int, Fraction]:
    """Return place / (n - 1) for every player of a table: 0 for the winner, 1 for the last of n.

    The place is the number of players who did better; equals share the mean of their
    places, so the points of a table always add up to n / 2, whatever its size.
    """
    n = len(scores)
    if n < 2:
        return dict.fromkeys(scores, Fraction(0))
    points = {}
    for player, own in scores.items():
        better = sum((other < own) if low_wins else (other > own) for other in scores.values())
        equal = sum(other == own for other in scores.values()) - 1
        points[player] = (Fraction(better) + Fraction(equal, 2)) / (n - 1)
    return points


class Scores:
    """The results of an event, turned into numbers of which the smaller is always the better."""

    def __init__(self, results: Iterable[TableResult], scoring: Scoring, *, low_wins: bool = True) -> None:
        """``low_wins`` matters for ``places`` only: whether the lower number wins a table."""
        self.results = tuple(results)
        self.by_round: dict[int, dict[int, Fraction]] = {}
        self.places: list[dict[int, Fraction]] = []
        low_wins = {"high": False, "low": True, "places": low_wins}[scoring]
        for result in self.results:
            ranked = place_points(result.scores, low_wins=low_wins)
            self.places.append(ranked)
            for player, number in result.scores.items():
                own = self.by_round.setdefault(player, {})
                if result.round in own:
                    raise BadEvent("two_results", f"player {player} has two results in round {result.round}")
                value = ranked[player] if scoring == "places" else Fraction(number)
                own[result.round] = -value if scoring == "high" else value

    def cost(self, player: int, sat_out: int = 0, neutral: Fraction = Fraction(0)) -> Fraction:
        """Return the sum over rounds; a round sat out counts as the player's mean (``neutral`` without any)."""
        own = self.by_round.get(player, {})
        played = sum(own.values(), Fraction(0))
        mean = played / len(own) if own else neutral
        return played + sat_out * mean


TieBreak = Callable[[Scores, int, frozenset[int]], Fraction]


def _head_to_head(scores: Scores, player: int, tied: frozenset[int]) -> Fraction:
    """Games lost minus won against those tied, at common tables."""
    balance = 0
    for places in scores.places:
        if player in places:
            for other in tied & places.keys() - {player}:
                balance += (places[player] > places[other]) - (places[player] < places[other])
    return Fraction(balance)


def _wins(scores: Scores, player: int, tied: frozenset[int]) -> Fraction:
    """Tables won (negative, for more is better); equal firsts share the win."""
    won = Fraction(0)
    for places in scores.places:
        best = min(places.values())
        if places.get(player) == best:
            won += Fraction(1, sum(place == best for place in places.values()))
    return -won


def _best_round(scores: Scores, player: int, tied: frozenset[int]) -> Fraction:
    """The best single round."""
    return min(scores.by_round.get(player, {0: Fraction(0)}).values())


def _worst_round(scores: Scores, player: int, tied: frozenset[int]) -> Fraction:
    """The worst single round: the least bad is better."""
    return max(scores.by_round.get(player, {0: Fraction(0)}).values())


def _last_round(scores: Scores, player: int, tied: frozenset[int]) -> Fraction:
    """The round played last."""
    own = scores.by_round.get(player, {})
    return own[max(own)] if own else Fraction(0)


def _opponents(scores: Scores, player: int, tied: frozenset[int]) -> Fraction:
    """The mean result of the opponents, met twice counted twice: stronger opponents are better."""
    met = [other for places in scores.places if player in places for other in places if other != player]
    return sum((scores.cost(other) for other in met), Fraction(0)) / len(met) if met else Fraction(0)


TIE_BREAKS: dict[str, TieBreak] = {
    "head_to_head": _head_to_head,
    "wins": _wins,
    "best_round": _best_round,
    "worst_round": _worst_round,
    "last_round": _last_round,
    "opponents": _opponents,
}


def check_tie_breaks(order: Sequence[str]) -> None:
    """Refuse an unknown or repeated tie-break; raises ``BadEvent``."""
    if unknown := [name for name in order if name not in TIE_BREAKS]:
        known = ", ".join(TIE_BREAKS)
        raise BadEvent("bad_tie_break", f"unknown tie-break {unknown[0]!r}; choose from {known}")
    if len(set(order)) < len(order):
        raise BadEvent("bad_tie_break", "a tie-break is listed twice")


def standings(
    results: Iterable[TableResult],
    players: Iterable[int],
    *,
    scoring: Scoring,
    order: Sequence[str] = (),
    low_wins: bool = True,
    sat_out: Mapping[int, int] | None = None,
    missed: Mapping[int, Fraction] | None = None,
) -> tuple[Row, ...]:
    """Return the standings, best first; players equal in everything share a rank.

    ``order`` names the tie-breaks in the published order. ``sat_out`` counts rounds a
    player sat out because tables were full; each counts as his mean round. ``missed`` is what
    rounds cost that a player was not there for (larger is worse). Among equals
    the lower player number is printed first; that decides nothing.
    """
    check_tie_breaks(order)
    scores = Scores(results, scoring, low_wins=low_wins)
    rests = sat_out or {}
    neutral = Fraction(1, 2) if scoring == "places" else Fraction(0)
    absent = missed or {}
    cost = {p: scores.cost(p, rests.get(p, 0), neutral) + absent.get(p, 0) for p in players}
    groups = _split([sorted(cost)], cost)
    breaks: dict[int, list[Fraction]] = {player: [] for player in cost}
    for name in order:
        decide = TIE_BREAKS[name]
        values = {p: decide(scores, p, frozenset(group)) for group in groups for p in group}
        for player, value in values.items():
            breaks[player].append(value)
        groups = _split(groups, values)
    sign = -1 if scoring == "high" else 1
    rows: list[Row] = []
    for group in groups:
        rank = len(rows) + 1
        rows += [Row(rank, player, sign * cost[player], tuple(breaks[player])) for player in group]
    return tuple(rows)


def _split(groups: Iterable[Sequence[int]], values: Mapping[int, Fraction]) -> list[list[int]]:
    """Split every group of equals by a value, best first."""
    return [
        [player for player in group if values[player] == value]
        for group in groups
        for value in sorted({values[player] for player in group})
    ]


def liveness(
    cost: Mapping[int, Fraction],
    *,
    rounds_left: int,
    best: Fraction | None,
    worst: Fraction | None,
    places: int,
) -> dict[int, Liveness]:
    """Return what is still possible for each player with ``rounds_left`` rounds to come and ``places`` to win.

    ``cost`` is smaller-is-better; a round adds at least ``best`` and at most ``worst``
    (``None``: no limit). "safe" and "out" are certain; that others cannot all have their
    best round at once is not used, so "alive" may say too much, never too little.
    """
    if rounds_left > 0 and (best is None or worst is None):
        return dict.fromkeys(cost, "alive")
    low = {player: own + rounds_left * (best or 0) for player, own in cost.items()}
    high = {player: own + rounds_left * (worst or 0) for player, own in cost.items()}
    result: dict[int, Liveness] = {}
    for player in cost:
        may_reach = sum(low[other] <= high[player] for other in cost if other != player)
        surely_better = sum(high[other] < low[player] for other in cost if other != player)
        result[player] = "safe" if may_reach < places else "out" if surely_better >= places else "alive"
    return result
