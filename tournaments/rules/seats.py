"""Who sits where: fair seats over an event, and fair first dealers at unequal tables.

Equal tables: the graph of players and tables is coloured with one colour a seat.
Every player is split into parts of as many tables as there are seats, in the order of
the rounds; a bipartite graph can be coloured with as many colours as its highest degree
(Kőnig), so every part meets every seat at most once and every player's seats
differ by at most 1, after every round as well as at the end.

Unequal tables: the deal comes first. A player is owed 1/size of the first deal at each
of his tables; a choice in which everybody deals first the rounded down or up sum of that
always exists (the carpool problem), and passing the deal along directed paths finds it.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

from tournaments.rules.meetings import Round, Seating

Table = tuple[int, int]  # (round, table)
Colours = dict[tuple[int, Table], int]  # (player, table) -> seat


def seat_rounds(rounds: Sequence[Round], had: Mapping[int, Sequence[int]] | None = None) -> tuple[Round, ...]:
    """Return the rounds with every table in seat order, seat 1 first.

    ``had[player]`` counts the player's earlier visits to seat 1, 2, ... (re-planned events).
    """
    tables = {(r, t): list(table) for r, one in enumerate(rounds) for t, table in enumerate(one)}
    sizes = {len(table) for table in tables.values()}
    if not tables:
        return tuple(rounds)
    seats: Colours = {}
    first, last = 0, min(sizes)
    if len(sizes) > 1:
        _seat_dealers(tables, seats, had or {})
        _seat_last(tables, seats, last - 1)
        first = 1
    _colour(tables, seats, first, last)
    if had:
        _even_out(rounds, seats, had)
    return tuple(
        tuple(tuple(sorted(table, key=lambda p: seats[p, (r, t)])) for t, table in enumerate(one))
        for r, one in enumerate(rounds)
    )


def seat_counts(rounds: Sequence[Round]) -> dict[int, Counter[int]]:
    """Return for every player how often he sat at seat 1, 2, ..."""
    counts: dict[int, Counter[int]] = {}
    for tables in rounds:
        for table in tables:
            for seat, player in enumerate(table, 1):
                counts.setdefault(player, Counter())[seat] += 1
    return counts


def seat_spread(rounds: Sequence[Round]) -> int:
    """Return the largest difference between a player's visits to two seats that every table has."""
    common = min((len(table) for tables in rounds for table in tables), default=0)
    visits = ([count[seat] for seat in range(1, common + 1)] for count in seat_counts(rounds).values())
    return max((max(own) - min(own) for own in visits if own), default=0)


def first_dealers(
    tables: Sequence[Seating],
    owed: Mapping[int, Fraction] | None = None,
    dealt: Mapping[int, int] | None = None,
) -> list[int]:
    """Return a first dealer for every table, each player's count the floor or ceiling of what he is owed.

    ``owed`` and ``dealt`` carry over from earlier tables; with them the bound holds as
    far as the tables still allow. Source: the carpool problem (Fagin and Williams 1983).
    """
    due = Counter[int]()
    share: dict[int, Fraction] = dict(owed or {})
    for table in tables:
        for player in table:
            share[player] = share.get(player, Fraction(0)) + Fraction(1, len(table))
    due.update(dealt or {})
    chosen = []
    for table in tables:
        chosen.append(max(table, key=lambda p: (share[p] - due[p], -p)))
        due[chosen[-1]] += 1
    for player in sorted(share):
        while due[player] > ceil(share[player]):
            if not _pass_deal(tables, chosen, due, player, lambda p: due[p] < share[p], forward=True):
                break
        while due[player] < floor(share[player]):
            if not _pass_deal(tables, chosen, due, player, lambda p: due[p] > share[p], forward=False):
                break
    return chosen


def _pass_deal(
    tables: Sequence[Seating],
    chosen: list[int],
    due: Counter[int],
    start: int,
    wanted: Callable[[int], bool],
    *,
    forward: bool,
) -> bool:
    """Pass one deal along a path of tables from ``start`` to a player who wants it (backward: to ``start``)."""
    came: dict[int, tuple[int, int]] = {start: (start, -1)}
    queue = deque([start])
    while queue:
        player = queue.popleft()
        if player != start and wanted(player):
            giver, taker = (start, player) if forward else (player, start)
            while player != start:
                previous, t = came[player]
                chosen[t] = player if forward else previous
                player = previous
            due[giver] -= 1
            due[taker] += 1
            return True
        for t, table in enumerate(tables):
            if forward and chosen[t] == player:
                reach: Sequence[int] = table
            elif not forward and player in table and chosen[t] != player:
                reach = (chosen[t],)
            else:
                continue
            for other in reach:
                if other not in came:
                    came[other] = (player, t)
                    queue.append(other)
    return False


