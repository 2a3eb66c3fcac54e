"""Matches in which only bots play, so that bots have ratings of their own: the same text gives the same matches."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from games import selectors
from games.bots import BOTS
from games.bots.arena import Setting, play_match
from games.errors import TableRefusal
from games.rules import GAMES
from games.rules.errors import BadOptions
from games.rules.interface import Seat
from games.selectors.course import with_leavers_last
from games.selectors.ratings import Placed
from games.services.clockwork import STAND_IN_LEVEL
from games.services.rating import rate_result

LARGEST = 8
"""So many bots at most sit at one table: more tell little for the time they take."""


class BotMatches(NamedTuple):
    """What is played: matches of a game whose seats, levels and leavers are drawn from ``seed``.

    ``leavers`` is how likely a seat is to leave its match (0 to 1); ``budget`` what a bot may imagine.
    """

    game: str
    seed: str
    options: Mapping[str, Any]
    leavers: float = 0.0
    budget: int = 4


class BotMatch(NamedTuple):
    """What came of one match: each seat's level, the final [place, seat], and who left."""

    levels: Mapping[Seat, str]
    ranking: list[list[int]]
    left: Collection[Seat]


def rate_bots(plan: BotMatches, number: int) -> BotMatch:
    """Play the match of that number and count it for the ratings of the bots' levels.

    A match that was counted before counts no second time. Raises ``TableRefusal``
    (``bad_game`` or the code of a bad option). Takes the lock of the bots' pool.
    """
    played = play_bot_match(plan, number)
    placed = [
        Placed(seat, place, seat in played.left, bot_level=played.levels[seat])
        for place, seat in played.ranking
    ]
    rate_result(
        club_id=None,
        game=plan.game,
        source=f"bots:{plan.game}:{plan.seed}:{number}"[:120],
        at=selectors.clock(),
        placed=placed,
    )
    return played


def play_bot_match(plan: BotMatches, number: int) -> BotMatch:
    """Play one match by the rules alone: at least two levels at a table, and at least one seat that stays.

    Who leaves does so after the first deal; a stand-in plays on and the seat shares
    the last place, as at the tables. Raises ``TableRefusal``.
    """
    if plan.game not in GAMES:
        raise TableRefusal("bad_game")
    rules = GAMES[plan.game]
    try:
        options = rules.parse_options(plan.options)
    except BadOptions as refusal:
        raise TableRefusal(refusal.code, refusal.detail) from refusal
    dice = random.Random(f"{plan.seed} {number}")
    fewest, most = rules.seat_range(options)
    seats = tuple(range(1, dice.randint(fewest, min(most, LARGEST)) + 1))
    levels = _draw_levels(sorted(BOTS[plan.game]), seats, dice)
    left = [seat for seat in seats if dice.random() < plan.leavers][: len(seats) - 1]
    playing = dict(levels)
    setting = Setting(
        plan.game, options, seats, levels[1], f"{plan.seed} {number}", random.Random, plan.budget, playing
    )
    ranking: tuple[tuple[int, Seat], ...] = ()
    for played in play_match(setting, 1):
        ranking = played[2]
        playing.update(dict.fromkeys(left, STAND_IN_LEVEL))
    return BotMatch(levels, with_leavers_last(ranking, left), left)


def _draw_levels(known: list[str], seats: tuple[Seat, ...], dice: random.Random) -> dict[Seat, str]:
    """Give every seat a level by lot; two seats, drawn too, surely differ."""
    levels = {seat: dice.choice(known) for seat in seats}
    levels.update(zip(dice.sample(seats, 2), dice.sample(known, 2), strict=True))
    return levels
