"""What a finished deal adds to the statistics: counts by kind and key, the same whenever they are taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping

from games.rules import least_score_tally, three_card_loo_tally
from games.rules.interface import Seat
from games.rules.record import Record, replay

Tally = Counter[tuple[str, str]]

TALLIES: Mapping[str, Callable[..., Tally]] = {
    "three_card_loo": three_card_loo_tally.tally,
    "least_score": least_score_tally.tally,
}


def tally(record: Record, *, bots: Collection[Seat] | None) -> Tally:
    """Return the counts of a finished deal by (kind, key); ``bots`` are the seats that bots held, if known.

    Besides the game's own kinds there are ``deals`` (no key) and ``seats``
    (their number). Counts are from 1 up. Raises ``ValueError`` for a record
    that is not a whole deal by the rules.
    """
    played = replay(record)
    if played.refused is not None:
        raise ValueError(str(played.refused))
    found = Counter({("deals", ""): 1, ("seats", str(len(record.seats))): 1})
    found.update(TALLIES[record.game](played.states, bots))
    return +found
