"""Clubs, members, invitations, requests and the log of acts in the admin: to look at. What is done is done on the pages."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from clubs.admin.look_only import LookOnly, in_words
from clubs.models import Act, Club, Invitation, JoinRequest, Membership
from clubs.wording import VERBS, act_in_words, roles_in_words

BY_NAME = _l("A member’s name, or the beginning of it.")


@admin.register(Club)
class ClubsAdmin(LookOnly):
    """Clubs of the site."""

    list_display = ("name", "slug", "joining", "seen", "welcoming", "founded_at")
    fields = ("name", "slug", "description", "language", "joining", "listed", "welcomes_guests", "founded_at")
    club_path = "pk"
    ordering = ("name",)

    @admin.display(description=_l("seen by others"), boolean=True, ordering="listed")
    def seen(self, club: Club) -> bool:
        """Whether others see its page."""
        return club.listed

    @admin.display(description=_l("guests welcome"), boolean=True, ordering="welcomes_guests")
    def welcoming(self, club: Club) -> bool:
        """Whether others play at its tables."""
        return club.welcomes_guests


@admin.register(Membership)
class MembershipAdmin(LookOnly):
    """Who belongs to a club, with which roles."""

    list_display = ("user", "club", "state", "told_roles", "joined_at", "changed_at")
    fields = list_display
    list_select_related = ("user", "club")
    list_filter = ("state",)
    search_fields = ("user__username", "user__display_name")
    search_help_text = BY_NAME
    ordering = ("club", "user__display_name", "user__username")

    @admin.display(description=_l("roles"))
    def told_roles(self, membership: Membership) -> str:
        """The offices in words."""
        return roles_in_words(membership.roles)


@admin.register(Invitation)
class InvitationAdmin(LookOnly):
    """Invitations, without what would let somebody in."""

    list_display = ("made_at", "club", "role", "made_by", "expires_at", "used", "revoked_at")
    fields = ("club", "role", "made_by", "made_at", "expires_at", "used", "revoked_at")
    list_select_related = ("club", "made_by")
    ordering = ("-made_at",)
    nothing_yet = _l(
        "Nobody has been invited yet. An owner or organiser makes invitations on the club’s page."
    )

    @admin.display(description=_l("used"), ordering="uses")
    def used(self, invitation: Invitation) -> str:
        """How many came, of how many."""
        return _("%(uses)d of %(most)d") % {"uses": invitation.uses, "most": invitation.max_uses}


@admin.register(JoinRequest)
class JoinRequestAdmin(LookOnly):
    """Requests to join."""

    list_display = ("user", "club", "state", "made_at", "decided_at")
    fields = ("user", "club", "message", "state", "made_at", "decided_at")
    list_select_related = ("user", "club")
    list_filter = ("state",)
    ordering = ("-made_at",)
    nothing_yet = _l("Nobody has asked to join yet.")


@admin.register(Act)
class ActAdmin(LookOnly):
    """Who did what in a club, and when."""

    list_display = ("at", "club", "told", "by", "about")
    fields = list_display
    list_select_related = ("club", "by", "about")
    list_filter = (("verb", in_words(lambda verb: _(VERBS[verb]))),)
    ordering = ("-at",)

    @admin.display(description=_l("act"))
    def told(self, act: Act) -> str:
        """What was done, in words."""
        return act_in_words(act.verb, act.details)
