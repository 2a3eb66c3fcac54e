"""One player's way through an event, and the ledger of dealers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tournaments.models import Entry, EventTable, Result, Tournament
from tournaments.rules.rotation import deals_and_owed
from tournaments.selectors.events import entries_of
from tournaments.selectors.field import (
    by_table,
    deals_seen,
    released_rounds,
    results_of,
    table_scores,
    tables_of,
)


@dataclass(frozen=True)
class PlayedRound:
    """A round of one player: the table, the others there, the score, and the deals dealt and owed in it."""

    number: int
    table: EventTable | None
    opponents: tuple[Entry, ...]
    score: int | None
    dealt: int
    owed: Fraction
    sat_out: bool


@dataclass(frozen=True)
class DealerLine:
    """A line of the ledger of dealers."""

    entry: Entry
    dealt: int
    owed: Fraction

    @property
    def ahead(self) -> Fraction:
        """Deals dealt beyond those owed."""
        return self.dealt - self.owed


def history_of_player(tournament: Tournament, number: int) -> list[PlayedRound]:
    """Return every released round as one player saw it."""
    entries = {entry.number: entry for entry in entries_of(tournament)}
    own = by_table(results_of(tournament))
    rounds = []
    for row in released_rounds(tournament):
        played = [
            (table, own.get(table.pk, []))
            for table in tables_of(row)
            if number in table.seats or any(number in r.players for r in own.get(table.pk, []))
        ]
        others = {p for table, results in played for p in _at(table, results)} - {number}
        scores = [table_scores(results).get(number) for _table, results in played]
        known = [score for score in scores if score is not None]
        deals = [deal for _table, results in played for deal in deals_seen(results)]
        dealt, owed = deals_and_owed(deals).get(number, (0, Fraction(0)))
        rounds.append(
            PlayedRound(
                row.number,
                played[0][0] if played else None,
                tuple(entries[p] for p in sorted(others)),
                sum(known) if known else None,
                dealt,
                owed,
                number in row.sitting_out,
            )
        )
    return rounds


def dealer_ledger(tournament: Tournament) -> list[DealerLine]:
    """Return deals dealt and owed for everybody who played, by number."""
    entries = {entry.number: entry for entry in entries_of(tournament)}
    ledger = deals_and_owed(deals_seen(results_of(tournament)))
    return [DealerLine(entries[p], dealt, owed) for p, (dealt, owed) in sorted(ledger.items())]


def _at(table: EventTable, results: list[Result]) -> set[int]:
    return set(table.seats) | {player for result in results for player in result.players}
