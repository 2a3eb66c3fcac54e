"""What a finished deal of Least Score adds to the statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from games.rules.interface import Seat
from games.rules.least_score_sets import total
from games.rules.least_score_state import Deal, circuit

Tally = Counter[tuple[str, str]]


def tally(states: Sequence[Deal], bots: Collection[Seat] | None) -> Tally:
    """Return counts by (kind, key) of a deal whose ``states`` go from the dealing to the outcome.

    Kinds: ``turn_up`` (the first open card); ``ended`` (success, caught,
    circuits, stock, void); ``declared`` and ``succeeded`` (the total at a
    declaration, and at one that was lowest); ``length`` (circuits begun);
    ``reshuffles`` (their number); ``hands`` and ``points`` dealt (people, bots;
    left out when ``bots`` is ``None``). Raises ``ValueError`` if the deal is not over.
    """
    first, final = states[0], states[-1]
    result = final.result
    if result is None:
        raise ValueError("the deal is not over")
    ended = result.reason
    if result.declarer is not None:
        ended = "success" if result.success else "caught"
    found: Tally = Counter(
        {
            ("turn_up", first.open[0]): 1,
            ("ended", ended): 1,
            ("length", str(circuit(final))): 1,
            ("reshuffles", str(final.shuffles)): 1,
        }
    )
    if result.declarer is not None:
        own = str(result.totals[final.seats.index(result.declarer)])
        found["declared", own] += 1
        found["succeeded", own] += bool(result.success)
    if bots is not None:
        for seat, hand in zip(first.seats, first.hands, strict=True):
            who = "bots" if seat in bots else "people"
            found["hands", who] += 1
            found["points", who] += total(hand)
    return found
