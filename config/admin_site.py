"""The site of the admin: Django's own under the club's name, with the audit desk's front page."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _


class ClubAdmin(AdminSite):
    """Everything that is registered with ``admin.site``, and the audit desk above it."""

    site_title = _("Card club")
    site_header = _("Card club: the desk")
    index_title = _("What may be looked at and done here")
    empty_value_display = "–"
    # The tables of the desk need the width; the front page and the breadcrumbs lead everywhere.
    enable_nav_sidebar = False

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Put the audit desk before the pages of the models."""
        from ledger.admin.dashboard import dashboard

        return [
            path("ledger/dashboard/", self.admin_view(dashboard), name="ledger_dashboard"),
            *super().get_urls(),
        ]
