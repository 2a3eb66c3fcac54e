"""One player's way through an event, the ledger of dealers, seasons, and an event as a file."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from clubs.models import User
from tournaments.models import Action, Draw, Entry, EventTable, Result, Season, Sitting, Tournament
from tournaments.rules.rotation import deals_and_owed
from tournaments.rules.season import PointsRule, event_points, league_table
from tournaments.selectors.certificates import certificate
from tournaments.selectors.events import actions_of, draws_in_order, entries_of
from tournaments.selectors.field import (
    by_table,
    deals_seen,
    released_rounds,
    results_of,
    table_scores,
    tables_of,
)
from tournaments.selectors.places import without
from tournaments.selectors.standings import standings_of


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
    def ahead(self) -> float:
        """Deals dealt beyond those owed."""
        return round(float(self.dealt - self.owed), 2)


@dataclass(frozen=True)
class SeasonLine:
    """A line of a season's league table."""

    rank: int
    user: User
    points: Fraction
    counted: tuple[Fraction, ...]
    left_out: tuple[Fraction, ...]


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


def season_table(season: Season) -> list[SeasonLine]:
    """Return the league table of a season over its finished events; members only, bots and guests by name left out."""
    points = []
    finished = season.events.filter(state__in=[Tournament.State.FINISHED, Tournament.State.ARCHIVED])
    rule = PointsRule(tuple(season.by_place))
    for tournament in finished.order_by("finished_at"):
        rows = standings_of(tournament, seen="all").rows
        members = {row.entry.number: row.entry.user_id for row in rows if row.entry.user_id}
        left_out = {row.entry.number for row in rows} - members.keys()
        places = without([(row.rank, row.entry.number) for row in rows], left_out)
        points.append({members[p]: won for p, won in event_points(places, rule).items()})
    table = league_table(points, season.best)
    people = User.objects.in_bulk([row.player for row in table])
    return [
        SeasonLine(row.rank, people[row.player], row.points, row.counted, row.left_out)
        for row in table
        if row.player in people
    ]


def export_of(tournament: Tournament) -> dict[str, Any]:
    """Return everything there is of an event as JSON values: terms, entries, draws, tables, results in all versions, record."""
    tables = EventTable.objects.filter(round__tournament=tournament).select_related("round")
    results = Result.objects.filter(event_table__round__tournament=tournament).select_related(
        "event_table__round"
    )
    sittings = Sitting.objects.filter(event_table__round__tournament=tournament)
    return {
        "event": {
            field.name: _plain(field.value_from_object(tournament))
            for field in tournament._meta.concrete_fields
        },
        "entries": [_entry(entry) for entry in entries_of(tournament)],
        "draws": [_draw(draw) for draw in draws_in_order(tournament)],
        "tables": [_table(table, sittings) for table in tables.order_by("round__number", "take", "number")],
        "results": [
            _result(r)
            for r in results.order_by("event_table__round__number", "event_table", "number", "version")
        ],
        "standings": [
            {
                "rank": row.rank,
                "entry": row.entry.number,
                "score": str(row.score),
                "dealt": row.dealt,
                "owed": str(row.owed),
            }
            for row in standings_of(tournament, seen="all").rows
        ],
        "record": [_action(action) for action in actions_of(tournament).order_by("number")],
    }


def _at(table: EventTable, results: list[Result]) -> set[int]:
    return set(table.seats) | {player for result in results for player in result.players}


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "name": entry.shown_name,
        "played_by": entry.played_by,
        "bot": entry.is_bot,
        "status": entry.status,
        "place": entry.place,
    }


def _draw(draw: Draw) -> dict[str, Any]:
    kept = {"rounds": draw.rounds, "sitting": draw.sitting, "first_round": draw.first_round}
    return {**certificate(draw), **kept, "at": _plain(draw.at), "reason": draw.reason}


def _table(table: EventTable, sittings: Any) -> dict[str, Any]:
    return {
        "round": table.round.number,
        "take": table.take,
        "counts": table.take == table.round.current,
        "table": table.number,
        "seats": table.seats,
        "state": table.state,
        "site_tables": [str(s.table_id) for s in sittings if s.event_table_id == table.pk],
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "round": result.event_table.round.number,
        "take": result.event_table.take,
        "table": result.event_table.number,
        "deal": result.number,
        "kind": result.kind,
        "version": result.version,
        "dealer": result.dealer,
        "scores": result.scores,
        "sheet": result.sheet,
        "struck": result.struck,
        "reason": result.reason,
        "at": _plain(result.at),
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "number": action.number,
        "kind": action.kind,
        "by": action.by.shown_name if action.by else None,
        "at": _plain(action.at),
        "reason": action.reason,
        "before": action.before,
        "after": action.after,
        "moved": action.moved,
    }


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str, list, dict)):
        return value
    return str(value) if isinstance(value, uuid.UUID) else value.isoformat()
