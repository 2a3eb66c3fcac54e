"""Which cards may be led and played to a trick of 3-Card Loo, and who wins it (L14 to L16).

Pure functions of a hand and the trick on the table. A hand is a tuple of
cards; ``trump`` is the trump suit as one letter. Each pair ``xs`` and
``x_refusal`` answers the same question: which cards may be played, and why
another card of the hand may not.
"""

from __future__ import annotations

from games.rules.cards import RANK, Card

Hand = tuple[Card, ...]


def beats(card: Card, best: Card, trump: str) -> bool:
    """Whether ``card`` beats ``best``, the card that was winning the trick (L16)."""
    if card[1] == best[1]:
        return RANK[card] > RANK[best]
    return card[1] == trump


def highest_trump(hand: Hand, trump: str) -> Card | None:
    """Return the highest trump of ``hand``, or ``None`` without one."""
    return max((card for card in hand if card[1] == trump), key=RANK.__getitem__, default=None)


def first_lead_card(turn_up: Card) -> Card:
    """Return the trump that its holder must lead first: the ace, or the king under a turned-up ace (L14)."""
    return ("K" if turn_up[0] == "A" else "A") + turn_up[1]


def leads(hand: Hand, trump: str, must_lead: Card | None, highest: bool) -> Hand:
    """Return the cards that ``hand`` may lead (L14).

    ``must_lead`` is ``first_lead_card`` on the first lead and ``None`` later;
    ``highest`` says that a trump led must be the highest held.
    """
    if must_lead is not None and must_lead in hand:
        return (must_lead,)
    trumps = tuple([card for card in hand if card[1] == trump])
    if not trumps:
        return hand
    if highest:
        return (max(trumps, key=RANK.__getitem__),)
    return trumps


def lead_refusal(card: Card, trump: str, hand: Hand, must_lead: Card | None) -> str:
    """Return the code of the duty that forbids leading ``card``, which is not among ``leads``."""
    if must_lead is not None and must_lead in hand:
        return "must_lead_ace" if must_lead[0] == "A" else "must_lead_king"
    return "highest_trump" if card[1] == trump else "must_lead_trump"


def follows(hand: Hand, led: str, best: Card, trump: str, under_trump_free: bool) -> Hand:
    """Return the cards that ``hand`` may play when suit ``led`` was led and ``best`` is winning (L15)."""
    if len(hand) == 1:
        return hand
    same = tuple([card for card in hand if card[1] == led])
    if same:
        return (_heading(same, best) or same) if best[1] == led else same
    trumps = tuple([card for card in hand if card[1] == trump])
    if not trumps:
        return hand
    if best[1] != trump:
        return trumps
    return _heading(trumps, best) or (hand if under_trump_free else trumps)


def follow_refusal(card: Card, led: str, hand: Hand, trump: str) -> str:
    """Return the code of the duty that forbids playing ``card``, which is not among ``follows``."""
    if card[1] == led:
        return "must_head"
    if any(held[1] == led for held in hand):
        return "must_follow"
    return "must_head" if card[1] == trump else "must_trump"


def _heading(cards: Hand, best: Card) -> Hand:
    """Return those of ``cards``, all of the suit of ``best``, that beat it."""
    rank = RANK[best]
    return tuple([card for card in cards if RANK[card] > rank])
