"""Least Score: lay a set, take a card, and declare when your hand is the lowest.

The rules are numbered S1 to S19 in docs/rules/least_score.md. This module is the game's side of
``games.rules.interface.Game``; sets are judged in ``least_score_sets``, moves listed and
read in ``least_score_moves``, points counted in ``least_score_state``, views made in ``least_score_view``, matches kept in ``least_score_match``.

Moves: ``declare``; ``7H 7S > stock`` or ``KD > 7C`` (the laid set in canonical order, then where
the card comes from); and of the shuffler ``shuffle AS KD ...`` (the new stock, top first).

Events of a deal, in the order in which they can happen:

- ``dealt`` {dealer, starter, seats, private: {seat: {hand}}}; ``open`` {card}
- ``discard`` {seat, cards}; ``take`` {seat, from: "open", card} or {seat, from: "stock",
  private: {seat: {card}}}
- ``shuffle`` {count}: the order is told to nobody
- ``show_soon`` {show_in}: a forced show can come within so many circuits
- ``declare`` {seat}; ``show`` {hands}; ``deal_over`` {scores, totals, declarer, success, reason,
  and void: true after a void deal}; reason is ``declared``, ``circuits``, ``stock`` or ``void``

Events of a match: ``match_begins`` {seats, dealer, threshold}; ``stakes`` {from, to, amount, reason: ``entry``, ``per_point`` or ``prize``},
``totals`` {totals}; ``knocked_out`` {seats}; ``match_over`` {totals, ranking: [[place, seat], ...]}.
"""

from __future__ import annotations

from typing import Any

from games.rules.cards import PACK, Card, check_deck
from games.rules.errors import BadDeal
from games.rules.interface import CHANCE, Event, Move, Seat, Step
from games.rules.least_score_match import (
    Match,
    carried,
    close_deal,
    dealt_in,
    dump_match,
    end_match,
    load_match,
    match_over,
    match_view,
    new_match,
    next_dealer,
    ranking,
    worst_case,
)
from games.rules.least_score_moves import (
    default_move,
    illegal,
    legal_moves,
    parse_move,
    refusals,
    why_not,
)
from games.rules.least_score_options import Options, check_seats, dump_options, parse_options, seat_range
from games.rules.least_score_sets import ORDER, set_code, takes
from games.rules.least_score_state import (
    HAND_SIZE,
    LAST_CIRCUIT,
    Deal,
    Outcome,
    declare_code,
    declared,
    forced,
    outcome_as_json,
    place_on_turn,
    show_in,
    void,
)
from games.rules.least_score_view import view_for

__all__ = [
    "CARRIED",
    "NAME",
    "actor",
    "apply",
    "carried",
    "close_deal",
    "dealt_in",
    "default_move",
    "dump_match",
    "dump_options",
    "end_match",
    "legal_moves",
    "load_match",
    "match_deal",
    "match_over",
    "match_view",
    "new_deal",
    "new_match",
    "next_dealer",
    "opening",
    "outcome",
    "outcome_json",
    "parse_move",
    "parse_options",
    "ranking",
    "refusals",
    "seat_range",
    "to_shuffle",
    "view_for",
    "why_not",
    "worst_case",
]

NAME = "least_score"
CARRIED: tuple[str, ...] = ("starter",)
"""The seat that begins the deal (option ``starter = winner``, S16); 0 or left out: the dealer's left."""


def new_deal(
    *,
    seats: tuple[Seat, ...],
    dealer: Seat,
    deck: tuple[Card, ...],
    options: Options,
    starter: Seat = 0,
    **carried: Any,
) -> Deal:
    """Return the state after dealing from ``deck``, top first (S2, S7).

    Cards go out one at a time from the dealer's left, whoever starts: ``starter``, or the dealer's
    left if that is 0. Raises ``BadDeal`` as ``check_seats`` does, or with code ``bad_starter``,
    ``unknown_carried``, ``unknown_card`` or ``bad_deck``.
    """
    if carried:
        raise BadDeal("unknown_carried", f"Least Score carries only a starter, not {min(carried)!r}")
    check_seats(seats, dealer, options)
    if starter != 0 and starter not in seats:
        raise BadDeal("bad_starter", f"the starter, seat {starter!r}, is not one of the seats")
    check_deck(deck, options.packs)
    count = len(seats)
    left = (seats.index(dealer) + 1) % count
    dealt = count * HAND_SIZE
    hands = tuple(
        [
            tuple(sorted(deck[(place - left) % count : dealt : count], key=ORDER.__getitem__))
            for place in range(count)
        ]
    )
    first = seats.index(starter) if starter else left
    return Deal(
        options=options,
        seats=seats,
        dealer=dealer,
        first=first,
        hands=hands,
        known=((),) * count,
        stock=deck[dealt + 1 :],
        open=deck[dealt : dealt + 1],
        open_by=None,
        buried=(),
        turns=0,
        shuffles=0,
        actor=seats[first],
        last=None,
        result=None,
    )


def opening(state: Deal) -> tuple[Event, ...]:
    """Return the events of the dealing; ``state`` must be as ``new_deal`` made it."""
    if state.turns or state.result:
        raise ValueError("the opening of a deal is known only before its first move")
    hands = zip(state.seats, state.hands, strict=True)
    dealt = {
        "type": "dealt",
        "dealer": state.dealer,
        "starter": state.actor,
        "seats": list(state.seats),
        "private": {str(seat): {"hand": list(hand)} for seat, hand in hands},
    }
    return (dealt, {"type": "open", "card": state.open[0]})


def actor(state: Deal) -> Seat | None:
    """Return the seat on turn, ``CHANCE`` when a reshuffle is due, ``None`` when the deal is over."""
    return state.actor


