"""Who left a club or was sent away gives up the seats at its tables, and hears no more of them."""

from __future__ import annotations

from django.db.models import Q

from clubs.models import Club, User
from clubs.selectors import is_banned
from games.broadcast import close_sockets_after_commit
from games.errors import TableRefusal
from games.models import Table
from games.services.seating import leave_table
from games.services.waiting import leave_line


def leave_tables_of(*, club: Club, user: User) -> None:
    """Leave every unfinished table of a club, and its lines: a bot plays what is begun.

    Tables of events are left by withdrawing from the event, whose lock comes first. Who was banned also
    stops watching. Takes the lock of each table in turn.
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
    if is_banned(user, club.pk):
        for table_id in tables.values_list("pk", flat=True):
            close_sockets_after_commit(user_id=user.pk, code="club_left", table_id=table_id)
