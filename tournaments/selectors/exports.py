"""An event as rows for files: everything for organisers, for others what its pages show them.

Each part yields dictionaries of JSON values, in a fixed order and never all results at once: they are read round by
round. ``docs/tournaments.md`` says what the keys mean.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from tournaments.models import Draw, EventTable, KnockedOut, Payout, Result, Round, Sitting, Tournament
from tournaments.selectors.certificates import certificate
from tournaments.selectors.checking import public_draws, published
from tournaments.selectors.events import actions_of, draws_in_order, entries_of, prizes_of, rounds_of
from tournaments.selectors.players import dealer_ledger
from tournaments.selectors.standings import standings_of

Row = dict[str, Any]
Rows = Iterator[Row]
LEFT_OUT = ("seed", "created_by", "copied_from", "season")
"""Columns of an event that a file does not take as they are; the seed of all lots comes when nothing is left to draw."""


def event_row(tournament: Tournament) -> Row:
    """Return the terms and the state of an event; its seed only when it is over."""
    fields = [field for field in tournament._meta.concrete_fields if field.name not in LEFT_OUT]
    row = {field.name: plain(field.value_from_object(tournament)) for field in fields}
    row["season"] = tournament.season.name if tournament.season else None
    row["seed"] = tournament.seed if tournament.is_over else None
    return row


def entry_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield who takes part, by number."""
    for entry in entries_of(tournament):
        yield {
            "number": entry.number,
            "name": entry.shown_name,
            "played_by": entry.played_by,
            "bot": entry.is_bot,
            "status": entry.status,
            "checked_in": entry.present,
            "first_round": entry.first_round,
            "place": entry.place,
        }


def draw_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield draws with their certificates; without ``everything`` only those that were played, and of them what is released."""
    rounds = rounds_of(tournament)
    in_use = {row.draw_id for row in rounds}
    out = {(row.draw_id, row.number) for row in rounds if row.current is not None}
    draws = draws_in_order(tournament) if everything else reversed(public_draws(tournament))
    for draw in draws:
        draw.tournament = tournament
        complete = everything or published(draw)
        yield {**_draw(draw, complete, out), "in_use": draw.pk in in_use}


def _draw(draw: Draw, complete: bool, out: set[tuple[int, int]]) -> Row:
    """Return a draw; one that is not ``complete`` without its seed and with the rounds that are ``out`` alone."""
    shown = [complete or (draw.pk, draw.first_round + n) in out for n in range(len(draw.rounds))]
    return {
        **certificate(draw),
        "seed": draw.seed if complete else None,
        "first_round": draw.first_round,
        "complete": complete,
        "rounds": [tables for tables, is_out in zip(draw.rounds, shown, strict=True) if is_out],
        "sitting": [rest for rest, is_out in zip(draw.sitting, shown, strict=True) if is_out],
        "at": plain(draw.at),
        "reason": draw.reason,
    }


def round_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield the rounds; drafts with ``everything`` only."""
    for row in rounds_of(tournament):
        if everything or row.current is not None:
            yield {
                "number": row.number,
                "state": row.state,
                "draw": row.draw.number,
                "release": row.current,
                "sitting_out": row.sitting_out,
                "released_at": plain(row.released_at),
                "ends_at": plain(row.ends_at),
                "confirmed_at": plain(row.confirmed_at),
            }


def table_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield the tables with their seats; releases that were undone with ``everything`` only."""
    for row in rounds_of(tournament):
        sites: dict[int, list[str]] = {}
        for table, site in (
            Sitting.objects.filter(event_table__round=row)
            .order_by("id")
            .values_list("event_table_id", "table_id")
        ):
            sites.setdefault(table, []).append(str(site))
        for each in _tables(row, everything):
            yield {
                "round": row.number,
                "release": each.take,
                "counts": each.take == row.current,
                "table": each.number,
                "seats": each.seats,
                "state": each.state,
                "extra_seconds": each.extra_seconds,
                "site_tables": sites.get(each.pk, []),
            }


def _tables(row: Round, everything: bool) -> list[EventTable]:
    tables = EventTable.objects.filter(round=row)
    if not everything:
        tables = tables.filter(take=row.current or 0)
    return list(tables.order_by("take", "number"))


def result_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield results in all their versions, round by round; what is held back with ``everything`` only."""
    for row in rounds_of(tournament):
        held = not tournament.standings_live and row.state == Round.State.PLAYING
        if held and not everything:
            continue
        results = Result.objects.filter(event_table__round=row).select_related("event_table", "by")
        if not everything:
            results = results.filter(event_table__take=row.current or 0)
        for each in results.order_by("event_table__take", "event_table__number", "number", "version"):
            yield _result(row, each)


