"""Who left a club or was sent away gives up the seats at its tables, and hears no more of them."""

from __future__ import annotations

from django.db.models import Q

from clubs.models import Club, User
from games.broadcast import DOORS, announce_lobby_after_commit, announce_news_after_commit
from games.errors import TableRefusal
from games.models import Table
from games.services.seating import leave_table
from games.services.waiting import leave_line


def leave_tables_of(*, club: Club, user: User) -> None:
    """Leave every unfinished table of a club, and its lines: a bot plays what is begun.

    Tables of events are left by withdrawing from the event, whose lock comes first. Who may not come in any more
    stops watching, there and in the lobby. Takes the lock of each table in turn.
    """
    tables = Table.objects.filter(club=club).exclude(status=Table.Status.FINISHED)
    mine = Q(seats__user=user, seats__left=False) | Q(line__user=user)
    for table_id in tables.filter(mine, origin="").order_by("pk").distinct().values_list("pk", flat=True):
        leave_line(table_id=table_id, user_id=user.pk)
        try:
            leave_table(table_id=table_id, user_id=user.pk)
        except TableRefusal as refusal:
            if refusal.code not in ("not_seated", "table_finished"):
                raise
    for table_id in tables.values_list("pk", flat=True):
        announce_news_after_commit(table_id, {"kind": "doors", "user": user.pk})
    announce_lobby_after_commit(DOORS)


def ask_again_at_the_doors(*, club: Club) -> None:
    """Have everybody who looks at the club's unfinished tables and into its lobby asked again whether they may."""
    for table_id in (
        Table.objects.filter(club=club).exclude(status=Table.Status.FINISHED).values_list("pk", flat=True)
    ):
        announce_news_after_commit(table_id, {"kind": "doors"})
    announce_lobby_after_commit(DOORS)
