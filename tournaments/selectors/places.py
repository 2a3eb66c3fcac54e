"""Final places, and the places that count for prizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.models import Tournament
from tournaments.rules.elimination import Place
from tournaments.rules.prizes import prize_amounts, row_for, share_prizes
from tournaments.selectors.standings import standings_of


def places_of(tournament: Tournament) -> list[Place]:
    """Return (place, entry number), best first, from all results there are."""
    return [(row.rank, row.entry.number) for row in standings_of(tournament, seen="all").rows]


def without(places: Iterable[Place], left_out: set[int]) -> list[Place]:
    """Return places as if those ``left_out`` had not taken part: the others move up."""
    kept = [row for row in places if row[1] not in left_out]
    ranks = [place for place, _player in kept]
    return [(ranks.index(place) + 1, player) for place, player in kept]


def prizes_for(tournament: Tournament, pool: int, *, seed: int) -> tuple[list[Place], dict[int, int]]:
    """Return the places that count for prizes (``Entry.wins_chips``) and what each player wins of ``pool`` chips."""
    rows = standings_of(tournament, seen="all").rows
    left_out = {row.entry.number for row in rows if not row.entry.wins_chips}
    places = without([(row.rank, row.entry.number) for row in rows], left_out)
    amounts = prize_amounts(pool, row_for(tournament.prize_table, len(places)))
    return places, share_prizes(places, amounts, seed=seed)


def prize_list(tournament: Tournament, people: int, pool: int) -> Sequence[int]:
    """Return the prize of each place for so many people and chips, as announced before the end."""
    return prize_amounts(pool, row_for(tournament.prize_table, people))
