"""What a player or a watcher of 3-Card Loo may know, built from nothing (L5, L6, L17)."""

from __future__ import annotations

from typing import Any

from games.rules.interface import Seat
from games.rules.three_card_loo_deal import (
    NOBODY,
    TRICKS,
    State,
    defender,
    in_order,
    outcome_json,
    shown_miss,
)
from games.rules.three_card_loo_options import dump_options, loo_amount


def public_view(state: State) -> dict[str, Any]:
    """Return the facts that everybody knows, JSON-ready."""
    deal = state.deal
    order, outcome = deal.order, state.outcome
    guard = defender(state)
    return {
        "game": "three_card_loo",
        "options": dump_options(deal.options),
        "phase": state.phase,
        "seats": list(deal.seats),
        "dealer": deal.dealer,
        "turn": None if state.turn == NOBODY else order[state.turn],
        "trump": deal.trump,
        "turn_up": deal.turn_up,
        "pot": deal.pot if outcome is None else outcome.pot,
        "third": deal.pot // TRICKS,
        "loo": loo_amount(deal.options, deal.pot),
        "announced": {str(seat): word for seat, word in zip(order, state.words, strict=False)},
        "in": [order[place] for place in state.active],
        "miss": "hidden" if state.taker == NOBODY else "taken" if guard == NOBODY else "defended",
        "miss_taker": None if state.taker == NOBODY or guard != NOBODY else order[state.taker],
        "defender": None if guard == NOBODY else order[guard],
        "miss_cards": shown_miss(state),
        "cards_left": {str(seat): _cards_left(state, place) for place, seat in _by_seat(state)},
        "tricks": _tricks(state),
        "tricks_won": {
            str(seat): sum(trick.winner == place for trick in state.tricks) for place, seat in _by_seat(state)
        },
        "outcome": outcome_json(state),
    }


def private_view(state: State, seat: Seat) -> dict[str, Any]:
    """Return the cards that ``seat`` alone knows: the hand it holds and the hand it threw or laid aside."""
    place = state.deal.order.index(seat)
    word = state.words[place] if place < len(state.words) else None
    thrown = state.deal.hands[place] if word in ("fold", "miss", "defend") else ()
    return {
        "hand": [] if word == "fold" else in_order(state.hands[place]),
        "thrown": in_order(thrown),
    }


def _by_seat(state: State) -> list[tuple[int, Seat]]:
    """Return (place, seat) of every seat in seat order."""
    return [(state.deal.order.index(seat), seat) for seat in state.deal.seats]


def _cards_left(state: State, place: int) -> int:
    """Return how many cards ``place`` still holds; a folded hand counts none."""
    folded = place < len(state.words) and state.words[place] == "fold"
    return 0 if folded else len(state.hands[place])


def _tricks(state: State) -> list[dict[str, Any]]:
    """Return the tricks so far, the one on the table last and without a winner (L17)."""
    order = state.deal.order
    shown = [(trick.cards, order[trick.winner]) for trick in state.tricks]
    rows: list[tuple[Any, Seat | None]] = [*shown, (state.trick, None)] if state.trick else [*shown]
    return [
        {
            "lead": order[cards[0][0]],
            "cards": [[order[place], card] for place, card in cards],
            "winner": winner,
        }
        for cards, winner in rows
    ]
