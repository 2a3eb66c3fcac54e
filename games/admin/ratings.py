"""Ratings in the admin, to look at: where everybody stands and what each match did."""

from __future__ import annotations

from django.contrib import admin
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from clubs.admin.look_only import LookOnly, in_words
from games.forms import LEVELS
from games.models import Rating, RatingChange
from games.wording import title_of


@admin.register(Rating)
class RatingAdmin(LookOnly):
    """Where people and bots stand, the best first."""

    list_display = ("whose", "pool", "points", "middle", "spread", "matches", "last_at")
    fields = list_display
    list_select_related = ("pool__club", "user")
    list_filter = (("pool__game", in_words(title_of)),)
    search_fields = ("=user__username",)
    search_help_text = _l("A member’s whole user name.")
    nothing_yet = _l("No rated match has been played yet.")
    ordering = ("pool", "-ordinal")
    club_path = "pool__club"

    @admin.display(description=_l("member"), ordering="user")
    def whose(self, rating: Rating) -> str:
        """The member, or the bot's level."""
        return _who(rating)

    @admin.display(description=_l("mean"), ordering="mu")
    def middle(self, rating: Rating) -> str:
        """What is believed of the skill."""
        return _rounded(rating.mu)

    @admin.display(description=_l("standard deviation"), ordering="sigma")
    def spread(self, rating: Rating) -> str:
        """How sure that is."""
        return _rounded(rating.sigma)

    @admin.display(description=_l("rating"), ordering="ordinal")
    def points(self, rating: Rating) -> int:
        """The number that people see."""
        return rating.skill.points


@admin.register(RatingChange)
class RatingChangeAdmin(LookOnly):
    """What each match did to whom, the newest first."""

    list_display = ("match", "whose", "place", "abandoned", "before", "after")
    fields = (
        "match",
        "seat",
        "rating",
        "place",
        "abandoned",
        "before",
        "after",
        "spread_before",
        "spread_after",
    )
    list_select_related = ("match__pool__club", "rating__pool__club", "rating__user")
    list_filter = (("match__pool__game", in_words(title_of)), "abandoned")
    search_fields = ("=match__table__id", "=rating__user__username")
    search_help_text = _l("A member’s whole user name, or the whole number of the table.")
    nothing_yet = _l("No rated match has been played yet.")
    ordering = ("-id",)
    club_path = "match__pool__club"

    @admin.display(description=_l("member"))
    def whose(self, change: RatingChange) -> str:
        """The member, or the bot's level."""
        return _who(change.rating)

    @admin.display(description=_l("mean before"), ordering="mu_before")
    def before(self, change: RatingChange) -> str:
        """What was believed before the match."""
        return _rounded(change.mu_before)

    @admin.display(description=_l("mean after"), ordering="mu_after")
    def after(self, change: RatingChange) -> str:
        """What is believed since."""
        return _rounded(change.mu_after)

    @admin.display(description=_l("standard deviation before"))
    def spread_before(self, change: RatingChange) -> str:
        """How sure that was."""
        return _rounded(change.sigma_before)

    @admin.display(description=_l("standard deviation after"))
    def spread_after(self, change: RatingChange) -> str:
        """How sure that is."""
        return _rounded(change.sigma_after)


def _who(rating: Rating) -> str:
    if rating.bot_level:
        return str(LEVELS.get(rating.bot_level, rating.bot_level))
    return str(rating.user or _("erased member"))


def _rounded(value: float) -> str:
    """A figure with two decimals: more of them say nothing to people."""
    return str(number_format(value, decimal_pos=2))
