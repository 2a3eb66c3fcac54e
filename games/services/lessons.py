"""A person goes through a lesson: where they are is kept, so that they find it again on any device."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Now

from games.errors import TableRefusal
from games.lessons import LESSONS, count_steps
from games.models import LessonProgress


@transaction.atomic
def note_lesson_step(*, user_id: int, game: str, step: int) -> None:
    """Keep that the person is at ``step`` (from 1) of the game's lesson; its last step finishes it, for good.

    Raises ``TableRefusal("bad_lesson_step")`` for a game or a step that no lesson has.
    """
    if game not in LESSONS or not 1 <= step <= count_steps(LESSONS[game]):
        raise TableRefusal("bad_lesson_step")
    LessonProgress.objects.update_or_create(user_id=user_id, game=game, defaults={"step": step})
    if step == count_steps(LESSONS[game]):
        LessonProgress.objects.filter(user_id=user_id, game=game).update(
            finished_at=Coalesce(F("finished_at"), Now())
        )
