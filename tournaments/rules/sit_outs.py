"""Who sits out when the players do not fill the tables."""

from collections.abc import Mapping, Sequence
from random import Random

from tournaments.rules.errors import BadDraw
from tournaments.rules.meetings import Round


def choose_sit_outs(
    players: Sequence[int],
    number: int,
    *,
    sat_out: Mapping[int, int],
    volunteers: frozenset[int],
    rng: Random,
    rank: Mapping[int, int] | None = None,
) -> tuple[int, ...]:
    """Return the ``number`` players who sit out: nobody twice before everybody once.

    Among those who sat out least often volunteers go first, then the lower ranked
    (``rank``: 1 is best; the leader last), then by lot. ``sat_out`` counts rounds not
    played for whatever reason, so leaving and coming back earns no second free round.
    """
    if not 0 <= number <= len(players):
        raise BadDraw("bad_sit_outs", f"{number} of {len(players)} players cannot sit out")
    lot = {player: rng.random() for player in sorted(players)}
    place = rank or {}
    order = sorted(players, key=lambda p: (sat_out.get(p, 0), p not in volunteers, -place.get(p, 0), lot[p]))
    return tuple(order[:number])


def rounds_not_played(rounds: Sequence[Round], players: Sequence[int]) -> dict[int, int]:
    """Return for each of ``players`` how many of the rounds he did not play, present or not."""
    return {player: sum(all(player not in table for table in one) for one in rounds) for player in players}
