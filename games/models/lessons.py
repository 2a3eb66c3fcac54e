"""How far a person came in a lesson."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class LessonProgress(models.Model):
    """The step at which a member or guest was last in a game's lesson, and when they first saw its end."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("member"), on_delete=models.CASCADE, related_name="lessons"
    )
    game = models.CharField(_("game"), max_length=32)
    step = models.PositiveSmallIntegerField(_("step"), default=1)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("progress in a lesson")
        verbose_name_plural = _("progress in lessons")
        constraints = [
            models.UniqueConstraint(fields=["user", "game"], name="lesson_once_per_person"),
            models.CheckConstraint(condition=Q(step__gte=1), name="lesson_steps_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.game} {self.step}"
