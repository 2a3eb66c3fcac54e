"""Exports: asking for one, seeing how far it is, and fetching the file that was recorded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.template.defaultfilters import filesizeformat
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext

from clubs.models import User
from clubs.views.asking import club_of
from ledger import selectors, services
from ledger.admin.looking import LookOnly
from ledger.errors import LedgerError
from ledger.forms import ExportForm
from ledger.models import Export
from ledger.services.drafts import CHUNK
from ledger.services.exported_postings import Wanted
from ledger.services.exports import progress_of, recorded_file, request_export
from ledger.tasks import export_book

RIGHT = "ledger.export_book"
TYPES = {"csv": "text/csv; charset=utf-8", "beancount": "text/plain; charset=utf-8"}


@admin.register(Export)
class ExportAdmin(LookOnly):
    """Who took what out of the book, and when; adding one asks for it."""

    list_display = ("numbered", "format", "what", "who", "requested_at", "came_of_it", "told_size")
    adding = _l("Export the book")
    nothing_yet = _l("Nothing has been taken out of the book yet.")
    list_select_related = ("result",)
    ordering = ("-id",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may export the book."""
        return request.user.has_perm(RIGHT)

    def prepare(self, rows: list[Any]) -> None:
        """Find out together who asked, and whose chips were asked for."""
        wanted = {row.pk: Wanted.from_json(row.chosen) for row in rows}
        names = selectors.names_of(
            owner for row in rows for owner in (row.requested_by, wanted[row.pk].owner)
        )
        for row in rows:
            row.who = names[row.requested_by]
            row.what = describe(wanted[row.pk], names)
            row.outcome = getattr(row, "result", None)

    @admin.display(description=_l("asked for by"))
    def who(self, row: Any) -> str:
        """Who asked."""
        return str(row.who)

    @admin.display(description=_l("what"))
    def what(self, row: Any) -> str:
        """What was asked for."""
        return ", ".join(f"{label} {value}" for label, value in row.what) or _("the whole book")

    @admin.display(description=_l("what came of it"))
    def came_of_it(self, row: Any) -> str:
        """The file's hash, or why there is none."""
        if row.outcome is None:
            return _("being made")
        return row.outcome.error or f"SHA-256 {bytes(row.outcome.sha256).hex()[:16]}…"

    @admin.display(description=_l("size"))
    def told_size(self, row: Any) -> str:
        """Bytes of the file."""
        return filesizeformat(row.outcome.size) if row.outcome and not row.outcome.error else ""

    def of_clubs(self, rows: QuerySet[Any], clubs: selectors.Clubs) -> QuerySet[Any]:
        """Exports of the chips of some clubs; those of the whole book are for whoever may read the whole book."""
        return rows.filter(chosen__club__in=list(clubs or ()))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Export]:
        """Exports with what came of them."""
        queryset: QuerySet[Export] = super().get_queryset(request)
        return queryset.select_related("result")

    def get_urls(self) -> list[URLPattern]:
        """Beside the export's page: the part that tells its progress, a second start, and the file."""
        view = self.admin_site.admin_view
        return [
            path("<int:number>/progress/", view(self.progress), name="ledger_export_progress"),
            path("<int:number>/restart/", view(self.restart), name="ledger_export_restart"),
            path("<int:number>/download/", view(self.download), name="ledger_export_download"),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for an export. Other pages link here with their filters filled in."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        assert isinstance(request.user, User)
        club = self._club_to_export(request)
        form = (
            ExportForm(request.POST, club=club)
            if request.method == "POST"
            else ExportForm(initial=request.GET.dict(), club=club)
        )
        if form.is_bound and form.is_valid():
            try:
                made = self._start(form, services.owner_of(user=request.user))
            except LedgerError as refusal:
                form.add_error(None, selectors.told(refusal))
            else:
                return HttpResponseRedirect(reverse("admin:ledger_export_change", args=[made.pk]))
        response = self.page(request, "admin/ledger/export_form.html", _("Export the book"), form=form)
        response.status_code = 422 if form.is_bound else 200
        return response

    def _club_to_export(self, request: HttpRequest) -> int | None:
        """The club whose chips the person may export, ``None`` for the whole book; of several the one that is shown."""
        clubs = selectors.readable_clubs(request.user, RIGHT)
        shown = club_of(request).pk
        return None if clubs is None else shown if shown in clubs else min(clubs)

    @transaction.atomic
    def _start(self, form: ExportForm, by: UUID) -> Export:
        made = request_export(format=form.cleaned_data["format"], wanted=form.wanted(), by=by)
        transaction.on_commit(partial(export_book.delay, made.pk))
        return made

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """One export: what was asked for, and how far it is or what came of it."""
        export = self.viewed(request, object_id)
        title = _("Export %(number)s") % {"number": export.pk}
        return self.page(request, "admin/ledger/export.html", title, **self._told(request, export))

    def progress(self, request: HttpRequest, number: int) -> HttpResponse:
        """The part of an export's page that changes, for the page to fetch again and again."""
        export = self.viewed(request, str(number))
        return self.page(request, "admin/ledger/export_progress.html", "", **self._told(request, export))

    def restart(self, request: HttpRequest, number: int) -> HttpResponse:
        """Hand an export out again that nobody is at: its worker may have been killed."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.get_queryset(request).filter(pk=number, result__isnull=True).exists():
            raise Http404
        export_book.delay(number)
        return HttpResponseRedirect(reverse("admin:ledger_export_change", args=[number]))

    def download(self, request: HttpRequest, number: int) -> HttpResponseBase:
        """The file, if it still is the one that was recorded."""
        if not request.user.has_perm(RIGHT):
            raise PermissionDenied
        export = self.viewed(request, str(number))
        if not self._may_fetch(request, export):
            raise PermissionDenied
        if getattr(export, "result", None) is None:
            raise Http404
        try:
            file = recorded_file(export.result)
        except LedgerError as refusal:
            messages.error(request, refusal.message)
            return HttpResponseRedirect(reverse("admin:ledger_export_change", args=[number]))
        response = StreamingHttpResponse(pieces(file), content_type=TYPES[export.format])
        response["Content-Length"] = str(export.result.size)
        response["Content-Disposition"] = f'attachment; filename="{export.result.file}"'
        return response

    def _told(self, request: HttpRequest, export: Any) -> dict[str, Any]:
        self.prepare([export])
        exports = self._may_fetch(request, export)
        return {"export": export, "progress": progress_of(export), "exports": exports}

    def _may_fetch(self, request: HttpRequest, export: Any) -> bool:
        """Whether the person may export what is in the file."""
        clubs = selectors.readable_clubs(request.user, RIGHT)
        return clubs is None or export.chosen.get("club") in clubs


def describe(wanted: Wanted, names: dict[UUID, str]) -> list[tuple[str, str]]:
    """What was asked for, as pairs of a label and its value."""
    pairs = [
        (_("account"), wanted.account),
        (_("member"), names[wanted.owner] if wanted.owner else ""),
        (_("source"), wanted.source_prefix),
        (_("kind"), wanted.kind),
        (_("chips"), wanted.asset),
        (pgettext("day", "from"), wanted.since),
        (pgettext("day", "to"), wanted.until),
    ]
    return [(label, str(value)) for label, value in pairs if value]


async def pieces(file: Path) -> AsyncIterator[bytes]:
    """A file in pieces, so that a large one is never in memory."""
    opened = await sync_to_async(lambda: file.open("rb"))()
    try:
        while piece := await sync_to_async(opened.read)(CHUNK):
            yield piece
    finally:
        await sync_to_async(opened.close)()
