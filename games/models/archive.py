"""Where the logs of old tables are that were moved out of the database into files."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from games.models.tables import Table


class ArchiveFile(models.Model):
    """A file with the logs of tables of one club that finished in one month (of UTC); never changed.

    ``name`` is its place below the folder of archives and carries the beginning of its hash; the manifest beside
    it has the same name with another ending. Both hashes are SHA-256, 32 bytes.
    """

    club = models.ForeignKey(Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="+")
    month = models.DateField(_("month"))
    part = models.PositiveIntegerField(_("part"))
    name = models.CharField(_("file"), max_length=120, unique=True)
    size = models.PositiveBigIntegerField(_("bytes"))
    sha256 = models.BinaryField(_("SHA-256"), max_length=32)
    manifest_sha256 = models.BinaryField(_("SHA-256 of the manifest"), max_length=32)
    tables = models.PositiveIntegerField(_("tables"))
    entries = models.PositiveBigIntegerField(_("log entries"))
    made_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("archive file")
        verbose_name_plural = _("archive files")
        default_permissions = ("view",)
        ordering = ["club", "month", "part"]
        constraints = [
            models.UniqueConstraint(fields=["club", "month", "part"], name="archive_part_once"),
            models.CheckConstraint(condition=Q(tables__gt=0, entries__gt=0), name="archive_not_empty"),
        ]

    def __str__(self) -> str:
        return self.name


class ArchivedLog(models.Model):
    """Where in a file the log of one table stands, up to ``last_version``; never changed.

    ``sha256`` is over its lines. ``spans`` has [deal or null, first version, last version] for each stretch of
    the log, so that the deal of a version is known without opening the file.
    """

    table = models.OneToOneField(
        Table,
        verbose_name=_("table"),
        on_delete=models.PROTECT,
        primary_key=True,
        related_name="archived",
    )
    file = models.ForeignKey(
        ArchiveFile, verbose_name=_("archive file"), on_delete=models.PROTECT, related_name="logs"
    )
    offset = models.PositiveBigIntegerField(_("begins at byte"))
    length = models.PositiveBigIntegerField(_("bytes"))
    entries = models.PositiveIntegerField(_("log entries"))
    last_version = models.PositiveBigIntegerField(_("last version"))
    sha256 = models.BinaryField(_("SHA-256"), max_length=32)
    spans = models.JSONField(_("versions by deal"))

    class Meta:
        verbose_name = _("archived log")
        verbose_name_plural = _("archived logs")
        default_permissions = ()
        constraints = [
            models.CheckConstraint(condition=Q(entries__gt=0, length__gt=0), name="archived_log_not_empty")
        ]

    def __str__(self) -> str:
        return f"{self.table_id} in {self.file_id}"
