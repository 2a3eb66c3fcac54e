"""An independent count of deals, from what was seen at the tables, not from the rotation's own books."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class DealAudit:
    """Watches every deal, move and end of an orbit and counts what should not be.

    ``skipped`` and ``doubled``: players who did not deal, or dealt twice, in an orbit of
    theirs (a mover takes his orbit along). ``spread``: the largest difference of deals
    between two players of a table since both were there at the start of an orbit;
    ``spread_at_end``: the same when an orbit ends.
    """

    skipped: int = 0
    doubled: int = 0
    deals: int = 0
    spread: int = 0
    spread_at_end: int = 0
    orbit: dict[int, Counter[int]] = field(default_factory=dict)
    since: dict[int, dict[int, Counter[int]]] = field(default_factory=dict)

    def open(self, table: int, players: tuple[int, ...]) -> None:
        """A table opens: everybody starts level."""
        self.orbit[table] = Counter()
        self.since[table] = {player: Counter() for player in players}

    def dealt(self, table: int, dealer: int, players: tuple[int, ...]) -> None:
        """A deal was played by ``dealer``; ``players`` sat at the table."""
        self.deals += 1
        self.orbit[table][dealer] += 1
        self.doubled += self.orbit[table][dealer] > 1
        level = self.since[table]
        if dealer not in level:
            return
        ahead = level[dealer]
        for other in players:
            if other != dealer and other in level:
                ahead[other] += 1
                level[other][dealer] -= 1
                self.spread = max(self.spread, abs(ahead[other]))

    def orbit_ended(self, table: int, dealt_in: tuple[int, ...], players: tuple[int, ...]) -> None:
        """An orbit ended; ``dealt_in`` sat there in its last deal and stay, ``players`` start the next."""
        count = self.orbit[table]
        self.skipped += sum(count[player] == 0 for player in dealt_in)
        level = self.since[table]
        for player in dealt_in:
            if player in level:
                worst = max((abs(level[player][other]) for other in dealt_in if other in level), default=0)
                self.spread_at_end = max(self.spread_at_end, worst)
        for player in players:
            level.setdefault(player, Counter())
        self.orbit[table] = Counter()

    def moved(self, player: int, source: int | None, target: int, *, fresh: bool) -> None:
        """A player changed tables; ``fresh``: the target was between two orbits, so his old one is over for him."""
        took_part = self.orbit[source][player] if source is not None else 0
        if source is not None:
            self.gone(player, source)
        if fresh:
            self.since[target].setdefault(player, Counter())
        else:
            self.orbit[target][player] = took_part

    def gone(self, player: int, table: int) -> None:
        """A player left a table."""
        self.orbit[table].pop(player, None)
        level = self.since[table]
        level.pop(player, None)
        for counts in level.values():
            counts.pop(player, None)
