"""The moves of Least Score: how they are written and which are legal (S3, S4, S6, S8).

A move is canonical text: ``declare``; ``7H 7S > stock`` or ``KD > 7C``; ``shuffle AS KD ...``.
"""

from __future__ import annotations

from games.rules.cards import RANK, Card
from games.rules.errors import IllegalMove, MalformedMove
from games.rules.interface import Move
from games.rules.least_score_sets import discards, in_order, set_code, takes
from games.rules.least_score_state import HAND_SIZE, Deal, declare_code, place_on_turn

DECLARE = "declare"
SHUFFLE = "shuffle"
STOCK = "stock"

REASONS = {
    "ace_in_the_middle": "a run may not go round the corner: an ace is lowest or highest",
    "deal_over": "the deal is over",
    "first_turn": "nobody may declare on the first turn",
    "mixed_suits": "at this table a run must be of one suit",
    "no_cards": "no card is chosen",
    "no_shuffle_due": "no shuffle is due",
    "not_a_set": "these cards are not a set",
    "not_an_end": "only the first or the last card of a run may be taken",
    "not_canonical": "the laid cards are not in canonical order, which parse_move gives them",
    "not_open": "that card is not in the open set",
    "not_your_card": "that card is not in the hand",
    "over_cap": "the hand has too many points to declare",
    "own_discard": "a card may not be taken back in the turn it is laid",
    "run_of_four": "a run has three or five cards, not four",
    "short_flush": "a flush has five cards",
    "shuffle_due": "the stock must be shuffled first",
    "three_of_a_kind": "three of a kind may not be laid: two or four may",
    "two_pairs": "two pairs of different ranks may not be laid together",
    "wrong_cards": "the shuffled cards are not those that must be shuffled",
}
"""Every code of an ``IllegalMove`` with its English phrase."""


def legal_moves(state: Deal) -> tuple[Move, ...]:
    """Return every discard with every take, then ``declare`` if allowed (S4, S6, S8)."""
    if not state.actor:
        return ()
    options = state.options
    ways = [" > " + card for card in takes(state.open, options)]
    ways.append(" > " + STOCK)
    hand = state.hands[place_on_turn(state)]
    moves = [laid + way for laid in discards(hand, options) for way in ways]
    if declare_code(state) is None:
        moves.append(DECLARE)
    return tuple(moves)


def refusals(state: Deal) -> dict[str, str]:
    """Return ``declare`` with its code when the actor may not; every single card may always be laid."""
    code = declare_code(state) if state.actor else None
    return {} if code is None else {DECLARE: code}


def why_not(state: Deal, cards: tuple[Card, ...]) -> str | None:
    """Return the code why the actor may not lay ``cards`` (in any order), or ``None`` if it may (S4)."""
    if not state.actor:
        return "deal_over" if state.actor is None else "shuffle_due"
    if not cards:
        return "no_cards"
    held = list(state.hands[place_on_turn(state)])
    for card in cards:
        if card not in held:
            return "not_your_card"
        held.remove(card)
    return set_code(" ".join(in_order(cards)), state.options)


def parse_move(text: str) -> Move:
    """Return the canonical text of a move; the laid cards may come in any order.

    Case and blanks do not matter: ``7s 7h>Stock`` is ``7H 7S > stock``. Raises
    ``MalformedMove`` with code ``malformed_move`` or ``unknown_card``.
    """
    words = text.replace(">", " > ").split()
    if [word.lower() for word in words] == [DECLARE]:
        return DECLARE
    if len(words) > 1 and words[0].lower() == SHUFFLE:
        return " ".join([SHUFFLE, *_cards(words[1:])])
    if not 3 <= len(words) <= HAND_SIZE + 2 or words[-2] != ">":
        raise MalformedMove("malformed_move", f"{text!r} is not 'declare', 'CARDS > CARD' or 'CARDS > stock'")
    laid = in_order(_cards(words[:-2]))
    source = STOCK if words[-1].lower() == STOCK else _cards(words[-1:])[0]
    return " ".join([*laid, ">", source])


def _cards(words: list[str]) -> list[Card]:
    cards = [word.upper() for word in words]
    for card, word in zip(cards, words, strict=True):
        if card not in RANK:
            raise MalformedMove("unknown_card", f"{word!r} is no card")
    return cards


def default_move(state: Deal) -> Move:
    """Return what a time-out plays: lay the highest card, draw from the stock, never declare."""
    if not state.actor:
        raise ValueError("nobody is on turn")
    return state.hands[place_on_turn(state)][-1] + " > " + STOCK


def illegal(code: str, detail: str | None = None) -> IllegalMove:
    """Return the refusal of a move, with the phrase of its code unless ``detail`` says more."""
    return IllegalMove(code, detail or REASONS[code])
