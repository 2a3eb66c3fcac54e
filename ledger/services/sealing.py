"""Sealing: behind the writers, never in their transactions, and without a lock that they could meet.

A seal takes every transaction whose database transaction is over: with a number
(``xid``) from the end of the last seal up to, not including, the oldest one that
is still running. Nothing with such a number can become visible later, whatever
the order of commits. docs/seals.md has the argument and the measurements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from ledger.errors import HeadsDisagree, HeadsMissing, IdsRestarted
from ledger.models import Seal
from ledger.rules import canonical, merkle
from ledger.services.heads import PublishedHead, append_heads, head_of, last_head
from ledger.services.leaves import (
    POSTING_COLUMNS,
    TRANSACTION_COLUMNS,
    AccountNames,
    AssetSums,
    Row,
    add_totals,
    by_transaction,
    database_time,
    leaf_data,
    listed_totals,
    stream,
)
from ledger.services.seal_log import log_frontier
from ledger.services.signing import current_signer, known_keys

SEAL_SIZE = 1000
"""Transactions after which a seal is cut; a single larger database transaction is never split."""

SEALER_LOCK = 7_301_000_001
"""Advisory lock of the one sealer. (A lock on the last seal's row would need the right to update it.)"""

HEADS_GRACE = timedelta(minutes=15)
"""How old an unpublished head may be: older ones mean that the file of heads has been lost."""

UNSEALED = "NOT EXISTS (SELECT FROM ledger_leaf l WHERE l.transaction_id = t.id)"


@dataclass(frozen=True)
class Span:
    """What the next seal takes: ``from_xid <= xid < to_xid``; when it opens an epoch, all that is left too.

    ``is_cut``: it ends where it is large enough, and more is finished."""

    from_xid: int
    to_xid: int
    opens_epoch: bool = False
    is_cut: bool = False


def seal_pending(
    *,
    new_epoch: bool = False,
    new_heads_file: bool = False,
    seal_size: int = SEAL_SIZE,
    most: int | None = None,
) -> list[Seal]:
    """Seal every finished transaction and publish the heads. Returns the new seals, none when idle.

    A seal is cut after ``seal_size`` transactions; what finishes during the last, smaller one waits
    for the next run. Each seal is a database transaction of its own; another sealer at work leaves
    nothing to do. ``new_epoch`` accepts a restored database, ``new_heads_file`` a
    lost file of heads: a person says so, once. ``most`` bounds the number of seals.
    Raises ``SealingRefused``."""
    if not new_epoch:
        publish_heads(new_heads_file=new_heads_file)
    made: list[Seal] = []
    more_waits = True
    while more_waits and (most is None or len(made) < most):
        seal, more_waits = _seal_next(new_epoch and not made, seal_size)
        if seal is not None:
            made.append(seal)
    if made:
        publish_heads(new_heads_file=new_heads_file)
    return made


def publish_heads(*, new_heads_file: bool = False) -> int:
    """Add the heads that the file of heads does not have yet; returns how many.

    A crash after a seal's commit leaves its head to the next run. Raises ``SealingRefused``
    when the database and the file contradict each other."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SEALER_LOCK])
        published = last_head()
        pending = Seal.objects.order_by("seq")
        if published is not None:
            _check_agreement(published)
            pending = pending.filter(
                Q(epoch__gt=published.epoch) | Q(epoch=published.epoch, seq__gt=published.head.seq)
            )
        elif not new_heads_file and pending.filter(sealed_at__lt=timezone.now() - HEADS_GRACE).exists():
            raise HeadsMissing
        keys = known_keys()
        lines = (PublishedHead(head_of(seal, keys), seal.epoch) for seal in pending.iterator())
        count = 0
        while added := append_heads(list(islice(lines, 10_000))):
            count += added
        return count


def _check_agreement(published: PublishedHead) -> None:
    """Compare the last published head with the seal of its number."""
    last = Seal.objects.order_by("-seq").first()
    if last is not None and last.epoch > published.epoch:
        return
    seal = Seal.objects.filter(seq=published.head.seq, epoch=published.epoch).first()
    if seal is None or bytes(seal.log_root) != published.head.log_root:
        raise HeadsDisagree(seal=published.head.seq)


def _seal_next(new_epoch: bool, seal_size: int) -> tuple[Seal | None, bool]:
    """Make the next seal in one database transaction; None when there is nothing to seal, or another sealer.

    Also tells whether the seal was cut by its size, so that more waits."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [SEALER_LOCK])
            if not cursor.fetchone()[0]:
                return None, False
        last = Seal.objects.order_by("-seq").first()
        span = _next_span(last, new_epoch, seal_size)
        return (None, False) if span is None else (_write_seal(last, span), span.is_cut)


def _next_span(last: Seal | None, new_epoch: bool, seal_size: int) -> Span | None:
    """What to seal next. Raises ``SealingRefused`` when the database numbers its transactions anew."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmin(s), pg_snapshot_xmax(s) FROM pg_current_snapshot() s")
        oldest_running, next_xid = (int(value) for value in cursor.fetchone())
        if new_epoch:
            return Span(0, oldest_running, opens_epoch=True)
        from_xid = last.to_xid if last else 0
        _refuse_restarted_ids(from_xid, next_xid)
        # The border is the number of the first row too many; then all rows below it belong to this seal.
        cursor.execute(
            f"SELECT t.xid FROM ledger_transaction t WHERE t.xid >= %s::xid8 AND t.xid < %s::xid8 AND {UNSEALED}"
            " ORDER BY t.xid OFFSET %s LIMIT 1",
            [str(from_xid), str(oldest_running), seal_size],
        )
        row = cursor.fetchone()
        if row is None:
            return Span(from_xid, oldest_running) if from_xid < oldest_running else None
        border = int(row[0])
        cursor.execute(
            f"SELECT EXISTS (SELECT FROM ledger_transaction t WHERE t.xid >= %s::xid8 AND t.xid < %s::xid8 AND {UNSEALED})",
            [str(from_xid), str(border)],
        )
        return Span(from_xid, border if cursor.fetchone()[0] else border + 1, is_cut=True)


def _refuse_restarted_ids(from_xid: int, next_xid: int) -> None:
    """A number that this database has not given out yet is from before a restore.

    The newest transaction is compared within one statement: by the next one, numbers that were
    not given out for the first may well be in use."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {UNSEALED} AND t.xid >= pg_snapshot_xmax(pg_current_snapshot())"
            " FROM ledger_transaction t ORDER BY t.id DESC LIMIT 1"
        )
        newest = cursor.fetchone()
    if next_xid < from_xid or (newest is not None and newest[0]):
        raise IdsRestarted


