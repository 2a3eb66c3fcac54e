"""What each person may read of a table's chat, and where that person may write."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import Q

from clubs.models import User
from games.errors import TableRefusal
from games.models import ChatLine, ChatMute, Seat, Silence, Table

OPEN_AFTER_END = dt.timedelta(minutes=10)
"""How long after the match quick phrases may still be sent; then the chat is closed."""
HISTORY_LINES = 50
ROWS_READ = 100

TABLE, WATCHERS = ChatLine.Room.TABLE, ChatLine.Room.WATCHERS


def clock() -> dt.datetime:
    """Return the database server's own time at this very moment, which all processes share."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: dt.datetime = cursor.fetchone()[0]
        return now


@dataclass(frozen=True)
class ChatReader:
    """Who reads: ``sits`` at the table now, or ``sat`` there at some time."""

    user_id: int | None
    sits: bool
    sat: bool


@dataclass(frozen=True)
class ChatPage:
    """Lines for one reader, oldest first.

    ``after`` and ``to`` are ids: everything that the reader may know of the
    lines after the one and up to the other is here. ``whole`` says that the
    lines replace what the reader had.
    """

    lines: list[ChatLine]
    after: int
    to: int
    whole: bool


def over(table: Table) -> bool:
    """Whether the table's match is over, so that nothing said can help a hand."""
    return table.status == Table.Status.FINISHED


def closed(table: Table, now: dt.datetime) -> bool:
    """Whether nobody writes at this table any more."""
    return over(table) and table.finished_at is not None and now > table.finished_at + OPEN_AFTER_END


def rooms_to_read(table: Table, reader: ChatReader, now: dt.datetime) -> frozenset[str]:
    """Return the rooms that ``reader`` may read.

    The watchers' room is kept from whoever sits at the table until the match is
    over. A closed chat is left to those who sat there.
    """
    if closed(table, now):
        return frozenset((TABLE, WATCHERS)) if reader.sat else frozenset()
    if reader.sits and not over(table):
        return frozenset((TABLE,))
    return frozenset((TABLE, WATCHERS))


def delay_for(table: Table, reader: ChatReader) -> dt.timedelta:
    """Return how much later than said ``reader`` reads a line: those who watch with a delay read with it too."""
    return dt.timedelta(seconds=table.watch_delay if table.deal_number and not reader.sits else 0)


def room_to_write(reader: ChatReader) -> str:
    """Return the one room in which a person may write: members speak at the table, others among the watchers."""
    return TABLE if reader.sits else WATCHERS


def may_write(table: Table, person: User | None, now: dt.datetime) -> str:
    """Return what a person may write: ``"text"``, ``"phrases"`` or ``"no"``."""
    if person is None or closed(table, now):
        return "no"
    return "phrases" if over(table) or person.is_guest else "text"


def silence_of(user_id: int, table_id: UUID, now: dt.datetime) -> Silence | None:
    """Return the silence that keeps a person from writing at a table, the one that lasts longest."""
    running = Silence.objects.filter(user_id=user_id, until__gt=now, lifted_at__isnull=True)
    club = Table.objects.filter(pk=table_id).values("club")
    return (
        running.filter(Q(table_id=table_id) | Q(table__isnull=True, club__in=club))
        .order_by("-until", "-pk")
        .first()
    )