def _result(row: Round, each: Result) -> Row:
    return {
        "round": row.number,
        "release": each.event_table.take,
        "counts": each.event_table.take == row.current,
        "table": each.event_table.number,
        "deal": each.number,
        "kind": each.kind,
        "version": each.version,
        "dealer": each.dealer,
        "players": each.players,
        "scores": each.scores,
        "pot": each.pot,
        "sheet": each.sheet,
        "struck": each.struck,
        "by": each.by.shown_name if each.by else None,
        "at": plain(each.at),
        "reason": each.reason,
    }


def knock_out_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield who was knocked out when."""
    rows = KnockedOut.objects.filter(round__tournament=tournament).select_related("round")
    for each in rows.order_by("round__number", "take", "number"):
        counts = each.take == each.round.current
        if counts or everything:
            yield {
                "round": each.round.number,
                "release": each.take,
                "counts": counts,
                "number": each.number,
                "why": each.why,
                "out": each.out,
                "survivors": each.survivors,
                "seed": each.seed,
                "at": plain(each.at),
            }


def standing_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield the standings; results that are held back count with ``everything`` only."""
    for row in standings_of(tournament, seen="all" if everything else "shown").rows:
        yield {
            "rank": row.rank,
            "entry": row.entry.number,
            "score": str(row.score),
            "tie_breaks": [str(value) for value in row.tie_breaks],
            "still": row.still,
            "rounds": row.rounds,
        }


def dealer_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield the ledger of dealers: deals dealt and owed, as a fraction."""
    for line in dealer_ledger(tournament):
        yield {"entry": line.entry.number, "dealt": line.dealt, "owed": str(line.owed)}


def prize_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield the prizes as announced, then what was paid; payouts that were taken back with ``everything`` only."""
    for prize in prizes_of(tournament):
        yield {"kind": "announced", "place": prize.place, "share": prize.share, "chips": prize.chips}
    for payout in Payout.objects.filter(tournament=tournament).order_by("number"):
        if everything or not payout.taken_back:
            places = {entry: place for place, entry in payout.places}
            for entry, chips in payout.awards.items():
                yield {
                    "kind": "taken back" if payout.taken_back else "paid",
                    "place": places.get(int(entry)),
                    "entry": int(entry),
                    "chips": chips,
                    "payout": payout.number,
                    "at": plain(payout.at),
                }


def action_rows(tournament: Tournament, everything: bool) -> Rows:
    """Yield the record, with ``everything`` only: reasons are written for organisers."""
    if not everything:
        return
    for action in actions_of(tournament).order_by("number").iterator(chunk_size=500):
        yield {
            "number": action.number,
            "kind": action.kind,
            "by": action.by.shown_name if action.by else None,
            "at": plain(action.at),
            "reason": action.reason,
            "before": action.before,
            "after": action.after,
            "moved": action.moved,
        }


PARTS: dict[str, Callable[[Tournament, bool], Rows]] = {
    "entries": entry_rows,
    "draws": draw_rows,
    "rounds": round_rows,
    "tables": table_rows,
    "results": result_rows,
    "knock_outs": knock_out_rows,
    "standings": standing_rows,
    "dealers": dealer_rows,
    "prizes": prize_rows,
    "record": action_rows,
}
"""Every list of an export, by its key, in the order in which the file has them."""


def plain(value: Any) -> Any:
    """Return a column's value as a JSON value."""
    if isinstance(value, dt.datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value
