"""The floor of an elimination by threshold: knock-outs, breaking, balancing, deal for deal, the final table.

``FloorKeeper`` holds all tables of the round while the event is locked. Deals that were played are applied
one after the other; then everything that can be done is done (``rules.consolidation``) and the
tables that may go on begin their next deal. All of it is one transaction: a process that dies leaves the
floor as it was, and the next call does the same again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from games.rules import GAMES
from games.selectors import waits
from tournaments.errors import EventRefusal
from tournaments.models import Entry, EventTable, Result, Round, Sitting
from tournaments.rules import rotation
from tournaments.rules.consolidation import Consolidated, FloorRules, consolidate, deal_for_deal
from tournaments.rules.elimination import RoundEnd, knock_out, round_over
from tournaments.rules.floor import dump_table, load_table
from tournaments.rules.meetings import Pair
from tournaments.rules.rotation import DealTable
from tournaments.selectors.field import gone_by, knock_outs_of, results_of, tables_of, totals_of
from tournaments.services.fault_points import fault_point
from tournaments.services.floor_sittings import deal_again, deal_next
from tournaments.services.knock_outs import record_knock_out
from tournaments.services.locked import LockedTournament
from tournaments.services.sittings import (
    close_sitting,
    deals_to_take,
    open_sittings,
    scores_of,
    store_deal,
)

PLAYING = EventTable.State.PLAYING


class FloorKeeper:
    """All tables of a running round of an elimination, its totals, and what is to be done at them."""

    def __init__(self, locked: LockedTournament, row: Round) -> None:
        self.locked, self.row = locked, row
        self.tournament = locked.tournament
        threshold = self.tournament.threshold_of(row.number)
        assert threshold is not None, "only an elimination by threshold has a floor"
        self.threshold = threshold
        self.rows = {table.number: table for table in tables_of(row) if table.floor is not None}
        self.floor: dict[int, DealTable] = {
            n: load_table(table.floor or {}) for n, table in self.rows.items() if table.state == PLAYING
        }
        self.dealt_to: dict[int, list[int]] = {
            n: list((self.rows[n].floor or {}).get("dealt_to", table.players))
            for n, table in self.floor.items()
        }
        self.results = results_of(self.tournament)
        self.totals = totals_of(self.results)
        gone = gone_by(knock_outs_of(self.tournament))
        self.live = {p for table in self.rows.values() for p in table.seats if p not in gone}
        self.sittings: dict[int, Sitting] = {}
        if self.tournament.online:
            self.sittings = {s.event_table.number: s for s in open_sittings(self.tournament)}

    # What was played ---------------------------------------------------------------------------------------

    def take_over(self) -> list[int]:
        """Take over every deal that was played at tables of the site; returns the numbers of the event's tables."""
        taken: list[int] = []
        for number, sitting in sorted(self.sittings.items()):
            if number not in self.floor or not waits(sitting.table):
                continue
            for deal in deals_to_take(sitting):
                sitting.taken = deal.number
                if deal.void:
                    deal_again(sitting, self.floor[number])
                    continue
                scores = scores_of(sitting, deal)
                store_deal(self.locked, sitting, deal, self.deals_at(number) + 1, scores)
                fault_point("floor.between_result_and_knock_out")
                self.apply_deal(number, scores)
                taken.append(number)
            sitting.save(update_fields=["taken"])
        return taken

    def deals_at(self, number: int) -> int:
        """Return how many deals have been entered at a table."""
        return Result.objects.filter(event_table=self.rows[number], version=1, kind=Result.Kind.DEAL).count()

    def apply_deal(self, number: int, scores: Mapping[int, int]) -> None:
        """Add a deal's scores, knock out whoever is above the threshold, and finish the deal at its table."""
        table = self.floor[number]
        before = self._before(table)
        for player, score in scores.items():
            self.totals[player] = self.totals.get(player, 0) + score
        after_orbit = len(table.due) == 0
        tied = min(before.values()) > self.threshold
        out: tuple[tuple[int, ...], ...] = ()
        if not tied or after_orbit:  # Those who tie above the threshold play a whole orbit between them.
            out = knock_out(before, dict(scores), self.threshold).out
        gone = {player for group in out for player in group}
        finished = rotation.finish_deal(table, knocked_out=gone & set(table.players))
        left = set(table.players) - set(finished.players) - gone
        self.floor[number] = finished
        self.rows[number].outs += len(gone)
        self._drop(out, "threshold")
        self._drop(tuple((player,) for player in sorted(left)), "withdrawn")

    def _before(self, table: DealTable) -> dict[int, int]:
        """Return the totals before a deal of a table. Others above the threshold, by a correction, go at their own table."""
        return {
            player: self.totals.get(player, 0)
            if player in table.players
            else min(self.totals.get(player, 0), self.threshold)
            for player in self.live
        }

    def _drop(self, groups: Sequence[Sequence[int]], why: str) -> None:
        """Write down who is out, as groups of equal rank, best first."""
        gone = {player for group in groups for player in group}
        if not gone:
            return
        self.live -= gone
        record_knock_out(self.locked, self.row, groups, self.live, why)
        fault_point("floor.after_knock_out")

    # What follows ------------------------------------------------------------------------------------------

    @property
    def plays_out(self) -> bool:
        """Whether this round is played to the last one, tables being broken and balanced."""
        return self.row.number == self.tournament.rounds

    def proceed(self) -> bool:
        """Do what can be done between deals, begin the next deals; returns whether the round is over."""
        if len(self.live) <= 1:
            self._end_all()
        elif self.plays_out:
            self._play_on()
        else:
            self._end_tables()
            self._begin_deals()
            self._end_tables()
        if len(self.live) <= 1:  # Leavers can go when a deal is about to begin.
            self._end_all()
        self._save()
        return not self.floor

    def _play_on(self) -> None:
        """Consolidate and begin deals; leavers who go when a deal is about to begin can leave tables short, so again."""
        before = len(self.live) + 1
        while 1 < len(self.live) < before:
            before = len(self.live)
            self._consolidate()
            self._begin_deals()

    def _end_all(self) -> None:
        for number in sorted(self.floor):
            self._end(number)

    def _end_tables(self) -> None:
        """End the round at tables where its rule says so, or where too few are left to play."""
        rule = RoundEnd(self.tournament.round_end, self._end_count())  # type: ignore[arg-type]
        for number, table in sorted(self.floor.items()):
            if table.in_deal:
                continue
            over = round_over(rule, orbits=table.orbits, outs=self.rows[number].outs)
            if over or rotation.next_deal(rotation.let_leavers_go(table)) is None:
                self._end(number)

    def _end_count(self) -> int:
        by_orbits = self.tournament.round_end == self.tournament.RoundEnd.ORBITS
        return self.tournament.orbits if by_orbits else self.tournament.round_end_count

    def _end(self, number: int) -> None:
        row = self.rows[number]
        row.state, row.held = EventTable.State.DONE, False
        row.floor = dump_table(self.floor.pop(number))
        row.save(update_fields=["state", "held", "floor", "outs"])
        if number in self.sittings:
            close_sitting(self.sittings.pop(number))
        fault_point("floor.after_end")

    def _consolidate(self) -> None:
        """Make the final table, break and balance as the rules demand."""
        near = len(self.floor) > 1 and len(self.live) - self.tournament.final_size <= len(self.floor)
        if near and not self.row.near_cut:
            self.row.in_step = {}
        self.row.near_cut = near
        seed = self.locked.lot()
        done = consolidate(
            self.floor,
            self._rules(),
            break_order=sorted(self.floor, reverse=True),
            moved={int(player): n for player, n in self.row.moved.items()},
            met=self._met(),
            rng=Random(seed),
            near_cut=near,
        )
        self._follow(done, seed)
        for number in self.floor:
            self.rows[number].held = number in done.held

    def _rules(self) -> FloorRules:
        most = max(self.tournament.size_max, *(len(table.seats) for table in self.floor.values()))
        low, _high = GAMES[self.tournament.game].seat_range(
            GAMES[self.tournament.game].parse_options(self.tournament.options)
        )
        return FloorRules(
            ideal=self.tournament.size_ideal, seats=most, minimum=low, final=self.tournament.final_size
        )

    def _met(self) -> dict[Pair, int]:
        """Return which pairs have sat together, in this event."""
        met: dict[Pair, int] = {}
        groups = [result.players for result in self.results if not result.struck]
        groups += [list(table.players) for table in self.floor.values()]
        for group in groups:
            for i in group:
                for j in group:
                    if i < j:
                        met[i, j] = 1
        return met

    def _follow(self, done: Consolidated, seed: int) -> None:
        """Take the moves over: closed tables end, the others have their new seats."""
        for number in done.closed:
            self._end(number)
            fault_point("floor.between_closed")
        self.floor = dict(done.tables)
        fault_point("floor.after_moves")
        if not done.moves and not done.closed:
            return
        moved = dict(self.row.moved)
        for move in done.moves:
            moved[str(move.player)] = moved.get(str(move.player), 0) + 1
        self.row.moved = moved
        moves = [[m.kind, m.player, m.source, m.target, m.seat] for m in done.moves]
        after = {"round": self.row.number, "seed": seed, "closed": list(done.closed), "moves": moves}
        self.locked.log("seated_anew", by=None, after=after)

    def _begin_deals(self) -> None:
        """Begin the next deal at every table that may: not held, and near a cut in step with the others."""
        ready = {n for n, table in self.floor.items() if not table.in_deal and not self.rows[n].held}
        if self.row.near_cut:
            steps = {n: int(self.row.in_step.get(str(n), 0)) for n in self.floor}
            ready &= deal_for_deal(steps, {n: t for n, t in self.floor.items() if not self.rows[n].held})
        for number in sorted(ready):
            self._begin(number)
            fault_point("floor.between_deals")

    def _begin(self, number: int) -> None:
        before = self.floor[number]
        table = rotation.let_leavers_go(before)
        left = set(before.players) - set(table.players)
        self.floor[number] = table
        self._drop(tuple((player,) for player in sorted(left)), "withdrawn")
        deal = rotation.next_deal(table)
        if deal is None:
            return
        self.floor[number] = rotation.begin_deal(table)
        self.dealt_to[number] = list(deal.dealt_to)
        self.row.in_step = {**self.row.in_step, str(number): self.row.in_step.get(str(number), 0) + 1}
        if self.tournament.online:
            sitting, here = self.sittings.get(number), self.floor[number]
            self.sittings[number] = deal_next(
                self.locked, self.rows[number], sitting, here, deal, self.totals
            )

    def _save(self) -> None:
        for number, table in self.floor.items():
            row = self.rows[number]
            row.floor = {**dump_table(table), "dealt_to": self.dealt_to.get(number, [])}
            row.save(update_fields=["floor", "held", "outs"])
        self.row.save(update_fields=["moved", "in_step", "near_cut"])
        fault_point("floor.saved")


