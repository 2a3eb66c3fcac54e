"""Who waits for a seat at a full table, and to whom a free one is offered."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.tables import Table


class WaitingPlace(models.Model):
    """A member's place in a table's line. The line is in the order of ``id``; an offered seat is kept for its member."""

    table = models.ForeignKey(Table, verbose_name=_("table"), on_delete=models.CASCADE, related_name="line")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("member"),
        on_delete=models.CASCADE,
        related_name="waiting_places",
    )
    joined_at = models.DateTimeField(_("joined the line"), auto_now_add=True)
    offered_seat = models.PositiveSmallIntegerField(_("seat offered"), null=True, blank=True)
    offered_until = models.DateTimeField(_("offered until"), null=True, blank=True)

    class Meta:
        verbose_name = _("place in a line")
        verbose_name_plural = _("places in lines")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="waiting_once_per_table"),
            models.UniqueConstraint(
                fields=["table", "offered_seat"],
                condition=Q(offered_seat__isnull=False),
                name="waiting_seat_offered_once",
            ),
            models.CheckConstraint(
                condition=Q(offered_seat__isnull=True, offered_until__isnull=True)
                | Q(offered_seat__isnull=False, offered_until__isnull=False),
                name="waiting_offer_has_an_end",
            ),
        ]
        indexes = [
            models.Index(
                fields=["offered_until"], condition=Q(offered_until__isnull=False), name="waiting_offer_ends"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.user}"
