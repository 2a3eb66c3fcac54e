"""A league table over several events: points by place, the best n of them count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.rules.elimination import Place
from tournaments.rules.errors import BadEvent


@dataclass(frozen=True)
class PointsRule:
    """``by_place`` lists points of the first places; without it a place is worth the players not better than it."""

    by_place: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if any(type(points) is not int or points < 0 for points in self.by_place):
            raise BadEvent("bad_points", "points are whole numbers from 0")


@dataclass(frozen=True)
class SeasonRow:
    """A line of the league table; ``counted`` are the points that count, ``left_out`` the worst beyond the best n."""

    rank: int
    player: int
    points: Fraction
    counted: tuple[Fraction, ...]
    left_out: tuple[Fraction, ...]


def event_points(places: Sequence[Place], rule: PointsRule) -> dict[int, Fraction]:
    """Return everybody's points of one event; those who share places get the mean of these places."""
    groups: dict[int, list[int]] = {}
    for place, player in places:
        groups.setdefault(place, []).append(player)
    points: dict[int, Fraction] = {}
    ahead = 0
    for place in sorted(groups):
        group = groups[place]
        worth = sum(_worth(n, len(places), rule) for n in range(ahead, ahead + len(group)))
        points |= dict.fromkeys(group, Fraction(worth, len(group)))
        ahead += len(group)
    return points


def _worth(ahead: int, players: int, rule: PointsRule) -> int:
    if not rule.by_place:
        return players - ahead
    return rule.by_place[ahead] if ahead < len(rule.by_place) else 0


def league_table(events: Sequence[Mapping[int, Fraction]], best: int) -> tuple[SeasonRow, ...]:
    """Return the league table: the ``best`` results of each player count (0: all), equal sums share a rank.

    Equal sums are listed by player; that decides nothing.
    """
    results: dict[int, list[Fraction]] = {}
    for event in events:
        for player, points in event.items():
            results.setdefault(player, []).append(points)
    rows = []
    for player, own in results.items():
        own.sort(reverse=True)
        kept = own[:best] if best else own
        rows.append((sum(kept, Fraction(0)), player, tuple(kept), tuple(own[len(kept) :])))
    rows.sort(key=lambda row: (-row[0], row[1]))
    sums = [row[0] for row in rows]
    return tuple(
        SeasonRow(sums.index(total) + 1, player, total, kept, rest) for total, player, kept, rest in rows
    )
