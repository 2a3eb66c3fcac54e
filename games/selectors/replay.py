"""A deal that is over as the steps of its replay: what a viewer could have seen after every move.

Each step holds the view that the rules give for the viewer's seat, as at the
live table. Other hands are added only on request, and are free to see because
the deal is over: its deck is public by the fair deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.errors import TableRefusal
from games.models import Deal, LogEntry, Seat, Table
from games.rules import GAMES
from games.rules.interface import event_for
from games.selectors.history import log_of, seats_at
from games.selectors.tables import first_state
from games.wording import options_in_words, title_of

TELLING = {"stakes", "knocked_out", "final"}
"""Events of a deal's closing that a person wants to see as a step of its own."""


def steps_of(table: Table, deal: Deal, *, seat: int | None, open_hands: bool) -> dict[str, Any]:
    """Return a deal that is over, JSON-ready: ``table`` as in a state frame, ``after`` (the match after it), ``steps``.

    A step has ``v`` (the version of its log entry), ``ply``, ``seat`` and
    ``by`` (who moved), ``at`` (epoch ms), ``events`` (the public ones), ``deal``
    (the rules' view for ``seat``, a watcher's for ``None``) and, with
    ``open_hands``, ``hands`` by seat. Raises ``TableRefusal`` (``deal_running``;
    ``bad_seats`` for a seat that the table does not have).
    """
    if deal.ended_at is None:
        raise TableRefusal("deal_running")
    seats = seats_at(table)
    if seat is not None and all(held.number != seat for held in seats):
        raise TableRefusal("bad_seats")
    entries = log_of(deal)
    rules = GAMES[table.game]
    return {
        "table": {
            "id": str(table.id),
            "game": table.game,
            "title": title_of(table.game),
            "status": "replay",
            "you": seat,
            "seats": [_seat_view(held, deal) for held in seats],
            "options": options_in_words(
                table.game, table.options, rules.dump_options(rules.parse_options({}))
            ),
            "match": _match_before(table, deal, entries),
            "ranking": None,
            "fair": {"deal": deal.number},
        },
        "after": None if deal.match_after is None else rules.match_view(rules.load_match(deal.match_after)),
        "steps": list(_steps(table, deal, entries, seat, open_hands)),
    }


def _seat_view(held: Seat, deal: Deal) -> dict[str, Any]:
    """A seat as the plates show it; nobody is away in a replay, and bots are those that were dealt in as bots."""
    bots = deal.bots if deal.bots is not None else [held.number] if held.is_bot else []
    return {
        "seat": held.number,
        "name": held.shown_name,
        "free": False,
        "bot": held.number in bots,
        "stand_in": False,
        "left": False,
        "ready": False,
        "present": True,
    }


def _match_before(table: Table, deal: Deal, entries: list[LogEntry]) -> dict[str, Any] | None:
    """Return the view of the match that the deal was dealt in: a new one, or what the deal before left."""
    rules = GAMES[table.game]
    opened = next((e for entry in entries[:1] for e in entry.events if e["type"] == "match"), None)
    if opened is not None:
        options = rules.parse_options(table.options)
        new = rules.new_match(seats=tuple(opened["seats"]), dealer=opened["dealer"], options=options)
        return rules.match_view(new.match)
    kept = Deal.objects.filter(table=table, number=deal.number - 1).values_list("match_after", flat=True)
    before = kept.first()
    return None if before is None else rules.match_view(rules.load_match(before))


def _steps(
    table: Table, deal: Deal, entries: list[LogEntry], seat: int | None, open_hands: bool
) -> Iterator[dict[str, Any]]:
    rules = GAMES[table.game]
    state = first_state(table, deal)
    for place, entry in enumerate(entries):
        if entry.move:
            state = rules.apply(state, entry.move).state
        elif place and not any(event["type"] in TELLING for event in entry.events):
            continue
        step = {
            "v": entry.version,
            "ply": entry.ply,
            "seat": entry.seat,
            "by": entry.by,
            "at": round(entry.at.timestamp() * 1000),
            "events": [event_for(event, None) for event in entry.events],
            # What could have been played is nobody's choice any more.
            "deal": {**rules.view_for(state, seat), "legal": [], "refused": {}},
        }
        if open_hands:
            step["hands"] = {str(each): _hand_of(rules.view_for(state, each)) for each in deal.seats}
        yield step


def _hand_of(view: dict[str, Any]) -> dict[str, Any]:
    """Return the cards that a seat held in its own view, and those it had thrown or laid aside."""
    return {"hand": view["hand"], "thrown": view.get("thrown") or []}
