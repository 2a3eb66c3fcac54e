"""Transactions: the list, one with its postings, cause, seal and proof, and the request for its reversal."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from clubs.models import User
from ledger import selectors, services
from ledger.admin.looking import LookOnly, filtered_by
from ledger.admin.proofs import show_proof
from ledger.errors import LedgerError
from ledger.forms import ReasonForm, TransactionFilter
from ledger.models import Posting, Transaction
from ledger.services.adjustments import planned_reversal
from ledger.services.posting import LARGEST_ID
from ledger.wording import kind_name, sum_of

SHOWN_POSTINGS = 2
"""Postings of a transaction that its line in the list tells; more are hinted at."""


@admin.register(Transaction)
class TransactionAdmin(LookOnly):
    """Newest first. What is typed into the search is a number, a whole key, or the beginning of a source."""

    list_display = ("numbered", "at", "kind_name", "state", "moved", "shown_source", "seal")
    list_filter = (filtered_by(TransactionFilter),)
    list_select_related = ("leaf",)
    search_fields = ("id",)
    search_help_text = _l(
        "A transaction’s number, its whole key, or how its source begins. Whose chips moved: see the filter."
    )
    nothing_yet = _l("No chips have moved yet: the treasurer gives out the first at the treasurer’s desk.")
    ordering = ("-at", "-id")

    def of_clubs(self, rows: QuerySet[Any], clubs: selectors.Clubs) -> QuerySet[Any]:
        """Transactions of the chips of some clubs."""
        return selectors.moving_chips_of(rows, clubs)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Transaction], search_term: str
    ) -> tuple[QuerySet[Transaction], bool]:
        """Probe indexes instead of searching."""
        term = search_term.strip()
        if not term:
            return queryset, False
        found = selectors.searched(term)
        if found.looked_to is not None:
            messages.info(request, self._looked_to(found.looked_to))
        return queryset.filter(found.condition), False

    def _looked_to(self, at: datetime) -> str:
        moment = date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")
        return _("Many fit: looked back to %(at)s. The filter leads further back.") % {"at": moment}

    def prepare(self, rows: list[Any]) -> None:
        """Read the first postings of all rows together, and who is behind their accounts."""
        postings: dict[int, list[Posting]] = defaultdict(list)
        first = Posting.objects.filter(transaction__in=rows, n__lte=SHOWN_POSTINGS + 1).order_by("n")
        accounts = set()
        for posting in first.select_related("asset"):
            postings[posting.transaction_id].append(posting)
            accounts |= {posting.debit_id, posting.credit_id}
        names = selectors.account_names(accounts)
        sources = {row.source for row in rows}
        words = selectors.sources_in_words(sources)
        words |= {source: link.label for source, link in services.links_of_sources(sources).items()}
        for row in rows:
            row.source_words = words[row.source]
            row.shown_postings = [
                f"{names[p.debit_id]} → {names[p.credit_id]}: {sum_of(p.amount, p.asset)}"
                for p in postings[row.pk]
            ]

    @admin.display(description=_l("kind"))
    def kind_name(self, row: Transaction) -> str:
        """What it is called."""
        return kind_name(row.kind)

    @admin.display(description=_l("what moved"))
    def moved(self, row: Any) -> SafeString:
        """The first postings in words."""
        lines = row.shown_postings[:SHOWN_POSTINGS]
        if len(row.shown_postings) > SHOWN_POSTINGS:
            lines.append("…")
        return format_html("<span class='lines'>{}</span>", "\n".join(lines))

    @admin.display(description=_l("cause"))
    def shown_source(self, row: Any) -> SafeString:
        """The cause in words; one that nobody puts into words is cut short by the style sheet."""
        if row.source_words == row.source:
            return format_html("<code title='{}'>{}</code>", row.source, row.source)
        return format_html("<span title='{}'>{}</span>", row.source, row.source_words)

    @admin.display(description=_l("seal"))
    def seal(self, row: Transaction) -> str:
        """The seal's number, or that there is none yet."""
        return str(row.leaf.seal_id) if hasattr(row, "leaf") else _("not yet")

    def get_urls(self) -> list[URLPattern]:
        """The request for a reversal has a page of its own."""
        request_page = self.admin_site.admin_view(self.request_reversal)
        return [
            path("<int:number>/request/", request_page, name="ledger_transaction_request"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """One transaction, with a proof that is checked while the page is made."""
        found = self.viewed(request, object_id)
        relatives = selectors.relatives_of(found)
        open_request = next((each for each in relatives["adjustments"] if each.state == "requested"), None)
        context = {
            **relatives,
            "transaction": found,
            "postings": self._named_postings(found.pk),
            "note": getattr(found, "note", None),
            "cause": services.links_of_sources([found.source]).get(found.source),
            "source_words": selectors.sources_in_words([found.source])[found.source],
            "proof": show_proof(found.pk),
            "open_request": open_request,
            "may_request": self._may_request(request, found)
            and found.state in ("posted", "post")
            and open_request is None
            and not any(each.reverses_id == found.pk for each in relatives["linked"]),
        }
        title = _("Transaction %(number)s") % {"number": found.pk}
        return self.page(request, "admin/ledger/transaction.html", title, **context)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Transaction]:
        """Transactions with their notes where one is shown."""
        queryset: QuerySet[Transaction] = super().get_queryset(request)
        one = request.resolver_match is not None and "object_id" in request.resolver_match.kwargs
        return queryset.select_related("note") if one else queryset

    def request_reversal(self, request: HttpRequest, number: int) -> HttpResponse:
        """Ask for a reversal with a reason: the form with what the reversal would move, and asking."""
        if not self._may_request(request):
            raise PermissionDenied
        found = self.get_queryset(request).filter(pk=number).first() if number <= LARGEST_ID else None
        if found is not None and not self._may_request(request, found):
            raise PermissionDenied
        if found is None and selectors.readable_clubs(request.user) is not None:
            raise Http404
        assert isinstance(request.user, User)
        form = ReasonForm(request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            by = services.owner_of(user=request.user)
            reason = form.cleaned_data["reason"]
            try:
                asked = services.request_adjustment(transaction_id=number, requested_by=by, reason=reason)
            except LedgerError as refusal:
                form.add_error(None, selectors.told(refusal))
            else:
                messages.success(request, _("Asked for. Somebody else must approve it now."))
                return HttpResponseRedirect(reverse("admin:ledger_adjustment_change", args=[asked.pk]))
        try:
            plan = planned_reversal(transaction_id=number)
        except LedgerError as refusal:
            messages.error(request, selectors.told(refusal))
            return HttpResponseRedirect(reverse("admin:ledger_transaction_changelist"))
        title = _("Ask for the reversal of transaction %(number)s") % {"number": number}
        response = self.page(
            request, "admin/ledger/request.html", title, form=form, number=number, plan=name_plan(plan)
        )
        response.status_code = 422 if form.is_bound else 200
        return response

    def _may_request(self, request: HttpRequest, found: Transaction | None = None) -> bool:
        """Whether the person may ask for the reversal of a transaction; without one, of some transaction."""
        return self.has_view_permission(request) and request.user.has_perm("ledger.request_adjustment", found)

    def _named_postings(self, number: int) -> list[Posting]:
        """The postings, each with what its accounts are called as ``payer`` and ``payee``."""
        postings: list[Any] = selectors.postings_of(number)
        sides = [account for posting in postings for account in (posting.debit, posting.credit)]
        names = {name.id: name for name in selectors.name_accounts(sides)}
        for posting in postings:
            posting.payer, posting.payee = names[posting.debit_id], names[posting.credit_id]
        return postings


def name_plan(plan: list[Any]) -> list[dict[str, Any]]:
    """The postings of a planned reversal with what the accounts on both sides are called."""
    names = selectors.names_of(side.owner for entry in plan for side in (entry.payer, entry.payee))
    return [
        {
            "payer": entry.payer.called(names),
            "payee": entry.payee.called(names),
            "amount": entry.amount,
            "asset": entry.asset,
        }
        for entry in plan
    ]
