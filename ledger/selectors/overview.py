"""The book at a glance, for the audit desk: what must be 0, what waits, what moved.

Each question is one query over the accounts (which are few) or a bounded walk
along an index; none reads the postings from end to end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import F
from django.utils import timezone

from ledger.models import Account, Asset, Seal, Transaction, Verification
from ledger.selectors.book import TrialLine, open_holds
from ledger.selectors.clubs import Clubs, assets_of, moving_chips_of

MOST_UNSEALED = 10_000
MOST_MOVED = 2_000


class AssetTrial(NamedTuple):
    """The trial balance of one asset. ``total`` is 0 in a sound book, ``suspense`` at every close."""

    asset: Asset
    lines: list[TrialLine]

    @property
    def total(self) -> int:
        """The sum of all balances."""
        return sum(line.balance for line in self.lines)

    @property
    def suspense(self) -> int:
        """What corrections have left open."""
        return sum(line.balance for line in self.lines if line.kind == Account.Kind.SUSPENSE)

    @property
    def on_hold(self) -> int:
        """Chips set aside by holds that are open."""
        return sum(line.debits_pending for line in self.lines)

    @property
    def circulating(self) -> int:
        """Chips that the mint has given out and not taken back."""
        return -sum(line.balance for line in self.lines if line.kind == Account.Kind.MINT)


TRIALS = """
    SELECT asset_id, kind, count(*), sum(debits)::bigint, sum(credits)::bigint,
        sum(debits_pending)::bigint, sum(credits_pending)::bigint
    FROM ledger_account GROUP BY asset_id, kind ORDER BY asset_id, kind
"""


def trial_balances(clubs: Clubs = None) -> list[AssetTrial]:
    """The trial balance of every asset (of some clubs) by its code, in two queries."""
    lines: dict[int, list[TrialLine]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(TRIALS)
        for asset, *columns in cursor.fetchall():
            lines[asset].append(TrialLine(*columns))
    return [AssetTrial(asset, lines[asset.pk]) for asset in assets_of(clubs)]


def open_suspense(clubs: Clubs = None) -> list[Account]:
    """Suspense accounts (of some clubs) that are not empty."""
    accounts = Account.objects.select_related("asset").filter(kind=Account.Kind.SUSPENSE)
    if clubs is not None:
        accounts = accounts.filter(asset__club__in=clubs)
    return [account for account in accounts.order_by("id") if account.balance]


def pots_with_chips() -> list[Account]:
    """Accounts of pots that hold chips."""
    pots = Account.objects.filter(kind=Account.Kind.POT, closed_at__isnull=True).exclude(debits=F("credits"))
    return list(pots.order_by("id"))


def newest_holds(most: int = 10, *, clubs: Clubs = None) -> list[Transaction]:
    """Holds (of some clubs' chips) that were neither posted nor voided, newest first."""
    return list(moving_chips_of(open_holds(), clubs).order_by("-at", "-id")[:most])


class SealLag(NamedTuple):
    """How far the sealer is behind: transactions after the last seal and when the first of them was made.

    ``waiting`` is counted up to ``MOST_UNSEALED``."""

    last: Seal | None
    waiting: int
    since: datetime | None

    @property
    def seconds(self) -> float:
        """How long the oldest transaction has been waiting."""
        return (timezone.now() - self.since).total_seconds() if self.since else 0.0


def seal_lag() -> SealLag:
    """Where the sealer is, in two queries.

    What was sealed before a restore may have a higher number than the last seal of the new epoch, and does not wait.
    """
    last = Seal.objects.defer("nodes").order_by("-seq").first()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), min(at) FROM (SELECT at FROM ledger_transaction t WHERE xid >= %s::xid8"
            " AND NOT EXISTS (SELECT FROM ledger_leaf l WHERE l.transaction_id = t.id) ORDER BY xid LIMIT %s) waiting",
            [str(last.to_xid if last else 0), MOST_UNSEALED],
        )
        waiting, since = cursor.fetchone()
    return SealLag(last, waiting, since)


class Checks(NamedTuple):
    """The last check of the book, the last that read all of it, and the last that found a fault."""

    last: Verification | None
    full: Verification | None
    failed: Verification | None


