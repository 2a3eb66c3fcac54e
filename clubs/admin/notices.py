"""Notifications in the admin, to look at only: whether somebody was told, and what they chose."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from clubs.admin.clubs import BY_NAME
from clubs.admin.look_only import LookOnly, in_words
from clubs.models import Notice, NoticeSettings
from clubs.selectors.kinds import is_kind, kind_of


@admin.register(Notice)
class NoticeAdmin(LookOnly):
    """What people were told."""

    list_display = ("told_at", "title", "user", "club", "read_at", "mail_due_at", "mailed_at")
    fields = (
        *("user", "club", "title", "sentence", "page", "told_at", "on_site"),
        *("read_at", "mail_due_at", "mailed_at"),
    )
    list_filter = (("kind", in_words(lambda kind: _titled(kind))),)
    list_select_related = ("user", "club")
    search_fields = ("user__username", "user__display_name", "key")
    search_help_text = BY_NAME
    nothing_yet = _("Nobody has been told anything yet.")

    def heading(self, row: Notice) -> str:
        """What was told."""
        return self.sentence(row)

    @admin.display(description=_("kind"), ordering="kind")
    def title(self, notice: Notice) -> str:
        """What its kind is called."""
        return _titled(notice.kind)

    @admin.display(description=_("what it says"))
    def sentence(self, notice: Notice) -> str:
        """The words that the person reads; those of a kind that was given up are gone."""
        return kind_of(notice.kind).sentence(notice.about) if is_kind(notice.kind) else notice.kind

    @admin.display(description=_("page"))
    def page(self, notice: Notice) -> str:
        """Where it leads."""
        return format_html('<a href="{0}">{0}</a>', notice.address)


@admin.register(NoticeSettings)
class NoticeSettingsAdmin(LookOnly):
    """How people want to be told."""

    list_display = ("user", "mails", "not_on_site", "not_by_mail")
    fields = list_display
    list_filter = ("mails",)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__display_name")
    search_help_text = BY_NAME
    club_path = "user__memberships__club"
    nothing_yet = _("Nobody has chosen anything: everybody is told everything, by e-mail at once.")

    @admin.display(description=_("kinds not shown on the site"))
    def not_on_site(self, chosen: NoticeSettings) -> str:
        """Their names."""
        return _all_titled(chosen.quiet_site)

    @admin.display(description=_("kinds not sent by e-mail"))
    def not_by_mail(self, chosen: NoticeSettings) -> str:
        """Their names."""
        return _all_titled(chosen.quiet_mail)


def _titled(kind: str) -> str:
    return str(kind_of(kind).title) if is_kind(kind) else kind


def _all_titled(kinds: Iterable[str]) -> str:
    return "; ".join(_titled(kind) for kind in kinds) or "–"
