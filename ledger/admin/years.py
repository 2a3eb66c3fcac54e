"""Closed years with their files, for whoever keeps the club's papers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.defaultfilters import filesizeformat
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from ledger import selectors
from ledger.admin.exports import RIGHT, pieces
from ledger.admin.looking import LookOnly
from ledger.errors import LedgerError
from ledger.models import ClosedYear
from ledger.services.closing_years import year_file
from ledger.wording import chips


@admin.register(ClosedYear)
class ClosedYearAdmin(LookOnly):
    """Which years of which club were closed, by whom, and the file's hash."""

    list_display = ("year", "club", "told_count", "closed_at", "who", "digest", "fetch")
    fields = (
        *("year", "club", "told_count", "told_postings", "last_seal"),
        *("closed_at", "who", "digest", "fetch"),
    )
    list_select_related = ("club",)
    ordering = ("-year", "club")
    club_path = "club"
    nothing_yet = _l(
        "No year has been closed yet. Whoever runs the site closes one with the command close_ledger_year when its last day "
        "is over; its file then stays here."
    )

    @admin.display(description=_l("transactions"))
    def told_count(self, row: ClosedYear) -> str:
        """How many it has."""
        return chips(row.transactions)

    @admin.display(description=_l("postings"))
    def told_postings(self, row: ClosedYear) -> str:
        """How many lines they have."""
        return chips(row.postings)

    def prepare(self, rows: list[Any]) -> None:
        """Find out together who closed the years."""
        names = selectors.names_of(row.closed_by for row in rows)
        for row in rows:
            row.who = names[row.closed_by]

    @admin.display(description=_l("closed by"))
    def who(self, row: Any) -> str:
        """Who closed it: found out together for a list, by itself for a page."""
        known = getattr(row, "who", None)
        return str(known or selectors.names_of([row.closed_by])[row.closed_by])

    @admin.display(description=_l("SHA-256 of the file"))
    def digest(self, row: ClosedYear) -> str:
        """The whole hash, to be compared with a file or a printed page."""
        return format_html("<code>{}</code>", bytes(row.sha256).hex())

    @admin.display(description=_l("file"))
    def fetch(self, row: ClosedYear) -> str:
        """The way to the file."""
        address = reverse("admin:ledger_closedyear_download", args=[row.pk])
        return format_html(
            '<a href="{}">{}</a>', address, _("Download (%(size)s)") % {"size": filesizeformat(row.size)}
        )

    def get_urls(self) -> list[URLPattern]:
        """Beside the list: the file."""
        view = self.admin_site.admin_view
        download = path("<int:number>/download/", view(self.download), name="ledger_closedyear_download")
        return [download, *super().get_urls()]

    def download(self, request: HttpRequest, number: int) -> HttpResponseBase:
        """The file, if it still is the one that was recorded."""
        if not request.user.has_perm(RIGHT):
            raise PermissionDenied
        closed: ClosedYear = self.viewed(request, str(number))
        clubs = selectors.readable_clubs(request.user, RIGHT)
        if clubs is not None and closed.club_id not in clubs:
            raise PermissionDenied
        try:
            file = year_file(closed)
        except LedgerError as refusal:
            messages.error(request, refusal.message)
            return HttpResponseRedirect(reverse("admin:ledger_closedyear_changelist"))
        response = StreamingHttpResponse(pieces(file), content_type="application/gzip")
        response["Content-Length"] = str(closed.size)
        response["Content-Disposition"] = f'attachment; filename="{closed.file}"'
        return response
