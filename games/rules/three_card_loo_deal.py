"""One deal of 3-Card Loo as a value, and its dealing (L1 to L4).

Inside a deal a player is a *place*: 0 for the dealer's left, then on in order
to the left, the dealer last. Announcing, the lead and the hands follow places;
seats appear only in events, outcomes and views.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from games.rules.cards import PACK, Card, check_deck
from games.rules.errors import BadDeal
from games.rules.interface import POT, Event, Move, Seat
from games.rules.three_card_loo_duties import Hand
from games.rules.three_card_loo_options import ANTE, Options, antes, seat_range

ANNOUNCE, PLAY, OVER = "announce", "play", "over"
NOBODY = -1
TRICKS = 3

Played = tuple[tuple[int, Card], ...]
"""The cards of a trick in order of play, each with the place that played it."""


class Deal(NamedTuple):
    """What is settled once the cards are dealt."""

    options: Options
    seats: tuple[Seat, ...]
    dealer: Seat
    order: tuple[Seat, ...]  # the seat of each place
    carried: int  # the pot before the antes, in stakes
    pot: int  # the pot that is played for, antes included
    hands: tuple[Hand, ...]  # as dealt, by place
    miss: Hand
    turn_up: Card
    trump: str
    must_play: bool  # nobody may fold (L20)
    miss_offered: bool  # false only in a bold stand (L20)


class Trick(NamedTuple):
    """A finished trick."""

    cards: Played
    winner: int


class Outcome(NamedTuple):
    """What a finished deal brought; tuples of pairs list every seat of the deal in seat order."""

    deltas: tuple[tuple[Seat, int], ...]  # net stakes, antes and loos included
    tricks: tuple[tuple[Seat, int], ...]
    looed: tuple[Seat, ...]
    pot: int  # what stays for the next deal
    ended: str  # played, dealer_takes (L7), lone_takes (L8, L9)


class State(NamedTuple):
    """A deal at one moment. ``legal`` is worked out once, when the state is made."""

    deal: Deal
    phase: str
    turn: int  # place on turn, NOBODY when over
    legal: tuple[Move, ...]
    hands: tuple[Hand, ...]  # held or, for who folded, thrown; by place
    words: tuple[Move, ...]  # what was announced, by place
    active: tuple[int, ...]  # places that are in, in order
    taker: int  # place that plays the miss (taken or defended), or NOBODY
    tricks: tuple[Trick, ...]
    trick: Played  # the trick on the table
    best: Card  # the card winning it, "" before the lead
    holder: int  # the place winning it
    outcome: Outcome | None


# Dealing -------------------------------------------------------------------------------


def new_deal(
    *,
    seats: tuple[Seat, ...],
    dealer: Seat,
    deck: tuple[Card, ...],
    options: Options,
    pot: int = 0,
    **carried: Any,
) -> State:
    """Return the state after dealing from ``deck``, top first, to ``seats`` in order to the left (L3, L4).

    ``pot`` is what lay there before the antes, in stakes. Raises ``BadDeal``
    with the code ``too_few_seats``, ``too_many_seats``, ``bad_seats``,
    ``bad_dealer``, ``bad_pot``, ``unknown_carried``, ``bad_deck`` or ``unknown_card``.
    """
    if carried:
        raise BadDeal("unknown_carried", f"3-Card Loo carries only a pot, not {min(carried)!r}")
    check_seats(seats, dealer, options)
    if type(pot) is not int or pot < 0:
        raise BadDeal("bad_pot", f"the pot must be a whole number of stakes from 0 up, not {pot!r}")
    if len(deck) != len(PACK) or set(deck) != _WHOLE_PACK:
        check_deck(deck)
    left = seats.index(dealer) + 1
    order = seats[left:] + seats[:left]
    width = len(order) + 1  # a round deals one card to each hand and one to the miss
    *hands, miss = zip(deck[:width], deck[width : 2 * width], deck[2 * width : 3 * width], strict=True)
    turn_up = deck[3 * width]
    bold = options.bold_stand and pot == 0
    deal = Deal(
        options,
        seats,
        dealer,
        order,
        pot,
        pot + antes(options, len(seats)),
        tuple(hands),
        miss,
        turn_up,
        turn_up[1],
        bold or (options.club_law and turn_up[1] == "C"),
        not bold,
    )
    words = open_words(deal, 0, (), NOBODY)
    return State(deal, ANNOUNCE, 0, words, deal.hands, (), (), NOBODY, (), (), "", NOBODY, None)


_WHOLE_PACK = frozenset(PACK)


def check_seats(seats: tuple[Seat, ...], dealer: Seat, options: Options) -> None:
    """Raise ``BadDeal`` unless ``seats`` can play at a table with ``options`` and ``dealer`` is one (L1)."""
    fewest, most = seat_range(options)
    if len(seats) < fewest:
        raise BadDeal("too_few_seats", f"3-Card Loo needs at least {fewest} seats at this table")
    if len(seats) > most:
        raise BadDeal("too_many_seats", f"3-Card Loo has at most {most} seats")
    if any(type(seat) is not int or seat < 1 for seat in seats) or len(set(seats)) < len(seats):
        raise BadDeal("bad_seats", "seats are different whole numbers from 1 up")
    if dealer not in seats:
        raise BadDeal("bad_dealer", f"the dealer {dealer!r} is not one of the seats")


def opening(state: State) -> tuple[Event, ...]:
    """Return the events of the dealing: antes, hands (each private to its seat), turn-up."""
    deal = state.deal
    payers = deal.order if deal.options.ante == "everyone" else (deal.dealer,)
    dealt: Event = {
        "type": "dealt",
        "dealer": deal.dealer,
        "seats": list(deal.seats),
        "cards": {str(seat): TRICKS for seat in deal.seats},
        "private": {
            str(seat): {"hand": in_order(hand)} for seat, hand in zip(deal.order, deal.hands, strict=True)
        },
    }
    turn_up: Event = {"type": "turn_up", "card": deal.turn_up, "trump": deal.trump}
    return (*(stakes(seat, POT, ANTE, "ante") for seat in payers), dealt, turn_up)


def in_order(cards: Hand) -> list[Card]:
    """Return ``cards`` by suit and then rank, as a player sorts a hand."""
    return sorted(cards, key=_PLACE_IN_PACK.__getitem__)


_PLACE_IN_PACK = {card: place for place, card in enumerate(PACK)}


# What a state tells --------------------------------------------------------------------

_WORDS: dict[tuple[bool, bool, bool], tuple[Move, ...]] = {
    (fold, miss, defend): ("fold",) * fold + ("play",) + ("miss",) * miss + ("defend",) * defend
    for fold in (False, True)
    for miss in (False, True)
    for defend in (False, True)
}


def open_words(deal: Deal, place: int, active: tuple[int, ...], taker: int) -> tuple[Move, ...]:
    """Return what ``place`` may announce after ``active`` are in and ``taker`` took the miss (L5, L8, L9)."""
    miss_free = deal.miss_offered and taker == NOBODY
    if place < len(deal.order) - 1 or not miss_free:
        return _WORDS[not deal.must_play, miss_free, False]
    if len(active) == 1:
        return _WORDS[deal.options.dealer_may_concede, True, True]
    return _WORDS[not deal.must_play, True, deal.options.defend == "any"]


def defender(state: State) -> int:
    """Return the place of a dealer who defends the miss, or NOBODY."""
    last = len(state.deal.order) - 1
    return last if state.taker == last and state.words[last] == "defend" else NOBODY


def shown_miss(state: State) -> list[Card] | None:
    """Return the miss that nobody took, once a deal was played to its end; else ``None`` (L6)."""
    if state.outcome is None or state.outcome.ended != "played" or state.taker != NOBODY:
        return None
    return in_order(state.deal.miss)


def outcome_json(state: State) -> dict[str, Any] | None:
    """Return the outcome as JSON values, or ``None`` while the deal goes on.

    ``{"deltas": {"1": 4, ...}, "tricks": {"1": 2, ...}, "looed": [3], "pot": 0}``;
    ``deltas`` and ``tricks`` list every seat of the deal, who folded has 0 tricks.
    The deltas and the pot after add up to the pot that was carried in.
    """
    outcome = state.outcome
    if outcome is None:
        return None
    return {
        "deltas": {str(seat): delta for seat, delta in outcome.deltas},
        "tricks": {str(seat): tricks for seat, tricks in outcome.tricks},
        "looed": list(outcome.looed),
        "pot": outcome.pot,
    }


def stakes(payer: Seat, payee: Seat, amount: int, reason: str) -> Event:
    """Return the event of ``amount`` stakes going from ``payer`` to ``payee``; ``POT`` is the pot."""
    return {"type": "stakes", "from": payer, "to": payee, "amount": amount, "reason": reason}
