"""How far a person is in the lessons."""

from __future__ import annotations

from games.models import LessonProgress


def lessons_of(user_id: int | None) -> dict[str, LessonProgress]:
    """Return the person's progress by game; nobody in particular has none."""
    if user_id is None:
        return {}
    return {each.game: each for each in LessonProgress.objects.filter(user_id=user_id)}
