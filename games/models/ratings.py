"""Ratings: what is believed of each player's skill, and the matches that say so, in the order in which they counted."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from games.models.tables import Table
from games.skill import NEWCOMER, SIGMA, Skill
from games.wording import title_of


class RatingPool(models.Model):
    """Those who are rated against each other: the people of one club in one game, or (no club) the site's bots.

    Whoever counts a match holds the row. ``last`` is the number of the match that was counted last.
    """

    club = models.ForeignKey(
        Club,
        verbose_name=_("club"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="rating_pools",
    )
    game = models.CharField(_("game"), max_length=32)
    last = models.PositiveBigIntegerField(_("matches counted"), default=0)

    class Meta:
        verbose_name = _("pool of ratings")
        verbose_name_plural = _("pools of ratings")
        constraints = [
            models.UniqueConstraint(fields=["club", "game"], nulls_distinct=False, name="rating_pool_once"),
        ]

    def __str__(self) -> str:
        # Not inside the f-string: gettext's extractor does not look there.
        whose = self.club or _("bots")
        return f"{whose}: {self.title}"

    @property
    def title(self) -> str:
        """The game's name in the active language."""
        return title_of(self.game)

    @property
    def of_bots(self) -> bool:
        """Whether the site's bots are rated here."""
        return self.club_id is None


class Rating(models.Model):
    """What is believed of one player now. The row of a person who was forgotten stays, nameless: others played it."""

    pool = models.ForeignKey(
        RatingPool,
        verbose_name=pgettext_lazy("of ratings", "pool"),
        on_delete=models.CASCADE,
        related_name="ratings",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("member"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="ratings",
    )
    bot_level = models.CharField(_("bot's level"), max_length=16, blank=True)
    mu = models.FloatField(_("mean"), default=NEWCOMER.mu)
    sigma = models.FloatField(_("standard deviation"), default=NEWCOMER.sigma)
    matches = models.PositiveIntegerField(_("matches"), default=0)
    last_at = models.DateTimeField(_("last match"), null=True, blank=True)
    ordinal = models.GeneratedField(
        verbose_name=_("what the skill is above"),
        expression=F("mu") - 3 * F("sigma"),
        output_field=models.FloatField(),
        db_persist=True,
    )

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "user"], condition=Q(user__isnull=False), name="rating_user_once"
            ),
            models.UniqueConstraint(
                fields=["pool", "bot_level"], condition=~Q(bot_level=""), name="rating_bot_once"
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(bot_level=""), name="rating_person_or_bot"
            ),
            models.CheckConstraint(condition=Q(sigma__gt=0, sigma__lte=SIGMA), name="rating_sigma_range"),
        ]
        indexes = [
            models.Index(fields=["pool", "-ordinal"], name="rating_best_first"),
        ]

    def __str__(self) -> str:
        return f"{self.pool}, {self.bot_level or self.user}"

    @property
    def skill(self) -> Skill:
        """The mean and the deviation as a value."""
        return Skill(self.mu, self.sigma)


class RatedMatch(models.Model):
    """A match that counts, under the number in whose order it counts in its pool.

    ``source`` names its record: ``table:<id>`` for a table of the site, whose log is the
    truth; anything else belongs to whoever reported the result. A match without changes
    was taken back and keeps its number.
    """

    pool = models.ForeignKey(
        RatingPool,
        verbose_name=pgettext_lazy("of ratings", "pool"),
        on_delete=models.CASCADE,
        related_name="rated_matches",
    )
    number = models.PositiveBigIntegerField(_("number"))
    table = models.OneToOneField(
        Table,
        verbose_name=_("table"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="rated_match",
    )
    source = models.CharField(_("record"), max_length=120, unique=True)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("rated match")
        verbose_name_plural = _("rated matches")
        constraints = [
            models.UniqueConstraint(fields=["pool", "number"], name="rated_match_number_once"),
        ]

    def __str__(self) -> str:
        return gettext("%(pool)s, match %(number)s") % {"pool": self.pool, "number": self.number}


class RatingChange(models.Model):
    """What one match did to the rating of who sat in one seat: the history of a rating, newest number last."""

    match = models.ForeignKey(
        RatedMatch, verbose_name=_("match"), on_delete=models.CASCADE, related_name="changes"
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    rating = models.ForeignKey(
        Rating, verbose_name=_("rating"), on_delete=models.CASCADE, related_name="changes"
    )
    place = models.PositiveSmallIntegerField(pgettext_lazy("in a match", "place"))
    abandoned = models.BooleanField(_("abandoned"), default=False)
    mu_before = models.FloatField(_("mean before"))
    sigma_before = models.FloatField(_("standard deviation before"))
    mu_after = models.FloatField(_("mean after"))
    sigma_after = models.FloatField(_("standard deviation after"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="rating_change_seat_once"),
            models.CheckConstraint(condition=Q(place__gte=1), name="rating_change_place_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.rating.bot_level or self.rating.user}"

    @property
    def before(self) -> Skill:
        """What was believed before the match."""
        return Skill(self.mu_before, self.sigma_before)

    @property
    def after(self) -> Skill:
        """What was believed after it."""
        return Skill(self.mu_after, self.sigma_after)

    @property
    def points(self) -> int:
        """How many points the match brought; negative when it cost some."""
        return self.after.points - self.before.points
