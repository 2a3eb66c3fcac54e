"""Check draws: python check_draw.py FILE prints OK or what differs; FILE is an event's JSON or a printed draw (see tournaments.md)."""

import json
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path


def pairs(n):
    return n * (n - 1) // 2


def kept(sizes, tables, absent):
    """The fewest pairs that stay together when tables of these sizes spread over others, where some are absent."""
    split = [divmod(max(0, size - absent), tables) for size in sizes] if tables else []
    return sum(more * pairs(each + 1) + (tables - more) * pairs(each) for each, more in split)


def spread(cost, total, parts):
    each, more = divmod(total, parts)
    return (parts - more) * cost(each) + (more * cost(each + 1) if more else 0)


def visits(sizes, players):
    """The least Q when all rounds have the same tables and nobody is at a larger one twice before others once."""
    big = max(sizes[0])
    larger, smaller = sizes[0].count(big), sizes[0].count(big - 1)
    seats = larger * big
    if not smaller or len(sizes) < 2 or any(sorted(one) != sorted(sizes[0]) for one in sizes):
        return 0
    if larger + smaller < len(sizes[0]) or sum(sizes[0]) < players:
        return 0

    def split(size):
        return lambda up: kept([up], larger, 0) + kept([size - up], smaller, 0) if 0 <= up <= size else 10**9

    def two(both):
        if not max(0, 2 * seats - players) <= both <= seats:
            return 10**9
        return spread(split(big), both, larger) + spread(split(big - 1), seats - both, smaller)

    each, more = divmod(seats * len(sizes), players)
    return spread(two, (players - more) * pairs(each) + more * pairs(each + 1), pairs(len(sizes)))


def bounds(old, new, players):
    met = Counter(pair for tables in old for table in tables for pair in combinations(sorted(table), 2))
    levels, free = Counter(met.values()), sum(pairs(len(table)) for tables in new for table in tables)
    levels[0], by_pairs, level = pairs(len(players)) - len(met), sum(map(pairs, met.values())), 0
    by_rounds = by_pairs
    while free and any(levels.values()):
        step = min(free, levels[level])
        by_pairs, free, level = by_pairs + step * level, free - step, level + 1
        levels[level] += levels.pop(level - 1)
    sizes = [[len(table) for table in tables if table] for tables in [*old, *new]]
    gone = [len(players) - sum(one) for one in sizes]
    for r, s in combinations(range(len(sizes)), 2):
        if s >= len(old):
            from_r, from_s = kept(sizes[r], len(sizes[s]), gone[s]), kept(sizes[s], len(sizes[r]), gone[r])
            by_rounds += max(from_r, from_s)
    ups = Counter(p for tables in new for t in tables if len(t) > min(map(len, tables)) for p in t)
    fair = not old and max(ups[p] for p in players) - min(ups[p] for p in players) <= 1
    return {"pairs": by_pairs, "rounds": by_rounds, "visits": visits(sizes, len(players)) if fair else 0}


def counted(draw, history):
    new, sitting = draw["rounds"], draw.get("sitting", draw.get("sitting_out", []))
    players = {p for tables in [*new, sitting] for table in tables for p in table}
    old = [[[p for p in table if p in players] for table in tables] for tables in history]
    met = Counter(pair for one in [*old, *new] for t in one for pair in combinations(sorted(t), 2))
    common = min(len(table) for tables in new for table in tables)
    seats = Counter((player, seat) for tables in new for table in tables for seat, player in enumerate(table))
    spreads = ([seats[player, seat] for seat in range(common)] for player in players)
    found = {"q": sum(map(pairs, met.values())), "repeats": sum(m - 1 for m in met.values())}
    found |= {"seat_spread": max(max(own) - min(own) for own in spreads), "bounds": bounds(old, new, players)}
    found["sizes"] = [[len(table) for table in tables] for tables in new]
    gap = found["q"] - max(found["bounds"].values())
    return {**found, "gap": gap, "optimal": gap <= 0}


def wrong(draw, history):
    for number, tables in enumerate(draw["rounds"], draw.get("first_round", 1)):
        if any(times > 1 for times in Counter(p for table in tables for p in table).values()):
            yield f"round {number} seats a player twice"
    for name, value in counted(draw, history).items():
        for claims in (draw, draw.get("figures", {})):
            if claims.get(name, value) != value:
                yield f"{name} is {value}, not {claims[name]}"


def check(data):
    """Yield what differs; a draw of which not everything is published is left out."""
    out = {}
    for table in data.get("tables", []):
        if table["counts"]:
            out.setdefault(table["round"], []).append(table["seats"])
    for draw in data.get("draws", [data]):
        first = draw.get("first_round", 1)
        if draw.get("complete", True) and (first == 1 or draw["in_use"]):
            name = f"version {draw['version']}: " if "version" in draw else ""
            history = [out[number] for number in sorted(out) if number < first]
            yield from (name + each for each in wrong(draw, history))


try:
    differs = list(check(json.loads(Path(sys.argv[1]).read_text("utf-8"))))
except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
    print("this is no draw and no export of an event:", repr(error), file=sys.stderr)
    sys.exit(2)
sys.exit("differs: " + "; ".join(differs)) if differs else print("OK")
