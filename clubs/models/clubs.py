"""Clubs of the site, who belongs to them and what was done there."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.wording import act_in_words

FIRST_CLUB = 1
"""The club that every site begins with (migration ``0002_clubs``): what belongs to no named club belongs to it."""


class Role(models.TextChoices):
    """What a person may be in a club; everybody in it is a member, the others are offices."""

    OWNER = "owner", _("owner")
    ORGANISER = "organiser", _("organiser")
    TREASURER = "treasurer", _("treasurer")
    APPROVER = "approver", _("approver")
    AUDITOR = "auditor", _("auditor")
    MEMBER = "member", _("member")


OFFICES = (Role.OWNER, Role.ORGANISER, Role.TREASURER, Role.APPROVER, Role.AUDITOR)
"""The roles that are given to a member; being a member is what is left without any."""


class Club(models.Model):
    """A club: its page, and how it is joined. ``founded_at`` is empty until somebody has set it up."""

    class Joining(models.TextChoices):
        CLOSED = "closed", _("by invitation alone")
        REQUEST = "request", _("by request or invitation")
        OPEN = "open", _("open to everybody with an account")

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=60)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)
    joining = models.CharField(
        _("how it is joined"), max_length=8, choices=Joining.choices, default=Joining.REQUEST
    )
    listed = models.BooleanField(_("others may see its page and its public events"), default=True)
    welcomes_guests = models.BooleanField(_("others may play and watch at its listed tables"), default=True)
    founded_at = models.DateTimeField(_("founded"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name", "pk"]
        permissions = [
            ("govern", _("May change the club's settings and give roles")),
            ("admit", _("May invite, admit, ban and unban members")),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="club_has_name"),
            models.CheckConstraint(condition=Q(slug__regex=r"^[a-z0-9][a-z0-9-]*$"), name="club_slug_form"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """What the site is called while it is this club's."""
        return self.name if self.founded_at else str(_("Card club"))


class Membership(models.Model):
    """One person in one club; who left or is banned keeps the row and has no roles."""

    class State(models.TextChoices):
        ACTIVE = "active", _("member")
        LEFT = "left", _("has left")
        BANNED = "banned", _("banned")

    club = models.ForeignKey(Club, models.PROTECT, related_name="memberships", verbose_name=_("club"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships", verbose_name=_("person")
    )
    roles = ArrayField(
        models.CharField(max_length=10, choices=Role.choices),
        verbose_name=_("roles"),
        default=list,
        blank=True,
    )
    state = models.CharField(_("state"), max_length=6, choices=State.choices, default=State.ACTIVE)
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)
    changed_at = models.DateTimeField(_("last change"), auto_now=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once"),
            models.CheckConstraint(
                condition=Q(roles__contained_by=[role.value for role in OFFICES]),
                name="membership_roles_known",
            ),
            models.CheckConstraint(
                condition=Q(state="active") | Q(roles=[]), name="membership_roles_of_the_active"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.club})"


class JoinRequest(models.Model):
    """Somebody asks to become a member; decided once."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", pgettext_lazy("request", "withdrawn")

    club = models.ForeignKey(Club, models.PROTECT, related_name="join_requests", verbose_name=_("club"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="join_requests", verbose_name=_("person")
    )
    message = models.TextField(_("message"), max_length=500, blank=True)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.WAITING)
    made_at = models.DateTimeField(_("asked"), auto_now_add=True)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)

    class Meta:
        verbose_name = _("request to join")
        verbose_name_plural = _("requests to join")
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(state="waiting"), name="join_request_waits_once"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at__isnull=True)
                | ~Q(state="waiting") & Q(decided_at__isnull=False),
                name="join_request_decided_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} → {self.club}"


class Invitation(models.Model):
    """A link by which people become members. Its secret part is derived from ``id`` and the site's key; here is its hash."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="invitations", verbose_name=_("club"))
    token_hash = models.BinaryField(_("hash of the token"), max_length=32, unique=True)
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("valid until"))
    max_uses = models.PositiveSmallIntegerField(_("for so many people"), default=1)
    uses = models.PositiveSmallIntegerField(_("used"), default=0)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(uses__lte=F("max_uses")), name="invitation_not_overused"),
            models.CheckConstraint(condition=Q(max_uses__range=(1, 500)), name="invitation_uses_range"),
            # Owners are made by owners, by name: a link can be passed on.
            models.CheckConstraint(condition=~Q(role="owner"), name="invitation_makes_no_owner"),
        ]

    def __str__(self) -> str:
        made = date_format(localtime(self.made_at), "SHORT_DATETIME_FORMAT")
        return f"{self.club}, {made}"


class Act(models.Model):
    """What somebody did with a club, its members and invitations. Never changed: only a forgotten person's name goes."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="acts", verbose_name=_("club"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    verb = models.CharField(_("act"), max_length=32)
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("about")
    )
    details = models.JSONField(_("details"), default=dict)
    at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("act of the club")
        verbose_name_plural = _("acts of the club")
        ordering = ["-at", "-pk"]
        default_permissions = ("view",)
        indexes = [models.Index(fields=["club", "-at"], name="act_of_club")]

    def __str__(self) -> str:
        return act_in_words(self.verb, self.details)
