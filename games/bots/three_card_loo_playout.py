"""A plain way of playing 3-Card Loo when every hand is known: what the steady bot imagines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from games.rules.cards import PACK, RANK, Card
from games.rules.interface import Seat
from games.rules.three_card_loo_duties import Hand, beats, first_lead_card, follows, leads

TRICKS = 3


class Table(NamedTuple):
    """What the public part of a view says about the deal."""

    order: tuple[Seat, ...]  # from the dealer's left, the dealer last
    trump: str
    turn_up: Card
    pot: int
    third: int
    loo: int
    must_play: bool
    always_highest: bool
    under_trump_free: bool

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Table:
        """Return the table that ``view`` shows."""
        seats, options = view["seats"], view["options"]
        left = seats.index(view["dealer"]) + 1
        return cls(
            order=(*seats[left:], *seats[:left]),
            trump=view["trump"],
            turn_up=view["turn_up"],
            pot=view["pot"],
            third=view["third"],
            loo=view["loo"],
            must_play=options["club_law"] and view["trump"] == "C",
            always_highest=options["lead"] == "always_highest",
            under_trump_free=options["under_trump"] == "free",
        )


def trick_hopes(hand: Hand, table: Table, rivals: float) -> list[float]:
    """Return for each card of ``hand`` a rough chance of its taking a trick against ``rivals`` others."""
    trump, turned = table.trump, RANK[table.turn_up]
    return [
        _hope(14 - RANK[card] - (turned > RANK[card]), True, rivals)
        if card[1] == trump
        else _hope(14 - RANK[card], False, rivals)
        for card in hand
    ]


@cache
def blind_hope(rivals: float) -> float:
    """Return the chance of taking a trick with a card unseen: the mean over a pack."""
    return sum(
        _hope(higher, trump, rivals) for higher in range(13) for trump in (True, False, False, False)
    ) / len(PACK)


def _hope(higher: int, trump: bool, rivals: float) -> float:
    """Return the chance of a card with ``higher`` better ones in its suit.

    It has a chance of standing up to one rival, and needs it once for each. The
    constants were fitted to how often cards won in deals between steady bots.
    """
    if trump and not higher:
        return 1.0
    against_one = 0.88 - 0.03 * higher if trump else 0.68 - 0.045 * higher
    return math.pow(against_one, rivals)


def play_out(
    table: Table,
    hands: Mapping[Seat, Hand],
    active: tuple[Seat, ...],
    turn: Seat,
    *,
    trick: tuple[tuple[Seat, Card], ...] = (),
    done: int = 0,
    first: Card | None = None,
) -> dict[Seat, int]:
    """Return how many further tricks each seat takes from here when all play plainly.

    ``turn`` is on turn with ``trick`` on the table and ``done`` tricks finished;
    ``first`` is the card it plays now, if that is settled.
    """
    held = dict(hands)
    won: dict[Seat, int] = {}
    highest = table.always_highest or len(active) == 2
    best, winner = _winning(table, trick)
    led = trick[0][1][1] if trick else ""
    played = len(trick)
    while done < TRICKS:
        hand, last = held[turn], played == len(active) - 1
        card = first or _plain_card(table, hand, led, best, done == 0, highest, last)
        first = None
        held[turn] = tuple([other for other in hand if other != card])
        if not best or beats(card, best, table.trump):
            best, winner = card, turn
        led = led or card[1]
        played += 1
        if played < len(active):
            turn = active[(active.index(turn) + 1) % len(active)]
            continue
        won[winner] = won.get(winner, 0) + 1
        turn, best, led, played, done = winner, "", "", 0, done + 1
    return won


def _winning(table: Table, trick: tuple[tuple[Seat, Card], ...]) -> tuple[Card, Seat]:
    """Return the card that is winning ``trick`` and its seat."""
    best, winner = "", 0
    for seat, card in trick:
        if not best or beats(card, best, table.trump):
            best, winner = card, seat
    return best, winner


def _plain_card(
    table: Table, hand: Hand, led: str, best: Card, first_lead: bool, highest: bool, last: bool
) -> Card:
    """Return a sensible card without looking at the other hands.

    Lead the highest trump, or the highest card without one. To head a trick,
    play the lowest trump or the last player's lowest winner, else the highest
    card. What cannot win is thrown away from below, trumps last.
    """
    if len(hand) == 1:
        return hand[0]
    trump = table.trump
    if not led:
        must = first_lead_card(table.turn_up) if first_lead else None
        return max(leads(hand, trump, must, highest), key=RANK.__getitem__)
    legal = follows(hand, led, best, trump, table.under_trump_free)
    winners = [card for card in legal if beats(card, best, trump)]
    if winners:
        lowest = last or winners[0][1] == trump
        return (min if lowest else max)(winners, key=RANK.__getitem__)
    return min(legal, key=lambda card: (card[1] == trump, RANK[card]))
