"""Seals with what they cover, and what the checks of the book have said."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from ledger import selectors
from ledger.admin.looking import ChoiceLinks, LookOnly, YesNoLinks
from ledger.models import Seal, Verification

LEAVES = 100


@admin.register(Seal)
class SealAdmin(LookOnly):
    """Seals, the newest first."""

    list_display = ("seq", "sealed_at", "n", "epoch", "short_hash", "key_id")
    search_fields = ("seq",)
    search_help_text = _l("A seal's number.")
    ordering = ("-seq",)

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

    list_display = ("started_at", "scope", "passed", "transactions", "last_seal", "code", "took")
    list_filter = (("passed", YesNoLinks), ("scope", ChoiceLinks))
    ordering = ("-started_at",)

    @admin.display(description=_l("seconds"))
    def took(self, row: Verification) -> str:
        """How long it took."""
        return number_format((row.finished_at - row.started_at).total_seconds(), decimal_pos=1)
