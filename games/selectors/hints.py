"""Hints: what the strongest bot would do with a player's own view, where nothing hangs on the match.

A hint is asked for by the one on turn, costs no time and is kept nowhere but in this process, so that asking
again for the same turn costs nothing and answers the same.
"""

from __future__ import annotations

import random
import threading
from collections import OrderedDict
from typing import NamedTuple
from uuid import UUID

from games.bots import explain
from games.errors import TableRefusal
from games.models import Seat, Table
from games.rules import GAMES
from games.selectors.tables import running

BUDGET = 60
"""Worlds that are imagined for one hint: as many as a bot at the table may look at (0.1 s at most with 16 seats)."""

REMEMBERED = 1024


class Hint(NamedTuple):
    """The move that is advised at the table's ``version``, with the codes of the reasons."""

    version: int
    move: str
    reasons: tuple[str, ...]


_known: OrderedDict[tuple[UUID, int], Hint] = OrderedDict()
_lock = threading.Lock()


def hint_for(*, table_id: UUID, user_id: int | None) -> Hint:
    """Return the hint for the member's turn, worked out from what the own seat may see and nothing else.

    Raises ``TableRefusal``: ``no_such_table``, ``not_seated``, ``no_hints`` (where chips, a rating or an
    event hang on the match), ``no_deal``, ``paused``, ``not_your_turn``, ``stand_in_plays``.
    """
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        raise TableRefusal("no_such_table")
    seat = _own_seat(table, user_id)
    _check(table, seat)
    key = (table.pk, table.version)
    with _lock:
        found = _known.get(key)
    if found is None:
        found = _worked_out(table, seat.number)
        with _lock:
            _known[key] = found
            while len(_known) > REMEMBERED:
                _known.popitem(last=False)
    return found


def _own_seat(table: Table, user_id: int | None) -> Seat:
    seat = Seat.objects.filter(table=table, user_id=user_id, left=False).first() if user_id else None
    if seat is None:
        raise TableRefusal("not_seated")
    return seat


def _check(table: Table, seat: Seat) -> None:
    if not table.casual:
        raise TableRefusal("no_hints")
    if table.status != Table.Status.PLAYING:
        raise TableRefusal("no_deal")
    if table.paused:
        raise TableRefusal("paused")
    if table.turn_seat != seat.number:
        raise TableRefusal("not_your_turn")
    if seat.stand_in:
        raise TableRefusal("stand_in_plays")


def _worked_out(table: Table, number: int) -> Hint:
    """Ask the bot, with dice that anybody could make: nothing hidden may change a hint."""
    rules, deal = GAMES[table.game], running(table)
    assert deal is not None, "a table that plays has a deal"
    view, legal = rules.view_for(deal.state, number), rules.legal_moves(deal.state)
    best = explain(table.game, view, legal, random.Random(f"{table.pk} {table.version}"), BUDGET)[0]
    return Hint(table.version, best.move, best.reasons)
