"""What becomes of the seat of a player who withdraws in the middle of a round."""

from __future__ import annotations

from tournaments.models import Entry, EventTable, Round
from tournaments.selectors.field import tables_of
from tournaments.services.floor import leave_floor
from tournaments.services.locked import LockedTournament
from tournaments.services.sittings import open_sittings, seat_leaves


def leave_running_tables(locked: LockedTournament, entry: Entry) -> bool:
    """Let the player's seat be played on in the round that is running; returns whether there is such a seat.

    Online a bot plays it until the round is over (L25), in an elimination by threshold until the
    player's own next deal; at the club the table plays on without the player.
    """
    row = Round.objects.filter(tournament=locked.tournament, state=Round.State.PLAYING).first()
    if row is None:
        return False
    seated = _seated(locked, row, entry)
    if seated and locked.tournament.online:
        for sitting in open_sittings(locked.tournament):
            seat_leaves(sitting, entry)
    return seated


def _seated(locked: LockedTournament, row: Round, entry: Entry) -> bool:
    if locked.tournament.thresholds:
        return leave_floor(locked, row, entry)
    open_states = (EventTable.State.PLAYING, EventTable.State.REPORTED, EventTable.State.DISPUTED)
    return any(entry.number in t.seats and t.state in open_states for t in tables_of(row))