def _write_seal(last: Seal | None, span: Span) -> Seal | None:
    """Write the leaves and the seal over them; None when the span is empty."""
    tree = merkle.Frontier()
    sums: AssetSums = {}
    names = AccountNames()
    seq = last.seq + 1 if last else 1
    groups = by_transaction(_unsealed_rows(span))
    while batch := list(islice(groups, 1000)):
        names.need(account for rows in batch for row in rows for account in row[13:15] if account is not None)
        hashes = [merkle.leaf_hash(leaf_data(rows, names)) for rows in batch]
        _insert_leaves(seq, tree.size, [rows[0][0] for rows in batch], hashes)
        for leaf in hashes:
            tree.append(leaf)
        add_totals(sums, batch, names)
    if not tree.size and not span.opens_epoch:
        return None
    totals = listed_totals(sums)
    return _insert_seal(last, span, tree, totals)


def _unsealed_rows(span: Span) -> Iterator[Row]:
    """One row per posting of what the span takes, by transaction id."""
    if span.opens_epoch:
        # What is visible with a number not given out yet was written before the restore.
        which = "(t.xid < %s::xid8 OR t.xid >= pg_snapshot_xmax(pg_current_snapshot()))"
        params = [str(span.to_xid)]
    else:
        which = "t.xid >= %s::xid8 AND t.xid < %s::xid8"
        params = [str(span.from_xid), str(span.to_xid)]
    return stream(
        f"SELECT {TRANSACTION_COLUMNS}, {POSTING_COLUMNS} FROM ledger_transaction t"
        " LEFT JOIN ledger_posting p ON p.transaction_id = t.id"
        f" WHERE {which} AND {UNSEALED} ORDER BY t.id, p.n",
        params,
    )


def _insert_leaves(seq: int, first_index: int, ids: Sequence[int], hashes: Sequence[bytes]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_leaf (transaction_id, seal_id, index, hash)"
            " SELECT u.id, %s, u.index, u.hash FROM unnest(%s::bigint[], %s::integer[], %s::bytea[]) u (id, index, hash)",
            [seq, list(ids), list(range(first_index, first_index + len(ids))), list(hashes)],
        )


def _insert_seal(
    last: Seal | None, span: Span, tree: merkle.Frontier, totals: list[canonical.AssetTotal]
) -> Seal:
    seq = last.seq + 1 if last else 1
    epoch = (last.epoch if last else 0) + span.opens_epoch
    previous = bytes(last.hash) if last else canonical.GENESIS
    root = tree.root()
    sealed_at = database_time()
    hash = merkle.leaf_hash(
        canonical.seal_bytes(
            seq,
            epoch,
            span.from_xid,
            span.to_xid,
            tree.size,
            previous,
            root,
            totals,
            canonical.microseconds(sealed_at),
        )
    )
    log = log_frontier(seq - 1)
    nodes = b"".join(log.append(hash))
    log_root = log.root()
    signer = current_signer()
    head = canonical.head_bytes(seq, hash, log_root, canonical.microseconds(sealed_at), signer.key_id)
    return Seal.objects.create(
        seq=seq,
        epoch=epoch,
        from_xid=span.from_xid,
        to_xid=span.to_xid,
        n=tree.size,
        totals=totals,
        root=root,
        previous=previous,
        hash=hash,
        log_root=log_root,
        nodes=nodes,
        sealed_at=sealed_at,
        key_id=signer.key_id,
        signature=signer.sign(head),
    )
