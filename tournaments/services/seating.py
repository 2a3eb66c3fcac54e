"""A draw made and not yet stored: the whole rest of a planned event, or the next round by lot or by the standings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Any

from tournaments.errors import EventRefusal
from tournaments.models import Round, Tournament
from tournaments.rules import draw as planning
from tournaments.rules.bounds import history_bound, meetings_of, pairs_bound, rounds_bound
from tournaments.rules.errors import BadDraw
from tournaments.rules.meetings import Round as Seatings
from tournaments.rules.meetings import count_meetings, larger_visits
from tournaments.rules.seats import seat_counts, seat_rounds
from tournaments.rules.sit_outs import choose_sit_outs, rounds_not_played
from tournaments.rules.sizes import sit_out_number, table_sizes
from tournaments.rules.swiss import order_by_score, swiss_round
from tournaments.selectors.field import history_of, pairs_apart
from tournaments.selectors.standings import costs_of
from tournaments.services.locked import LockedTournament
from tournaments.services.organising import smallest_table

SECONDS = 3.0
"""A search ends after so long, whatever it has found: the event is locked meanwhile."""


class Made(dict[str, Any]):
    """A draw before it is stored: the columns of ``Draw``."""


def make_draw(locked: LockedTournament, first: int, players: list[int]) -> Made:
    tournament = locked.tournament
    started = time.monotonic()

    def expired() -> bool:
        return time.monotonic() - started > SECONDS

    swiss = tournament.seating == Tournament.Seating.SWISS and not tournament.eliminates
    make = _swiss if swiss and first > 1 else _planned
    try:
        made = make(locked, first, players, expired)
    except BadDraw as refusal:
        raise EventRefusal(refusal.code, refusal.detail) from refusal
    made["seconds"] = time.monotonic() - started
    return made


def _planned(locked: LockedTournament, first: int, players: list[int], expired: Any) -> Made:
    """Plan all rounds to come of a planned event, the next round of any other."""
    tournament = locked.tournament
    whole = tournament.seating == Tournament.Seating.PLANNED and not tournament.eliminates
    rounds = tournament.rounds - first + 1 if whole else 1
    volunteers = frozenset(e.number for e in locked.entries.values() if e.volunteers)
    made = planning.plan(
        players,
        rounds=rounds,
        ideal=tournament.size_ideal,
        seed=locked.lot(),
        smallest=smallest_table(tournament),
        largest=tournament.size_max,
        history=history_of(tournament),
        apart=pairs_apart(tournament),
        volunteers=[volunteers] * rounds,
        planned=_old_plan(tournament, first) if whole else (),
        expired=expired,
    )
    return Made(
        first_round=first,
        rounds=[[list(table) for table in one] for one in made.rounds],
        sitting=[list(sitting) for sitting in made.sitting],
        method=made.method,
        stopped=made.stopped,
        seed=made.seed,
        looks=made.looks,
        bounds={"pairs": made.bounds.pairs, "rounds": made.bounds.rounds, "visits": made.bounds.visits},
    )


def _old_plan(tournament: Tournament, first: int) -> tuple[Seatings, ...]:
    """Return the rounds from ``first`` on as they were planned before: a new plan keeps what it can."""
    rows = Round.objects.filter(tournament=tournament, number__gte=first).select_related("draw")
    planned = [tuple(tuple(table) for table in row.drawn_tables) for row in rows.order_by("number")]
    return tuple(planned) if len(planned) == tournament.rounds - first + 1 else ()


def _swiss(locked: LockedTournament, first: int, players: list[int], expired: Any) -> Made:
    """Seat the next round by the standings, sit-outs and seats as fair as they can be."""
    tournament, seed = locked.tournament, locked.lot()
    rng = Random(seed)
    history = history_of(tournament)
    out = sit_out_number(len(players), smallest=tournament.size_min, largest=tournament.size_max)
    costs = costs_of(tournament, players)
    order = order_by_score(costs, rng)
    sitting = choose_sit_outs(
        players,
        out,
        sat_out=rounds_not_played(history, players),
        volunteers=frozenset(e.number for e in locked.entries.values() if e.volunteers),
        rng=rng,
        rank={player: place for place, player in enumerate(order, 1)},
    )
    ranked = [player for player in order if player not in sitting]
    sizes = table_sizes(
        len(ranked),
        ideal=tournament.size_ideal,
        smallest=tournament.size_min,
        largest=tournament.size_max,
    )
    seated = swiss_round(
        ranked,
        sizes,
        met=count_meetings(history),
        visits=larger_visits(history, players),
        seed=seed,
        tables_per_band=tournament.bands,
        apart=pairs_apart(tournament),
        expired=expired,
    )
    return Made(
        first_round=first,
        rounds=[[list(table) for table in seat_rounds([seated.tables], seats_had(history))[0]]],
        sitting=[list(sitting)],
        method="swiss",
        stopped="bound" if seated.proved else "budget",
        seed=seed,
        looks=0,
        bounds=round_bounds(history, [sizes], players),
    )


def seats_had(history: Sequence[Seatings]) -> dict[int, list[int]]:
    """Return how often each player sat at seat 1, 2, ... so far."""
    return {
        player: [count[seat] for seat in range(1, max(count) + 1)]
        for player, count in seat_counts(history).items()
    }


def round_bounds(
    history: Sequence[Seatings], sizes: Sequence[tuple[int, ...]], players: Sequence[int]
) -> dict[str, int]:
    """Return the lower bounds of Q for new rounds of tables of ``sizes`` after ``history``."""
    among = set(players)
    met = [m for (i, j), m in count_meetings(history).items() if i in among and j in among]
    meetings = sum(meetings_of(size) for one in sizes for size in one)
    rounds = rounds_bound(list(sizes), [len(players) - sum(one) for one in sizes])
    return {
        "pairs": pairs_bound(len(players), meetings, met),
        "rounds": rounds + history_bound(list(history), list(sizes), players),
        "visits": 0,
    }
