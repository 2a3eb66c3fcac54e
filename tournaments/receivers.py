"""What events do when something happens elsewhere: a table waits for them, the ledger asks about their chips."""

from typing import Any

from django.dispatch import receiver

from games.models import Table
from games.signals import table_waits
from tournaments import stakes
from tournaments.schedule import settle_after_commit, tournament_of
from tournaments.services import check_event, events_with_chips

stakes.answer_for_events(check_event, expected=events_with_chips)


@receiver(table_waits, dispatch_uid="tournaments.settle")
def settle_soon(sender: Any, table: Table, **_: Any) -> None:
    """Have the event take over what its table has played, after the commit; the sweep makes a lost task good."""
    tournament_id = tournament_of(table.origin)
    if tournament_id is not None:
        settle_after_commit(tournament_id)
