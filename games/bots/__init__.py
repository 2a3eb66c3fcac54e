"""Bots: each chooses from what its seat may see, with dice and a budget handed in.

A bot is ``(view, legal_moves, dice, budget) -> move`` where ``view`` is the
game's ``view_for`` of the bot's own seat, ``dice`` a source of randomness and
``budget`` the number of imagined continuations it may look at, so that the
same arguments give the same move on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from games.bots import least_score, least_score_advice, three_card_loo, three_card_loo_advice
from games.bots.advice import Advice
from games.rules.interface import Move

if TYPE_CHECKING:
    from random import Random

Bot = Callable[[Mapping[str, Any], tuple[Move, ...], "Random", int], Move]


def play_any(view: Mapping[str, Any], legal_moves: tuple[Move, ...], dice: Random, budget: int) -> Move:
    """Choose any legal move, each as likely as the others."""
    return legal_moves[int(dice.random() * len(legal_moves))]


BOTS: dict[str, dict[str, Bot]] = {
    "three_card_loo": {"random": play_any, "steady": three_card_loo.steady},
    "least_score": {"random": play_any, "steady": least_score.steady},
}
"""Every bot by game and level."""


def choose(
    game: str, level: str, view: Mapping[str, Any], legal_moves: tuple[Move, ...], dice: Random, budget: int
) -> Move:
    """Return the move that the bot of ``level`` chooses; raises ``KeyError`` for an unknown game or level."""
    return BOTS[game][level](view, legal_moves, dice, budget)


ADVISERS: dict[str, Callable[[Mapping[str, Any], tuple[Move, ...], Random, int], list[Advice]]] = {
    "three_card_loo": three_card_loo_advice.explain,
    "least_score": least_score_advice.explain,
}
"""By game, the function that puts a bot's evaluation into reasons."""


def explain(
    game: str, view: Mapping[str, Any], legal_moves: tuple[Move, ...], dice: Random, budget: int
) -> list[Advice]:
    """Return every legal move with its value and reasons, the strongest bot's choice first.

    Like a bot it knows its seat's view and nothing else; ``budget`` must be at least 1.
    """
    return ADVISERS[game](view, legal_moves, dice, budget)
