"""The site of the admin: Django's own, under the club's name."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.utils.translation import gettext_lazy as _


class ClubAdmin(AdminSite):
    """Everything that is registered with ``admin.site``."""

    site_title = _("Card club")
    site_header = _("Card club: the desk")
    index_title = _("What may be looked at and done here")
    empty_value_display = "–"
