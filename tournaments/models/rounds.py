"""Draws, the rounds that follow them, and the tables of a round."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Table
from tournaments.models.events import Tournament


class Draw(models.Model):
    """One version of a draw with its certificate; never changed, never deleted.

    ``rounds[r]`` are the tables of round ``first_round`` + r, each a list of entry numbers in
    seat order; ``sitting[r]`` who sits out. ``figures`` and ``bounds`` are those of
    ``tournaments.rules``; ``parent`` is the version that a swap or a new plan started from.
    """

    class Kind(models.TextChoices):
        DRAWN = "drawn", _("drawn")
        SWAPPED = "swapped", _("changed by hand")
        REPLANNED = "replanned", _("planned anew after a change of the field")

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("event"), on_delete=models.PROTECT, related_name="draws"
    )
    number = models.PositiveIntegerField(_("version"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    parent = models.ForeignKey(
        "self", verbose_name=_("made from"), null=True, on_delete=models.PROTECT, related_name="children"
    )
    first_round = models.PositiveSmallIntegerField(_("first round"))
    rounds = models.JSONField(_("tables"))
    sitting = models.JSONField(_("sitting out"))
    method = models.CharField(_("method"), max_length=16)
    stopped = models.CharField(_("why the search ended"), max_length=16)
    seed = models.PositiveBigIntegerField(_("seed"))
    seconds = models.FloatField(_("seconds"))
    looks = models.PositiveBigIntegerField(_("swaps priced"), default=0)
    q = models.PositiveIntegerField(_("Q: sum of C(meetings, 2)"))
    bounds = models.JSONField(_("lower bounds of Q"))
    figures = models.JSONField(_("figures"))
    apart_met = models.PositiveIntegerField(_("meetings of pairs kept apart"), default=0)
    seat_spread = models.PositiveSmallIntegerField(_("spread of seats"), default=0)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(_("time"))
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")
        ordering = ["tournament", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="draw_number_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id} v{self.number}"

    @property
    def gap(self) -> int:
        """Q minus the strongest bound; 0: no draw with these numbers has fewer repeats."""
        return int(self.q - max(self.bounds.values(), default=0))

    @property
    def optimal(self) -> bool:
        """Whether Q reaches a bound."""
        return self.gap <= 0


class Round(models.Model):
    """A round: which draw it follows and how far it is.

    ``take`` counts how often it was released; the tables of take ``current`` are those that
    count, none while it is drawn or undone.
    """

    class State(models.TextChoices):
        DRAWN = "drawn", _("drawn")
        FIXED = "fixed", _("draw confirmed")
        PLAYING = "playing", _("being played")
        COMPLETE = "complete", _("all tables are done")
        CONFIRMED = "confirmed", _("confirmed")

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("event"), on_delete=models.PROTECT, related_name="event_rounds"
    )
    number = models.PositiveSmallIntegerField(_("round"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAWN)
    draw = models.ForeignKey(Draw, verbose_name=_("draw"), on_delete=models.PROTECT, related_name="+")
    take = models.PositiveSmallIntegerField(_("times released"), default=0)
    current = models.PositiveSmallIntegerField(_("release that counts"), null=True, blank=True)
    undone = models.PositiveSmallIntegerField(_("release that was undone last"), null=True, blank=True)
    opens_at = models.DateTimeField(_("opens by itself at"), null=True, blank=True)
    released_at = models.DateTimeField(_("released"), null=True, blank=True)
    ends_at = models.DateTimeField(_("time is up at"), null=True, blank=True)
    paused_at = models.DateTimeField(_("clock stopped at"), null=True, blank=True)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)

    # The floor of an elimination: who waits for a seat, who moved how often, deals in step near a cut.
    waiting = models.JSONField(_("waiting for a seat"), default=list)
    moved = models.JSONField(_("moves by player"), default=dict)
    in_step = models.JSONField(_("deals in step by table"), default=dict)
    near_cut = models.BooleanField(_("deal for deal"), default=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            models.CheckConstraint(
                condition=Q(state__in=["drawn", "fixed"], current__isnull=True)
                | Q(state__in=["playing", "complete", "confirmed"], current__isnull=False),
                name="round_current_while_released",
            ),
        ]
        indexes = [
            models.Index(fields=["opens_at"], condition=Q(opens_at__isnull=False), name="round_opens"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} round {self.number}"

    @property
    def live_take(self) -> int:
        """The release that counts; a round that is not released has none, which is a bug of the caller."""
        assert self.current is not None, "the round is not released"
        return self.current

    @property
    def drawn_tables(self) -> list[list[int]]:
        """The tables as drawn: entry numbers in seat order."""
        tables: list[list[int]] = self.draw.rounds[self.number - self.draw.first_round]
        return tables

    @property
    def sitting_out(self) -> list[int]:
        """Who sits out."""
        sitting: list[int] = self.draw.sitting[self.number - self.draw.first_round]
        return sitting


class EventTable(models.Model):
    """A table of a released round. ``seats`` are entry numbers in seat order as the round began.

    In an elimination ``floor`` is where its seats and deals stand now
    (``tournaments.rules.floor``); ``held`` says that it waits for players.
    """

    class State(models.TextChoices):
        PLAYING = "playing", _("being played")
        REPORTED = "reported", _("waiting for confirmation")
        DISPUTED = "disputed", _("disputed")
        DONE = "done", _("done")
        VOID = "void", pgettext_lazy("table", "withdrawn")

    round = models.ForeignKey(Round, verbose_name=_("round"), on_delete=models.PROTECT, related_name="tables")
    take = models.PositiveSmallIntegerField(_("release"))
    number = models.PositiveSmallIntegerField(_("table"))
    seats = models.JSONField(_("players in seat order"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.PLAYING)
    deals_due = models.PositiveSmallIntegerField(_("deals to be played"), null=True, blank=True)
    floor = models.JSONField(_("seats and deals now"), null=True, blank=True)
    held = models.BooleanField(_("waits for players"), default=False)
    outs = models.PositiveSmallIntegerField(_("knocked out here"), default=0)
    extra_seconds = models.PositiveIntegerField(_("extra time"), default=0)
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("entered by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("confirmed by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    dispute = models.CharField(_("dispute"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("table of an event")
        verbose_name_plural = _("tables of events")
        ordering = ["round", "take", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "take", "number"], name="event_table_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.round} table {self.number}"


class Sitting(models.Model):
    """A table of the site at which a stretch of an event's table is played; another one follows when players move.

    ``seats[n]`` is the entry in seat n + 1; ``taken`` the last deal whose result was taken over.
    """

    event_table = models.ForeignKey(
        EventTable, verbose_name=_("table of the event"), on_delete=models.PROTECT, related_name="sittings"
    )
    table = models.OneToOneField(Table, verbose_name=_("table"), on_delete=models.PROTECT, related_name="+")
    seats = models.JSONField(_("players by seat"))
    taken = models.PositiveIntegerField(_("deals taken over"), default=0)
    open = models.BooleanField(_("still played"), default=True)

    class Meta:
        verbose_name = _("sitting")
        verbose_name_plural = _("sittings")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event_table"], condition=Q(open=True), name="sitting_one_open_per_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_table} at {self.table_id}"
