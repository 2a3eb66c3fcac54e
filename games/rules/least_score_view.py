"""What a seat, or a watcher, may know of a deal of Least Score (S18).

A view is built from nothing out of what is public and the viewer's own hand; no other hand and
no card of the stock is ever put into it and taken out again.
"""

from __future__ import annotations

from typing import Any

from games.rules.interface import Seat
from games.rules.least_score_moves import legal_moves, refusals
from games.rules.least_score_options import dump_options
from games.rules.least_score_sets import total
from games.rules.least_score_state import Deal, circuit, circuits_left, declare_code, outcome_as_json

NAME = "least_score"


def view_for(state: Deal, seat: Seat | None) -> dict[str, Any]:
    """Return what ``seat`` may know, JSON-ready; a seat outside the deal sees what a watcher sees.

    Keys: ``game``; ``options``; ``phase`` (turn, shuffle or over); ``seats``; ``dealer``; ``turn`` (seat on
    turn or null); ``viewer``; ``open`` (as laid), ``open_by`` (null: the turned-up card); ``stock``
    and ``buried`` (counts); ``hand`` (the viewer's, sorted; null for a watcher) and its ``total``;
    ``hand_sizes``; ``known`` (for each seat the cards of its hand that it took openly); ``circuit``
    (from 1); ``show_in`` (circuits that will still be played at least before a forced show, null
    above three); ``declare_allowed``, ``legal``, ``refused`` (of the viewer on turn, else false and
    empty); ``last`` ({seat, move}: the last turn, declaration or shuffle); ``outcome`` and ``hands``
    (null before the deal is over).
    """
    place = state.seats.index(seat) if seat in state.seats else None
    on_turn = place is not None and seat == state.actor
    names = [str(each) for each in state.seats]
    result = state.result
    return {
        "game": NAME,
        "options": dump_options(state.options),
        "phase": "turn" if state.actor else "shuffle" if state.actor == 0 else "over",
        "seats": list(state.seats),
        "dealer": state.dealer,
        "turn": state.actor or None,
        "viewer": seat,
        "open": list(state.open),
        "open_by": state.open_by,
        "stock": len(state.stock),
        "buried": len(state.buried),
        "hand": None if place is None else list(state.hands[place]),
        "total": None if place is None else total(state.hands[place]),
        "hand_sizes": {name: len(hand) for name, hand in zip(names, state.hands, strict=True)},
        "known": {name: list(cards) for name, cards in zip(names, state.known, strict=True)},
        "circuit": circuit(state),
        "show_in": None if result else circuits_left(state),
        "declare_allowed": on_turn and declare_code(state) is None,
        "legal": list(legal_moves(state)) if on_turn else [],
        "refused": refusals(state) if on_turn else {},
        "last": None if state.last is None else {"seat": state.last[0], "move": state.last[1]},
        "outcome": None if result is None else outcome_as_json(state.seats, result),
        "hands": None
        if result is None
        else {name: list(hand) for name, hand in zip(names, state.hands, strict=True)},
    }
