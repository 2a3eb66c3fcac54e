"""Finding transactions in a large book: every condition is one that an index answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from ledger.models import Adjustment, Leaf, Posting, Transaction

LARGEST_ID = 2**63 - 1
TOUCHING = """
    SELECT transaction_id FROM ledger_posting WHERE debit_id = ANY (%s::bigint[])
    UNION ALL SELECT transaction_id FROM ledger_posting WHERE credit_id = ANY (%s::bigint[])
"""


def touching(accounts: Sequence[int]) -> Q:
    """The condition that a transaction moved or held chips of one of these accounts."""
    ids = "{" + ",".join(map(str, accounts)) + "}"
    return Q(id__in=RawSQL(TOUCHING, [ids, ids]))


def searched(text: str) -> Q:
    """What a person who types ``text`` looks for: a transaction's number, its whole key, or how its source begins."""
    if text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) <= LARGEST_ID:
        return Q(pk=int(text))
    return Q(key=text) | Q(source__startswith=text)


# One probe of the index (kind, at) for each kind instead of a scan of the table.
KINDS = """
    WITH RECURSIVE kinds AS (
        (SELECT kind FROM ledger_transaction ORDER BY kind LIMIT 1)
        UNION ALL
        SELECT (SELECT t.kind FROM ledger_transaction t WHERE t.kind > kinds.kind ORDER BY t.kind LIMIT 1)
        FROM kinds WHERE kinds.kind IS NOT NULL
    )
    SELECT kind FROM kinds WHERE kind IS NOT NULL
"""


def kinds_in_use() -> list[str]:
    """Every kind of transaction in the book, in the order of the alphabet."""
    with connection.cursor() as cursor:
        cursor.execute(KINDS)
        return [kind for (kind,) in cursor.fetchall()]


def postings_of(transaction: int) -> list[Posting]:
    """The postings of a transaction in their order, each with its accounts and asset."""
    postings = Posting.objects.filter(transaction=transaction).order_by("n")
    return list(postings.select_related("debit__asset", "credit__asset", "asset"))


def relatives_of(found: Transaction) -> dict[str, Any]:
    """Transactions that resolve or reverse this one, and the requests about it, in two queries."""
    linked = Transaction.objects.filter(Q(resolves=found) | Q(reverses=found)).order_by("id")
    requests = Adjustment.objects.filter(Q(transaction=found) | Q(reversal=found)).order_by("id")
    return {"linked": list(linked), "adjustments": list(requests)}


def leaves_of(seal: int, *, start: int = 0, size: int = 100) -> list[Leaf]:
    """Leaves of a seal from index ``start`` on, each with its transaction."""
    leaves = Leaf.objects.filter(seal=seal, index__gte=start).select_related("transaction").order_by("index")
    return list(leaves[:size])


def choose_postings(
    *,
    account: int | None = None,
    owner: UUID | None = None,
    asset: str = "",
    kind: str = "",
    source_prefix: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[Posting]:
    """Postings that fit every condition that is given: one account's, a person's, of a kind, source or time.

    ``since`` is included and ``until`` is not. In the order of the book."""
    chosen = Posting.objects.order_by("transaction_id", "n")
    if account is not None:
        chosen = chosen.filter(Q(debit=account) | Q(credit=account))
    if owner is not None:
        chosen = chosen.filter(Q(debit__owner=owner) | Q(credit__owner=owner))
    if asset:
        chosen = chosen.filter(asset__code=asset)
    if kind:
        chosen = chosen.filter(transaction__kind=kind)
    if source_prefix:
        chosen = chosen.filter(transaction__source__startswith=source_prefix)
    if since is not None:
        chosen = chosen.filter(at__gte=since)
    if until is not None:
        chosen = chosen.filter(at__lt=until)
    return chosen
