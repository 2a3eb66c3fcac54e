"""Results of deals in versions, and who was knocked out when."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Deal
from tournaments.models.rounds import EventTable, Round


class Result(models.Model):
    """One version of what a deal brought; never changed: a correction is the next version.

    ``scores`` by entry number (points of Least Score, net stakes of 3-Card Loo); ``sheet`` is what was
    written down at the table, ``pot`` the stakes that stayed. A version that is ``struck`` says that the
    deal does not count.
    """

    class Kind(models.TextChoices):
        DEAL = "deal", _("deal")
        SPLIT = "split", _("pot shared out")
        WHOLE = "whole", _("whole round")

    event_table = models.ForeignKey(
        EventTable, verbose_name=_("table"), on_delete=models.PROTECT, related_name="results"
    )
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices, default=Kind.DEAL)
    number = models.PositiveSmallIntegerField(_("deal"))
    version = models.PositiveSmallIntegerField(_("version"), default=1)
    dealer = models.PositiveSmallIntegerField(_("dealer"), null=True)
    players = models.JSONField(_("players at the table"))
    scores = models.JSONField(_("scores"))
    sheet = models.JSONField(_("score sheet"), null=True)
    pot = models.PositiveIntegerField(_("stakes left in the pot"), default=0)
    struck = models.BooleanField(_("does not count"), default=False)
    deal = models.ForeignKey(
        Deal,
        verbose_name=_("deal at a table of the site"),
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(_("time"))
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["event_table", "number", "version"]
        constraints = [
            models.UniqueConstraint(fields=["event_table", "number", "version"], name="result_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event_table} deal {self.number} v{self.version}"


class KnockedOut(models.Model):
    """What one deal, or a cut, did to the field of an elimination; never changed.

    ``out`` are groups of entry numbers of equal rank, best first; ``survivors`` those who
    played on. ``why`` is "threshold", "withdrawn", "cut" or "reopened" (which takes the round's cuts back). It
    counts as long as its release does.
    """

    round = models.ForeignKey(
        Round, verbose_name=_("round"), on_delete=models.PROTECT, related_name="knock_outs"
    )
    take = models.PositiveSmallIntegerField(_("release"))
    number = models.PositiveIntegerField(_("number"))
    why = models.CharField(_("why"), max_length=10)
    out = models.JSONField(_("groups of those out, best first"))
    survivors = models.JSONField(_("survivors"))
    seed = models.PositiveBigIntegerField(_("seed of the lot, if there was one"), null=True)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("knock-out")
        verbose_name_plural = _("knock-outs")
        ordering = ["round", "take", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "take", "number"], name="knock_out_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.round} {self.out}"
