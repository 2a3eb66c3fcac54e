"""Events of elimination, to the last player, with tables broken and balanced while others are in mid-deal."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from tournaments.rules import rotation
from tournaments.rules.consolidation import Consolidated, FloorRules, consolidate, deal_for_deal, tolerance
from tournaments.rules.elimination import KnockOut, RoundEnd, final_places, knock_out, round_over
from tournaments.rules.rotation import DealTable, NextDeal
from tournaments.rules.simulation.audit import DealAudit
from tournaments.rules.simulation.deals import Source
from tournaments.rules.sizes import table_sizes


@dataclass(frozen=True)
class EliminationSetting:
    """An event: players, floor, thresholds of its rounds (the last is played out) and chances to leave and come."""

    players: int
    floor: FloorRules
    thresholds: tuple[int, ...]
    source: Source
    leave: float = 0.001
    late: int = 2


@dataclass
class EliminationFigures:
    """What an event came to. ``over_tolerance`` and ``unforced`` (second moves) must stay 0."""

    audit: DealAudit
    over_tolerance: int = 0
    unforced: int = 0
    balances: int = 0
    breaks: int = 0
    broken_moves: int = 0
    most_moves: int = 0
    leavers: int = 0
    widest: int = 0
    places: tuple[tuple[int, int], ...] = ()
    log: list[tuple[int, ...]] = field(default_factory=list)


class EliminationEvent:
    """One event, played from a seed; tables deal at their own pace, in an order drawn from it."""

    def __init__(self, setting: EliminationSetting, seed: int) -> None:
        self.setting, self.rng = setting, Random(seed)
        self.figures = EliminationFigures(DealAudit())
        self.totals = dict.fromkeys(range(1, setting.players + 1), 0)
        self.late = list(range(setting.players + 1, setting.players + 1 + setting.late))
        self.waiting: list[int] = []
        self.knock_outs: list[KnockOut] = []
        self.tables: dict[int, DealTable] = {}
        self.held: frozenset[int] = frozenset()
        self.moved: Counter[int] = Counter()
        self.met: Counter[tuple[int, int]] = Counter()
        self.in_step: Counter[int] = Counter()
        self.pots: Counter[int] = Counter()
        self.under_way: dict[int, tuple[tuple[int, ...], NextDeal]] = {}
        self.near_cut = False
        self.playing_out = False

    def play(self) -> EliminationFigures:
        """Play every round; return what it came to, with the final places."""
        for threshold in self.setting.thresholds[:-1]:
            self._draw_tables()
            self._play_short_round(threshold)
        self._draw_tables()
        self.playing_out = True
        self._play_out(self.setting.thresholds[-1])
        self.figures.places = final_places(self.knock_outs)
        self.figures.most_moves = max(self.moved.values(), default=0)
        return self.figures

    def _draw_tables(self) -> None:
        """Seat everybody who is in by lot at tables of the ideal size."""
        floor = self.setting.floor
        players = sorted(self.totals)
        self.rng.shuffle(players)
        self.tables = {}
        self.pots.clear()
        sizes = (
            table_sizes(len(players), ideal=floor.ideal, smallest=2, largest=floor.seats)
            if len(players) > 1
            else ()
        )
        for number, size in enumerate(sizes, 1):
            self._open(number, tuple(players[:size]))
            del players[:size]

    def _open(self, number: int, players: tuple[int, ...]) -> None:
        self.tables[number] = rotation.open_table(players, seats=self.setting.floor.seats)
        self.figures.audit.open(number, players)
        for i, j in combinations(sorted(players), 2):
            self.met[i, j] += 1

    def _play_short_round(self, threshold: int) -> None:
        """Play every table to its first knock-out; the others carry their totals on."""
        rule = RoundEnd("first_out")
        for number in list(self.tables):
            outs = 0
            while not round_over(rule, orbits=self.tables[number].orbits, outs=outs):
                if not self._begin(number):
                    break
                before = len(self.totals)
                self._finish(number, threshold)
                outs = before - len(self.totals)
            if len(self.totals) <= 1:
                return

    def _play_out(self, threshold: int) -> None:
        """Play to the last one, breaking and balancing after every deal."""
        self._consolidate()
        while len(self.totals) > 1:
            running = sorted(n for n, table in self.tables.items() if table.in_deal)
            ready = self._ready()
            if not running and not ready:
                raise AssertionError(f"stuck: {self.tables} held {self.held}")
            number = self.rng.choice(running + ready)
            if number in running:
                self._finish(number, threshold)
                self._consolidate()
            elif self._begin(number):
                self.in_step[number] += 1
            else:
                self._consolidate()

    def _ready(self) -> list[int]:
        """Return the tables that may start a deal now."""
        if self.near_cut:
            allowed = deal_for_deal(
                self.in_step, {n: t for n, t in self.tables.items() if n not in self.held}
            )
        else:
            allowed = frozenset(n for n, table in self.tables.items() if not table.in_deal)
        return sorted(allowed - self.held)

    def _begin(self, number: int) -> bool:
        """Start a deal; return whether there was one (leavers go at once when too few are left)."""
        for player in self.tables[number].players:
            if self.rng.random() < self.setting.leave:
                self.tables[number] = rotation.leave(self.tables[number], player)
        before = self.tables[number].players
        self._replace(number, rotation.let_leavers_go(self.tables[number]))
        self._withdraw(number, before)
        deal = rotation.next_deal(self.tables[number])
        if deal is None:
            return False
        sizes = [len(t.players) + len(t.entering) for t in self.tables.values()]
        short = max(sizes) - len(self.tables[number].players) - len(self.tables[number].entering)
        self.figures.over_tolerance += self.playing_out and short > 2
        self.under_way[number] = (self.tables[number].players, deal)
        self.tables[number] = rotation.begin_deal(self.tables[number])
        return True

    def _finish(self, number: int, threshold: int) -> None:
        """Play the deal that is under way: scores, totals, knock-outs, leavers."""
        seated, deal = self.under_way.pop(number)
        acting = deal.dealer if deal.dealer in deal.dealt_to else deal.dealt_to[-1]
        scores, self.pots[number] = self.setting.source.play(
            deal.dealt_to, acting, self.pots[number], self.rng
        )
        points = (
            scores if self.setting.source.low_wins else {player: -score for player, score in scores.items()}
        )
        result = knock_out(self.totals, points, threshold)
        for player, score in points.items():
            self.totals[player] += score
        out = {player for group in result.out for player in group}
        self.figures.audit.dealt(number, deal.dealer, seated)
        self.figures.log.append((number, deal.dealer, *scores.values()))
        self._replace(number, rotation.finish_deal(self.tables[number], knocked_out=out), seated)
        self._drop(result)
        self._withdraw(number, tuple(p for p in seated if p not in out))
        if result.play_off:
            self._play_off(number)

    def _replace(self, number: int, table: DealTable, seated: tuple[int, ...] | None = None) -> None:
        """Take over a table, telling the audit who is gone and whether an orbit ended (for those ``seated``)."""
        old, self.tables[number] = self.tables[number], table
        for player in set(old.players) - set(table.players):
            self.figures.audit.gone(player, number)
        if table.orbits > old.orbits:
            stayed = tuple(p for p in (old.players if seated is None else seated) if p in table.players)
            self.figures.audit.orbit_ended(number, stayed, table.players)

    def _drop(self, result: KnockOut) -> None:
        if result.out:
            self.knock_outs.append(result)
        for group in result.out:
            for player in group:
                del self.totals[player]

    def _withdraw(self, number: int, before: tuple[int, ...]) -> None:
        """Take leavers who have gone out of the event, as if knocked out together."""
        gone = tuple(p for p in before if p in self.totals and p not in self.tables[number].players)
        if gone:
            self.figures.leavers += len(gone)
            self._drop(KnockOut((gone,), tuple(sorted(self.totals.keys() - set(gone)))))

    def _play_off(self, number: int) -> None:
        """Let those who tie for the lowest total play one more orbit between them, and again while they tie."""
        while len(self.totals) > 1:
            players = tuple(sorted(self.totals))
            table = rotation.open_table(players)
            while table.orbits == 0:
                deal = rotation.next_deal(table)
                assert deal is not None
                table = rotation.finish_deal(rotation.begin_deal(table))
                scores, _ = self.setting.source.play(players, deal.dealer, 0, self.rng)
                for player, score in scores.items():
                    self.totals[player] += score if self.setting.source.low_wins else -score
            result = knock_out(self.totals, {}, min(self.totals.values()) - 1)
            self._drop(result)

    def _consolidate(self) -> None:
        """Break and balance, and check the outcome against the rules."""
        live = len(self.totals)
        if live <= 1:
            return
        if self.late and self.rng.random() < 0.2:
            self.waiting.append(self.late.pop())
            self.totals[self.waiting[-1]] = 0
        near_cut = len(self.tables) > 1 and live - self.setting.floor.final <= len(self.tables)
        if near_cut and not self.near_cut:
            self.in_step.clear()
        self.near_cut = near_cut
        before = dict(self.tables)
        result = consolidate(
            self.tables,
            self.setting.floor,
            break_order=sorted(self.tables, reverse=True),
            moved=self.moved,
            met=self.met,
            rng=self.rng,
            waiting=self.waiting,
            near_cut=near_cut,
        )
        seated = {move.player for move in result.moves}
        self.waiting = [player for player in self.waiting if player not in seated]
        self._follow(before, result)
        self._check(result)

    def _follow(self, before: dict[int, DealTable], result: Consolidated) -> None:
        """Take over the tables, and replay every move to see whether a second move was forced."""
        shadow = dict(before)
        final = any(move.kind == "final" for move in result.moves)
        self.tables, self.held = dict(result.tables), result.held
        if final:
            (number,) = self.tables
            self.figures.audit.open(number, self.tables[number].players)
        for number in result.closed:
            self.figures.breaks += 1
            self.in_step.pop(number, None)
        for move in result.moves:
            self.figures.log.append((move.player, move.source or 0, move.target, move.seat))
            if move.kind in ("balance", "break"):
                self._follow_move(shadow, move.kind, move.player, move.source, move.target, move.seat)
            if move.kind == "enter":
                shadow[move.target] = rotation.enter(shadow[move.target], move.player, move.seat)
        for table in self.tables.values():
            for i, j in combinations(sorted(table.players), 2):
                self.met[i, j] = max(1, self.met[i, j])

    def _follow_move(
        self, shadow: dict[int, DealTable], kind: str, player: int, source: int | None, target: int, seat: int
    ) -> None:
        assert source is not None
        if kind == "balance":
            self.figures.balances += 1
            sizes = {n: len(t.players) + len(t.entering) for n, t in shadow.items()}
            # Who is leaving deals once more where he sits, so he is no rival of one who stays.
            rivals = [
                next(player for player in order if player not in table.leaving)
                for n, table in shadow.items()
                if sizes[n] == sizes[source] and not table.in_deal
                if set(order := rotation.deal_order(table)) - table.leaving
            ]
            self.figures.unforced += any(self.moved[rival] < self.moved[player] for rival in rivals)
        else:
            self.figures.broken_moves += 1
        due = player in shadow[source].due or player not in shadow[source].players
        fresh = rotation.at_orbit_end(shadow[target])
        self.figures.audit.moved(player, source, target, fresh=fresh)
        if player in shadow[source].players:
            left = rotation.take_out if kind == "balance" else rotation.remove
            old, shadow[source] = shadow[source], left(shadow[source], player)
            if shadow[source].orbits > old.orbits:
                stayed = tuple(p for p in shadow[source].players if p in old.players)
                self.figures.audit.orbit_ended(source, stayed, shadow[source].players)
        shadow[target] = rotation.move_in(shadow[target], player, seat, due=due)
        self.moved[player] += 1

    def _check(self, result: Consolidated) -> None:
        """Count tables that differ by more than the tolerance although all are between deals."""
        sizes = [len(t.players) + len(t.entering) for t in result.tables.values()]
        if len(sizes) > 1 and not any(table.in_deal for table in result.tables.values()):
            self.figures.widest = max(self.figures.widest, max(sizes) - min(sizes))
            self.figures.over_tolerance += max(sizes) - min(sizes) > tolerance(len(sizes), self.near_cut)
