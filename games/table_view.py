"""The view of a table: what one seat, or a watcher, is shown of it, built for its viewer from nothing."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import get_language

from games.messages import epoch_ms, to_text
from games.models import LogEntry, Seat, Table
from games.rules import GAMES
from games.rules.clock import PRESETS, new_quota
from games.rules.interface import event_for
from games.selectors.course import course_view, final_ranking
from games.snapshots import TableSnapshot
from games.wording import options_in_words, title_of


def state_frame(
    snapshot: TableSnapshot, *, seat: int | None, events: Sequence[LogEntry], now: dt.datetime
) -> dict[str, Any]:
    """Return the whole view of a table for ``seat`` (``None``: a watcher), with what ``events`` may tell it."""
    return {
        "t": "state",
        "v": snapshot.version,
        "now": epoch_ms(now),
        "table": _common(snapshot).view | _own_view(snapshot, seat),
        "events": [event_for(event, seat) for entry in events for event in entry.events],
    }


def state_text(
    snapshot: TableSnapshot, *, seat: int | None, events: Sequence[LogEntry], now: dt.datetime
) -> str:
    """Return ``state_frame`` as JSON text; what the viewers have in common is put into words once for all of them."""
    common, own = _common(snapshot).text, to_text(_own_view(snapshot, seat))
    told = to_text([event_for(event, seat) for entry in events for event in entry.events])
    head = f'"t":"state","v":{snapshot.version},"now":{epoch_ms(now)}'
    return f'{{{head},"table":{common[:-1]},{own[1:]},"events":{told}}}'


class _Common(NamedTuple):
    """The part of a view that is the same for every viewer of one language, also as JSON text."""

    view: dict[str, Any]
    text: str


def _common(snapshot: TableSnapshot) -> _Common:
    language = get_language() or ""
    found: _Common | None = snapshot.common.get(language)
    if found is None:
        view = _common_view(snapshot)
        found = snapshot.common[language] = _Common(view, to_text(view))
    return found


def _own_view(snapshot: TableSnapshot, seat: int | None) -> dict[str, Any]:
    """The part of a view that is for ``seat`` alone."""
    state, rules = snapshot.state, GAMES[snapshot.table.game]
    return {
        "you": seat,
        "deal": rules.view_for(state, seat) if state is not None else None,
        "fair": _fair_view(snapshot, seat),
        "course": course_view(snapshot.table, snapshot.seats, seat),
    }


def _common_view(snapshot: TableSnapshot) -> dict[str, Any]:
    table = snapshot.table
    rules = GAMES[table.game]
    match = rules.load_match(table.match) if table.match is not None else None
    return {
        "id": str(table.id),
        "game": table.game,
        "title": title_of(table.game),
        "rated": table.rated,
        "hints": table.casual,
        "status": table.status,
        "seats": [_seat_view(held) for held in snapshot.seats],
        "options": options_in_words(table.game, table.options, _usual_options(table.game)),
        "match": rules.match_view(match) if match is not None else None,
        "ranking": final_ranking(match, table, snapshot.seats) if match and rules.match_over(match) else None,
        "clock": _clock_view(table),
        "delay": snapshot.delay,
        "next_deal_at": epoch_ms(table.due_at) if table.status == "between" and table.due_at else None,
    }


@functools.cache
def _usual_options(game: str) -> dict[str, Any]:
    rules = GAMES[game]
    return rules.dump_options(rules.parse_options({}))


def _seat_view(held: Seat) -> dict[str, Any]:
    return {
        "seat": held.number,
        "name": held.shown_name,
        "free": held.is_free,
        "bot": held.is_bot,
        "program": held.user is not None and held.user.is_bot,
        "stand_in": held.stand_in or held.left,
        "left": held.left,
        "ready": held.ready,
        "sitting_out": held.sitting_out,
    }


def _clock_view(table: Table) -> dict[str, Any] | None:
    """The running clock; ``stopped`` is the moment at which it stands still during a pause."""
    running = table.due_at is not None or table.paused_at is not None
    if table.turn_seat is None or table.turn_started_at is None or not running:
        return None
    control = PRESETS[table.clock]
    return {
        "seat": table.turn_seat,
        "started": epoch_ms(table.turn_started_at),
        "deadline": epoch_ms(table.turn_started_at)
        + control.per_move
        + int(table.banks.get(str(table.turn_seat), 0)),
        "turn_ms": control.per_move,
        "bank_ms": control.bank,
        "bank_left": table.banks,
        "lag_left": {
            str(n): table.lag_quotas.get(str(n), new_quota(control).left) for n in [table.turn_seat]
        },
        "stopped": epoch_ms(table.paused_at) if table.paused_at is not None else None,
    }


def _fair_view(snapshot: TableSnapshot, seat: int | None) -> dict[str, Any]:
    own = next((held.nonce for held in snapshot.seats if held.number == seat), "")
    return {
        "commitment": snapshot.table.commitment,
        "deal": snapshot.table.deal_number,
        "nonce": own or (str(seat) if seat is not None else ""),
        "nonces_open": snapshot.table.status in (Table.Status.SEATING, Table.Status.BETWEEN),
    }
