"""What the book tells a person about their own chips, all of it."""

from __future__ import annotations

from typing import Any

from clubs.models import User
from ledger.models import Account, AccountOwner, Adjustment, ClosedYear
from ledger.selectors.book import accounts_of
from ledger.selectors.people import account_names
from ledger.selectors.statements import Place, StatementLine, statement


def book_of(user: User) -> dict[str, Any]:
    """Return a person's accounts with every line of their statements, JSON-ready; amounts in the asset's smallest unit."""
    owner = AccountOwner.objects.filter(user=user).first()
    if owner is None:
        return {"chips": {"accounts": [], "requests": [], "closed_years": []}}
    requests = Adjustment.objects.filter(requested_by=owner.pk).order_by("pk")
    return {
        "chips": {
            "accounts": [_account(account) for account in accounts_of(owner.pk)],
            "requests": [{"transaction": row.transaction_id, "reason": row.reason} for row in requests],
            "closed_years": [
                {"club": row.club.name, "year": row.year, "at": row.closed_at.isoformat()}
                for row in ClosedYear.objects.filter(closed_by=owner.pk).select_related("club")
            ],
        }
    }


def _account(account: Account) -> dict[str, Any]:
    lines: list[StatementLine] = []
    after: Place | None = None
    while True:
        page = statement(account.pk, size=500, after=after)
        lines += page.lines
        after = page.following
        if after is None:
            break
    names = account_names(line.other for line in lines)
    return {
        "account": account.pk,
        "kind": account.kind,
        "asset": account.asset.code,
        "scale": account.asset.scale,
        "balance": account.credits - account.debits,
        "lines": [
            {
                "at": line.at.isoformat(),
                "transaction": line.transaction,
                "kind": line.kind,
                "with": str(names.get(line.other, "")),
                "amount": line.amount,
                "held": line.held,
                "balance": line.balance,
                "note": line.note,
            }
            for line in lines
        ],
    }
