"""Files of archived logs in the admin, to look at."""

from __future__ import annotations

from django.contrib import admin

from clubs.admin.look_only import LookOnly
from games.models import ArchiveFile


@admin.register(ArchiveFile)
class ArchiveFileAdmin(LookOnly):
    """What was moved into which file, the newest first."""

    list_display = ("name", "club", "month", "part", "tables", "entries", "size", "made_at")
    list_select_related = ("club",)
    search_fields = ("=logs__table__id",)
    ordering = ("-id",)
    exclude = ("sha256", "manifest_sha256")
