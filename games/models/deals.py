"""Deals, the log of everything that happened at a table, and what the deals came to."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import FIRST_CLUB, Club
from games.models.tables import Table


class Deal(models.Model):
    """One deal: who was dealt in, by whom, from which deck, and what came of it."""

    table = models.ForeignKey(Table, verbose_name=_("table"), on_delete=models.PROTECT, related_name="deals")
    number = models.PositiveIntegerField(_("deal"))
    dealer = models.PositiveSmallIntegerField(_("dealer"))
    seats = models.JSONField(_("seats dealt in, to the left"))
    carried = models.JSONField(_("what the match carried into the deal"), default=dict)
    deck = models.JSONField(_("deck, top first"))
    nonces = models.JSONField(_("numbers for the shuffle, in seat order"))
    bots = models.JSONField(_("seats that bots held"), null=True)
    outcome = models.JSONField(_("outcome"), null=True, blank=True)
    match_after = models.JSONField(_("the match after the deal"), null=True, blank=True)
    counted = models.BooleanField(_("counted in the statistics"), default=False)
    started_at = models.DateTimeField(_("started"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="deal_number_once"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(outcome__isnull=False), name="deal_ends_with_outcome"
            ),
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at__isnull=True), name="deal_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(counted=False) | Q(ended_at__isnull=False), name="deal_counted_when_ended"
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"], condition=Q(counted=False, ended_at__isnull=False), name="deal_uncounted"
            ),
        ]

    def __str__(self) -> str:
        return gettext("%(table)s, deal %(number)s") % {"table": self.table, "number": self.number}


class LogEntry(models.Model):
    """One thing that happened at a table: a move, or a change of seats, deal or match.

    ``move`` is the canonical text for entries that are moves (``ply`` counts
    them within the deal, ``seat`` 0 is the shuffler). ``events`` holds what the
    rules and the table made of it, private parts included: it never leaves the
    server except through ``games.rules.interface.event_for``.
    """

    class By(models.TextChoices):
        PERSON = "person", _("member")
        BOT = "bot", _("bot")
        STAND_IN = "stand_in", _("stand-in")
        CLOCK = "clock", _("time-out")
        SHUFFLER = "shuffler", _("shuffler")
        TABLE = "table", _("table")

    table = models.ForeignKey(Table, verbose_name=_("table"), on_delete=models.PROTECT, related_name="log")
    version = models.PositiveBigIntegerField(_("version"))
    deal = models.ForeignKey(
        Deal, verbose_name=_("deal"), null=True, blank=True, on_delete=models.PROTECT, related_name="log"
    )
    ply = models.PositiveIntegerField(_("move number"), null=True, blank=True)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    move = models.TextField(_("move"), blank=True)
    by = models.CharField(_("by"), max_length=10, choices=By.choices)
    command_id = models.UUIDField(_("command"), null=True, blank=True)
    events = models.JSONField(_("events"), default=list)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log")
        ordering = ["table", "version"]
        constraints = [
            models.UniqueConstraint(fields=["table", "version"], name="log_version_once"),
            models.UniqueConstraint(
                fields=["table", "command_id"], condition=Q(command_id__isnull=False), name="log_command_once"
            ),
            models.UniqueConstraint(
                fields=["deal", "ply"], condition=Q(ply__isnull=False), name="log_ply_once"
            ),
            models.CheckConstraint(
                condition=Q(ply__isnull=True, move="")
                | Q(ply__isnull=False, deal__isnull=False) & ~Q(move=""),
                name="log_moves_have_a_ply",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} v{self.version} {self.move or self.by}"


class DealStatistics(models.Model):
    """How often something happened in all deals of a club that are over: a count by game, kind and key (``games.rules.tally``).

    Deals end in another order than they begin, so that no number tells which
    are in here: each says it itself (``Deal.counted``).
    """

    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="+", default=FIRST_CLUB
    )
    game = models.CharField(_("game"), max_length=32)
    kind = models.CharField(_("kind"), max_length=32)
    key = models.CharField(_("key"), max_length=32, blank=True)
    count = models.PositiveBigIntegerField(_("count"))
    since = models.DateTimeField(_("end of the first deal counted"))
    until = models.DateTimeField(_("end of the last deal counted"))

    class Meta:
        verbose_name = _("statistics of deals")
        verbose_name_plural = _("statistics of deals")
        constraints = [
            models.UniqueConstraint(fields=["club", "game", "kind", "key"], name="statistics_key_once"),
            models.CheckConstraint(condition=Q(since__lte=F("until")), name="statistics_since_until"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.kind} {self.key}: {self.count}"
