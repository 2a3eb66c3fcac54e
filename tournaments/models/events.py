"""An event with everything that is published before it begins, and the seasons that events belong to."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models import FIRST_CLUB, Club
from games.wording import CLOCKS, title_of


class Season(models.Model):
    """A league table over several events: points by place, the best ``best`` results of each player count."""

    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="+", default=FIRST_CLUB
    )
    name = models.CharField(_("name"), max_length=80)
    by_place = models.JSONField(
        _("points by place; empty: one for each player not better"), default=list, blank=True
    )
    best = models.PositiveSmallIntegerField(_("results that count (0: all)"), default=0)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-created_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="season_name_once")]

    def __str__(self) -> str:
        return self.name


class Tournament(models.Model):
    """One event: its terms, its state, and the seed from which all its lots are drawn."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        REGISTRATION = "registration", _("open for registration")
        CHECK_IN = "check_in", _("check-in")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        ARCHIVED = "archived", _("archived")
        CANCELLED = "cancelled", _("cancelled")

    class Venue(models.TextChoices):
        ONLINE = "online", _("online")
        CLUB = "club", _("at the club, with real cards")

    class Family(models.TextChoices):
        ROUNDS = "rounds", _("fixed rounds")
        ELIMINATION = "elimination", _("elimination")

    class Seating(models.TextChoices):
        PLANNED = "planned", _("planned: fewest repeats")
        SWISS = "swiss", _("Swiss: neighbours meet")

    class Scoring(models.TextChoices):
        HIGH = "high", _("the highest sum wins")
        LOW = "low", _("the lowest sum wins")
        PLACES = "places", _("places at the tables")

    class RoundEnd(models.TextChoices):
        ORBITS = "orbits", _("after so many orbits")
        FIRST_OUT = "first_out", _("at a table's first knock-out")
        OUTS = "outs", _("when so many are knocked out at a table")

    class Advance(models.TextChoices):
        UNDER = "under", _("everybody not above the threshold")
        TABLE_BEST = "table_best", _("the best of each table")
        TABLE_WORST_LEAVE = "table_worst", _("all but the worst of each table")
        OVERALL_BEST = "overall_best", _("the best of all tables")

    class Absent(models.TextChoices):
        WITHDRAW = "withdraw", _("is withdrawn and may return")
        BOT = "bot", _("is played by a bot")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="+", default=FIRST_CLUB
    )
    name = models.CharField(_("name"), max_length=80)
    description = models.TextField(_("description"), max_length=4000, blank=True)
    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.DRAFT)
    version = models.PositiveBigIntegerField(_("number of the last action"), default=0)
    seed = models.PositiveBigIntegerField(_("seed of all lots"))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("created by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    changed_at = models.DateTimeField(_("last change"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    copied_from = models.ForeignKey(
        "self", verbose_name=_("copied from"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    season = models.ForeignKey(
        Season,
        verbose_name=_("season"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="events",
    )

    # What is played.
    game = models.CharField(_("game"), max_length=32)
    options = models.JSONField(_("options of the game"), default=dict, blank=True)
    venue = models.CharField(_("place"), max_length=8, choices=Venue.choices, default=Venue.ONLINE)
    clock = models.CharField(_("clock of the tables"), max_length=16, default="club")
    pace_ms = models.PositiveIntegerField(_("pause between deals in ms"), default=8000)
    bot_think_ms = models.PositiveIntegerField(_("a bot's usual thinking time in ms"), default=1000)
    bots_allowed = models.BooleanField(_("bots may take part"), default=False)
    rated = models.BooleanField(_("counts for the ratings"), default=False)
    absent = models.CharField(
        _("who is absent"), max_length=8, choices=Absent.choices, default=Absent.WITHDRAW
    )

    # How it is played.
    family = models.CharField(_("kind"), max_length=12, choices=Family.choices, default=Family.ROUNDS)
    seating = models.CharField(_("seating"), max_length=8, choices=Seating.choices, default=Seating.PLANNED)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=3)
    orbits = models.PositiveSmallIntegerField(_("orbits a round"), default=1)
    size_min = models.PositiveSmallIntegerField(_("smallest table"))
    size_ideal = models.PositiveSmallIntegerField(_("ideal table"))
    size_max = models.PositiveSmallIntegerField(_("largest table"))
    bands = models.PositiveSmallIntegerField(_("tables in a score band"), default=2)
    scoring = models.CharField(_("scoring"), max_length=8, choices=Scoring.choices)
    tie_breaks = models.JSONField(_("tie-breaks in their order"), default=list, blank=True)
    standings_live = models.BooleanField(_("standings are shown while a round is played"), default=False)
    round_minutes = models.PositiveSmallIntegerField(_("minutes a round"), null=True, blank=True)
    full_orbits_only = models.BooleanField(_("when time is up only full orbits count"), default=False)

    # Elimination.
    thresholds = models.JSONField(_("thresholds by round"), default=list, blank=True)
    round_end = models.CharField(
        _("a round ends at a table"), max_length=10, choices=RoundEnd.choices, default=RoundEnd.ORBITS
    )
    round_end_count = models.PositiveSmallIntegerField(_("knock-outs that end a round"), default=1)
    advance = models.CharField(
        _("who advances"), max_length=12, choices=Advance.choices, default=Advance.UNDER
    )
    advance_count = models.PositiveSmallIntegerField(_("how many"), default=0)
    final_size = models.PositiveSmallIntegerField(_("players at the final table"), default=0)

    # Taking part.
    capacity = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    check_in_needed = models.BooleanField(_("players must check in"), default=True)
    check_in_opens_at = models.DateTimeField(_("check-in opens"), null=True, blank=True)
    check_in_closes_at = models.DateTimeField(_("check-in closes"), null=True, blank=True)
    late_until = models.PositiveSmallIntegerField(_("late entry until round"), default=0)

    # Chips.
    asset = models.CharField(_("chips"), max_length=24, blank=True)
    fee = models.PositiveBigIntegerField(_("entry fee"), default=0)
    guaranteed = models.PositiveBigIntegerField(_("guaranteed prizes"), default=0)
    prizes = models.JSONField(_("percentages by place, by number of entries"), default=dict, blank=True)
    event_chips = models.PositiveIntegerField(
        _("the event's own chips for each player (0: score only)"), default=0
    )

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = pgettext_lazy("tournaments", "events")
        ordering = ["-created_at", "-pk"]
        permissions = [("organise", _("May organise events"))]
        constraints = [
            models.CheckConstraint(
                condition=Q(size_min__gte=2, size_min__lte=F("size_ideal"), size_ideal__lte=F("size_max"))
                & Q(size_max__lte=16),
                name="tournament_sizes_in_order",
            ),
            models.CheckConstraint(
                condition=Q(rounds__gte=1, rounds__lte=64, orbits__gte=1), name="tournament_has_rounds"
            ),
            models.CheckConstraint(
                condition=Q(asset="", fee=0, guaranteed=0) | ~Q(asset=""), name="tournament_fee_has_asset"
            ),
            models.CheckConstraint(
                condition=Q(check_in_opens_at__isnull=True)
                | Q(check_in_closes_at__isnull=True)
                | Q(check_in_opens_at__lt=F("check_in_closes_at")),
                name="tournament_check_in_window",
            ),
        ]
        indexes = [models.Index(fields=["state", "-changed_at"], name="tournament_state")]

    def __str__(self) -> str:
        return self.name

    @property
    def online(self) -> bool:
        """Whether it is played at the site's own tables."""
        return self.venue == self.Venue.ONLINE

    @property
    def eliminates(self) -> bool:
        """Whether players leave while it goes on."""
        return self.family == self.Family.ELIMINATION

    @property
    def title(self) -> str:
        """The game's name in the active language."""
        return title_of(self.game)

    @property
    def clock_title(self) -> str:
        """The tables' clock in plain words in the active language."""
        return str(CLOCKS[self.clock])

    @property
    def prize_table(self) -> dict[int, list[int]]:
        """The percentages by place, by the fewest entries for which they hold."""
        return {int(least): list(shares) for least, shares in self.prizes.items()}

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be played."""
        return self.state in (self.State.FINISHED, self.State.ARCHIVED, self.State.CANCELLED)

    def threshold_of(self, number: int) -> int | None:
        """Return the threshold of a round, counted from 1: the last one given holds on; ``None`` without any."""
        given: list[Any] = self.thresholds
        return int(given[min(number, len(given)) - 1]) if given else None
