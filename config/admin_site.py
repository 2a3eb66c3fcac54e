"""The site of the admin: Django's own under the club's name, with the audit desk's front page."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.contrib.contenttypes.views import shortcut
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from clubs.selectors import enters_desk


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
            path(
                "r/<path:content_type_id>/<path:object_id>/", self.admin_view(_on_site), name="view_on_site"
            ),
            *super().get_urls(),
        ]

    def has_permission(self, request: HttpRequest) -> bool:
        """Let in who is staff of the site, and who has a right of the desk by a role in some club."""
        return enters_desk(request.user)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send strangers and guests to the site's own door, where the second step and the limits are; whom the admin lets
        in has nothing to do here."""
        if self.has_permission(request):
            return redirect("admin:index")
        if getattr(request.user, "is_guest", False):
            return redirect_to_login(request.GET.get("next", request.path))
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A keeper's password is changed where everybody's is."""
        return redirect("account_change_password")

    def password_change_done(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Nobody is sent here: the page would say that a password was changed, and none was."""
        return redirect("account_change_password")


def _on_site(request: HttpRequest, content_type_id: str, object_id: str) -> HttpResponse:
    """Send on to a thing's page on the site, as Django does; an id that is none of its kind is not found, and no fault."""
    try:
        answer: HttpResponse = shortcut(request, content_type_id, object_id)
    except ValidationError as error:
        raise Http404 from error
    return answer
