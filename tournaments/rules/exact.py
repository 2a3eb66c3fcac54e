"""The cheapest seating of one round, proved by going through all of them (branch and bound)."""

from collections.abc import Sequence


def cheapest_seating(
    met: Sequence[Sequence[int]], size: int, price: int, nodes: int
) -> tuple[list[list[int]] | None, bool]:
    """Return a seating at tables of ``size`` cheaper than ``price``, the cheapest if there is one, and a proof.

    ``met[i][j]`` is what it costs to seat i and j together. The first value is ``None``
    when nothing cheaper was found; the second whether the search came to its end within
    ``nodes`` places tried, so that nothing is cheaper than the better of the two.
    """
    search = _Branch(met, size, price, nodes)
    search.go(0, 0)
    return search.best, search.nodes > 0


class _Branch:
    """Players are placed in the order of their total cost, dearest first; equal empty tables are tried once."""

    def __init__(self, met: Sequence[Sequence[int]], size: int, price: int, nodes: int) -> None:
        self.met, self.size, self.price, self.nodes = met, size, price, nodes
        self.order = sorted(range(len(met)), key=lambda p: (-sum(met[p]), p))
        self.tables: list[list[int]] = [[] for _ in range(len(met) // size)]
        self.best: list[list[int]] | None = None

    def go(self, n: int, cost: int) -> None:
        """Place the n-th player everywhere he may sit, cheapest table first."""
        if self.nodes <= 0 or cost >= self.price:
            return
        if n == len(self.order):
            self.price, self.best = cost, [list(table) for table in self.tables]
            return
        self.nodes -= 1
        row = self.met[self.order[n]]
        options = []
        seen_empty = False
        for t, table in enumerate(self.tables):
            if len(table) == self.size or (not table and seen_empty):
                continue
            seen_empty = seen_empty or not table
            options.append((sum(row[p] for p in table), t))
        for extra, t in sorted(options):
            self.tables[t].append(self.order[n])
            self.go(n + 1, cost + extra)
            self.tables[t].pop()
