"""Deals of Least Score laid out by hand, for tests: decks that deal given hands and moments in mid-deal."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from games.rules import least_score
from games.rules.cards import Card, pack
from games.rules.interface import Event, Move, Seat
from games.rules.least_score_options import Options, parse_options
from games.rules.least_score_sets import ORDER
from games.rules.least_score_state import Deal


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards written in ``text``."""
    return tuple(text.split())


def shuffled(dice: random.Random, packs: int = 1) -> tuple[Card, ...]:
    """Return a shuffled deck."""
    deck = list(pack(packs))
    dice.shuffle(deck)
    return tuple(deck)


def deck_dealing(hands: Sequence[str], turn_up: Card, stock: str = "", packs: int = 1) -> tuple[Card, ...]:
    """Return the deck that deals ``hands``, the first to the dealer's left, ``stock`` being drawn first."""
    dealt = [card for row in zip(*map(cards, hands), strict=True) for card in row]
    first = [*dealt, turn_up, *cards(stock)]
    rest = list(pack(packs))
    for card in first:
        rest.remove(card)
    return tuple(first + rest)


def moment(
    hands: Mapping[Seat, str],
    *,
    turn_up: str = "",
    open_by: Seat | None = None,
    stock: str = "",
    buried: str | None = None,
    turns: int | None = None,
    shuffles: int = 0,
    **options: Any,
) -> Deal:
    """Return a deal in which the first seat of ``hands`` is on turn, by default in its second circuit.

    ``turn_up`` is the open set. Without ``buried`` the rest of the pack lies under ``stock``; with
    it the rest is left out, for the tests that need a stock of exactly these cards.
    """
    chosen = parse_options(options)
    seats = tuple(hands)
    held = tuple(tuple(sorted(cards(hand), key=ORDER.__getitem__)) for hand in hands.values())
    rest = list(pack(chosen.packs))
    for card in [*sum(held, ()), *cards(turn_up), *cards(stock), *cards(buried or "")]:
        rest.remove(card)
    open_set = cards(turn_up) or (rest.pop(),)
    done = len(seats) if turns is None else turns
    return Deal(
        options=chosen,
        seats=seats,
        dealer=seats[-1],
        first=-done % len(seats),
        hands=held,
        known=((),) * len(seats),
        stock=cards(stock) + (tuple(rest) if buried is None else ()),
        open=open_set,
        open_by=open_by,
        buried=cards(buried or ""),
        turns=done,
        shuffles=shuffles,
        actor=seats[0],
        last=None,
        result=None,
    )


def play(state: Deal, *moves: Move) -> tuple[Deal, list[Event]]:
    """Return the deal after ``moves`` and all their events."""
    events: list[Event] = []
    for move in moves:
        state, happened = least_score.apply(state, least_score.parse_move(move))
        events += happened
    return state, events


def random_options(dice: random.Random, packs: int) -> Options:
    """Return options of which each rule of play is drawn at random."""
    return parse_options(
        {
            "packs": packs,
            "three_of_a_kind": dice.random() < 0.5,
            "any_run": dice.random() < 0.5,
            "runs": dice.choice(["any", "one_suit"]),
            "pick": dice.choice(["any", "ends"]),
            "declare_cap": dice.choice([None, 5, 7, 10]),
            "tie": dice.choice(["success", "caught"]),
        }
    )


def random_move(state: Deal, dice: random.Random, declaring: float = 0.1) -> Move:
    """Return a random legal move, a declaration with the given chance, or a random shuffle."""
    if state.actor == 0:
        order = list(least_score.to_shuffle(state))
        dice.shuffle(order)
        return " ".join(["shuffle", *order])
    legal = least_score.legal_moves(state)
    if legal[-1] == "declare" and dice.random() > declaring:
        legal = legal[:-1]
    return legal[int(dice.random() * len(legal))]


def random_deal(count: int, dice: random.Random, options: Options | None = None) -> Deal:
    """Return a fresh random deal for ``count`` seats, whose numbers have gaps now and then."""
    packs = 1 if count <= 6 else 2
    chosen = options or random_options(dice, packs)
    seats = tuple(sorted(dice.sample(range(1, count + 3), count)))
    return least_score.new_deal(
        seats=seats, dealer=dice.choice(seats), deck=shuffled(dice, chosen.packs), options=chosen
    )
