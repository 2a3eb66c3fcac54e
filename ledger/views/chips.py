"""A member's own chips, and statements of accounts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.db.models import F
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import User
from ledger import selectors, services
from ledger.charts import bars
from ledger.forms import StatementFilter
from ledger.models import Account
from ledger.services.spreadsheets import csv_text
from ledger.views.asking import readable_account

LINES = 50
CSV_LINES = 500
CSV_COLUMNS = ("at", "seq", "transaction", "kind", "state", "amount", "held", "balance", "source", "note")
WALLETS_WITH_LINES = 3
DAYS = 30
"""Days of which the chart of a wallet tells."""


@login_required
@require_safe
def own_chips(request: HttpRequest) -> HttpResponse:
    """A member's wallets, those that moved last with their latest lines."""
    assert isinstance(request.user, User)
    wallets = [] if request.user.is_guest else _wallets_of(request.user)
    first, others = wallets[:WALLETS_WITH_LINES], wallets[WALLETS_WITH_LINES:]
    latest = [
        (wallet, _with_causes(selectors.statement(wallet.id, size=8).lines), bars(_last_days(wallet)))
        for wallet in first
    ]
    return render(request, "ledger/own_chips.html", {"wallets": latest, "others": others})


@login_required
@require_safe
def statement(request: HttpRequest, account: int) -> HttpResponse:
    """One account's lines, newest first, for its owner and for those who may read the whole book."""
    found = readable_account(request, account)
    filters = StatementFilter(request.GET)
    page = selectors.statement(
        account,
        size=LINES,
        after=selectors.read_place(request.GET.get("at", ""), request.GET.get("seq", "")),
        **filters.wanted(),
    )
    query = _query_without_place(request)
    assert isinstance(request.user, User)
    [name] = selectors.name_accounts([found])
    context = {
        "account": found,
        "name": name,
        "own": found.owner == services.owner_of(user=request.user),
        "page": page,
        "lines": _with_causes(page.lines),
        "filters": filters,
        "query": query,
        "size": LINES,
    }
    return render(request, "ledger/statement.html", context)


@login_required
@require_safe
def statement_csv(request: HttpRequest, account: int) -> HttpResponse | StreamingHttpResponse:
    """The same lines as a file for a spreadsheet."""
    readable_account(request, account)
    wanted = StatementFilter(request.GET).wanted()
    response = StreamingHttpResponse(_csv_pages(account, wanted), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="statement-{account}.csv"'
    return response


def _last_days(wallet: Account) -> list[tuple[date, int]]:
    """The balance at the end of each of the last ``DAYS`` days, today's being the one of now."""
    today = timezone.localdate()
    return selectors.balances_by_day(wallet.pk, [today - timedelta(days=back) for back in range(DAYS)])


def _wallets_of(user: User) -> list[Account]:
    wallets = selectors.accounts_of(services.owner_of(user=user)).filter(kind=Account.Kind.WALLET)
    return list(wallets.order_by(F("moved_at").desc(nulls_last=True), "id"))


def _with_causes(
    lines: list[selectors.StatementLine],
) -> list[tuple[selectors.StatementLine, services.CauseLink | None]]:
    """Lines, each with the page that shows what caused it."""
    links = services.links_of_sources(line.source for line in lines)
    return [(line, links.get(line.source)) for line in lines]


def _query_without_place(request: HttpRequest) -> str:
    query = request.GET.copy()
    for name in ("at", "seq"):
        query.pop(name, None)
    return query.urlencode()


async def _csv_pages(account: int, wanted: dict[str, Any]) -> AsyncIterator[str]:
    """Yield the statement as CSV, page by page, so that a long one is never in memory."""
    yield csv_text([CSV_COLUMNS])
    place = None
    while True:
        page = await sync_to_async(selectors.statement)(account, size=CSV_LINES, after=place, **wanted)
        yield csv_text(
            (line.at.isoformat(), *(getattr(line, column) for column in CSV_COLUMNS[1:]))
            for line in page.lines
        )
        if page.following is None:
            return
        place = page.following