def last_checks() -> Checks:
    """When the book was checked, and what was found."""
    runs = Verification.objects.order_by("-started_at", "-pk")
    return Checks(
        runs.first(),
        runs.filter(scope=Verification.Scope.FULL).first(),
        runs.filter(passed=False).first(),
    )


class Mover(NamedTuple):
    """What a member's wallets and seats of one asset came to in a while: ``net`` chips in ``postings`` postings."""

    owner: UUID
    asset: int
    net: int
    postings: int


# Of each account that moved lately, one probe a side says where it stood before; nothing in between is read.
MOVED = """
    WITH moved AS (
        SELECT id, owner, asset_id, seq, credits - debits AS balance FROM ledger_account
        WHERE moved_at >= %(since)s AND owner IS NOT NULL
            AND (%(assets)s::bigint[] IS NULL OR asset_id = ANY(%(assets)s)) ORDER BY moved_at DESC LIMIT %(most)s
    )
    SELECT owner, asset_id, sum(balance - coalesce(before.after, 0))::bigint AS net,
        sum(moved.seq - coalesce(before.seq, 0))::bigint
    FROM moved LEFT JOIN LATERAL (
        SELECT seq, after FROM (
            (SELECT debit_seq AS seq, debit_after AS after FROM ledger_posting
                WHERE debit_id = moved.id AND at < %(since)s ORDER BY at DESC, debit_seq DESC LIMIT 1)
            UNION ALL
            (SELECT credit_seq, credit_after FROM ledger_posting
                WHERE credit_id = moved.id AND at < %(since)s ORDER BY at DESC, credit_seq DESC LIMIT 1)
        ) sides ORDER BY seq DESC LIMIT 1
    ) before ON true
    GROUP BY owner, asset_id ORDER BY abs(sum(balance - coalesce(before.after, 0))) DESC, owner, asset_id
        LIMIT %(shown)s
"""


def top_movers(since: datetime, *, shown: int = 10, clubs: Clubs = None) -> list[Mover]:
    """The members whose chips (of some clubs) changed most since an aware time, among the ``MOST_MOVED`` accounts that moved last."""
    assets = None if clubs is None else [asset.pk for asset in assets_of(clubs)]
    with connection.cursor() as cursor:
        cursor.execute(MOVED, {"since": since, "most": MOST_MOVED, "shown": shown, "assets": assets})
        return [Mover(*row) for row in cursor.fetchall()]


DAY_ENDS = """
    SELECT moments.at, coalesce(sum(last.after), 0)::bigint
    FROM unnest(%(moments)s::timestamptz[]) AS moments (at)
    LEFT JOIN ledger_account account ON {which}
    LEFT JOIN LATERAL (
        SELECT after FROM (
            (SELECT debit_seq AS seq, debit_after AS after FROM ledger_posting
                WHERE debit_id = account.id AND at < moments.at ORDER BY at DESC, debit_seq DESC LIMIT 1)
            UNION ALL
            (SELECT credit_seq, credit_after FROM ledger_posting
                WHERE credit_id = account.id AND at < moments.at ORDER BY at DESC, credit_seq DESC LIMIT 1)
        ) sides ORDER BY seq DESC LIMIT 1
    ) last ON true
    GROUP BY moments.at ORDER BY moments.at
"""


def circulation(asset: int, days: Sequence[date]) -> list[tuple[date, int]]:
    """Chips of an asset that the mint had given out at the end of each of ``days``, in the active time zone."""
    mints = _day_ends("account.kind = 'mint' AND account.asset_id = %(of)s", asset, days)
    return [(day, -chips) for day, chips in mints]


def balances_by_day(account: int, days: Sequence[date]) -> list[tuple[date, int]]:
    """The balance of an account at the end of each of ``days``, in the active time zone."""
    return _day_ends("account.id = %(of)s", account, days)


def _day_ends(which: str, of: int, days: Sequence[date]) -> list[tuple[date, int]]:
    ends = [timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min)) for day in sorted(days)]
    with connection.cursor() as cursor:
        cursor.execute(DAY_ENDS.format(which=which), {"of": of, "moments": ends})
        chips = [row[1] for row in cursor.fetchall()]
    return list(zip(sorted(days), chips, strict=True))
