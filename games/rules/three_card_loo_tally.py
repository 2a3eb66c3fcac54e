"""What a finished deal of 3-Card Loo adds to the statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from games.rules.interface import Seat
from games.rules.three_card_loo_deal import NOBODY, State, defender

Tally = Counter[tuple[str, str]]


def tally(states: Sequence[State], bots: Collection[Seat] | None) -> Tally:
    """Return counts by (kind, key) of a deal whose ``states`` go from the dealing to the outcome.

    Kinds: ``turn_up`` (card); ``ended`` (played, dealer_takes, lone_takes);
    ``miss`` (taken, defended, left; only where it was offered); of deals that
    were played ``in`` and ``first_trick`` (``seats:place``, place 1 at the
    dealer's left, the dealer last) and ``looed`` (yes, no; a defender counts as
    neither, L11); ``hands`` and ``trumps`` dealt (people, bots; left out when
    ``bots`` is ``None``). Raises ``ValueError`` if the deal is not over.
    """
    final = states[-1]
    if final.outcome is None:
        raise ValueError("the deal is not over")
    deal = final.deal
    found: Tally = Counter({("turn_up", deal.turn_up): 1, ("ended", final.outcome.ended): 1})
    if deal.miss_offered:
        found["miss", _miss(final)] += 1
    if final.outcome.ended == "played":
        _count_play(final, found)
    if bots is not None:
        for seat, hand in zip(deal.order, deal.hands, strict=True):
            who = "bots" if seat in bots else "people"
            found["hands", who] += 1
            found["trumps", who] += sum(card[1] == deal.trump for card in hand)
    return found


def _miss(final: State) -> str:
    if final.taker == NOBODY:
        return "left"
    return "taken" if defender(final) == NOBODY else "defended"


def _count_play(final: State, found: Tally) -> None:
    """Count who was in, who won the first trick and who was looed, by places from the dealer's left."""
    order, looed = final.deal.order, final.outcome.looed if final.outcome else ()
    for place in final.active:
        found["in", f"{len(order)}:{place + 1}"] += 1
        if place != defender(final):
            found["looed", "yes" if order[place] in looed else "no"] += 1
    found["first_trick", f"{len(order)}:{final.tricks[0].winner + 1}"] += 1
