"""Who takes part: people with an account, guests by name, bots."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.events import Tournament


class Entry(models.Model):
    """One player of an event, known there by ``number``.

    A substitute (``substitute`` or ``substitute_name``) plays in the player's place; results stay
    the entry's. ``present`` says that the player has checked in and has not left since.
    """

    class Status(models.TextChoices):
        ENTERED = "entered", _("entered")
        WAITING = "waiting", _("on the waiting list")
        WITHDRAWN = "withdrawn", _("withdrawn")
        NO_SHOW = "no_show", _("did not come")
        OUT = "out", _("knocked out")

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("event"), on_delete=models.PROTECT, related_name="entries"
    )
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("member"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="entries",
    )
    name = models.CharField(_("name"), max_length=60, blank=True)
    bot_level = models.CharField(_("bot's level"), max_length=16, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.ENTERED)
    present = models.BooleanField(_("checked in"), default=False)
    volunteers = models.BooleanField(_("would like to sit out"), default=False)
    first_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    leaving = models.BooleanField(_("leaves when the round is over"), default=False)
    substitute = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("substitute"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    substitute_name = models.CharField(_("substitute's name"), max_length=60, blank=True)
    place = models.PositiveSmallIntegerField(_("final place"), null=True, blank=True)
    fee_hold = models.PositiveBigIntegerField(_("entry fee set aside"), null=True, blank=True)
    fee_paid = models.BooleanField(_("entry fee paid"), default=False)
    waiting_since = models.PositiveBigIntegerField(
        _("action that put it on the waiting list"), null=True, blank=True
    )

    class Meta:
        verbose_name = pgettext_lazy("player of an event", "entry")
        verbose_name_plural = pgettext_lazy("players of an event", "entries")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entry_number_once"),
            models.UniqueConstraint(
                fields=["tournament", "user"], condition=Q(user__isnull=False), name="entry_user_once"
            ),
            models.UniqueConstraint(
                F("tournament"), Lower("name"), condition=~Q(name=""), name="entry_name_once"
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(bot_level=""), name="entry_person_or_bot"
            ),
            models.CheckConstraint(
                condition=Q(fee_hold__isnull=True) | Q(fee_paid=False), name="entry_fee_held_or_paid"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.shown_name}"

    @property
    def shown_name(self) -> str:
        """The player's name as lists show it; a person who was forgotten is a number."""
        if self.user is not None:
            return self.user.shown_name
        return self.name or str(_("Player %(number)s") % {"number": self.number})

    @property
    def played_by(self) -> str:
        """The name of who plays now: the substitute, if there is one."""
        if self.substitute is not None:
            return self.substitute.shown_name
        return self.substitute_name or self.shown_name

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays, which is never counted for prizes."""
        return bool(self.bot_level)

    @property
    def wins_chips(self) -> bool:
        """Whether prizes can be paid to it: chips are kept for accounts only, not for guests at the club."""
        return self.user_id is not None

    @property
    def counts(self) -> bool:
        """Whether the entry takes one of the event's places."""
        return self.status == self.Status.ENTERED


class KeptApart(models.Model):
    """Two entries that should not be drawn to one table (``first`` has the lower number)."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("event"), on_delete=models.PROTECT, related_name="kept_apart"
    )
    first = models.ForeignKey(Entry, verbose_name=_("player"), on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(
        Entry, verbose_name=_("other player"), on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("pair kept apart")
        verbose_name_plural = _("pairs kept apart")
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="kept_apart_once"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="kept_apart_are_two"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} | {self.second_id}"
