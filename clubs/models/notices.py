"""What people are told, and in which ways they want to be told."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs.models.clubs import Club


class Notice(models.Model):
    """One thing that one person is told, once: ``key`` names the thing, so that telling it again changes nothing.

    ``kind`` and ``about`` are put into words when they are read (``clubs.selectors.kinds``), ``address`` is the
    page that it leads to. A mail about it leaves from ``mail_due_at`` on, unless it was read before.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices", verbose_name=_("person")
    )
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="+", verbose_name=_("club"))
    kind = models.CharField(_("kind"), max_length=20)
    key = models.CharField(_("what it is about"), max_length=120)
    about = models.JSONField(_("details"), default=dict)
    address = models.CharField(_("page"), max_length=200)
    told_at = models.DateTimeField(_("told"), auto_now_add=True)
    on_site = models.BooleanField(_("shown on the site"), default=True)
    read_at = models.DateTimeField(_("read, or over"), null=True, blank=True)
    mail_due_at = models.DateTimeField(_("mail leaves from"), null=True, blank=True)
    mailed_at = models.DateTimeField(_("mailed"), null=True, blank=True)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ["-told_at", "-pk"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="notice_told_once"),
            models.CheckConstraint(condition=~Q(kind="") & ~Q(key=""), name="notice_says_what"),
            # Whoever follows a notice stays on this site.
            models.CheckConstraint(condition=Q(address__regex=r"^/([^/\\]|$)"), name="notice_leads_home"),
            models.CheckConstraint(
                condition=Q(mail_due_at__isnull=True) | Q(mailed_at__isnull=True, read_at__isnull=True),
                name="notice_mailed_once",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-told_at"], condition=Q(on_site=True), name="notice_list"),
            models.Index(
                fields=["user"], condition=Q(on_site=True, read_at__isnull=True), name="notice_unread"
            ),
            models.Index(fields=["key"], condition=Q(read_at__isnull=True), name="notice_open"),
            models.Index(
                fields=["mail_due_at"], condition=Q(mail_due_at__isnull=False), name="notice_mail_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class NoticeSettings(models.Model):
    """How a person wants to be told; who has no row has chosen nothing and gets everything, mails at once."""

    class Mails(models.TextChoices):
        AT_ONCE = "at_once", pgettext_lazy("e-mails come", "at once")
        DAILY = "daily", _("once a day, together")
        OFF = "off", pgettext_lazy("e-mails come", "never")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_settings", verbose_name=_("person")
    )
    mails = models.CharField(_("e-mails"), max_length=7, choices=Mails.choices, default=Mails.AT_ONCE)
    quiet_site = ArrayField(
        models.CharField(max_length=20),
        verbose_name=_("kinds not shown on the site"),
        default=list,
        blank=True,
    )
    quiet_mail = ArrayField(
        models.CharField(max_length=20), verbose_name=_("kinds not sent by e-mail"), default=list, blank=True
    )

    class Meta:
        verbose_name = _("choice of notifications")
        verbose_name_plural = _("choices of notifications")
        default_permissions = ("view",)

    def __str__(self) -> str:
        return str(self.user)

    def mails_about(self, kind: str) -> bool:
        """Whether mails about things of a kind are wanted."""
        return self.mails != self.Mails.OFF and kind not in self.quiet_mail
