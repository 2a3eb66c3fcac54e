"""Clubs, members, invitations, requests and the log of acts in the admin: to look at. What is done is done on the pages."""

from __future__ import annotations

from django.contrib import admin

from clubs.admin.look_only import LookOnly
from clubs.models import Act, Club, Invitation, JoinRequest, Membership


@admin.register(Club)
class ClubsAdmin(LookOnly):
    """Clubs of the site."""

    list_display = ("name", "slug", "joining", "listed", "welcomes_guests", "founded_at")
    club_path = "pk"
    ordering = ("name",)


@admin.register(Membership)
class MembershipAdmin(LookOnly):
    """Who belongs to a club, with which roles."""

    list_display = ("user", "club", "state", "roles", "joined_at", "changed_at")
    list_select_related = ("user", "club")
    list_filter = ("state",)
    search_fields = ("user__username", "user__display_name")
    ordering = ("club", "user")


@admin.register(Invitation)
class InvitationAdmin(LookOnly):
    """Invitations, without what would let somebody in."""

    list_display = (
        "id",
        "club",
        "role",
        "made_by",
        "made_at",
        "expires_at",
        "uses",
        "max_uses",
        "revoked_at",
    )
    list_select_related = ("club", "made_by")
    fields = ("club", "role", "made_by", "made_at", "expires_at", "uses", "max_uses", "revoked_at")
    ordering = ("-made_at",)


@admin.register(JoinRequest)
class JoinRequestAdmin(LookOnly):
    """Requests to join."""

    list_display = ("user", "club", "state", "made_at", "decided_at")
    list_select_related = ("user", "club")
    list_filter = ("state",)
    ordering = ("-made_at",)


@admin.register(Act)
class ActAdmin(LookOnly):
    """Who did what in a club, and when."""

    list_display = ("at", "club", "verb", "by", "about", "details")
    list_select_related = ("club", "by", "about")
    list_filter = (("verb", admin.AllValuesFieldListFilter),)
    ordering = ("-at",)
