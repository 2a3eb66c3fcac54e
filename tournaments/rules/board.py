"""The position of a search: rounds still to be planned, with the price of every swap at hand.

Players, tables and rounds are numbered from 0. The price is Q over all meetings,
those of the history included. For every round r, player p and table t the board
keeps w[r][p][t], the sum of m(p, k) over the players k at t; the change of Q by
swapping two players of a round then takes eight look-ups, whatever the sizes.
"""

from collections.abc import Sequence
from random import Random

from tournaments.rules.sizes import Sizes

ABSENT = -1
APART = 64  # meetings that a keep-apart pair is held to have had: dearer than any repeat


class Board:
    """Rounds in the making; ``price`` is always the Q of what is seated, plus the price of pairs kept apart."""

    def __init__(
        self,
        sizes: Sequence[Sizes],
        absent: Sequence[frozenset[int]],
        met: Sequence[Sequence[int]],
        visits: Sequence[int],
        apart: Sequence[tuple[int, int]] = (),
    ) -> None:
        """Start with empty rounds.

        ``sizes[r]`` are the tables of round r, larger first, within 1; ``absent[r]`` who
        does not play it; ``met`` the meetings so far (square, symmetric, zero diagonal);
        ``visits`` the visits to larger tables so far; ``apart`` the pairs kept apart.
        """
        self.players = len(visits)
        self.sizes = [list(round_sizes) for round_sizes in sizes]
        self.absent = list(absent)
        self.base = [list(row) for row in met]
        self.base_visits = list(visits)
        self.offset = 0
        for i, j in apart:
            self.offset += APART * (APART + 2 * self.base[i][j] - 1) // 2
            self.base[i][j] += APART
            self.base[j][i] += APART
        self.larger = [[size > round_sizes[-1] for size in round_sizes] for round_sizes in self.sizes]
        self.uneven = [any(flags) for flags in self.larger]
        self.load([[ABSENT] * self.players for _ in self.sizes])

    def load(self, assignment: Sequence[Sequence[int]]) -> None:
        """Take over ``assignment[r][p]``, the table of player p in round r, and count everything anew."""
        everybody = range(self.players)
        self.table = [list(row) for row in assignment]
        self.met = [list(row) for row in self.base]
        self.visits = list(self.base_visits)
        self.members: list[list[list[int]]] = []
        for r, row in enumerate(self.table):
            tables: list[list[int]] = [[] for _ in self.sizes[r]]
            for p, t in enumerate(row):
                if t != ABSENT:
                    tables[t].append(p)
                    self.visits[p] += self.larger[r][t]
            for table in tables:
                for i in table:
                    row_i = self.met[i]
                    for j in table:
                        if i != j:
                            row_i[j] += 1
            self.members.append(tables)
        self.weight = [
            [[sum(map(self.met[p].__getitem__, table)) for table in tables] for p in everybody]
            for tables in self.members
        ]
        self.price = sum(m * (m - 1) for row in self.met for m in row) // 4 - self.offset

    def seat_at_random(self, rng: Random, first: Sequence[Sequence[int]] = ()) -> None:
        """Seat everybody at random, visits to larger tables as fair as can be; keep the rounds in ``first``."""
        rows = [list(row) for row in first]
        visits = list(self.base_visits)
        for r, row in enumerate(rows):
            for p, t in enumerate(row):
                visits[p] += t != ABSENT and self.larger[r][t]
        for r in range(len(rows), len(self.sizes)):
            order = [p for p in range(self.players) if p not in self.absent[r]]
            rng.shuffle(order)
            seats = sum(size for size, larger in zip(self.sizes[r], self.larger[r], strict=True) if larger)
            order.sort(key=visits.__getitem__)
            at_larger, at_smaller = order[:seats], order[seats:]
            rng.shuffle(at_larger)
            rng.shuffle(at_smaller)
            for p in at_larger:
                visits[p] += 1
            queue = iter(at_larger + at_smaller)
            row = [ABSENT] * self.players
            for t, size in enumerate(self.sizes[r]):
                for _ in range(size):
                    row[next(queue)] = t
            rows.append(row)
        self.load(rows)

    def change(self, r: int, i: int, j: int) -> int:
        """Return by how much swapping players i and j of different tables in round r changes the price."""
        a, b = self.table[r][i], self.table[r][j]
        w_i, w_j = self.weight[r][i], self.weight[r][j]
        leave = self.sizes[r][a] + self.sizes[r][b] - 2
        return w_i[b] - w_i[a] + w_j[a] - w_j[b] + leave - 2 * self.met[i][j]

    def keeps_visits(self, r: int, i: int, j: int) -> bool:
        """Whether a swap leaves visits to larger tables as fair as they are."""
        flags = self.larger[r]
        at_i, at_j = flags[self.table[r][i]], flags[self.table[r][j]]
        if at_i == at_j:
            return True
        return self.visits[i] - self.visits[j] == (1 if at_i else -1)

    def mend_visits(self) -> None:
        """Make visits to larger tables as fair as swaps can, the cheapest swap of a round first."""
        for r, row in enumerate(self.table):
            flags = self.larger[r]
            while self.uneven[r]:
                high = [p for p, t in enumerate(row) if t != ABSENT and flags[t]]
                low = [p for p, t in enumerate(row) if t != ABSENT and not flags[t]]
                pairs = [(i, j) for i in high for j in low if self.visits[i] - self.visits[j] > 1]
                if not pairs:
                    break
                price, i, j = min((self.change(r, i, j), i, j) for i, j in pairs)
                self.swap(r, i, j, price)

    def swap(self, r: int, i: int, j: int, change: int) -> None:
        """Swap players i and j of different tables in round r; ``change`` is its price."""
        row, tables, met, weight = self.table[r], self.members[r], self.met, self.weight
        a, b = row[i], row[j]
        tables[a].remove(i)
        tables[b].remove(j)
        met_i, met_j = met[i], met[j]
        for own, met_p in zip(weight[r], met, strict=True):
            shift = met_p[j] - met_p[i]
            if shift:
                own[a] += shift
                own[b] -= shift
        row[i], row[j] = b, a
        for stay, sign in ((tables[a], 1), (tables[b], -1)):
            for k in stay:
                met_k = met[k]
                met_i[k] -= sign
                met_k[i] -= sign
                met_j[k] += sign
                met_k[j] += sign
                for where, sums in zip(self.table, weight, strict=True):
                    at_k, at_i, at_j, own = where[k], where[i], where[j], sums[k]
                    if at_k != ABSENT:
                        sums[i][at_k] -= sign
                        sums[j][at_k] += sign
                    if at_i != ABSENT:
                        own[at_i] -= sign
                    if at_j != ABSENT:
                        own[at_j] += sign
        tables[a].append(j)
        tables[b].append(i)
        flags = self.larger[r]
        if flags[a] != flags[b]:
            gain = 1 if flags[b] else -1
            self.visits[i] += gain
            self.visits[j] -= gain
        self.price += change
