"""Seals with what they cover, and what the checks of the book have said."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from ledger import selectors
from ledger.admin.looking import LookOnly
from ledger.models import Seal, Verification
from ledger.tasks import verify_new
from ledger.wording import chips

LEAVES = 100


@admin.register(Seal)
class SealAdmin(LookOnly):
    """Seals, the newest first."""

    list_display = ("seq", "sealed_at", "told_count", "short_hash", "key_id")
    search_fields = ("seq",)
    search_help_text = _l("A seal’s number.")
    lead = _l(
        "Each seal closes the transactions before it: none of them can be changed afterwards without its showing."
    )
    nothing_yet = _l("Nothing has been sealed yet.")
    ordering = ("-seq",)

    @admin.display(description=_l("transactions"))
    def told_count(self, row: Seal) -> str:
        """How many it closes."""
        return chips(row.n)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Seal], search_term: str
    ) -> tuple[QuerySet[Seal], bool]:
        """Look a seal up by its number."""
        term = search_term.strip()
        if not term:
            return queryset, False
        known = term.isascii() and term.isdigit() and len(term) < 19
        return (queryset.filter(pk=int(term)) if known else queryset.none()), False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seal]:
        """Seals without the nodes of the tree, which no page shows."""
        queryset: QuerySet[Seal] = super().get_queryset(request)
        return queryset.defer("nodes")

    @admin.display(description=_l("hash"))
    def short_hash(self, row: Seal) -> str:
        """Its first bytes."""
        return f"{bytes(row.hash).hex()[:16]}…"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """One seal with the transactions in it, a hundred at a time."""
        seal: Seal = self.viewed(request, object_id)
        start = request.GET.get("from", "")
        first = int(start) if start.isascii() and start.isdigit() and len(start) < 10 else 0
        leaves = selectors.leaves_of(
            seal.pk, start=first, size=LEAVES, clubs=selectors.readable_clubs(request.user)
        )
        following = first + LEAVES if first + LEAVES < seal.n else None
        title = _("Seal %(number)s") % {"number": seal.pk}
        return self.page(
            request, "admin/ledger/seal.html", title, seal=seal, leaves=leaves, following=following
        )


@admin.register(Verification)
class VerificationAdmin(LookOnly):
    """Every finished check of the book, the latest first."""

    list_display = ("started_at", "passed", "scope", "told_count", "last_seal", "code", "took")
    list_filter = ("passed", "scope")
    lead = _l(
        "The book is checked by itself: what is new every hour, the whole every night, and the deals as they end. "
        "Here you can have what is new checked at once."
    )
    nothing_yet = _l("The book has not been checked yet; the first check comes within the hour.")
    fields = (
        *("passed", "scope", "since", "started_at", "took", "told_count", "last_seal"),
        *("code", "detail", "seal", "transaction", "account"),
    )
    ordering = ("-started_at",)

    def get_fields(self, request: HttpRequest, obj: Verification | None = None) -> Any:
        """What there is to tell: of a check that passed, nothing about a fault."""
        told = list(self.fields)
        if obj is None:
            return told
        about_fault = () if not obj.passed else ("code", "detail", "seal", "transaction", "account")
        from_where = () if obj.since is not None else ("since",)
        return [name for name in told if name not in (*about_fault, *from_where)]

    def get_urls(self) -> list[URLPattern]:
        """Beside the list: having the book checked."""
        check = path("check/", self.admin_site.admin_view(self.check_now), name="ledger_verification_check")
        return [check, *super().get_urls()]

    def check_now(self, request: HttpRequest) -> HttpResponse:
        """Have a worker check what is new in the book; the list shows what it says."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        transaction.on_commit(verify_new.delay)
        messages.success(request, _("The book is being checked. Look at this list again in a moment."))
        return HttpResponseRedirect(reverse("admin:ledger_verification_changelist"))

    @admin.display(description=_l("transactions checked"))
    def told_count(self, row: Verification) -> str:
        """How many were looked at."""
        return chips(row.transactions)

    @admin.display(description=_l("seconds"))
    def took(self, row: Verification) -> str:
        """How long it took."""
        return str(number_format((row.finished_at - row.started_at).total_seconds(), decimal_pos=1))
