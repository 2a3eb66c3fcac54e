"""Advice: what a bot's own evaluation says of each move that a player could make now, with a reason.

A reason is a code; ``games.wording.REASONS_IN_WORDS`` has the sentence.
"""

from __future__ import annotations

from typing import NamedTuple

from games.rules.interface import Move


class Advice(NamedTuple):
    """One legal move: what it is worth to the player, and why.

    ``value`` compares moves of one decision: stakes expected from the deal in
    3-Card Loo, points expected to be kept off one's score in Least Score.
    ``reasons`` are one or two codes.
    """

    move: Move
    value: float
    reasons: tuple[str, ...]
