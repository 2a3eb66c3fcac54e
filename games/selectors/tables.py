"""What can be read of running tables without a lock."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from games import stakes
from games.models import Deal, LogEntry, Seat, Table
from games.rules import GAMES
from games.rules.interface import POT
from games.selectors.archive import archived_log


class Running(NamedTuple):
    """A table's latest deal with the number of moves made and the state they led to. ``deal`` is only to be read."""

    deal: Deal
    ply: int
    state: Any


class Remembered:
    """The latest deals of tables in this process, as a cache that replay can always refill.

    States are frozen values and committed moves never change, so an entry can
    be forgotten but not wrong. Only what is committed may be put in. The key is
    the table's random id, not a number of its database: a restored copy may
    count anew.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._running: OrderedDict[tuple[UUID, int], Running] = OrderedDict()

    def get(self, table_id: UUID, number: int) -> Running | None:
        with self._lock:
            return self._running.get((table_id, number))

    def put(self, running: Running) -> None:
        key = (running.deal.table_id, running.deal.number)
        with self._lock:
            known = self._running.get(key)
            if known is None or known.ply < running.ply:
                self._running[key] = running
            self._running.move_to_end(key)
            while len(self._running) > self._size:
                self._running.popitem(last=False)

    def forget(self, table_id: UUID) -> None:
        """Forget a table, so that its deal is read and replayed anew."""
        with self._lock:
            for key in [key for key in self._running if key[0] == table_id]:
                del self._running[key]


remembered = Remembered(size=4096)


def first_state(table: Table, deal: Deal) -> Any:
    """Return the state of ``deal`` before its first move."""
    rules = GAMES[table.game]
    return rules.new_deal(
        seats=tuple(deal.seats),
        dealer=deal.dealer,
        deck=tuple(deal.deck),
        options=rules.parse_options(table.options),
        **deal.carried,
    )


def running(table: Table, memory: Remembered = remembered) -> Running | None:
    """Return the deal being played or, between two deals, the last one played; ``None`` before the first.

    The state is the one after ``table.ply`` moves, replayed from the last one
    remembered: no query at all while this process follows the table. ``memory``
    is another one when the table is read as it was.
    """
    if table.deal_number == 0:
        return None
    known = memory.get(table.pk, table.deal_number)
    if known is not None and known.ply == table.ply:
        return known
    if known is None or known.ply > table.ply:
        deal = Deal.objects.get(table=table, number=table.deal_number)
        known = Running(deal, 0, first_state(table, deal))
    apply = GAMES[table.game].apply
    moves = LogEntry.objects.filter(deal=known.deal, ply__gt=known.ply, ply__lte=table.ply).order_by("ply")
    state = known.state
    texts = list(moves.values_list("move", flat=True))
    if len(texts) < table.ply - known.ply:
        archived = [
            entry for entry in archived_log(table.pk) if entry.deal_id == known.deal.pk and entry.move
        ]
        texts = [entry.move for entry in archived][known.ply : table.ply]
    for move in texts:
        state = apply(state, move).state
    found = Running(known.deal, table.ply, state)
    memory.put(found)
    return found


def head_of(table_id: UUID) -> int | None:
    """Return the table's version, or ``None`` when there is no such table."""
    return Table.objects.filter(pk=table_id).values_list("version", flat=True).first()


def heads_of(table_ids: list[UUID]) -> dict[UUID, int]:
    """Return the versions of many tables in one query."""
    return dict(Table.objects.filter(pk__in=table_ids).values_list("pk", "version"))


def log_since(table_id: UUID, version: int) -> list[LogEntry]:
    """Return the log entries newer than ``version``, oldest first."""
    rows = list(LogEntry.objects.filter(table_id=table_id, version__gt=version).order_by("version"))
    if rows and rows[0].version == version + 1:
        return rows
    return [entry for entry in archived_log(table_id) if entry.version > version] + rows


def seat_of(table_id: UUID, user_id: int | None) -> Seat | None:
    """Return the seat that a member holds at a table and has not left, or ``None``."""
    if user_id is None:
        return None
    return Seat.objects.filter(table_id=table_id, user_id=user_id, left=False).first()


POTS = """
    SELECT t.pot_account, t.stake * coalesce(sum(
        CASE WHEN (event->>'to')::int = %(pot)s THEN (event->>'amount')::bigint ELSE 0 END
        - CASE WHEN (event->>'from')::int = %(pot)s THEN (event->>'amount')::bigint ELSE 0 END
    ), 0)::bigint
    FROM games_table t
    LEFT JOIN games_logentry entry ON entry.table_id = t.id AND entry.events @> '[{"type": "stakes"}]'
    LEFT JOIN LATERAL jsonb_array_elements(entry.events) event ON event->>'type' = 'stakes'
    WHERE t.stake > 0 AND t.status <> 'finished'
    GROUP BY t.id
"""


def staked_pots() -> list[stakes.PotClaim]:
    """Return what the log says that the pot of every unfinished table with a stake holds, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(POTS, {"pot": POT})
        return [stakes.PotClaim(account, chips) for account, chips in cursor.fetchall()]
