"""The steps of a deal of 3-Card Loo: announcing, then three tricks (L5 to L17).

The functions here trust that a move is legal; ``three_card_loo.apply`` checks.
"""

from __future__ import annotations

from games.rules.cards import RANK, Card
from games.rules.interface import Event, Move, Step
from games.rules.three_card_loo_deal import (
    ANNOUNCE,
    NOBODY,
    PLAY,
    TRICKS,
    Deal,
    State,
    Trick,
    in_order,
    open_words,
)
from games.rules.three_card_loo_duties import Hand, first_lead_card, follows, leads
from games.rules.three_card_loo_settlement import pay_all_to, settle

_new = tuple.__new__
"""Makes a ``State`` or ``Step`` of all its fields in order, in half the time of its own constructor.

Used where every move passes; a deal makes one of each a move.
"""


def announce(state: State, word: Move) -> Step:
    """Return the step of a legal announcement by the place on turn (L5 to L10)."""
    deal, place, hands, active, taker = state.deal, state.turn, state.hands, state.active, state.taker
    seat = deal.order[place]
    events: tuple[Event, ...] = ({"type": "announce", "seat": seat, "move": word},)
    if word != "fold":
        active = (*active, place)
        if word != "play":
            taker = place
            hands = (*hands[:place], deal.miss, *hands[place + 1 :])
            kind = "defend" if word == "defend" else "taken_miss"
            private = {str(seat): {"hand": in_order(deal.miss)}}
            events += ({"type": kind, "seat": seat, "private": private},)
    words, following, last = (*state.words, word), place + 1, len(deal.order) - 1
    if following == last and not active:
        return pay_all_to(state._replace(words=words), last, "dealer_takes", events)
    if following <= last:
        legal = open_words(deal, following, active, taker)
        after = _new(
            State, (deal, ANNOUNCE, following, legal, hands, words, active, taker, (), (), "", NOBODY, None)
        )
        return _new(Step, (after, events))
    if len(active) == 1:
        left = state._replace(hands=hands, words=words, active=active, taker=taker)
        return pay_all_to(left, active[0], "lone_takes", events)
    return _start_play(deal, hands, words, active, taker, events)


def _start_play(
    deal: Deal,
    hands: tuple[Hand, ...],
    words: tuple[Move, ...],
    active: tuple[int, ...],
    taker: int,
    events: tuple[Event, ...],
) -> Step:
    """Turn from announcing to the first lead, which is with the active place nearest the dealer's left (L13)."""
    turn = active[0]
    legal = leads(hands[turn], deal.trump, first_lead_card(deal.turn_up), highest_led(deal, active))
    seats = [deal.order[place] for place in active]
    begins: Event = {"type": "play_begins", "active": seats, "leader": seats[0]}
    return Step(
        State(deal, PLAY, turn, legal, hands, words, active, taker, (), (), "", NOBODY, None),
        (*events, begins),
    )


def highest_led(deal: Deal, active: tuple[int, ...]) -> bool:
    """Whether a trump that is led must be the highest held (L14)."""
    return len(active) == 2 or deal.options.lead == "always_highest"


def play_card(state: State, card: Card) -> Step:
    """Return the step of a legal card from the place on turn (L13 to L17)."""
    deal, _, place, _, hands, words, active, taker, tricks, trick, best, holder, _ = state
    trump, hand = deal.trump, hands[place]
    at = hand.index(card)
    hands = (*hands[:place], hand[:at] + hand[at + 1 :], *hands[place + 1 :])
    trick = (*trick, (place, card))
    if not best or (RANK[card] > RANK[best] if card[1] == best[1] else card[1] == trump):
        best, holder = card, place
    event: Event = {"type": "card", "seat": deal.order[place], "card": card}
    if len(trick) == len(active):
        return _end_trick(state, hands, Trick(trick, holder), event)
    turn = active[(active.index(place) + 1) % len(active)]
    legal = follows(hands[turn], trick[0][1][1], best, trump, deal.options.under_trump == "free")
    after = _new(
        State, (deal, PLAY, turn, legal, hands, words, active, taker, tricks, trick, best, holder, None)
    )
    return _new(Step, (after, (event,)))


def _end_trick(state: State, hands: tuple[Hand, ...], trick: Trick, card_event: Event) -> Step:
    """Give the full trick to its winner, who leads to the next (L13); the third ends the deal.

    ``state`` is as it was before the trick's last card; ``hands`` are those after it.
    """
    deal, _, _, _, _, words, active, taker, tricks, _, _, _, _ = state
    tricks, winner = (*tricks, trick), trick.winner
    won: Event = {"type": "trick", "winner": deal.order[winner], "number": len(tricks)}
    last = len(tricks) == TRICKS
    legal = () if last else leads(hands[winner], deal.trump, None, highest_led(deal, active))
    after = _new(
        State, (deal, PLAY, winner, legal, hands, words, active, taker, tricks, (), "", NOBODY, None)
    )
    return settle(after, (card_event, won)) if last else _new(Step, (after, (card_event, won)))
