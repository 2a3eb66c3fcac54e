"""The record of an event: everything that was done, and the prizes that were paid."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Tournament


class Action(models.Model):
    """One thing that was done to an event; never changed, never deleted.

    ``by`` is nobody when the site did it by itself. ``before`` and ``after`` hold what changed;
    ``moved`` the chips it moved: ``{"type", "entry", "amount"}`` for each transaction of the book.
    """

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("event"), on_delete=models.PROTECT, related_name="actions"
    )
    number = models.PositiveBigIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=32)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(_("time"))
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    before = models.JSONField(_("before"), null=True)
    after = models.JSONField(_("after"), null=True)
    moved = models.JSONField(_("chips moved"), default=list)

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        ordering = ["tournament", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="action_number_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id} #{self.number} {self.kind}"


class Payout(models.Model):
    """Prizes that were paid in one transaction of the book; it can be taken back as one, once."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("event"), on_delete=models.PROTECT, related_name="payouts"
    )
    number = models.PositiveSmallIntegerField(_("number"))
    awards = models.JSONField(_("chips by entry"))
    places = models.JSONField(_("places: [place, entry]"))
    pool = models.PositiveBigIntegerField(_("pool"))
    seed = models.PositiveBigIntegerField(_("seed of the odd chips"))
    transaction = models.PositiveBigIntegerField(_("transaction"), null=True)
    reversed_by = models.PositiveBigIntegerField(_("transaction that took it back"), null=True, blank=True)
    taken_back = models.BooleanField(_("taken back"), default=False)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("payout")
        verbose_name_plural = _("payouts")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="payout_number_once"),
            models.UniqueConstraint(
                fields=["tournament"], condition=models.Q(taken_back=False), name="payout_one_stands"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} payout {self.number}"
