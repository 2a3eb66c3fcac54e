"""What a move does to a deal of Least Score: turns, reshuffle, declaring, show (S3, S6, S8, S11, S12)."""

from __future__ import annotations

from games.rules.cards import PACK, Card
from games.rules.interface import CHANCE, Event, Move, Step
from games.rules.least_score_moves import DECLARE, SHUFFLE, STOCK, illegal
from games.rules.least_score_sets import ORDER, in_order, set_code, takes
from games.rules.least_score_state import (
    LAST_CIRCUIT,
    Deal,
    Outcome,
    circuits_left,
    declare_code,
    declared,
    forced,
    outcome_as_json,
    place_on_turn,
    void,
)


def apply(state: Deal, move: Move) -> Step:
    """Return the step of the actor's canonical ``move``; raises ``IllegalMove`` (codes: ``REASONS``)."""
    if not state.actor:
        if state.actor is None:
            raise illegal("deal_over")
        return _shuffle(state, move)
    if move == DECLARE:
        return _declare(state)
    laid, arrow, source = move.partition(" > ")
    if not arrow:
        raise illegal("no_shuffle_due")
    cards = tuple(laid.split(" "))
    place = place_on_turn(state)
    rest = list(state.hands[place])
    for card in cards:
        if card not in rest:
            raise illegal("not_your_card", f"{card} is not in the hand")
        rest.remove(card)
    if len(cards) > 1:
        if cards != in_order(cards):
            raise illegal("not_canonical")
        code = set_code(laid, state.options)
        if code is not None:
            raise illegal(code)
    if source == STOCK:
        return _turn(state, place, move, cards, rest, None)
    if source not in takes(state.open, state.options):
        raise illegal(_why_not_taken(state, cards, source))
    return _turn(state, place, move, cards, rest, source)


def _why_not_taken(state: Deal, cards: tuple[Card, ...], source: Card) -> str:
    if source in state.open:
        return "not_an_end"
    return "own_discard" if source in cards else "not_open"


def _turn(
    state: Deal, place: int, move: Move, cards: tuple[Card, ...], rest: list[Card], taken: Card | None
) -> Step:
    """Return the step of a legal turn: ``cards`` laid, ``taken`` from the open set or the stock's top."""
    seat, stock, buried = state.seats[place], state.stock, state.buried
    mine = _without(state.known[place], cards)
    if taken is None:
        card, stock, buried = stock[0], stock[1:], buried + state.open
        take: Event = {"type": "take", "seat": seat, "from": "stock", "private": {str(seat): {"card": card}}}
    else:
        card, mine, buried = taken, (*mine, taken), buried + _without(state.open, (taken,))
        take = {"type": "take", "seat": seat, "from": "open", "card": card}
    rest.append(card)
    rest.sort(key=ORDER.__getitem__)
    after = Deal(
        state.options,
        state.seats,
        state.dealer,
        state.first,
        (*state.hands[:place], tuple(rest), *state.hands[place + 1 :]),
        (*state.known[:place], mine, *state.known[place + 1 :]),
        stock,
        cards,
        seat,
        buried,
        state.turns + 1,
        state.shuffles,
        state.seats[(place + 1) % len(state.seats)] if stock else CHANCE,
        (seat, move),
        None,
    )
    events: tuple[Event, ...] = ({"type": "discard", "seat": seat, "cards": list(cards)}, take)
    ending = _ending(after)
    if ending is not None:
        return _end(after, ending, events)
    return Step(after, events + _warning(state, after))


def _without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return ``cards`` less one of each in ``gone`` that is among them."""
    if not cards:
        return cards
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def _ending(state: Deal) -> Outcome | None:
    """Return the outcome if the turn just finished ends the deal (S11, S12)."""
    if state.turns == LAST_CIRCUIT * len(state.seats):
        return forced(state.hands, "circuits")
    if state.stock:
        return None
    if state.shuffles:
        return forced(state.hands, "stock")
    return None if state.buried else void(state.hands)


def _warning(before: Deal, after: Deal) -> tuple[Event, ...]:
    """Return the announcement of a forced show if it is due only now (S12)."""
    soon = circuits_left(after)
    if soon is None or circuits_left(before) is not None:
        return ()
    return ({"type": "show_soon", "show_in": soon},)


def _end(state: Deal, result: Outcome, events: tuple[Event, ...]) -> Step:
    """Return the step that ends a deal with ``result``; every ending shows the hands (S8, S12)."""
    hands = {str(seat): list(hand) for seat, hand in zip(state.seats, state.hands, strict=True)}
    over = {"type": "deal_over", **outcome_as_json(state.seats, result), "reason": result.reason}
    ended = state._replace(actor=None, result=result)
    return Step(ended, (*events, {"type": "show", "hands": hands}, over))


def _declare(state: Deal) -> Step:
    """Return the step of the seat on turn declaring (S8 to S10)."""
    code = declare_code(state)
    if code is not None:
        raise illegal(code)
    seat = state.seats[place_on_turn(state)]
    return _end(state._replace(last=(seat, DECLARE)), declared(state), ({"type": "declare", "seat": seat},))


def to_shuffle(state: Deal) -> tuple[Card, ...]:
    """Return what a due reshuffle must order: the buried cards, in the order of the pack (S11)."""
    if state.actor != CHANCE:
        return ()
    return tuple(sorted(state.buried, key=PACK.index))


def _shuffle(state: Deal, move: Move) -> Step:
    """Return the step of the shuffler: the buried cards become the stock, the open set stays (S11)."""
    word, *cards = move.split(" ")
    if word != SHUFFLE:
        raise illegal("shuffle_due")
    if sorted(cards) != sorted(state.buried):
        raise illegal("wrong_cards")
    after = state._replace(
        stock=tuple(cards),
        buried=(),
        shuffles=state.shuffles + 1,
        actor=state.seats[place_on_turn(state)],
        last=(CHANCE, SHUFFLE),
    )
    return Step(after, ({"type": "shuffle", "count": len(cards)}, *_warning(state, after)))
