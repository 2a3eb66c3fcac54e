"""Finding transactions in a large book: every condition is one that an index answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from ledger.models import Adjustment, Leaf, Posting, Transaction
from ledger.selectors.clubs import Clubs, assets_of, moving_chips_of

LARGEST_ID = 2**63 - 1
MOST_TOUCHED = 5_000
"""Postings of some accounts that are looked at, at most, to find their transactions."""

MOST_OF_SOURCE = 20_000
"""Transactions of a source that are looked up by their source, and those that are looked at where more fit."""

TOUCHING = """
    SELECT side.transaction_id, side.at FROM unnest(%(accounts)s::bigint[]) account (id), LATERAL (
        (SELECT transaction_id, at FROM ledger_posting WHERE debit_id = account.id {reach}
            ORDER BY at DESC, debit_seq DESC LIMIT %(look)s)
        UNION ALL
        (SELECT transaction_id, at FROM ledger_posting WHERE credit_id = account.id {reach}
            ORDER BY at DESC, credit_seq DESC LIMIT %(look)s)
    ) side ORDER BY side.at DESC LIMIT %(look)s
"""


class Found(NamedTuple):
    """What a look for transactions came to: their condition, and how far back it went (None: to the beginning)."""

    condition: Q
    looked_to: datetime | None


def touching(
    accounts: Sequence[int], *, since: datetime | None = None, until: datetime | None = None
) -> Found:
    """Transactions that moved or held chips of one of these accounts, ``since`` included and ``until`` not.

    Walks back along each account and looks at ``MOST_TOUCHED`` postings in all: neither the size of the book nor
    an account with a long past makes it slow."""
    reach = f"{'AND at >= %(since)s' if since else ''} {'AND at < %(until)s' if until else ''}"
    wanted = {"accounts": list(accounts), "since": since, "until": until, "look": MOST_TOUCHED}
    with connection.cursor() as cursor:
        cursor.execute(TOUCHING.format(reach=reach), wanted)
        rows = cursor.fetchall()
    condition = _among({number for number, _at in rows})
    return Found(condition, rows[-1][1] if len(rows) == MOST_TOUCHED else None)


def of_source(prefix: str, *, since: datetime | None = None, until: datetime | None = None) -> Found:
    """Transactions whose source begins with ``prefix``; the times only say where a look by time may begin and end.

    The planner would like to walk the book by time until a page is full. For a table of last year that reads
    everything since, so what few transactions fit is looked up by the source first. Where many fit, the newest
    ``MOST_OF_SOURCE`` transactions of the book are looked at."""
    fitting = Transaction.objects.filter(source__startswith=prefix).order_by()
    numbers = list(fitting.values_list("id", flat=True)[: MOST_OF_SOURCE + 1])
    if len(numbers) <= MOST_OF_SOURCE:
        return Found(_among(numbers), None)
    before = Transaction.objects.filter(**({"at__lt": until} if until else {})).order_by("-at", "-pk")
    end = before.values_list("at", flat=True)[MOST_OF_SOURCE : MOST_OF_SOURCE + 1].first()
    if end is None or (since is not None and end < since):
        return Found(Q(source__startswith=prefix), None)
    return Found(Q(source__startswith=prefix, at__gte=end), end)


def searched(text: str) -> Found:
    """What a person who types ``text`` looks for: a transaction's number, its whole key, or how its source begins."""
    if text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) <= LARGEST_ID:
        return Found(Q(pk=int(text)), None)
    keyed = Transaction.objects.filter(key=text).values_list("id", flat=True).first()
    return Found(_among([keyed]), None) if keyed is not None else of_source(text)


def _among(transactions: Iterable[int]) -> Q:
    """The condition that a transaction is one of these; the planner knows how few they are."""
    return Q(id__in=RawSQL("SELECT unnest(%s::bigint[])", [list(transactions)]))


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


def leaves_of(seal: int, *, start: int = 0, size: int = 100, clubs: Clubs = None) -> list[Leaf]:
    """Leaves of a seal from index ``start`` up to ``start + size`` (of some clubs' chips), each with its transaction."""
    leaves = Leaf.objects.filter(seal=seal, index__gte=start, index__lt=start + size)
    leaves = moving_chips_of(leaves, clubs, path="transaction")
    return list(leaves.select_related("transaction").order_by("index"))


def choose_postings(
    *,
    account: int | None = None,
    owner: UUID | None = None,
    asset: str = "",
    kind: str = "",
    source_prefix: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    club: int | None = None,
) -> QuerySet[Posting]:
    """Postings that fit every condition that is given: one account's, a person's, a club's, of a kind, source or time.

    ``since`` is included and ``until`` is not. In the order of the book."""
    chosen = Posting.objects.order_by("transaction_id", "n")
    if account is not None:
        chosen = chosen.filter(Q(debit=account) | Q(credit=account))
    if owner is not None:
        chosen = chosen.filter(Q(debit__owner=owner) | Q(credit__owner=owner))
    if asset:
        chosen = chosen.filter(asset__code=asset)
    if club is not None:
        chosen = chosen.filter(asset__in=list(assets_of([club]).values_list("pk", flat=True)))
    if kind:
        chosen = chosen.filter(transaction__kind=kind)
    if source_prefix:
        chosen = chosen.filter(transaction__source__startswith=source_prefix)
    if since is not None:
        chosen = chosen.filter(at__gte=since)
    if until is not None:
        chosen = chosen.filter(at__lt=until)
    return chosen
