"""Deals of 3-Card Loo set out card by card, for the tests of its rules."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from games.rules import three_card_loo as loo
from games.rules.cards import PACK, Card
from games.rules.interface import Event, Seat, Step


def deck_of(
    seats: tuple[Seat, ...], dealer: Seat, hands: Mapping[Seat, str], miss: str, turn_up: Card
) -> tuple[Card, ...]:
    """Return a full deck that deals ``hands`` (texts such as ``"AS KS 2H"``), ``miss`` and ``turn_up``.

    A seat that is left out gets the lowest cards that nobody else needs, an
    empty ``miss`` likewise; the stock has the rest.
    """
    left = seats.index(dealer) + 1
    order = seats[left:] + seats[:left]
    wanted = [hands.get(seat, "").split() for seat in order] + [miss.split()]
    named = {card for cards in wanted for card in cards} | {turn_up}
    assert len(named) == sum(map(len, wanted)) + 1, "a card is named twice"
    spare = sorted((card for card in PACK if card not in named), key=lambda card: PACK.index(card) % 13)
    filled = [cards or [spare.pop(0) for _ in range(3)] for cards in wanted]
    dealt = [cards[turn] for turn in range(3) for cards in filled]
    return (*dealt, turn_up, *spare)


def deal(
    hands: Mapping[Seat, str],
    *,
    seats: int = 5,
    dealer: Seat | None = None,
    miss: str = "",
    turn_up: Card = "5H",
    pot: int = 0,
    **options: Any,
) -> loo.State:
    """Return a new deal for seats 1 to ``seats``; the last seat deals unless said otherwise."""
    table = tuple(range(1, seats + 1))
    dealer = dealer or seats
    if seats < 5:
        options = {"min_players": 3, **options}
    return loo.new_deal(
        seats=table,
        dealer=dealer,
        deck=deck_of(table, dealer, hands, miss, turn_up),
        options=loo.parse_options(options),
        pot=pot,
    )


def play(state: loo.State, moves: str) -> loo.State:
    """Return the state after ``moves``, a text of moves with blanks between."""
    for move in moves.split():
        state = loo.apply(state, move).state
    return state


def steps(state: loo.State, moves: str) -> list[Step]:
    """Return the step of every move of the text ``moves``."""
    made = []
    for move in moves.split():
        made.append(loo.apply(state, move))
        state = made[-1].state
    return made


def result(state: loo.State) -> dict[str, Any]:
    """Return the outcome of a finished deal as JSON values."""
    outcome = loo.outcome_json(state)
    assert outcome is not None, "the deal is not over"
    return outcome


def of_type(events: Iterable[Event], kind: str) -> list[Event]:
    """Return those of ``events`` that are of type ``kind``."""
    return [event for event in events if event["type"] == kind]


def shuffled(dice: random.Random) -> tuple[Card, ...]:
    """Return the pack in random order."""
    return tuple(dice.sample(PACK, len(PACK)))


def random_options(dice: random.Random, seats: int) -> dict[str, Any]:
    """Return options in any combination that allows a table of ``seats``."""
    return {
        "min_players": 3 if seats < 5 else dice.choice((3, 5)),
        "ante": dice.choice(("dealer", "everyone")),
        "defend": dice.choice(("lone", "any")),
        "dealer_may_concede": dice.random() < 0.5,
        "lead": dice.choice(("highest_if_two", "always_highest")),
        "under_trump": dice.choice(("must", "free")),
        "loo": dice.choice((3, 6, "pot")),
        "loo_cap": dice.choice((3, 7, 24, 1000)),
        "bold_stand": dice.random() < 0.3,
        "club_law": dice.random() < 0.5,
        "rotations": dice.randint(1, 5),
        "finish": dice.choice(("fixed", "until_no_loo")),
    }


def random_deal(seed: int) -> tuple[loo.State, random.Random]:
    """Return a deal with 3 to 16 seats and random options, and the dice to go on with."""
    dice = random.Random(seed)
    seats = dice.randint(3, 16)
    table = tuple(sorted(dice.sample(range(1, 20), seats)))
    state = loo.new_deal(
        seats=table,
        dealer=dice.choice(table),
        deck=shuffled(dice),
        options=loo.parse_options(random_options(dice, seats)),
        pot=dice.choice((0, 0, 3, 5, 12, 40)),
    )
    return state, dice


def deal_of_match(
    match: loo.Match,
    moves: Iterable[str],
    *,
    deck: tuple[Card, ...] = PACK,
    live: tuple[Seat, ...] | None = None,
) -> tuple[loo.Match, loo.State]:
    """Return the match after its next deal, played by ``moves`` and then by time-outs, and that deal."""
    state = loo.match_deal(match, deck=deck, live=live)
    for move in moves:
        state = loo.apply(state, move).state
    while loo.actor(state) is not None:
        state = loo.apply(state, loo.default_move(state)).state
    return loo.close_deal(match, state).match, state
