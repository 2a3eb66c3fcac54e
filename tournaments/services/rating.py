"""Results of rated events, told to the ratings when a round is confirmed; a correction tells them again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.models import Seat
from games.selectors.course import with_leavers_last
from games.selectors.ratings import Placed
from games.services import rate_result, withdraw_result
from tournaments.models import Entry, EventTable, Round, Sitting
from tournaments.selectors.field import by_table, results_of, table_scores, tables_of
from tournaments.services.locked import LockedTournament


def rate_round(locked: LockedTournament, row: Round) -> None:
    """Count every table of a confirmed round as a match: who scored better there came before the others.

    Tables with somebody who has no account do not count. Must be the last thing that a
    service does: it takes the lock of the ratings' pool.
    """
    tournament = locked.tournament
    if not tournament.rated:
        return
    results = by_table(results_of(tournament, row.number))
    for table in tables_of(row):
        scores = table_scores(results.get(table.pk, []), table.seats)
        gone = _abandoned(table)
        rate_result(
            club_id=tournament.club_id,
            game=tournament.game,
            source=_source(row, table),
            at=locked.now,
            placed=[
                Placed(number, place, number in gone, user_id=_account_of(locked.entries[number]))
                for place, number in with_leavers_last(
                    _ranked(scores, low_wins=tournament.game == "least_score"), gone
                )
            ],
        )


def forget_round(row: Round, tables: Iterable[EventTable]) -> None:
    """Take a round's tables out of the ratings, as if they had not been played; the last thing that a service does."""
    if row.tournament.rated:
        for table in tables:
            withdraw_result(source=_source(row, table))


def _source(row: Round, table: EventTable) -> str:
    return f"event:{row.tournament_id}:{row.number}:{table.number}"


def _ranked(scores: Mapping[int, int], *, low_wins: bool) -> list[tuple[int, int]]:
    """Return (place, entry), best first; equal scores share a place."""
    worth = {entry: score if low_wins else -score for entry, score in scores.items()}
    return sorted((1 + sum(other < own for other in worth.values()), entry) for entry, own in worth.items())


def _account_of(entry: Entry) -> int | None:
    """Return the id of the member who played for an entry, ``None`` for bots, guests and people without an account."""
    if entry.substitute_name or entry.is_bot:
        return None
    person = entry.substitute or entry.user
    return person.pk if person is not None and not person.is_guest else None


def _abandoned(table: EventTable) -> set[int]:
    """Return the entries in whose place a bot played when their table of the site ended."""
    found: set[int] = set()
    for sitting in Sitting.objects.filter(event_table=table):
        seats = Seat.objects.filter(table=sitting.table_id)
        found |= {sitting.seats[seat.number - 1] for seat in seats if seat.abandoned and seat.user_id}
    return found
