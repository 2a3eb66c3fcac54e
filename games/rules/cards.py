"""Playing cards as two-character texts: rank then suit, ``AS TD 9C 2H``.

A card is a plain ``str``: it is readable in records, JSON-ready without
conversion, and comparing or hashing it is as quick as Python gets.
"""

from __future__ import annotations

from games.rules.errors import BadDeal

Card = str

SUITS = "CDHS"
RANKS = "23456789TJQKA"

PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards in their fixed order: clubs 2 to ace, diamonds, hearts, spades.

This order is the starting point of every shuffle (docs/fair_deal.md).
"""

RANK: dict[Card, int] = {card: RANKS.index(card[0]) + 2 for card in PACK}
"""Strength of a card inside its suit: 2 for a deuce up to 14 for an ace."""

SUIT: dict[Card, str] = {card: card[1] for card in PACK}


def pack(packs: int = 1) -> tuple[Card, ...]:
    """Return ``packs`` packs of 52 cards in the fixed order, one pack after the other."""
    return PACK * packs


def check_deck(deck: tuple[Card, ...], packs: int = 1) -> None:
    """Raise ``BadDeal`` unless ``deck`` holds every card of ``packs`` packs exactly once per pack."""
    unknown = [card for card in deck if card not in RANK]
    if unknown:
        raise BadDeal("unknown_card", f"unknown card {unknown[0]!r}")
    if sorted(deck) != sorted(pack(packs)):
        raise BadDeal("bad_deck", f"the deck is not {packs} full pack(s) of 52 cards")
