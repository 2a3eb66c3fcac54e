"""Least Score: lay a set, take a card, and declare when your hand is the lowest.

The rules are numbered S1 to S19 in docs/rules/least_score.md. This module is the game's side of
``games.rules.interface.Game``; sets are judged in ``least_score_sets``, moves listed and
read in ``least_score_moves`` and played in ``least_score_turns``, points counted in
``least_score_state``, views made in ``least_score_view``, matches kept in ``least_score_match``.

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

Events of a match, in order:

- ``match_begins`` {seats, dealer, threshold}
- ``stakes`` {from, to, amount, reason: "entry", "per_point" or "prize"}: entries before the first
  deal, points after each, prizes at the end
- ``totals`` {totals}; ``knocked_out`` {seats}
- ``match_over`` {totals, ranking: [[place, seat], ...]}
"""

from __future__ import annotations

from typing import Any

from games.rules.cards import PACK, Card, check_deck
from games.rules.errors import BadDeal
from games.rules.interface import Event, Seat
from games.rules.least_score_match import (
    Match,
    carried,
    carry_on,
    close_deal,
    dealt_in,
    dump_match,
    end_match,
    load_match,
    match_over,
    match_view,
    must_hold,
    new_match,
    next_dealer,
    pass_deal,
    ranking,
    worst_case,
)
from games.rules.least_score_moves import default_move, legal_moves, parse_move, refusals, why_not
from games.rules.least_score_options import Options, check_seats, dump_options, parse_options, seat_range
from games.rules.least_score_sets import ORDER
from games.rules.least_score_state import HAND_SIZE, Deal, Outcome, outcome_as_json
from games.rules.least_score_turns import apply, to_shuffle
from games.rules.least_score_view import view_for

__all__ = [
    "CARRIED",
    "MAY_SIT_OUT",
    "NAME",
    "actor",
    "apply",
    "carried",
    "carry_on",
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
    "must_hold",
    "new_deal",
    "new_match",
    "next_dealer",
    "opening",
    "outcome",
    "outcome_json",
    "parse_move",
    "parse_options",
    "pass_deal",
    "ranking",
    "refusals",
    "seat_range",
    "to_shuffle",
    "view_for",
    "why_not",
    "worst_case",
]

NAME = "least_score"
_WHOLE_PACK = frozenset(PACK)

CARRIED: tuple[str, ...] = ("starter",)
"""The seat that begins the deal (option ``starter = winner``, S16); 0 or left out: the dealer's left."""
MAY_SIT_OUT = False


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
    if len(deck) != len(PACK) or set(deck) != _WHOLE_PACK or options.packs != 1:
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
