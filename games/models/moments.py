"""What a table looked like a while ago, for those who watch with a delay."""

from __future__ import annotations

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.tables import Table


class Moment(models.Model):
    """The row and the seats of a table as one commit left them.

    Kept only at tables with a ``watch_delay``, and only while somebody who
    watches with the delay may still be shown it. Cards are not in it: they
    follow from the deal and the moves up to its ply.
    """

    table = models.ForeignKey(
        Table, verbose_name=_("table"), on_delete=models.CASCADE, related_name="moments"
    )
    version = models.PositiveBigIntegerField(_("version"))
    row = models.JSONField(_("the table's row"), encoder=DjangoJSONEncoder)
    seats = models.JSONField(_("the seats"), encoder=DjangoJSONEncoder)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("moment of a table")
        verbose_name_plural = _("moments of tables")
        constraints = [
            models.UniqueConstraint(fields=["table", "version"], name="moment_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} v{self.version}"
