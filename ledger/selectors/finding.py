"""Finding transactions in a large book: every condition is one that an index answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from ledger.models import Adjustment, Leaf, Posting, Transaction

LARGEST_ID = 2**63 - 1
MOST_TOUCHED = 5_000
"""Postings of some accounts that are looked at, at most, to find their transactions."""

MOST_OF_SOURCE = 10_000
"""Transactions of a source that are looked up by their source; where more fit, the book is walked by time."""

TOUCHING = """
    SELECT side.transaction_id, side.at FROM unnest(%(accounts)s::bigint[]) account (id), LATERAL (
        (SELECT transaction_id, at FROM ledger_posting WHERE debit_id = account.id {reach}
            ORDER BY at DESC, debit_seq DESC LIMIT %(look)s)
        UNION ALL
        (SELECT transaction_id, at FROM ledger_posting WHERE credit_id = account.id {reach}
            ORDER BY at DESC, credit_seq DESC LIMIT %(look)s)
    ) side ORDER BY side.at DESC LIMIT %(look)s
"""


class Touched(NamedTuple):
    """The newest transactions of some accounts; older ones than ``looked_to`` were not looked at (None: all were)."""

    transactions: list[int]
    looked_to: datetime | None


def touching(
    accounts: Sequence[int], *, since: datetime | None = None, until: datetime | None = None
) -> Touched:
    """Transactions that moved or held chips of one of these accounts, ``since`` included and ``until`` not.

    Walks back along each account and looks at ``MOST_TOUCHED`` postings in all: neither the size of the book nor
    an account with a long past makes it slow."""
    reach = f"{'AND at >= %(since)s' if since else ''} {'AND at < %(until)s' if until else ''}"
    wanted = {"accounts": list(accounts), "since": since, "until": until, "look": MOST_TOUCHED}
    with connection.cursor() as cursor:
        cursor.execute(TOUCHING.format(reach=reach), wanted)
        rows = cursor.fetchall()
    found = list(dict.fromkeys(number for number, _at in rows))
    return Touched(found, rows[-1][1] if len(rows) == MOST_TOUCHED else None)


def among(transactions: Sequence[int]) -> Q:
    """The condition that a transaction is one of these; the planner knows how few they are."""
    return Q(id__in=RawSQL("SELECT unnest(%s::bigint[])", [list(transactions)]))


def of_source(prefix: str) -> Q:
    """The condition that a transaction's source begins with ``prefix``, found by the index of sources if few do.

    The planner would like to walk the book by time until a page is full. For a table of last year, that reads
    everything since."""
    fitting = Transaction.objects.filter(source__startswith=prefix).order_by()
    found = list(fitting.values_list("id", flat=True)[: MOST_OF_SOURCE + 1])
    return among(found) if len(found) <= MOST_OF_SOURCE else Q(source__startswith=prefix)


def searched(text: str) -> Q:
    """What a person who types ``text`` looks for: a transaction's number, its whole key, or how its source begins."""
    if text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) <= LARGEST_ID:
        return Q(pk=int(text))
    return Q(key=text) | of_source(text)


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
