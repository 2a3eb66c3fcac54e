"""Worlds of 3-Card Loo that fit what one player has seen: hands for the others, drawn by dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from games.bots.three_card_loo_playout import Table, trick_hopes
from games.rules.cards import PACK, RANK, Card
from games.rules.interface import Seat
from games.rules.three_card_loo_duties import beats, first_lead_card

if TYPE_CHECKING:
    from random import Random

Caps = dict[str, int]
"""By suit, the highest rank that a seat can still hold; a suit left out has no bound."""

TRIES = 4
MISS_CARDS = 3


class Sight(NamedTuple):
    """What one player knows beyond the table: its own cards, who stands, what was played."""

    me: Seat
    hand: tuple[Card, ...]
    standing: tuple[Seat, ...]  # the others that are in
    chosen: frozenset[Seat]  # of these, who plays the hand it was dealt and has not led or followed yet
    wanted: tuple[tuple[Seat, int], ...]  # seats to deal to, with how many cards they hold
    unseen: tuple[Card, ...]
    caps: dict[Seat, Caps]
    miss_hidden: bool
    trick: tuple[tuple[Seat, Card], ...]
    tricks_done: int
    won: int


def sight_of(view: Mapping[str, Any]) -> Sight:
    """Return what the viewer of ``view`` knows."""
    me: Seat = view["viewer"]
    table = Table.of(view)
    plays = [[(seat, card) for seat, card in trick["cards"]] for trick in view["tricks"]]
    seen = {*view["hand"], *view["thrown"], view["turn_up"], *(card for trick in plays for _, card in trick)}
    words = view["announced"]
    standing = tuple(seat for seat in view["in"] if seat != me)
    others = [seat for seat in table.order if seat != me and words.get(str(seat)) != "fold"]
    untouched = {seat for seat in standing if view["cards_left"][str(seat)] == MISS_CARDS}
    open_trick = bool(view["tricks"]) and view["tricks"][-1]["winner"] is None
    return Sight(
        me=me,
        hand=tuple(view["hand"]),
        standing=standing,
        chosen=frozenset(seat for seat in untouched if words[str(seat)] == "play"),
        wanted=tuple((seat, view["cards_left"][str(seat)]) for seat in others),
        unseen=tuple(card for card in PACK if card not in seen),
        caps=caps_of(table, plays, len(view["in"])) if plays else {},
        miss_hidden=view["miss"] == "hidden",
        trick=tuple(plays[-1]) if open_trick else (),
        tricks_done=len(plays) - open_trick,
        won=view["tricks_won"][str(me)],
    )


def deal_hands(
    table: Table, sight: Sight, dice: Random
) -> tuple[dict[Seat, tuple[Card, ...]], tuple[Card, ...]]:
    """Return hands for the other players and a miss, drawn from the unseen cards.

    Hands keep to what the play so far has shown; after ``TRIES`` draws that do
    not come out, chance alone decides. A player who stands with its own hand is
    given the best of three, because it chose to stand.
    """
    for _ in range(TRIES):
        hands = _draw(table, sight, dice, sight.caps)
        if hands is not None:
            return hands
    hands = _draw(table, sight, dice, {})
    assert hands is not None, "without bounds there are cards enough for every hand"
    return hands


def _draw(
    table: Table, sight: Sight, dice: Random, caps: Mapping[Seat, Caps]
) -> tuple[dict[Seat, tuple[Card, ...]], tuple[Card, ...]] | None:
    """Return one draw of ``deal_hands``, or ``None`` if the cards left did not fit a seat."""
    needed = sum(count for _, count in sight.wanted) + MISS_CARDS * (1 + len(sight.chosen))
    deck = dice.sample(sight.unseen, k=len(sight.unseen) if caps else min(needed, len(sight.unseen)))
    hands: dict[Seat, tuple[Card, ...]] = {}
    for seat, count in sorted(sight.wanted, key=lambda row: row[0] not in caps):
        bounds = caps.get(seat, {})
        hand = _take(deck, count, bounds)
        if len(hand) < count:
            return None
        if seat in sight.chosen:
            for _ in range(2):
                other = _take(deck, count, bounds)
                if len(other) == count and _strength(table, other) > _strength(table, hand):
                    hand, other = other, hand
                deck += other
        hands[seat] = tuple(hand)
    return hands, tuple(deck[:MISS_CARDS]) if sight.miss_hidden else ()


def _take(deck: list[Card], count: int, bounds: Caps) -> list[Card]:
    """Take the first ``count`` cards within ``bounds`` out of ``deck``, or all there are."""
    taken = (
        [card for card in deck if RANK[card] <= bounds.get(card[1], 14)][:count] if bounds else deck[:count]
    )
    for card in taken:
        deck.remove(card)
    return taken


def _strength(table: Table, hand: list[Card]) -> float:
    return sum(trick_hopes(tuple(hand), table, 1))


def caps_of(table: Table, plays: list[list[tuple[Seat, Card]]], active: int) -> dict[Seat, Caps]:
    """Return what the play so far rules out for each seat, from the duties of L14 and L15."""
    caps: dict[Seat, Caps] = {}

    def cap(seat: Seat, suit: str, rank: int) -> None:
        bounds = caps.setdefault(seat, {})
        bounds[suit] = min(rank, bounds.get(suit, 14))

    trump = table.trump
    for number, trick in enumerate(plays):
        leader, best = trick[0]
        if best[1] != trump:
            cap(leader, trump, 0)
        elif table.always_highest or active == 2:
            cap(leader, trump, RANK[best])
        elif number == 0 and best != first_lead_card(table.turn_up):
            cap(leader, trump, RANK[first_lead_card(table.turn_up)] - 1)
        led = best[1]
        for seat, card in trick[1:]:
            if card[1] != led:
                cap(seat, led, 0)
                if card[1] != trump:
                    free = table.under_trump_free and best[1] == trump
                    cap(seat, trump, RANK[best] if free else 0)
            if beats(card, best, trump):
                best = card
            elif card[1] == best[1]:
                cap(seat, card[1], RANK[best])
    return caps
