"""Standings: who stands where, by which tie-breaks, what is still possible, who has dealt how often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast

from tournaments.models import Entry, EventTable, Result, Round, Tournament
from tournaments.rules.elimination import final_places
from tournaments.rules.prizes import row_for
from tournaments.rules.rotation import deals_and_owed
from tournaments.rules.standings import Liveness, Row, Scoring, TableResult, liveness, standings
from tournaments.selectors.field import (
    by_table,
    deals_seen,
    gone_by,
    knock_outs_of,
    results_of,
    rounds_missed,
    table_results,
    totals_of,
)

DONE = (Round.State.COMPLETE, Round.State.CONFIRMED)
Seen = Literal["shown", "all", "confirmed"]
"""Which results count: those that may be shown now, all there are, or those of confirmed rounds."""


@dataclass(frozen=True)
class StandingRow:
    """A line of the standings.

    ``rank`` is shared by equals. ``score`` is the sum (Least Score: points, 3-Card Loo: net
    stakes, or the sum of places). ``still`` is "safe", "alive" or "out" with regard to the prizes, in an
    elimination "out" for who was knocked out. ``dealt`` and ``owed`` are deals.
    """

    rank: int
    entry: Entry
    score: Fraction
    tie_breaks: tuple[Fraction, ...]
    still: Liveness
    dealt: int
    owed: Fraction
    rounds: dict[int, int]


@dataclass(frozen=True)
class Standings:
    """The standings and what they are of: ``complete`` rounds, and whether results of a running round are held back."""

    rows: tuple[StandingRow, ...]
    complete: int
    held_back: bool


def shown(value: Fraction) -> str:
    """Return a number as programs read it: whole, or with three decimals after a point. People read ``wording.numbers``."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.3f}"


def standings_of(tournament: Tournament, *, seen: Seen = "shown") -> Standings:
    """Return the standings; ``seen`` says which results count."""
    rounds = _rounds_that_count(tournament, seen)
    numbers = {row.number for row in rounds}
    every = results_of(tournament)
    results = [r for r in every if r.event_table.round.number in numbers]
    held_back = len(results) < len(every)
    entries = _participants(tournament)
    if tournament.eliminates:
        rows = _elimination_rows(tournament, list(entries), results, held_back)
    else:
        rows = list(_rows(tournament, list(entries), rounds, results))
    dealt = deals_and_owed(deals_seen(results))
    still = _still(tournament, entries, rows, rounds)
    scored = _scored_by_round(results)
    lines = tuple(
        StandingRow(
            row.rank,
            entries[row.player],
            row.score,
            row.tie_breaks,
            still[row.player],
            *dealt.get(row.player, (0, Fraction(0))),
            scored.get(row.player, {}),
        )
        for row in rows
    )
    complete = sum(row.state in DONE for row in rounds)
    return Standings(lines, complete, held_back)


def costs_of(tournament: Tournament, players: Iterable[int]) -> dict[int, Fraction]:
    """Return the cost (smaller is better) by which a Swiss draw orders the players, from confirmed rounds."""
    rounds = _rounds_that_count(tournament, "confirmed")
    numbers = {row.number for row in rounds}
    results = [r for r in results_of(tournament) if r.event_table.round.number in numbers]
    sign = -1 if tournament.scoring == tournament.Scoring.HIGH else 1
    rows = _rows(tournament, list(players), rounds, results)
    return {row.player: sign * row.score for row in rows}


def _rounds_that_count(tournament: Tournament, seen: Seen) -> list[Round]:
    rows = Round.objects.filter(tournament=tournament, current__isnull=False).select_related("draw")
    if seen == "confirmed":
        rows = rows.filter(state=Round.State.CONFIRMED)
    elif seen == "shown" and not tournament.standings_live:
        rows = rows.filter(state__in=DONE)
    return list(rows.order_by("number"))


def _participants(tournament: Tournament) -> dict[int, Entry]:
    """Return everybody who was ever seated or sat out, or is in now."""
    rows = Entry.objects.filter(tournament=tournament).select_related("user", "substitute")
    seated = set()
    for seats in EventTable.objects.filter(round__tournament=tournament).values_list("seats", flat=True):
        seated |= set(seats)
    return {e.number: e for e in rows if e.number in seated or e.counts}


