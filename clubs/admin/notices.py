"""Notifications in the admin, to look at only: whether somebody was told, and what they chose."""

from __future__ import annotations

from django.contrib import admin

from clubs.admin.look_only import LookOnly
from clubs.models import Notice, NoticeSettings


@admin.register(Notice)
class NoticeAdmin(LookOnly):
    """What people were told."""

    list_display = ("kind", "user", "club", "told_at", "read_at", "mail_due_at", "mailed_at")
    list_filter = ("kind",)
    list_select_related = ("user", "club")
    search_fields = ("user__username", "user__display_name", "key")


@admin.register(NoticeSettings)
class NoticeSettingsAdmin(LookOnly):
    """How people want to be told."""

    list_display = ("user", "mails", "quiet_site", "quiet_mail")
    list_filter = ("mails",)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__display_name")
    club_path = "user__memberships__club"
