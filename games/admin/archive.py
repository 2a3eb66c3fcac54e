"""Files of archived logs in the admin, to look at."""

from __future__ import annotations

from django.contrib import admin
from django.template.defaultfilters import filesizeformat
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from clubs.admin.look_only import LookOnly
from games.models import ArchiveFile


@admin.register(ArchiveFile)
class ArchiveFileAdmin(LookOnly):
    """What was moved into which file, the newest first."""

    list_display = ("name", "club", "told_month", "tables", "entries", "told_size", "made_at")
    fields = ("name", "club", "told_month", "part", "tables", "entries", "told_size", "made_at")
    list_select_related = ("club",)
    search_fields = ("=logs__table__id",)
    ordering = ("-id",)
    search_help_text = _l("The whole number of a table, as in its address.")
    nothing_yet = _l("No log is old enough to have been moved into a file.")

    def heading(self, row: ArchiveFile) -> str:
        """Whose logs of when it has; its name is long, and stands below."""
        return f"{row.club}, {self.told_month(row)}, {_('part')} {row.part}"

    @admin.display(description=_l("month"), ordering="month")
    def told_month(self, file: ArchiveFile) -> str:
        """The month without a day: the first one stands for it in the table."""
        return date_format(file.month, "YEAR_MONTH_FORMAT")

    @admin.display(description=_l("size"), ordering="size")
    def told_size(self, file: ArchiveFile) -> str:
        """Its bytes, shortened."""
        return filesizeformat(file.size)