class TableChat:
    """A table's chat for some of its readers, read once. Names come with the lines; nobody's mutes are missed."""

    def __init__(
        self,
        table_id: UUID,
        user_ids: Iterable[int | None],
        *,
        after: int | None = None,
        also: Collection[int] = (),
    ) -> None:
        """Read the lines after ``after``, or (``None``) the last ones and those with the ids in ``also``.

        Raises ``TableRefusal("no_such_table")``.
        """
        table = Table.objects.defer("match", "chain_end").filter(pk=table_id).first()
        if table is None:
            raise TableRefusal("no_such_table")
        self.table = table
        self.now = clock()
        people = {user_id for user_id in user_ids if user_id is not None}
        seats = Seat.objects.filter(table=table, user_id__in=people).values_list("user_id", "left")
        self._left: dict[int | None, bool] = dict(seats)
        self._people = User.objects.in_bulk(people)
        lines = ChatLine.objects.filter(table=table, hidden_at__isnull=True).select_related("author")
        if after is None:
            parts = [lines.filter(room=room).order_by("-id")[:ROWS_READ] for room in (TABLE, WATCHERS)]
            if also:
                parts.append(lines.filter(pk__in=also))
            found = {line.pk: line for part in parts for line in part}
            self._lines = [found[key] for key in sorted(found)]
        else:
            self._lines = list(lines.filter(pk__gt=after).order_by("id")[: ROWS_READ * 2])
        authors = {line.author_id for line in self._lines}
        mutes = ChatMute.objects.filter(muter_id__in=people, muted_id__in=authors)
        self._mutes = set(mutes.values_list("muter_id", "muted_id"))

    def reader(self, user_id: int | None) -> ChatReader:
        """Return how a person of ``user_ids`` stands to the table."""
        sat = user_id in self._left
        return ChatReader(user_id, sits=sat and not self._left[user_id], sat=sat)

    def person(self, user_id: int | None) -> User | None:
        """Return a person of ``user_ids``."""
        return self._people.get(user_id) if user_id is not None else None

    def readable(self, user_id: int | None) -> list[ChatLine]:
        """Return every line read here that a person may read, the own ones at once."""
        reader = self.reader(user_id)
        ripe = self._ripe(reader)
        own = [line for line in self._lines[len(ripe) :] if user_id is not None and line.author_id == user_id]
        return [line for line in [*ripe, *own] if self._readable(line, reader)]

    def history(self, user_id: int | None) -> ChatPage:
        """Return the last lines that a person may read."""
        ripe = self._ripe(self.reader(user_id))
        lines = self.readable(user_id)[-HISTORY_LINES:]
        return ChatPage(lines, 0, ripe[-1].pk if ripe else 0, whole=True)

    def since(self, user_id: int | None, after: int) -> ChatPage:
        """Return what a person may read of the lines after ``after``."""
        reader = self.reader(user_id)
        ripe = [line for line in self._ripe(reader) if line.pk > after]
        lines = [line for line in ripe if self._readable(line, reader)]
        return ChatPage(lines, after, ripe[-1].pk if ripe else after, whole=False)

    def next_ripe(self, user_id: int | None) -> dt.timedelta | None:
        """Return after how long a person may read more than now, ``None`` if no line waits."""
        reader = self.reader(user_id)
        ripe = self._ripe(reader)
        if len(ripe) == len(self._lines):
            return None
        return self._lines[len(ripe)].at + delay_for(self.table, reader) - self.now

    def _ripe(self, reader: ChatReader) -> list[ChatLine]:
        """Return the lines up to the first that ``reader`` must still wait for."""
        latest = self.now - delay_for(self.table, reader)
        waiting = (index for index, line in enumerate(self._lines) if line.at > latest)
        return self._lines[: next(waiting, len(self._lines))]

    def _readable(self, line: ChatLine, reader: ChatReader) -> bool:
        if line.room not in rooms_to_read(self.table, reader, self.now):
            return False
        return (reader.user_id, line.author_id) not in self._mutes


def readable_lines(table_id: UUID, user_id: int | None, *, also: Collection[int] = ()) -> list[ChatLine]:
    """Return the last lines of a table, and those with the ids in ``also``, that a person may read.

    At most 100 lines of each room, and ``also``. Raises ``TableRefusal("no_such_table")``.
    """
    return TableChat(table_id, [user_id], also=also).readable(user_id)


def muted_by(user_id: int) -> list[ChatMute]:
    """Return whom a person has muted, the latest first."""
    return list(ChatMute.objects.filter(muter_id=user_id).select_related("muted").order_by("-at", "-pk"))
