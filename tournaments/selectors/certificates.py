"""Draws as organisers read them: figures, bounds, and what a swap would do to them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tournaments.models import Draw, Tournament
from tournaments.rules.meetings import Figures, measure
from tournaments.selectors.field import history_of, pairs_apart


def figures_json(figures: Figures) -> dict[str, int]:
    """Return the figures of a draw as JSON values."""
    return asdict(figures)


def certificate(draw: Draw) -> dict[str, Any]:
    """Return what is proved of a draw: sizes, Q, bounds, seed, seconds, method, and whether fewer repeats are possible."""
    return {
        "version": draw.number,
        "kind": draw.kind,
        "sizes": [[len(table) for table in one] for one in draw.rounds],
        "q": draw.q,
        "bounds": draw.bounds,
        "gap": draw.gap,
        "optimal": draw.optimal,
        "figures": draw.figures,
        "seat_spread": draw.seat_spread,
        "apart_met": draw.apart_met,
        "method": draw.method,
        "stopped": draw.stopped,
        "seed": draw.seed,
        "seconds": draw.seconds,
    }


def draws_of(tournament: Tournament) -> list[Draw]:
    """Return all versions of the draw, newest first."""
    return list(Draw.objects.filter(tournament=tournament).select_related("by").order_by("-number"))


def figures_of_swap(draw: Draw, rounds: list[Any]) -> dict[str, int]:
    """Return the figures that a draw would have with ``rounds`` in place of its own, and meetings of pairs kept apart."""
    history = history_of(draw.tournament, draw.first_round)
    new = [tuple(tuple(table) for table in one) for one in rounds]
    players = sorted(
        {p for one in (*rounds, *[[rest] for rest in draw.sitting]) for table in one for p in table}
    )
    apart = set(pairs_apart(draw.tournament))
    together = [
        {(min(i, j), max(i, j)) for i in table for j in table if i != j} for one in new for table in one
    ]
    found = figures_json(measure([*history, *new], players))
    return {**found, "apart_met": sum(len(pairs & apart) for pairs in together)}


def repeats_in(draw: Draw, round_number: int) -> list[list[tuple[int, int, int]]]:
    """Return for each table of a drawn round its pairs that have met before: (player, player, earlier meetings)."""
    at = round_number - draw.first_round
    earlier = [*history_of(draw.tournament, draw.first_round), *draw.rounds[:at]]
    met: dict[tuple[int, int], int] = {}
    for one in earlier:
        for table in one:
            for i in table:
                for j in table:
                    if i < j:
                        met[i, j] = met.get((i, j), 0) + 1
    return [
        [(i, j, met[i, j]) for i in sorted(table) for j in sorted(table) if i < j and (i, j) in met]
        for table in draw.rounds[at]
    ]