def _seat_dealers(tables: dict[Table, list[int]], seats: Colours, had: Mapping[int, Sequence[int]]) -> None:
    """Give seat 1 of unequal tables by the carpool rule."""
    dealt = {player: counts[0] for player, counts in had.items() if counts}
    owed = {player: Fraction(sum(counts), len(counts)) for player, counts in had.items() if counts}
    keys = list(tables)
    for key, player in zip(keys, first_dealers([tuple(tables[k]) for k in keys], owed, dealt), strict=True):
        seats[player, key] = 0


def _seat_last(tables: dict[Table, list[int]], seats: Colours, common: int) -> None:
    """Give the seats that only larger tables have, last seat first, each by the carpool rule."""
    while True:
        open_to = {key: [p for p in table if (p, key) not in seats] for key, table in tables.items()}
        most = max(map(len, open_to.values()))
        if most <= common:
            return
        keys = [key for key, players in open_to.items() if len(players) == most]
        for key, player in zip(keys, first_dealers([tuple(open_to[k]) for k in keys]), strict=True):
            seats[player, key] = most


def _colour(tables: dict[Table, list[int]], seats: Colours, first: int, last: int) -> None:
    """Give the seats ``first`` .. ``last`` - 1 to the players not seated yet, each part of a player once a seat."""
    width = last - first
    at_part: dict[tuple[int, int], dict[int, Table]] = {}
    at_table: dict[Table, dict[int, tuple[int, int]]] = {key: {} for key in tables}
    seen = Counter[int]()
    for key in sorted(tables):
        for player in tables[key]:
            if (player, key) in seats:
                continue
            part = (player, seen[player] // width)
            seen[player] += 1
            _add_edge(at_part.setdefault(part, {}), part, key, at_part, at_table, range(first, last))
    for key, colours in at_table.items():
        for colour, (player, _) in colours.items():
            seats[player, key] = colour


def _add_edge(
    own: dict[int, Table],
    part: tuple[int, int],
    key: Table,
    at_part: dict[tuple[int, int], dict[int, Table]],
    at_table: dict[Table, dict[int, tuple[int, int]]],
    colours: range,
) -> None:
    """Colour one more edge, exchanging two colours along the alternating path when they clash."""
    a = next(c for c in colours if c not in own)
    b = next(c for c in colours if c not in at_table[key])
    if a not in at_table[key]:
        b = a
    elif b in own:
        # From the table the path leaves by colour a and alternates; it cannot come back to ``part``.
        path: list[tuple[tuple[int, int], Table, int]] = []
        table, colour = key, a
        while colour in at_table[table]:
            other = at_table[table][colour]
            path.append((other, table, a))
            if b not in at_part[other]:
                break
            table = at_part[other][b]
            path.append((other, table, b))
        for other, table, colour in path:
            del at_part[other][colour], at_table[table][colour]
        for other, table, colour in path:
            swapped = b if colour == a else a
            at_part[other][swapped] = table
            at_table[table][swapped] = other
        b = a
    own[b] = key
    at_table[key][b] = part


def _even_out(rounds: Sequence[Round], seats: Colours, had: Mapping[int, Sequence[int]]) -> None:
    """Swap seats within tables while that makes everybody's seats, the earlier ones included, more even."""
    counts = {player: Counter(dict(enumerate(own))) for player, own in had.items()}
    for (player, _), seat in seats.items():
        counts.setdefault(player, Counter())[seat] += 1
    uneven = len({len(table) for tables in rounds for table in tables}) > 1
    improved = True
    while improved:
        improved = False
        for r, tables in enumerate(rounds):
            for t, table in enumerate(tables):
                movable = [p for p in table if not uneven or seats[p, (r, t)] > 0]
                for i in movable:
                    for j in movable:
                        a, b = seats[i, (r, t)], seats[j, (r, t)]
                        gain = counts[i][a] - counts[i][b] + counts[j][b] - counts[j][a]
                        if i != j and gain > 2:
                            seats[i, (r, t)], seats[j, (r, t)] = b, a
                            counts[i][a] -= 1
                            counts[i][b] += 1
                            counts[j][b] -= 1
                            counts[j][a] += 1
                            improved = True
