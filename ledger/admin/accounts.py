"""Assets, accounts with their statements, and the record of credit lines."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from ledger import selectors, services
from ledger.admin.looking import LookOnly, filtered_by
from ledger.forms import AccountFilter, LinesFilter
from ledger.models import Account, Asset, CreditLine
from ledger.services.posting import LARGEST_ID
from ledger.wording import chips, sum_of

LINES = 50


@admin.register(Asset)
class AssetAdmin(LookOnly):
    """What is counted. Assets are made by the services that need them."""

    list_display = ("code", "club", "scale")
    fields = list_display
    nothing_yet = _l("There are no chips yet: the treasurer makes the first kind at the treasurer’s desk.")
    list_select_related = ("club",)
    club_path = "club"
    ordering = ("code",)


@admin.register(Account)
class AccountAdmin(LookOnly):
    """Accounts by number; an account's page is its statement."""

    list_display = ("numbered", "called", "shown_balance", "on_hold", "lowest", "moved_at", "closed_at")
    list_display_links = ("called",)
    list_filter = (filtered_by(AccountFilter),)
    list_select_related = ("asset",)
    search_fields = ("id",)
    search_help_text = _l("A member’s name, or the number of an account, a table or a tournament.")
    nothing_yet = _l(
        "No account has been opened yet: that happens when the treasurer gives out the first chips."
    )
    ordering = ("-id",)
    club_path = "asset__club"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Account], search_term: str
    ) -> tuple[QuerySet[Account], bool]:
        """Look accounts up by key."""
        term = search_term.strip()
        clubs = selectors.readable_clubs(request.user)
        return (queryset.filter(_searched(term, clubs)) if term else queryset), False

    def prepare(self, rows: list[Any]) -> None:
        """Find out together who is behind the accounts."""
        for row, name in zip(rows, selectors.name_accounts(rows), strict=True):
            row.called = name

    @admin.display(description=_l("account"))
    def called(self, row: Any) -> str:
        """Kind and whose it is."""
        return str(row.called)

    @admin.display(description=_l("balance"))
    def shown_balance(self, row: Account) -> str:
        """Chips in it."""
        return sum_of(row.balance, row.asset)

    @admin.display(description=_l("on hold"))
    def on_hold(self, row: Account) -> str:
        """Chips set aside on their way out."""
        return chips(row.debits_pending, row.asset) if row.debits_pending else ""

    @admin.display(description=_l("lowest balance"))
    def lowest(self, row: Account) -> str:
        """How far down it may go."""
        return _("none") if row.min_balance is None else chips(row.min_balance, row.asset)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """An account's statement: newest first, from the place on that the address names."""
        account: Account = self.viewed(request, object_id)
        [name] = selectors.name_accounts([account])
        filters = LinesFilter(request.GET)
        filters.fields["member"].clubs = selectors.readable_clubs(request.user)  # type: ignore[attr-defined]
        after = selectors.read_place(request.GET.get("at", ""), request.GET.get("seq", ""))
        page = selectors.statement(account.pk, size=LINES, after=after, **filters.wanted())
        others = selectors.account_names(line.other for line in page.lines)
        causes = services.links_of_sources(line.source for line in page.lines)
        words = selectors.sources_in_words(line.source for line in page.lines)
        query = request.GET.copy()
        for gone in ("at", "seq"):
            query.pop(gone, None)
        context = {
            "account": account,
            "name": name,
            "filters": filters,
            "filtered": filters.has_changed(),
            "lines": [
                (line, others[line.other], causes.get(line.source), words[line.source]) for line in page.lines
            ],
            "following": page.following,
            "few": len(page.lines) < LINES,
            "query": query.urlencode(),
            "exports": request.user.has_perm("ledger.export_book", account),
        }
        return self.page(request, "admin/ledger/account.html", str(name), **context)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        """Accounts with their asset, which every amount needs."""
        queryset: QuerySet[Account] = super().get_queryset(request)
        return queryset.select_related("asset")


@admin.register(CreditLine)
class CreditLineAdmin(LookOnly):
    """Every change of a wallet's floor."""

    list_display = ("at", "wallet", "told_previous", "told_credit", "who", "reason")
    list_select_related = ("account__asset",)
    fields = ("at", "wallet", "told_previous", "told_credit", "who", "reason")
    readonly_fields = fields
    nothing_yet = _l("No wallet may go below zero. The treasurer sets credit lines at the treasurer’s desk.")
    ordering = ("-id",)
    club_path = "account__asset__club"

    def prepare(self, rows: list[Any]) -> None:
        """Find out together whose wallets they are and who set the lines."""
        names = selectors.names_of(owner for row in rows for owner in (row.account.owner, row.set_by))
        for row in rows:
            row.names = names

    def heading(self, row: Any) -> str:
        """Whose credit line."""
        return self.wallet(row)

    @admin.display(description=_l("previous credit line"))
    def told_previous(self, row: CreditLine) -> str:
        """How far down the wallet might go before."""
        return chips(row.previous, row.account.asset)

    @admin.display(description=_l("credit line"))
    def told_credit(self, row: CreditLine) -> str:
        """How far down it may go since."""
        return chips(row.credit, row.account.asset)

    @admin.display(description=_l("wallet"))
    def wallet(self, row: Any) -> str:
        """Whose wallet."""
        return _("%(name)s, %(asset)s") % {
            "name": self._name(row, row.account.owner),
            "asset": row.account.asset.code,
        }

    @admin.display(description=_l("set by"))
    def who(self, row: Any) -> str:
        """Who changed it."""
        return self._name(row, row.set_by)

    def _name(self, row: Any, owner: UUID) -> str:
        if not hasattr(row, "names"):
            self.prepare([row])
        return str(row.names[owner])


def _searched(term: str, clubs: selectors.Clubs) -> Q:
    """Which accounts are meant. Names are looked up among people, who are few, never over the rows of the book."""
    if term.isascii() and term.isdigit() and len(term) < 20:
        return Q(pk=min(int(term), LARGEST_ID))
    return Q(owner__in=selectors.owners_called(term, clubs=clubs)) | Q(ref__startswith=term)
