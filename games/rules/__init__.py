"""The rules of the games: pure values and functions, no clock, no dice of their own."""

from __future__ import annotations

from games.rules import least_score, three_card_loo
from games.rules.interface import Game

GAMES: dict[str, Game] = {three_card_loo.NAME: three_card_loo, least_score.NAME: least_score}
"""Every game by its name."""
