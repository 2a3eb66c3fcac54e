"""Closing a year of a club's book into a signed file that is verified without the database.

The rows stay where they are: the file is a copy that proves itself (``ledger.rules.year``), for whoever keeps
the club's papers. It is written, synced and checked as an outsider would before the year counts as closed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, Max, Min, OuterRef, Prefetch, QuerySet

from clubs.models import Club
from ledger.errors import (
    EarlierYearOpen,
    HoldsOpen,
    SealsBehind,
    SuspenseOpen,
    YearClosed,
    YearEmpty,
    YearGone,
    YearRunning,
)
from ledger.models import Account, Asset, ClosedYear, Leaf, Posting, Seal, Transaction
from ledger.rules.canonical import EPOCH, microseconds
from ledger.rules.receipt import Json, head_json, time_json
from ledger.rules.year import FORMAT, MAGIC, Balance, Year, YearFault, check_year, year_span
from ledger.services.drafts import Draft, sha256_of
from ledger.services.heads import head_of
from ledger.services.leaves import database_time
from ledger.services.receipts import account_json, seal_json, transaction_json
from ledger.services.seal_log import log_frontier
from ledger.services.signing import current_signer, known_keys, verify_signature

CLOSING_LOCK = 7_301_000_002
"""Advisory lock of whoever closes a year: one at a time."""

RESTS = timedelta(days=1)
"""A year is closed when it has been over for so long: by then no transaction of it can still be on its way."""

SEALS_AT_ONCE = 100

BALANCES = """
    SELECT DISTINCT ON (account) account, seq, after FROM (
        SELECT debit_id AS account, debit_seq AS seq, debit_after AS after FROM ledger_posting
        WHERE asset_id = ANY(%(assets)s) AND at < %(at)s
        UNION ALL
        SELECT credit_id, credit_seq, credit_after FROM ledger_posting
        WHERE asset_id = ANY(%(assets)s) AND at < %(at)s
    ) sides ORDER BY account, seq DESC
"""


@dataclass(frozen=True)
class Closing:
    """What is closed: a club's assets from ``start`` to ``end``, with the balances at both."""

    club: Club
    year: int
    assets: Sequence[int]
    start: datetime
    end: datetime
    previous: ClosedYear | None
    opening: dict[int, Balance]
    closing: dict[int, Balance]


@transaction.atomic
def close_year(*, club: Club, year: int, by: UUID) -> ClosedYear:
    """Write a club's year into a signed file, check the file, and record it. ``by`` is the person's random id.

    Raises ``YearRunning``, ``YearClosed``, ``EarlierYearOpen``, ``YearEmpty``, ``HoldsOpen``, ``SealsBehind`` and
    ``SuspenseOpen``; ``YearFault`` when the book itself does not hold. Takes an advisory lock, none of the book's.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CLOSING_LOCK])
    closing = _what_is_closed(club, year)
    _check_complete(closing)
    path = _write(closing, by)
    try:
        checked = check_file(path, trusted_keys=[key.public_key for key in known_keys().values()])
    except YearFault:
        path.unlink()
        raise
    return ClosedYear.objects.create(
        club=club,
        year=year,
        last_seal=max(checked.seals),
        transactions=checked.transactions,
        postings=checked.postings,
        size=path.stat().st_size,
        sha256=sha256_of(path),
        file=path.name,
        closed_by=by,
    )


def years_folder() -> Path:
    """Where the files are."""
    return Path(settings.ARCHIVE_DIR) / "ledger"


def year_file(closed: ClosedYear) -> Path:
    """The file of a closed year, once it was found to be the one that was recorded. Raises ``YearGone``."""
    path = years_folder() / closed.file
    if not path.is_file() or sha256_of(path) != bytes(closed.sha256):
        raise YearGone(year=closed.year)
    return path


def check_file(path: Path, *, trusted_keys: Sequence[bytes] | None) -> Year:
    """Check an archive in a file (``ledger.rules.year.check_year``); raises ``YearFault``."""
    try:
        with gzip.open(path, "rb") as lines:
            return check_year(lines, verify_signature, trusted_keys=trusted_keys)
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise YearFault(f"the file cannot be read: {reason}") from None


def _what_is_closed(club: Club, year: int) -> Closing:
    start, end = (EPOCH + timedelta(microseconds=moment) for moment in year_span(year))
    if end + RESTS > database_time():
        raise YearRunning(year=year)
    if ClosedYear.objects.filter(club=club, year=year).exists():
        raise YearClosed(year=year)
    assets = list(Asset.objects.filter(club=club).values_list("pk", flat=True))
    previous = ClosedYear.objects.filter(club=club, year=year - 1).first()
    moved = Posting.objects.filter(asset__in=assets)
    first = moved.aggregate(first=Min("at"))["first"]
    if first is None or first >= end:
        raise YearEmpty(year=year)
    if previous is None and first < start:
        raise EarlierYearOpen(first=_earliest_open(club, year) or first.astimezone(UTC).year)
    opening, closing = (_balances(assets, at) for at in (start, end))
    return Closing(club, year, assets, start, end, previous, opening, closing)


def _earliest_open(club: Club, year: int) -> int | None:
    """The year after the last one that was closed before ``year``; ``None`` when none was."""
    earlier = ClosedYear.objects.filter(club=club, year__lt=year).aggregate(last=Max("year"))["last"]
    return None if earlier is None else int(earlier) + 1


def _balances(assets: Sequence[int], at: datetime) -> dict[int, Balance]:
    """Where every account that had moved stood at a moment: the trial balance."""
    with connection.cursor() as cursor:
        cursor.execute(BALANCES, {"assets": list(assets), "at": at})
        return {account: Balance(seq, after) for account, seq, after in cursor.fetchall()}


def _own(closing: Closing) -> QuerySet[Transaction]:
    """The transactions that move the club's chips."""
    moved = Posting.objects.filter(transaction=OuterRef("pk"), asset__in=list(closing.assets))
    return Transaction.objects.filter(Exists(moved))


