"""Ratings in the admin, to look at: where everybody stands and what each match did."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _l

from clubs.admin.look_only import LookOnly
from games.models import Rating, RatingChange


@admin.register(Rating)
class RatingAdmin(LookOnly):
    """Where people and bots stand, the best first."""

    list_display = ("pool", "user", "bot_level", "points", "mu", "sigma", "matches", "last_at")
    list_select_related = ("pool__club", "user")
    list_filter = ("pool__game",)
    search_fields = ("=user__username",)
    ordering = ("pool", "-ordinal")
    club_path = "pool__club"

    @admin.display(description=_l("rating"), ordering="ordinal")
    def points(self, rating: Rating) -> int:
        """The number that people see."""
        return rating.skill.points


@admin.register(RatingChange)
class RatingChangeAdmin(LookOnly):
    """What each match did to whom, the newest first."""

    list_display = ("match", "seat", "rating", "place", "abandoned", "mu_before", "mu_after", "sigma_after")
    list_select_related = ("match__pool__club", "rating__pool__club", "rating__user")
    list_filter = ("match__pool__game", "abandoned")
    search_fields = ("=match__table__id", "=rating__user__username")
    ordering = ("-id",)
    club_path = "match__pool__club"
