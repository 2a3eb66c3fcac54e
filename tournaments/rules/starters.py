"""Resolvable designs by the method of starters: a round or two are found, a group makes the others.

Points are (class c, residue x mod v), numbered c * v + x, then fixed points. Every
starter round gives v rounds: k is added to every residue. No pair meets twice when the
pairs in the starters lie in different orbits of that group, each of full length v. To
shorten the search every starter is mapped to itself by a symmetry: (c, x) goes to
(class_map[c], multiplier * x), the n-th fixed point to the fixed_map[n]-th.
"""

from dataclasses import dataclass
from itertools import combinations
from random import Random

Block = tuple[int, ...]
Rows = list[list[int]]


@dataclass(frozen=True)
class Plan:
    """A family of starters: len(class_map) * modulus moving points and len(fixed_map) fixed ones."""

    size: int
    modulus: int
    class_map: tuple[int, ...]
    fixed_map: tuple[int, ...] = ()
    multiplier: int = 1
    starters: int = 1

    @property
    def moving(self) -> int:
        """How many points move."""
        return len(self.class_map) * self.modulus

    @property
    def players(self) -> int:
        """How many points there are."""
        return self.moving + len(self.fixed_map)

    def shift(self, point: int) -> int:
        """Return the point with 1 added to its residue."""
        c, x = divmod(point, self.modulus)
        return point if point >= self.moving else c * self.modulus + (x + 1) % self.modulus

    def mirror(self, point: int) -> int:
        """Return the image of a point under the symmetry of the starters."""
        if point >= self.moving:
            return self.moving + self.fixed_map[point - self.moving]
        c, x = divmod(point, self.modulus)
        return self.class_map[c] * self.modulus + x * self.multiplier % self.modulus


def develop(plan: Plan, seed: int, most_nodes: int) -> Rows | None:
    """Return the rounds made from starters, as tables by player, or ``None`` within ``most_nodes`` blocks tried."""
    search = _Search(plan, Random(seed), most_nodes)
    if not search.run():
        return None
    rows = []
    tables = plan.players // plan.size
    for n in range(plan.starters):
        blocks = search.blocks[n * tables : (n + 1) * tables]
        for _ in range(plan.modulus):
            row = [0] * plan.players
            for table, block in enumerate(blocks):
                for point in block:
                    row[point] = table
            rows.append(row)
            blocks = [tuple(plan.shift(point) for point in block) for block in blocks]
    return rows


class _Search:
    """Depth-first search for symmetric starters, block by block, in a random order of points."""

    def __init__(self, plan: Plan, rng: Random, most_nodes: int) -> None:
        self.plan, self.nodes = plan, most_nodes
        self.order = rng.sample(range(plan.players), plan.players)
        self.orbit, self.used = self._orbits()
        self.covered = [False] * plan.players
        self.blocks: list[Block] = []

    def _orbits(self) -> tuple[list[list[int]], list[bool]]:
        """Number the orbits of pairs under the shift; orbits shorter than v count as used from the start."""
        n, shift = self.plan.players, self.plan.shift
        orbit = [[-1] * n for _ in range(n)]
        used: list[bool] = []
        for i, j in combinations(range(n), 2):
            a, b, length = i, j, 0
            while orbit[a][b] < 0:
                orbit[a][b] = orbit[b][a] = len(used)
                a, b, length = shift(a), shift(b), length + 1
            if length:
                used.append(length < self.plan.modulus)
        return orbit, used

    def run(self) -> bool:
        """Fill ``blocks`` with starter after starter; false when the nodes or the possibilities are used up."""
        return self._cover()

    def _cover(self) -> bool:
        """Cover the remaining points by blocks; the first uncovered point must be in the next one."""
        first = next((n for n, point in enumerate(self.order) if not self.covered[point]), None)
        if first is None:
            return self._next_starter()
        if self.nodes <= 0:
            return False
        self.nodes -= 1
        return self._grow([self.order[first]], first)

    def _next_starter(self) -> bool:
        """Begin the next starter when one is complete; with the last one the search has succeeded."""
        if len(self.blocks) * self.plan.size == self.plan.starters * self.plan.players:
            return True
        self.covered = [False] * self.plan.players
        if self._cover():
            return True
        self.covered = [True] * self.plan.players
        return False

    def _grow(self, block: list[int], last: int) -> bool:
        """Extend a block by later points whose pairs are in unused orbits; lay it when it is full."""
        if len(block) == self.plan.size:
            return self._lay(tuple(sorted(block)))
        within = {self.orbit[a][b] for a, b in combinations(block, 2)}
        for n in range(last + 1, len(self.order)):
            point = self.order[n]
            if self.covered[point]:
                continue
            new = [self.orbit[point][other] for other in block]
            if len(set(new)) == len(new) and not any(self.used[o] or o in within for o in new):
                if self._grow([*block, point], n):
                    return True
                if self.nodes <= 0:
                    return False
        return False

    def _lay(self, block: Block) -> bool:
        """Lay a block with its images under the symmetry, if they are disjoint and no orbit repeats; go on."""
        images = [block]
        while (image := tuple(sorted(map(self.plan.mirror, images[-1])))) != block:
            images.append(image)
        points = [point for image in images for point in image]
        pairs = [self.orbit[a][b] for image in images for a, b in combinations(image, 2)]
        if len(set(points)) < len(points) or any(self.covered[p] for p in points):
            return False
        if len(set(pairs)) < len(pairs) or any(self.used[o] for o in pairs):
            return False
        self._mark(points, pairs, True)
        self.blocks += images
        if self._cover():
            return True
        del self.blocks[-len(images) :]
        self._mark(points, pairs, False)
        return False

    def _mark(self, points: list[int], orbits: list[int], value: bool) -> None:
        for point in points:
            self.covered[point] = value
        for orbit in orbits:
            self.used[orbit] = value
