"""The draw counted again from what is published: the tables of released rounds, nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tournaments.models import Draw, Entry, Round, Tournament
from tournaments.rules.bounds import meetings_of, pairs_bound, rounds_bound
from tournaments.rules.meetings import Figures, count_meetings, measure
from tournaments.rules.meetings import Round as Seatings
from tournaments.rules.seats import seat_counts, seat_spread
from tournaments.selectors.events import entries_of
from tournaments.selectors.field import history_of, released_rounds


@dataclass(frozen=True)
class Met:
    """Two players who met more than once, and how often."""

    first: Entry
    second: Entry
    times: int


@dataclass(frozen=True)
class Claim:
    """What a certificate says beside what was counted again."""

    name: str
    claimed: int
    counted: int

    @property
    def holds(self) -> bool:
        """Whether both agree."""
        return self.claimed == self.counted


@dataclass(frozen=True)
class Checked:
    """A draw counted again. ``claims`` compare with the certificate once all its rounds are out and played as drawn."""

    rounds: tuple[Seatings, ...]
    figures: Figures
    bounds: dict[str, int]
    seat_spread: int
    met: tuple[Met, ...]
    claims: tuple[Claim, ...]
    complete: bool

    @property
    def bound(self) -> int:
        """The strongest of the bounds that were counted again."""
        return max(self.bounds.values(), default=0)

    @property
    def optimal(self) -> bool:
        """Whether Q reaches the bound."""
        return self.figures.q <= self.bound


def check_draw(tournament: Tournament) -> Checked:
    """Count repeats, bounds and seats of the published rounds, and compare them with the newest certificate."""
    rounds = history_of(tournament)
    players = sorted({player for one in rounds for table in one for player in table})
    figures = measure(rounds, players)
    sizes = [tuple(len(table) for table in one) for one in rounds]
    absent = [len(players) - sum(one) for one in sizes]
    meetings = sum(meetings_of(size) for one in sizes for size in one)
    bounds = {"pairs": 0, "rounds": 0}
    if len(players) > 1:
        bounds = {
            "pairs": pairs_bound(len(players), meetings),
            "rounds": rounds_bound(sizes, absent),
        }
    entries = {entry.number: entry for entry in entries_of(tournament)}
    twice = sorted(((m, pair) for pair, m in count_meetings(rounds).items() if m > 1), reverse=True)
    claims, complete = _claims(tournament, rounds, figures)
    return Checked(
        rounds,
        figures,
        bounds,
        seat_spread(list(rounds)) if rounds else 0,
        tuple(Met(entries[i], entries[j], m) for m, (i, j) in twice),
        claims,
        complete,
    )


def published(draw: Draw) -> bool:
    """Whether all rounds of a draw are released, so that its seed tells nothing about rounds to come."""
    if draw.tournament.is_over:
        return True
    last = draw.first_round + len(draw.rounds) - 1
    out = Round.objects.filter(
        tournament=draw.tournament, current__isnull=False, number__range=(draw.first_round, last)
    )
    return out.count() == len(draw.rounds)


def public_draws(tournament: Tournament) -> list[Draw]:
    """Return the draws that released rounds followed, newest first."""
    return sorted(
        {row.draw for row in released_rounds(tournament)}, key=lambda draw: draw.number, reverse=True
    )


def seats_by_player(rounds: tuple[Seatings, ...]) -> dict[int, list[int]]:
    """Return how often each player sat at seat 1, 2, ... of a table."""
    width = max((len(table) for one in rounds for table in one), default=0)
    counts: dict[int, Counter[int]] = seat_counts(rounds)
    return {player: [own[seat] for seat in range(1, width + 1)] for player, own in sorted(counts.items())}


def _claims(
    tournament: Tournament, rounds: tuple[Seatings, ...], figures: Figures
) -> tuple[tuple[Claim, ...], bool]:
    """Return the newest certificate's numbers beside those counted, and whether its rounds are all out as drawn."""
    out = released_rounds(tournament)
    if not out:
        return (), False
    draw = out[-1].draw
    drawn = [tuple(tuple(table) for table in one) for one in draw.rounds]
    if len(out) != draw.first_round + len(drawn) - 1 or list(rounds[draw.first_round - 1 :]) != drawn:
        return (), False
    players = {p for one in (*drawn, *[[rest] for rest in draw.sitting]) for table in one for p in table}
    counted = measure(rounds, sorted(players)) if players else figures
    claims = (
        Claim("q", draw.q, counted.q),
        Claim("repeats", draw.figures["repeats"], counted.repeats),
        Claim("third", draw.figures["third"], counted.third),
        Claim("back_to_back", draw.figures["back_to_back"], counted.back_to_back),
    )
    return claims, True