def _check_complete(closing: Closing) -> None:
    """Nothing of the year is still open, and everything in it is sealed."""
    before = _own(closing).filter(at__lt=closing.end)
    resolved = Transaction.objects.filter(resolves=OuterRef("pk"))
    holds = before.filter(~Exists(resolved), state=Transaction.State.PENDING).order_by("pk")
    if first := holds.first():
        raise HoldsOpen(year=closing.year, count=holds.count(), transaction=first.pk)
    unsealed = before.filter(~Exists(Leaf.objects.filter(transaction=OuterRef("pk")))).order_by("pk").first()
    if unsealed is not None:
        raise SealsBehind(year=closing.year, transaction=unsealed.pk)
    for account in Account.objects.filter(asset__in=closing.assets, kind=Account.Kind.SUSPENSE):
        place = closing.closing.get(account.pk, Balance())
        if place.balance:
            raise SuspenseOpen(year=closing.year, account=account.pk, balance=place.balance)


# The file -----------------------------------------------------------------------------------------------------------


def _write(closing: Closing, by: UUID) -> Path:
    """Write the archive, see it safely on the disk and give it the name that carries its hash."""
    folder = years_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with Draft(folder, f"ledger-{closing.club.pk}-{closing.year}") as draft:
        with gzip.GzipFile(fileobj=draft, mode="wb", filename="", mtime=0) as packed:
            for told in _lines(closing, by):
                line = _line(told)
                digest.update(line)
                packed.write(line)
            packed.write(_line(_end(digest.digest())))
        draft.keep("jsonl.gz")
    return folder / draft.name


def _line(told: Json) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _end(digest: bytes) -> Json:
    signer = current_signer()
    return {
        "sha256": digest.hex(),
        "key_id": signer.key_id,
        "public_key": signer.public_key.hex(),
        "signature": signer.sign(MAGIC + digest).hex(),
    }


def _lines(closing: Closing, by: UUID) -> Iterator[Json]:
    first, last = _seals_of(closing)
    log = log_frontier(first - 1)
    current_signer()
    yield {
        "format": FORMAT,
        "club": closing.club.slug,
        "year": str(closing.year),
        "closed_at": time_json(microseconds(database_time())),
        "closed_by": by.hex,
        "previous": _previous(closing.previous),
        "log": {"size": str(log.size), "peaks": [peak.hex() for peak in log.peaks]},
        "keys": [{"key_id": key.key_id, "public_key": key.public_key.hex()} for key in known_keys().values()],
    }
    accounts = Account.objects.filter(pk__in=closing.closing).select_related("asset").order_by("pk")
    for account in accounts.iterator():
        yield {
            "account": account_json(account),
            "opening": _place(closing.opening.get(account.pk, Balance())),
            "closing": _place(closing.closing[account.pk]),
        }
    for start in range(first, last + 1, SEALS_AT_ONCE):
        yield from _seal_lines(closing, start, min(start + SEALS_AT_ONCE - 1, last))


def _previous(closed: ClosedYear | None) -> Json | None:
    return None if closed is None else {"year": str(closed.year), "sha256": bytes(closed.sha256).hex()}


def _place(place: Balance) -> Json:
    return {"seq": str(place.seq), "balance": str(place.balance)}


def _seals_of(closing: Closing) -> tuple[int, int]:
    """The first and the last seal of the archive: all with a transaction of the year, and where the year before ended.

    Two archives meet at a seal that is in both."""
    leaves = Leaf.objects.filter(transaction__in=_of_the_year(closing))
    found = leaves.aggregate(first=Min("seal"), last=Max("seal"))
    numbers = [seq for seq in (found["first"], found["last"]) if seq is not None]
    if closing.previous is not None:
        numbers.append(closing.previous.last_seal)
    return min(numbers), max(numbers)


def _of_the_year(closing: Closing) -> QuerySet[Transaction]:
    return _own(closing).filter(at__gte=closing.start, at__lt=closing.end)


def _seal_lines(closing: Closing, first: int, last: int) -> Iterator[Json]:
    """Some seals with the club's transactions of the year in them."""
    keys = known_keys()
    hashes: dict[int, list[bytes]] = {}
    rows = Leaf.objects.filter(seal__gte=first, seal__lte=last).order_by("seal", "index")
    for seq, digest in rows.values_list("seal", "hash"):
        hashes.setdefault(seq, []).append(bytes(digest))
    listed: dict[int, list[tuple[int, Transaction]]] = {}
    own = _of_the_year(closing).filter(leaf__seal__gte=first, leaf__seal__lte=last).select_related("leaf")
    postings = Posting.objects.select_related("debit__asset", "credit__asset").order_by("n")
    own = own.prefetch_related(Prefetch("postings", postings))
    for found in own.order_by("leaf__seal", "leaf__index"):
        leaf: Any = found.leaf
        listed.setdefault(leaf.seal_id, []).append((leaf.index, found))
    for seal in Seal.objects.filter(seq__gte=first, seq__lte=last).order_by("seq"):
        here = listed.get(seal.seq, [])
        yield {
            "seal": seal_json(seal),
            "head": head_json(head_of(seal, keys)),
            "leaves": [digest.hex() for digest in hashes.get(seal.seq, [])],
            "listed": [str(index) for index, _found in here],
        }
        for index, found in here:
            yield {"index": str(index), "transaction": transaction_json(found, found.postings.all())}
