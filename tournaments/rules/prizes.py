"""Prizes: how a pool is split by places, and how those who tie share.

The published rule. A table of prizes lists percentages by place for so many entries or
more. Each prize is rounded down; what is left over belongs to the first place. Players
who share places share the sum of the prizes of these places equally, rounded down; the odd chips
go one each in an order drawn from the event's stored seed (neither seat nor time of
registration enters). Prizes of places that nobody reached go to the first place.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from tournaments.rules.elimination import Place
from tournaments.rules.errors import BadEvent

PrizeTable = Mapping[int, Sequence[int]]
"""Percentages by place, by the fewest entries for which the row holds."""


def check_prizes(table: PrizeTable) -> None:
    """Refuse a table that does not give out exactly the whole pool; raises ``BadEvent``."""
    for entries, shares in table.items():
        if entries < 1 or not shares or any(type(share) is not int or share < 1 for share in shares):
            raise BadEvent("bad_prizes", "each row needs its fewest entries and whole percentages from 1")
        if sum(shares) != 100:
            raise BadEvent("bad_prizes", f"the percentages for {entries} entries add up to {sum(shares)}")
        if list(shares) != sorted(shares, reverse=True):
            raise BadEvent("bad_prizes", "a better place may not win less than a worse one")


def row_for(table: PrizeTable, entries: int) -> tuple[int, ...]:
    """Return the percentages for so many entries; the winner takes all when no row fits."""
    fits = [least for least in table if least <= entries]
    return tuple(table[max(fits)]) if fits else (100,)


def prize_amounts(pool: int, shares: Sequence[int]) -> tuple[int, ...]:
    """Return the prize of each place, in chips; together they are the pool."""
    amounts = [pool * share // 100 for share in shares]
    amounts[0] += pool - sum(amounts)
    return tuple(amounts)


def share_prizes(places: Iterable[Place], amounts: Sequence[int], *, seed: int) -> dict[int, int]:
    """Return what each player wins; only those who win something are named.

    ``places`` are (place, player) with equal results sharing a place, as in ``elimination.places``.
    """
    groups: dict[int, list[int]] = {}
    for place, player in places:
        groups.setdefault(place, []).append(player)
    if not groups:
        return {}
    rng = Random(seed)
    won: dict[int, int] = {}
    given = ahead = 0
    for place in sorted(groups):
        group = sorted(groups[place])
        rng.shuffle(group)
        shared = sum(amounts[ahead : ahead + len(group)])
        ahead, given = ahead + len(group), given + shared
        won |= _share(group, shared)
    first = sorted(groups[min(groups)])
    rng.shuffle(first)
    for player, more in _share(first, sum(amounts) - given).items():
        won[player] = won.get(player, 0) + more
    return {player: amount for player, amount in won.items() if amount}


def _share(group: Sequence[int], amount: int) -> dict[int, int]:
    """Share an amount equally, odd chips one each to the first of the group."""
    each, odd = divmod(amount, len(group))
    return {player: each + (n < odd) for n, player in enumerate(group)}