def apply(state: Deal, move: Move) -> Step:
    """Return the step of the actor's canonical ``move``; raises ``IllegalMove`` (codes: ``REASONS``)."""
    if not state.actor:
        if state.actor is None:
            raise illegal("deal_over")
        return _shuffle(state, move)
    if move == "declare":
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
    code = set_code(laid, state.options) if len(cards) > 1 else None
    if code is not None:
        raise illegal(code)
    if source == "stock":
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
    seat, stock, left = state.seats[place], state.stock, state.open
    known = state.known
    mine = known[place]
    if mine:
        mine = _without(mine, cards)
    if taken is None:
        card, stock = stock[0], stock[1:]
        take: Event = {"type": "take", "seat": seat, "from": "stock", "private": {str(seat): {"card": card}}}
    else:
        card, left, mine = taken, _without(left, (taken,)), (*mine, taken)
        take = {"type": "take", "seat": seat, "from": "open", "card": taken}
    if mine != known[place]:
        known = (*known[:place], mine, *known[place + 1 :])
    rest.append(card)
    rest.sort(key=ORDER.__getitem__)
    hands = (*state.hands[:place], tuple(rest), *state.hands[place + 1 :])
    events: list[Event] = [{"type": "discard", "seat": seat, "cards": list(cards)}, take]
    turns = state.turns + 1
    actor, result = _after_turn(state, hands, stock, state.buried + left, turns, events)
    return Step(
        Deal(
            state.options,
            state.seats,
            state.dealer,
            state.first,
            hands,
            known,
            stock,
            cards,
            seat,
            state.buried + left,
            turns,
            state.shuffles,
            actor,
            (seat, move),
            result,
        ),
        tuple(events),
    )


def _without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return ``cards`` less one of each in ``gone`` that is among them."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def _after_turn(
    state: Deal,
    hands: tuple[tuple[Card, ...], ...],
    stock: tuple[Card, ...],
    buried: tuple[Card, ...],
    turns: int,
    events: list[Event],
) -> tuple[Seat | None, Outcome | None]:
    """Return who acts after a turn and the outcome if the deal is over; adds to ``events`` (S11, S12)."""
    seats, count = state.seats, len(state.seats)
    if turns == LAST_CIRCUIT * count:
        return None, _end(seats, hands, forced(hands, "circuits"), events)
    if not stock:
        if state.shuffles:
            return None, _end(seats, hands, forced(hands, "stock"), events)
        if not buried:
            return None, _end(seats, hands, void(hands), events)
    soon = show_in(turns, count, len(stock), state.shuffles)
    if soon is not None and show_in(state.turns, count, len(state.stock), state.shuffles) is None:
        events.append({"type": "show_soon", "show_in": soon})
    return (seats[(state.first + turns) % count] if stock else CHANCE), None


def _end(
    seats: tuple[Seat, ...], hands: tuple[tuple[Card, ...], ...], result: Outcome, events: list[Event]
) -> Outcome:
    """Add the events of a deal's end to ``events`` and return its outcome; a void deal shows no hand."""
    if result.reason != "void":
        shown = {str(seat): list(hand) for seat, hand in zip(seats, hands, strict=True)}
        events.append({"type": "show", "hands": shown})
    events.append({"type": "deal_over", **outcome_as_json(seats, result), "reason": result.reason})
    return result


def _declare(state: Deal) -> Step:
    code = declare_code(state)
    if code is not None:
        raise illegal(code)
    seat = state.seats[place_on_turn(state)]
    events: list[Event] = [{"type": "declare", "seat": seat}]
    result = _end(state.seats, state.hands, declared(state), events)
    return Step(state._replace(actor=None, last=(seat, "declare"), result=result), tuple(events))


def to_shuffle(state: Deal) -> tuple[Card, ...]:
    """Return what a due reshuffle must order: the buried cards, in the order of the pack (S11)."""
    if state.actor != CHANCE:
        return ()
    return tuple(sorted(state.buried, key=PACK.index))


def _shuffle(state: Deal, move: Move) -> Step:
    word, *cards = move.split(" ")
    if word != "shuffle":
        raise illegal("shuffle_due")
    if sorted(cards) != sorted(state.buried):
        raise illegal("wrong_cards")
    place = place_on_turn(state)
    events: list[Event] = [{"type": "shuffle", "count": len(cards)}]
    count, shuffles = len(state.seats), state.shuffles + 1
    soon = show_in(state.turns, count, len(cards), shuffles)
    if soon is not None and show_in(state.turns, count, 0, 0) is None:
        events.append({"type": "show_soon", "show_in": soon})
    after = state._replace(
        stock=tuple(cards), buried=(), shuffles=shuffles, actor=state.seats[place], last=(CHANCE, "shuffle")
    )
    return Step(after, tuple(events))


def outcome(state: Deal) -> Outcome | None:
    """Return how the deal ended, or ``None`` while it goes on."""
    return state.result


def outcome_json(state: Deal) -> dict[str, Any] | None:
    """Return the outcome in the record's form, or ``None`` while the deal goes on."""
    return None if state.result is None else outcome_as_json(state.seats, state.result)


def match_deal(match: Match, *, deck: tuple[Card, ...], live: tuple[Seat, ...] | None = None) -> Deal:
    """Return the match's next deal, dealt to the ``live`` seats still in play (S16).

    Raises ``BadDeal`` with code ``match_over`` or ``too_few_seats``, or as ``new_deal`` does.
    """
    dealer = next_dealer(match, live)
    if dealer is None:
        raise BadDeal("match_over" if match.over else "too_few_seats", "the match has no further deal")
    return new_deal(
        seats=dealt_in(match, live), dealer=dealer, deck=deck, options=match.options, **carried(match, live)
    )
