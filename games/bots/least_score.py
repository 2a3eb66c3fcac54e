"""The steady player of Least Score: keeps sets together, sheds points, declares by estimated risk.

It sees its seat's view and nothing else. A turn is judged by the hand it leaves: its points, and
the points left once the best set of that hand has been laid too. For a card of the stock the mean
over every card it might be is taken. Declaring is judged by guessing the other hands many times.

All sums are whole numbers and the dice are asked for ``random()`` alone, so that the same
arguments give the same move on every machine and version of Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.rules.cards import Card, pack
from games.rules.interface import Move
from games.rules.least_score_options import Options, parse_options
from games.rules.least_score_sets import ORDER, VALUE, discards, total
from games.rules.least_score_state import WRONG_DECLARATION

if TYPE_CHECKING:
    from random import Random

Hand = tuple[Card, ...]

MARGIN = 4
"""Points by which a declaration must be expected to gain before it is made.

In paired deals of 2, 4 and 6 steady players 3, 4 and 5 did equally well, 0 and 8 worse: declaring
at the first profit gives away what one more turn would bring, waiting lets others be first.
"""


def steady(view: Mapping[str, Any], legal_moves: tuple[Move, ...], dice: Random, budget: int) -> Move:
    """Return the move of a careful club player; ``budget`` is how often it guesses the other hands."""
    if view["declare_allowed"] and gain_by_declaring(view, dice, max(1, budget)) > MARGIN:
        return "declare"
    burdens = turn_burdens(view, legal_moves)
    return min(burdens, key=burdens.__getitem__)


def turn_burdens(view: Mapping[str, Any], legal_moves: tuple[Move, ...]) -> dict[Move, tuple[int, int]]:
    """Return how bad the hand after each turn is, as ``_burden_after`` says; the lowest pair is the best turn."""
    options = parse_options(view["options"])
    hand: Hand = tuple(view["hand"])
    cards = unseen(view)
    return {move: _burden_after(move, hand, cards, options) for move in legal_moves if move != "declare"}


def _burden_after(move: Move, hand: Hand, cards: list[Card], options: Options) -> tuple[int, int]:
    """Return how bad the hand after ``move`` is, then its size; the lower pair is the better turn.

    The burden is summed over all unseen ``cards``, so that drawing and taking compare exactly.
    """
    laid, _, source = move.partition(" > ")
    rest = list(hand)
    for card in laid.split(" "):
        rest.remove(card)
    if source != "stock":
        return _burden(_with(rest, source), options) * len(cards), len(rest)
    if options.runs == "one_suit":
        return sum([_burden(_with(rest, card), options) for card in cards]), len(rest)
    # Suits hardly matter here, so one card stands for all of its rank.
    counts: dict[str, int] = {}
    for card in cards:
        counts[card[0]] = counts.get(card[0], 0) + 1
    a_card = {card[0]: card for card in cards}
    return sum([_burden(_with(rest, a_card[rank]), options) * count for rank, count in counts.items()]), len(
        rest
    )


def _with(rest: list[Card], card: Card) -> Hand:
    return tuple(sorted((*rest, card), key=ORDER.__getitem__))


def _burden(hand: Hand, options: Options) -> int:
    """Return the points of ``hand`` plus those left when its best set has been laid.

    Both count alike, because the deal may end before that discard or go on after it. Giving the
    former 0.2, 0.35, 0.65 or 0.8 of the weight was no better in paired deals.
    """
    points = total(hand)
    return 2 * points - max(
        [sum([VALUE[card] for card in laid.split(" ")]) for laid in discards(hand, options)]
    )


def unseen(view: Mapping[str, Any]) -> list[Card]:
    """Return the cards whose place the viewer does not know; the buried are among them, forgotten."""
    cards = list(pack(view["options"]["packs"]))
    seen = [*view["hand"], *view["open"]]
    for seat, taken in view["known"].items():
        if int(seat) != view["viewer"]:
            seen += taken
    for card in seen:
        cards.remove(card)
    return cards


def gain_by_declaring(view: Mapping[str, Any], dice: Random, samples: int) -> float:
    """Return how many points declaring gains on the others' mean score, over guessed hands (S9, S10)."""
    own = view["total"]
    values = [VALUE[card] for card in unseen(view)]
    others = [
        (view["hand_sizes"][str(seat)], [VALUE[card] for card in view["known"][str(seat)]])
        for seat in view["seats"]
        if seat != view["viewer"]
    ]
    caught = view["options"]["tie"] == "caught"
    gain = 0  # times the number of the others
    for _ in range(samples):
        totals = [_guess(size, known, view["circuit"] - 1, values, dice) for size, known in others]
        lowest = min(totals)
        if lowest < own or (lowest == own and caught):
            gain -= (WRONG_DECLARATION + own - lowest) * len(totals)
        else:
            gain += sum(totals) - own * len(totals)
    return gain / (len(others) * samples)


def _guess(size: int, known: list[int], turns: int, values: list[int], dice: Random) -> int:
    """Return a guessed total of a hand of ``size`` cards after ``turns`` turns.

    Whoever lays the highest card each turn holds the lowest of all cards that came by, besides
    the card drawn last, which had no rival yet. Cards are guessed independently of each other.
    """
    hidden = size - len(known)
    if hidden <= 0:
        return sum(known)
    came_by = sorted([values[int(dice.random() * len(values))] for _ in range(hidden - 1 + turns)])
    return sum(known) + sum(came_by[: hidden - 1]) + values[int(dice.random() * len(values))]
