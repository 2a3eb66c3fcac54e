"""Lessons: a first deal of each game that a newcomer plays by the real rules, step by step.

A lesson is told in scenes. A scene is one deal set out card by card, with what
the others play, a sentence for every step, and for every decision the moves
that the lesson goes on with. Which moves are legal and why others are not is
nowhere written down here: ``games.rules`` says so (``games.lessons.telling``).
"""

from __future__ import annotations

from games.lessons import least_score, three_card_loo
from games.lessons.scenes import Scene
from games.lessons.telling import count_steps, tell

__all__ = ["LESSONS", "Scene", "count_steps", "tell"]

LESSONS: dict[str, tuple[Scene, ...]] = {
    "three_card_loo": three_card_loo.SCENES,
    "least_score": least_score.SCENES,
}
"""The scenes of every game's lesson, in order."""