def settle_floor(locked: LockedTournament, row: Round) -> bool:
    """Take over what was played at tables of the site and go on; returns whether the round is over."""
    keeper = FloorKeeper(locked, row)
    taken = keeper.take_over()
    if taken:
        locked.log("deals_taken_over", by=None, after={"round": row.number, "tables": taken})
    return keeper.proceed()


def enter_floor_deal(
    locked: LockedTournament, row: Round, table: EventTable, scores: Mapping[int, int]
) -> bool:
    """Apply a deal that was entered at the club and go on; returns whether the round is over."""
    keeper = FloorKeeper(locked, row)
    if table.number not in keeper.floor or not keeper.floor[table.number].in_deal:
        raise EventRefusal("table_waits")
    # What was just entered counts by ``apply_deal``, not by the results that were read.
    for player, score in scores.items():
        keeper.totals[player] -= score
    keeper.apply_deal(table.number, scores)
    return keeper.proceed()


def leave_floor(locked: LockedTournament, row: Round, entry: Entry) -> bool:
    """Let a player leave at the next own deal; returns whether the player sits at a table of the round."""
    for table in tables_of(row):
        if table.state not in (PLAYING, EventTable.State.DISPUTED) or table.floor is None:
            continue
        seated = load_table(table.floor)
        if entry.number in seated.players:
            left = dump_table(rotation.leave(seated, entry.number))
            table.floor = {**table.floor, **left}
            table.save(update_fields=["floor"])
            return True
    return False
