"""Exports: who took which part of the book out of the site, when, and exactly what they got."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .fields import ClockTimestamp


class Export(models.Model):
    """A request for a file; never changed. What came of it is an ``ExportResult``.

    ``chosen`` holds what was asked for, by the names of ``ledger.services.exports.Wanted``.
    """

    class Format(models.TextChoices):
        CSV = "csv", _("postings as CSV")
        BEANCOUNT = "beancount", _("the whole book for Beancount")

    format = models.CharField(_("format"), max_length=9, choices=Format)
    chosen = models.JSONField(_("what was asked for"), default=dict)
    requested_by = models.UUIDField(_("asked for by"))
    requested_at = models.DateTimeField(_("asked for"), db_default=ClockTimestamp())

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        default_permissions = ("view",)
        constraints = [
            models.CheckConstraint(condition=Q(format__in=["csv", "beancount"]), name="export_format")
        ]

    def __str__(self) -> str:
        return f"{self.get_format_display()} {self.pk}"


class ExportResult(models.Model):
    """What came of an export: a file with its SHA-256 (32 bytes), or why there is none; never changed.

    ``rows`` counts postings (CSV) or transactions (Beancount); ``last_transaction`` and
    ``last_seal`` say up to where the book went when it was read.
    """

    export = models.OneToOneField(
        Export, models.PROTECT, primary_key=True, related_name="result", verbose_name=_("export")
    )
    started_at = models.DateTimeField(_("started"))
    finished_at = models.DateTimeField(_("finished"), db_default=ClockTimestamp())
    rows = models.BigIntegerField(_("rows"), default=0)
    size = models.BigIntegerField(_("bytes"), default=0)
    sha256 = models.BinaryField(_("SHA-256"), max_length=32, null=True)
    file = models.CharField(_("file"), max_length=120, blank=True)
    last_transaction = models.BigIntegerField(_("last transaction"), null=True)
    last_seal = models.BigIntegerField(_("last seal"), null=True)
    error = models.CharField(_("what went wrong"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("result of an export")
        verbose_name_plural = _("results of exports")
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                condition=(Q(error="", sha256__isnull=False) & ~Q(file=""))
                | (~Q(error="") & Q(sha256__isnull=True, file="")),
                name="export_file_or_error",
            )
        ]

    def __str__(self) -> str:
        return self.file or self.error
