"""What people say at tables, whom they do not want to hear, what they report, and what organisers do about it.

Nobody's name is kept here: names are looked up when a line is shown, so that
the lines of an erased member lose theirs.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.models import FIRST_CLUB, Club
from games.models.tables import Table
from games.phrases import PHRASES

TEXT_CHARACTERS = 200
NOTE_CHARACTERS = 1000


class ChatLine(models.Model):
    """One line said at a table: a text, or the code of a phrase that each reader sees in the own language.

    Ids of one table rise in the order in which its lines were committed, because
    they are given under the table's lock.
    """

    class Room(models.TextChoices):
        TABLE = "table", _("table")
        WATCHERS = "watchers", _("watchers")

    table = models.ForeignKey(
        Table, verbose_name=_("table"), on_delete=models.CASCADE, related_name="chat", db_index=False
    )
    room = models.CharField(_("room"), max_length=8, choices=Room.choices)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="chat_lines",
        db_index=False,
    )
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    text = models.CharField(_("text"), max_length=TEXT_CHARACTERS, blank=True)
    phrase = models.CharField(_("phrase"), max_length=24, blank=True)
    command_id = models.UUIDField(_("command"), null=True, blank=True)
    at = models.DateTimeField(_("time"))
    hidden_at = models.DateTimeField(_("hidden"), null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("hidden by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(room__in=["table", "watchers"]), name="chat_room"),
            models.CheckConstraint(
                condition=Q(text="") & ~Q(phrase="") | ~Q(text="") & Q(phrase=""), name="chat_text_or_phrase"
            ),
            models.CheckConstraint(
                condition=~Q(text__regex=r"[\u0001-\u001F\u007F-\u009F]"), name="chat_no_control_characters"
            ),
            models.CheckConstraint(
                condition=Q(room="table", seat__isnull=False) | Q(room="watchers", seat__isnull=True),
                name="chat_members_speak_from_seats",
            ),
            models.CheckConstraint(
                condition=Q(hidden_by__isnull=True) | Q(hidden_at__isnull=False), name="chat_hidden_by_when"
            ),
            models.UniqueConstraint(
                fields=["author", "command_id"],
                condition=Q(command_id__isnull=False),
                name="chat_command_once",
            ),
        ]
        indexes = [
            models.Index(fields=["table", "id"], name="chat_of_table"),
            models.Index(fields=["author", "at"], name="chat_of_author"),
            models.Index(fields=["at"], name="chat_age"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.room} {self.pk}"

    @property
    def words(self) -> str:
        """What was said, a phrase in the active language."""
        return str(PHRASES.get(self.phrase, self.phrase)) if self.phrase else self.text


class ChatMute(models.Model):
    """One person does not want to read another, at any table. The other is not told."""

    muter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes", db_index=False
    )
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("mute")
        verbose_name_plural = _("mutes")
        constraints = [
            models.UniqueConstraint(fields=["muter", "muted"], name="mute_once"),
            models.CheckConstraint(condition=~Q(muter=F("muted")), name="mute_another"),
        ]

    def __str__(self) -> str:
        return f"{self.muter_id} / {self.muted_id}"


class Report(models.Model):
    """Somebody tells the organisers of lines or of a deal; the lines are copied, so that they outlive the chat.

    ``evidence`` is a list of ``{"id", "room", "seat", "author", "text", "phrase", "at"}``;
    ``author`` is a person's id and ``at`` is ISO 8601.
    """

    class Reason(models.TextChoices):
        ABUSE = "abuse", _("insults or threats")
        SPAM = "spam", _("advertising or flooding")
        HINTS = "hints", _("telling others what cards somebody holds")
        SUSPICION = "suspicion", _("suspicious play")
        BEHAVIOUR = "behaviour", _("stalling or other bad behaviour")
        BUG = "bug", _("something on the site went wrong")
        OTHER = "other", _("something else")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("report", "open")
        HANDLED = "handled", _("handled")

    class Decision(models.TextChoices):
        SILENCED = "silenced", _("the person was silenced")
        DISMISSED = "dismissed", _("dismissed")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("reported by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="reports",
    )
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("about"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    table = models.ForeignKey(
        Table, verbose_name=_("table"), on_delete=models.CASCADE, related_name="reports"
    )
    deal_number = models.PositiveIntegerField(_("deal"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=12, choices=Reason.choices)
    note = models.CharField(_("note"), max_length=NOTE_CHARACTERS, blank=True)
    evidence = models.JSONField(_("lines"), default=list, blank=True)
    at = models.DateTimeField(_("time"), auto_now_add=True)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.OPEN)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("handled by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    handled_at = models.DateTimeField(_("handled"), null=True, blank=True)
    decision = models.CharField(_("decision"), max_length=10, choices=Decision.choices, blank=True)
    decision_note = models.CharField(_("why"), max_length=NOTE_CHARACTERS, blank=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        permissions = [("handle_reports", _("May handle reports, hide lines and silence people"))]
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="open", handled_at__isnull=True, handled_by__isnull=True, decision="")
                | Q(state="handled", handled_at__isnull=False, decision__in=["silenced", "dismissed"]),
                name="report_handled_with_decision",
            ),
            models.CheckConstraint(
                condition=Q(reporter__isnull=True) | Q(reported__isnull=True) | ~Q(reporter=F("reported")),
                name="report_another",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(state="open"), name="report_open"),
            models.Index(fields=["handled_at"], condition=Q(state="handled"), name="report_handled"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.get_reason_display()}"


class Silence(models.Model):
    """A person may not write, at one table or (without a table) at any of the club, until a moment."""

    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="+", default=FIRST_CLUB
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="silences"
    )
    table = models.ForeignKey(
        Table, verbose_name=_("table"), null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    until = models.DateTimeField(_("until"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("silenced by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    why = models.CharField(_("why"), max_length=NOTE_CHARACTERS)
    at = models.DateTimeField(_("time"), auto_now_add=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)

    class Meta:
        verbose_name = _("silence")
        verbose_name_plural = _("silences")
        constraints = [
            models.CheckConstraint(condition=Q(until__gt=F("at")), name="silence_lasts"),
            models.CheckConstraint(condition=~Q(why=""), name="silence_has_a_reason"),
        ]
        indexes = [models.Index(fields=["until"], name="silence_until")]

    def __str__(self) -> str:
        until = date_format(localtime(self.until), "SHORT_DATETIME_FORMAT")
        return gettext("%(person)s, until %(until)s") % {"person": self.user, "until": until}


class OrganiserAct(models.Model):
    """What an organiser did about people and lines: who, when, why. Written once, by the services alone."""

    class Kind(models.TextChoices):
        SILENCE = "silence", _("silenced somebody")
        LIFT = "lift", _("lifted a silence")
        DISMISS = "dismiss", _("dismissed a report")
        HIDE = "hide", _("hid a line")

    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="+", default=FIRST_CLUB
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    kind = models.CharField(_("act"), max_length=8, choices=Kind.choices)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("about"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    table = models.ForeignKey(
        Table, verbose_name=_("table"), null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    report = models.ForeignKey(
        Report,
        verbose_name=_("report"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="acts",
    )
    why = models.CharField(_("why"), max_length=NOTE_CHARACTERS)
    at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("organiser's act")
        verbose_name_plural = _("organisers' acts")
        ordering = ["-id"]
        constraints = [models.CheckConstraint(condition=~Q(why=""), name="act_has_a_reason")]
        indexes = [models.Index(fields=["at"], name="act_age")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {date_format(localtime(self.at), 'SHORT_DATETIME_FORMAT')}"
