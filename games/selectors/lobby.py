"""What can be read of tables from outside them: the lobby's lists, a member's own tables, who waits for whom."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from games.models import Seat, Table, WaitingPlace
from games.presence import watchers_of
from games.wording import title_of

LONGEST_LIST = 100

NO_TABLE = UUID(int=0)


class Call(NamedTuple):
    """A table that waits for a member: it is the member's turn there, or a seat is kept for the member."""

    table_id: UUID
    game: str
    seat_offered: bool

    @property
    def title(self) -> str:
        """The game's name in the active language."""
        return title_of(self.game)


def lobby(
    *, club_id: int, game: str = "", clock: str = "", stakes: str = "", rating: str = "", free: bool = False
) -> QuerySet[Table]:
    """Return a club's listed, unfinished tables, those with free seats first, newest first; at most ``LONGEST_LIST``.

    ``stakes`` is ``""``, ``"with"`` or ``"without"``, ``rating`` ``""``, ``"rated"`` or
    ``"casual"``; ``free`` leaves only tables with a free seat. Each has ``taken``,
    ``all_seats``, ``free_seats`` and ``in_line`` counted and its seats with their members at hand: two queries in all.
    """
    tables = Table.objects.filter(club=club_id, listed=True, origin="").exclude(status=Table.Status.FINISHED)
    if game:
        tables = tables.filter(game=game)
    if clock:
        tables = tables.filter(clock=clock)
    if stakes:
        tables = tables.filter(stake__gt=0) if stakes == "with" else tables.filter(stake=0)
    if rating:
        tables = tables.filter(rated=rating == "rated")
    if free:
        tables = tables.filter(status=Table.Status.SEATING)
    taken = Q(seats__user__isnull=False) | ~Q(seats__bot_name="")
    line = WaitingPlace.objects.filter(table=OuterRef("pk")).order_by().values("table")
    tables = tables.annotate(
        all_seats=Count("seats"),
        taken=Count("seats", filter=taken),
        free_seats=F("all_seats") - F("taken"),
        in_line=Coalesce(Subquery(line.annotate(waiting=Count("pk")).values("waiting")), 0),
    )
    seating_first = Case(When(status=Table.Status.SEATING, then=0), default=1)
    return tables.prefetch_related(SEATS).order_by(seating_first, "-opened_at", "-pk")[:LONGEST_LIST]


class Lists(NamedTuple):
    """The lobby's tables: those at which people still sit down, and those that can be watched."""

    open: list[Any]
    running: list[Any]


def lobby_lists(**wanted: Any) -> Lists:
    """Return the tables of ``lobby`` as two lists; the running ones have their ``watchers`` counted."""
    lists = Lists([], [])
    for table in lobby(**wanted):
        (lists.open if table.is_gathering else lists.running).append(table)
    watchers = watchers_of([table.pk for table in lists.running]) if lists.running else {}
    for table in lists.running:
        table.watchers = watchers[table.pk]
    return lists


def tables_of(user_id: int) -> list[Table]:
    """Return the unfinished tables at which a member sits, those where it is the member's turn first.

    Each has ``own_seat``, ``my_turn``, ``turn_name`` (empty: nobody is on turn) and its seats with their members: two queries in all.
    """
    mine = Q(seats__user_id=user_id, seats__left=False)
    tables = (
        Table.objects.filter(mine)
        .exclude(status=Table.Status.FINISHED)
        .annotate(own_seat=F("seats__number"))
        .annotate(my_turn=Case(When(turn_seat=F("own_seat"), then=True), default=False))
    )
    found: list[Any] = list(tables.prefetch_related(SEATS).order_by("-my_turn", "-changed_at", "-pk"))
    for table in found:
        names = {seat.number: seat.shown_name for seat in table.seats.all()}
        table.turn_name = names.get(table.turn_seat or 0, "")
    return found


def calls_for(user_id: int, *, besides: UUID | None = None) -> list[Call]:
    """Return the tables that wait for a member, in one query; the table ``besides`` is on the page already.

    A seat at which a bot plays in the member's place does not wait for the member.
    """
    turns = (
        Table.objects.filter(
            status=Table.Status.PLAYING,
            seats__user_id=user_id,
            seats__left=False,
            seats__stand_in=False,
            seats__number=F("turn_seat"),
        )
        .exclude(pk=besides or NO_TABLE)
        .annotate(offered=Q(pk__isnull=True))
        .values_list("pk", "game", "offered")
    )
    offers = (
        WaitingPlace.objects.filter(user_id=user_id, offered_seat__isnull=False)
        .exclude(table_id=besides or NO_TABLE)
        .order_by()
        .annotate(offered=Q(pk__isnull=False))
        .values_list("table_id", "table__game", "offered")
    )
    return [Call(*row) for row in turns.union(offers, all=True)]


def line_at(table_id: UUID) -> list[WaitingPlace]:
    """Return the line at a table, first to last, with its members."""
    return list(WaitingPlace.objects.filter(table_id=table_id).select_related("user"))


SEATS = Prefetch("seats", Seat.objects.select_related("user"))
