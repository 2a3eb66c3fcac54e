"""Events of fixed rounds, planned or Swiss, with leavers and late entries."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from tournaments.rules import rotation
from tournaments.rules.draw import Draw, plan
from tournaments.rules.meetings import Round, count_meetings, larger_visits, measure
from tournaments.rules.rotation import DealTable
from tournaments.rules.seats import seat_counts, seat_rounds, seat_spread
from tournaments.rules.simulation.audit import DealAudit
from tournaments.rules.simulation.deals import Source
from tournaments.rules.sit_outs import choose_sit_outs, rounds_not_played
from tournaments.rules.sizes import sit_out_number, table_sizes
from tournaments.rules.standings import TableResult, standings
from tournaments.rules.swiss import order_by_score, swiss_round

BUDGET = 20_000  # swaps priced a draw: the simulation tries the deals, not the search


@dataclass(frozen=True)
class RoundsSetting:
    """An event: players, ideal table size, rounds of so many orbits, Swiss or planned, chances to leave and come."""

    players: int
    size: int
    rounds: int
    orbits: int
    swiss: bool
    source: Source
    leave: float = 0.002
    late: float = 0.05


@dataclass
class RoundsFigures:
    """What an event came to; ``unequal`` counts survivors of a whole round who did not deal once an orbit."""

    audit: DealAudit
    unequal: int = 0
    leavers: int = 0
    latecomers: int = 0
    repeats: int = 0
    third: int = 0
    seat_spread: int = 0
    larger_spread: int = 0
    undisturbed: bool = True
    log: list[tuple[int, ...]] = field(default_factory=list)


class RoundsEvent:
    """One event, played from a seed."""

    def __init__(self, setting: RoundsSetting, seed: int) -> None:
        self.setting, self.rng = setting, Random(seed)
        self.figures = RoundsFigures(DealAudit())
        self.present = list(range(1, setting.players + 1))
        self.newest = setting.players
        self.history: list[Round] = []
        self.planned: list[Round] = []
        self.results: list[TableResult] = []

    def play(self) -> RoundsFigures:
        """Play all rounds, as long as two players are left."""
        for number in range(1, self.setting.rounds + 1):
            if len(self.present) < self.setting.source.fewest:
                break
            tables = self._draw(self.setting.rounds - number + 1)
            self._play_round(number, tables)
            self.history.append(tables)
        self._measure()
        return self.figures

    def _draw(self, rounds_left: int) -> Round:
        """Return the next round: of the plan, re-planned after anybody left or came, or Swiss."""
        if self.setting.swiss:
            return self._draw_swiss()
        if not self.planned:
            draw = self._plan(rounds_left)
            self.planned = list(draw.rounds)
        return self.planned.pop(0)

    def _plan(self, rounds: int) -> Draw:
        setting = self.setting
        return plan(
            self.present,
            rounds=rounds,
            ideal=setting.size,
            smallest=setting.source.fewest,
            largest=setting.source.most,
            history=self.history,
            seed=self.rng.randrange(1 << 30),
            budget=BUDGET,
        )

    def _draw_swiss(self) -> Round:
        """Return a Swiss round from the standings, with fair sit-outs and seats."""
        fewest, most = self.setting.source.fewest, self.setting.source.most
        out = sit_out_number(len(self.present), smallest=fewest, largest=most)
        rests = rounds_not_played(self.history, self.present)
        rows = standings(
            self.results, self.present, scoring="places", low_wins=self.setting.source.low_wins, sat_out=rests
        )
        rank = {row.player: row.rank for row in rows}
        sitting = choose_sit_outs(
            self.present, out, sat_out=rests, volunteers=frozenset(), rng=self.rng, rank=rank
        )
        cost = {row.player: row.score for row in rows if row.player not in sitting}
        tables = swiss_round(
            order_by_score(cost, self.rng),
            table_sizes(len(cost), ideal=self.setting.size, smallest=fewest, largest=most),
            met=count_meetings(self.history),
            visits=larger_visits(self.history, self.present),
            seed=self.rng.randrange(1 << 30),
            budget=BUDGET,
        ).tables
        had = {
            p: [count[s] for s in range(1, max(count) + 1)] for p, count in seat_counts(self.history).items()
        }
        return seat_rounds([tables], had)[0]

    def _play_round(self, number: int, tables: Round) -> None:
        """Play every table for its orbits and note the results; leavers and newcomers change the field."""
        gone: set[int] = set()
        came: list[int] = []
        for t, players in enumerate(tables):
            gone |= self._play_table(number, t, players, came)
        self.present = [player for player in self.present if player not in gone] + came
        if gone or came:
            self.planned.clear()
            self.figures.undisturbed = False
        self.figures.leavers += len(gone)
        self.figures.latecomers += len(came)

    def _play_table(self, number: int, t: int, players: tuple[int, ...], came: list[int]) -> set[int]:
        """Play one table for its orbits; return who left."""
        audit, most = self.figures.audit, self.setting.source.most
        table = rotation.open_table(players, seats=min(most, len(players) + 1))
        audit.open(t, players)
        totals = dict.fromkeys(players, 0)
        dealt = Counter[int]()
        announced: set[int] = set()
        pot = 0
        while table.orbits < self.setting.orbits:
            table = self._come_and_go(table, announced, came, totals)
            table = rotation.let_leavers_go(table)
            deal = rotation.next_deal(table)
            if deal is None:
                break
            seated = table.players
            table = rotation.begin_deal(table)
            acting = _stand_in(table, deal)
            scores, pot = self.setting.source.play(deal.dealt_to, acting, pot, self.rng)
            for player, points in scores.items():
                totals[player] += points
            orbits = table.orbits
            table = rotation.finish_deal(table)
            dealt[deal.dealer] += 1
            audit.dealt(t, deal.dealer, seated)
            self.figures.log.append((number, t, deal.dealer, *scores.values()))
            stayed = tuple(p for p in seated if p in table.players)
            for player in set(seated) - set(stayed):
                audit.gone(player, t)
            if table.orbits > orbits:
                audit.orbit_ended(t, stayed, table.players)
        self.results.append(TableResult(number, totals))
        whole = [p for p in players if p in table.players]
        if table.orbits == self.setting.orbits:
            self.figures.unequal += sum(dealt[player] != self.setting.orbits for player in whole)
        return announced

    def _come_and_go(
        self, table: DealTable, announced: set[int], came: list[int], totals: dict[int, int]
    ) -> DealTable:
        """Let players announce that they leave, and perhaps a newcomer take the free seat."""
        for player in table.players:
            if player not in announced and self.rng.random() < self.setting.leave:
                announced.add(player)
                table = rotation.leave(table, player)
        if table.free_seats and self.rng.random() < self.setting.late / 20:
            self.newest += 1
            came.append(self.newest)
            totals[self.newest] = 0
            table = rotation.enter(table, self.newest, self.rng.choice(table.free_seats))
        return table

    def _measure(self) -> None:
        """Measure the draw over those who stayed to the end."""
        figures = measure(self.history, self.present)
        self.figures.repeats, self.figures.third = figures.repeats, figures.third
        if self.figures.undisturbed:
            self.figures.larger_spread = figures.larger_spread
            if (
                len({len(table) for tables in self.history for table in tables}) == 1
                and not self.setting.swiss
            ):
                self.figures.seat_spread = seat_spread(self.history)


def _stand_in(table: DealTable, deal: rotation.NextDeal) -> int:
    """Return who deals in the game's eyes: the dealer, or for one who leaves now his neighbour on the right."""
    if deal.dealer in deal.dealt_to:
        return deal.dealer
    n = len(table.seats)
    around = (table.seats[(table.dealer - step) % n] for step in range(1, n))
    return next(player for player in around if player is not None)
