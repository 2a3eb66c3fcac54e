"""Years of the book that were closed, each once."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club

from .fields import ClockTimestamp


class ClosedYear(models.Model):
    """A year of a club's book with the file that proves it; never changed.

    ``closed_by`` is the random id of a person (``AccountOwner``). ``file`` is the file's place below the folder of
    archives, ``sha256`` (32 bytes) is over the file as it is; ``last_seal`` is the last seal in it.
    """

    club = models.ForeignKey(Club, models.PROTECT, related_name="+", verbose_name=_("club"))
    year = models.PositiveSmallIntegerField(_("year"))
    last_seal = models.BigIntegerField(_("last seal"))
    transactions = models.BigIntegerField(_("transactions"))
    postings = models.BigIntegerField(_("postings"))
    size = models.BigIntegerField(_("bytes"))
    sha256 = models.BinaryField(_("SHA-256"), max_length=32)
    file = models.CharField(_("file"), max_length=120, unique=True)
    closed_by = models.UUIDField(_("closed by"))
    closed_at = models.DateTimeField(_("closed"), db_default=ClockTimestamp())

    class Meta:
        verbose_name = _("closed year")
        verbose_name_plural = _("closed years")
        default_permissions = ("view",)
        constraints = [models.UniqueConstraint(fields=["club", "year"], name="year_closed_once")]

    def __str__(self) -> str:
        return f"{self.club} {self.year}"
