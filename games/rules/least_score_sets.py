"""Which cards may be laid together, and in which order they are written (S2, S4, S5, S6).

A set is judged by two short texts: its ranks (``789``) and its suits (``DHS``), both in
canonical order. The canonical order of a set is ascending with the ace low, suits in the
order clubs, diamonds, hearts, spades; in a run that ends with the ace the ace stands last.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from games.rules.cards import PACK, RANKS, SUITS, Card
from games.rules.least_score_options import Options

LADDER = "A" + RANKS
"""The ranks a run climbs; the ace stands at both ends, so that no run goes round the corner (S4)."""

ORDER: dict[Card, int] = {card: LADDER.index(card[0]) * 4 + SUITS.index(card[1]) for card in PACK}
"""Place of a card in a sorted hand: ace low, then by suit."""

VALUE: dict[Card, int] = {card: min(LADDER.index(card[0]) + 1, 10) for card in PACK}
"""Points of a card: ace 1, two to ten their number, court cards 10 (S2)."""


def _runs(length: int) -> frozenset[str]:
    return frozenset(LADDER[low : low + length] for low in range(len(LADDER) - length + 1))


RUNS = {length: _runs(length) for length in (3, 4, 5)}
"""The rank texts of all runs by their length."""

ANY_RUN = RUNS[3] | RUNS[4] | RUNS[5]


@cache
def _legal_ranks(three_of_a_kind: bool, any_run: bool) -> frozenset[str]:
    """Return the rank texts of every legal set except the flush (S4)."""
    sizes = (1, 2, 3, 4) if three_of_a_kind else (1, 2, 4)
    alike = frozenset(rank * size for rank in RANKS for size in sizes)
    return alike | (ANY_RUN if any_run else RUNS[3] | RUNS[5])


def total(cards: Iterable[Card]) -> int:
    """Return the points of ``cards`` (S2)."""
    return sum([VALUE[card] for card in cards])


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return ``cards`` in the canonical order of a set."""
    rising = sorted(cards, key=ORDER.__getitem__)
    if rising and rising[0][0] == "A" and rising[-1][0] == "K":
        ace_high = [*rising[1:], rising[0]]
        if "".join(card[0] for card in ace_high) in ANY_RUN:
            return tuple(ace_high)
    return tuple(rising)


def set_code(laid: str, options: Options) -> str | None:
    """Return why the set written ``laid`` (canonical) is not legal, or ``None`` if it is (S4, S5).

    Codes: ``three_of_a_kind``, ``run_of_four``, ``mixed_suits``, ``two_pairs``,
    ``ace_in_the_middle``, ``short_flush``, ``not_a_set``.
    """
    ranks, suits = laid[::3], laid[1::3]
    one_suit = suits == suits[0] * len(suits)
    if ranks in _legal_ranks(options.three_of_a_kind, options.any_run):
        if options.runs == "one_suit" and not one_suit and ranks in ANY_RUN:
            return "mixed_suits"
        return None
    if one_suit and len(suits) == 5:
        return None
    return _ill_set(ranks, one_suit)


def _ill_set(ranks: str, one_suit: bool) -> str:
    """Return the code that names best what the chosen cards fall short of."""
    if ranks == ranks[0] * 3:
        return "three_of_a_kind"
    if ranks in RUNS[4]:
        return "run_of_four"
    if len(ranks) == 4 and ranks == ranks[0] * 2 + ranks[2] * 2:
        return "two_pairs"
    if ranks[0] == "A" and ranks[-1] == "K" and _goes_round(ranks):
        return "ace_in_the_middle"
    return "short_flush" if one_suit and len(ranks) == 4 else "not_a_set"


def _goes_round(ranks: str) -> bool:
    """Whether ``ranks`` (ace low) would be a run if the ace could stand between king and two."""
    return any(
        sorted(ranks) == sorted((RANKS + RANKS)[low : low + len(ranks)])
        for low in range(len(RANKS))
        if len(ranks) >= 3
    )


@cache
def _layouts(ranks: str, three_of_a_kind: bool, any_run: bool) -> tuple[tuple[int, ...], ...]:
    """Return the places, in canonical order, of every legal set of two or more in a sorted hand.

    Judged by rank alone, so at most 8,567 hands for each pair of options are ever remembered.
    """
    legal = _legal_ranks(three_of_a_kind, any_run)
    found = []
    for size in range(2, len(ranks) + 1):
        for places in combinations(range(len(ranks)), size):
            for order in (places, (*places[1:], places[0])):
                if "".join([ranks[place] for place in order]) in legal:
                    found.append(order)
                    break
    return tuple(found)


def discards(hand: tuple[Card, ...], options: Options) -> list[str]:
    """Return the text of every legal discard from a sorted hand, single cards first (S4)."""
    text = " ".join(hand)
    sets = list(hand)
    places: tuple[int, ...] = ()
    for places in _layouts(text[::3], options.three_of_a_kind, options.any_run):
        sets.append(" ".join([hand[place] for place in places]))
    if options.runs == "one_suit":
        sets = [laid for laid in sets if set_code(laid, options) is None]
    if len(hand) == 5:
        suits = text[1::3]
        # A run of five in one suit is among the layouts already, written as a run.
        if suits == suits[0] * 5 and len(places) != 5:
            sets.append(text)
    return sets if options.packs == 1 else list(dict.fromkeys(sets))


def takes(open_set: tuple[Card, ...], options: Options) -> tuple[Card, ...]:
    """Return the cards of the open set that may be taken (S6).

    With ``pick = ends`` a run gives only its first and last card; a single card, a pair, three or
    four of a kind and a flush that is no run have no ends and give any card.
    """
    if options.pick == "ends" and "".join([card[0] for card in open_set]) in ANY_RUN:
        open_set = (open_set[0], open_set[-1])
    return open_set if options.packs == 1 else tuple(dict.fromkeys(open_set))