def _rows(
    tournament: Tournament, players: Sequence[int], rounds: Sequence[Round], results: Sequence[Result]
) -> tuple[Row, ...]:
    """Return the standings of fixed rounds by the rules."""
    scored = table_results(results)
    low_wins = tournament.game == "least_score"
    sitting = {row.number: row.sitting_out for row in rounds}
    sat_out = {p: sum(p in rests for rests in sitting.values()) for p in players}
    scoring = cast(Scoring, tournament.scoring)
    return standings(
        scored,
        players,
        scoring=scoring,
        order=tournament.tie_breaks,
        low_wins=low_wins,
        sat_out=sat_out,
        missed=_missed(scoring, players, rounds, scored, sitting),
    )


def _missed(
    scoring: Scoring,
    players: Sequence[int],
    rounds: Sequence[Round],
    scored: Sequence[TableResult],
    sitting: dict[int, list[int]],
) -> dict[int, Fraction]:
    """Return what missed rounds cost: as much as the worst result of that round, so that no absence pays."""
    by_round: dict[int, list[TableResult]] = {}
    for result in scored:
        by_round.setdefault(result.round, []).append(result)
    done = {row.number for row in rounds if row.state in DONE}
    seatings = {
        number: tuple(tuple(result.scores) for result in tables)
        for number, tables in by_round.items()
        if number in done
    }
    worst = {number: _worst(scoring, tables) for number, tables in by_round.items()}
    return {
        player: sum((worst[n] for n in rounds_missed(seatings, sitting, player)), Fraction(0))
        for player in players
    }


def _worst(scoring: Scoring, tables: Iterable[TableResult]) -> Fraction:
    scores = [score for table in tables for score in table.scores.values()]
    if scoring == "places":
        return Fraction(1)
    return Fraction(max(scores)) if scoring == "low" else -Fraction(min(0, *scores))


def _elimination_rows(
    tournament: Tournament, players: Sequence[int], results: Sequence[Result], held_back: bool
) -> list[Row]:
    """Return the standings of an elimination: who is in by total, then those out, the last one first."""
    totals = totals_of(results)
    knock_outs = knock_outs_of(tournament)
    gone = gone_by(knock_outs)
    sign = -1 if tournament.scoring == tournament.Scoring.HIGH else 1
    live = sorted((sign * totals.get(p, 0), p) for p in players if p not in gone)
    costs = [cost for cost, _player in live]
    rows = [Row(costs.index(cost) + 1, p, Fraction(sign * cost), ()) for cost, p in live]
    placed = [row for row in final_places(knock_outs) if row[1] in gone]
    shift = len(live) - (len(knock_outs[-1].survivors) if knock_outs else 0)
    rows += [Row(place + shift, p, Fraction(totals.get(p, 0)), ()) for place, p in placed]
    return rows


def _still(
    tournament: Tournament, entries: dict[int, Entry], rows: Sequence[Row], rounds: Sequence[Round]
) -> dict[int, Liveness]:
    """Return what is still possible for each player with regard to the places that win a prize."""
    if tournament.eliminates:
        gone = gone_by(knock_outs_of(tournament))
        return {row.player: "out" if row.player in gone else "alive" for row in rows}
    takers = [row for row in rows if _can_win(tournament, entries[row.player])]
    places = len(row_for(tournament.prize_table, len(takers)))
    sign = -1 if tournament.scoring == tournament.Scoring.HIGH else 1
    places_scored = tournament.scoring == tournament.Scoring.PLACES
    low = tournament.scoring == tournament.Scoring.LOW
    left = 0 if tournament.is_over else tournament.rounds - sum(row.state in DONE for row in rounds)
    found: dict[int, Liveness] = {row.player: "out" for row in rows}
    found |= liveness(
        {row.player: sign * row.score for row in takers},
        rounds_left=left,
        best=Fraction(0) if places_scored or low else None,
        worst=Fraction(1) if places_scored else None,
        places=places,
    )
    if left:
        found |= {row.player: "out" for row in rows if not entries[row.player].counts}
    return found


def _can_win(tournament: Tournament, entry: Entry) -> bool:
    """Whether the places count the entry: bots win none, and chips are won by accounts only."""
    return entry.wins_chips if tournament.asset else not entry.is_bot


def _scored_by_round(results: Sequence[Result]) -> dict[int, dict[int, int]]:
    """Return what each player scored in each round."""
    scored: dict[int, dict[int, int]] = {}
    for own in by_table(results).values():
        number = own[0].event_table.round.number
        for result in table_results(own):
            for player, score in result.scores.items():
                scored.setdefault(player, {})[number] = score
    return scored
