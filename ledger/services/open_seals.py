"""Step b for the transactions: the leaf of each one, in its place in its seal."""

from __future__ import annotations

from django.db import connection

from ledger.rules import merkle
from ledger.services.faults import Fault
from ledger.services.leaves import AssetSums, listed_totals
from ledger.services.seal_chain import SealChain, SealRow


class OpenSeals:
    """Step b for the transactions: each one's leaf, in its place in its seal.

    Transactions come by ascending id; seals overlap only as far as database
    transactions did, so that few are open at a time."""

    def __init__(self, chain: SealChain, *, since: int, unsealed_from: int, sealed_by: int) -> None:
        """``unsealed_from``: the first database transaction after the last seal; ``sealed_by``: transactions
        older than this (microseconds since 2000) must be sealed."""
        self.unsealed = 0
        self._chain = iter(chain)
        self._since = since
        self._unsealed_from = unsealed_from
        self._sealed_by = sealed_by
        self._open: dict[int, OpenSeal] = {}

    def take(
        self, transaction: int, at: int, xid: int, place: tuple[int | None, int, bytes], leaf: bytes
    ) -> OpenSeal | None:
        """Put a transaction's ``leaf`` hash in its ``place`` (seal, index, hash as sealed).

        Returns the seal it belongs to, when that is one to be checked."""
        seq, index, sealed = place
        if seq is None:
            self._take_unsealed(transaction, at, xid)
            return None
        if leaf != sealed:
            raise Fault(
                "leaf_mismatch", "the transaction is not as it was sealed", seal=seq, transaction=transaction
            )
        if seq <= self._since:
            return None
        seal = self._open.get(seq) or self._open_until(seq, transaction)
        seal.append(transaction, xid, index, leaf)
        return seal

    def close_if_full(self, seal: OpenSeal) -> None:
        """Compare root and totals once the last leaf is in its place."""
        if seal.tree.size == seal.row.n:
            seal.check()
            del self._open[seal.row.seq]

    def finish(self) -> None:
        """Every seal has found all its leaves."""
        for row in self._chain:
            self._open[row.seq] = OpenSeal(row)
        for seq in sorted(self._open):
            seal = self._open[seq]
            if seal.tree.size != seal.row.n:
                raise seal.missing_leaf()
            seal.check()

    def _open_until(self, seq: int, transaction: int) -> OpenSeal:
        for row in self._chain:
            self._open[row.seq] = OpenSeal(row)
            if row.seq == seq:
                return self._open[seq]
        raise Fault(
            "seal_missing",
            "a leaf names a seal that is not there or has all its leaves",
            seal=seq,
            transaction=transaction,
        )

    def _take_unsealed(self, transaction: int, at: int, xid: int) -> None:
        if xid < self._unsealed_from:
            raise Fault(
                "never_sealed",
                "the seals have passed this transaction without sealing it",
                transaction=transaction,
            )
        if at < self._sealed_by:
            raise Fault(
                "not_sealed_in_time",
                "the transaction has waited too long for its seal",
                transaction=transaction,
            )
        self.unsealed += 1


class OpenSeal:
    """A seal whose leaves are being met."""

    __slots__ = ("row", "sums", "tree")

    def __init__(self, row: SealRow) -> None:
        self.row = row
        self.tree = merkle.Frontier()
        self.sums: AssetSums = {}

    def append(self, transaction: int, xid: int, index: int, leaf: bytes) -> None:
        row = self.row
        if index != self.tree.size:
            raise self.missing_leaf(transaction)
        if not (row.from_xid <= xid < row.to_xid or row.opens_epoch):
            detail = f"database transaction {xid} is outside the seal's range"
            raise Fault("outside_range", detail, seal=row.seq, transaction=transaction)
        self.tree.append(leaf)

    def check(self) -> None:
        totals = tuple(listed_totals(self.sums))
        if self.tree.root() != self.row.root:
            raise Fault("seal_root", "the leaves do not give the seal's root", seal=self.row.seq)
        if totals != self.row.totals:
            raise Fault("seal_totals", "the postings do not come to the seal's totals", seal=self.row.seq)

    def missing_leaf(self, before: int | None = None) -> Fault:
        """Name the leaf that should stand in the next place, if its row is still there."""
        index = self.tree.size
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT l.transaction_id FROM ledger_leaf l WHERE l.seal_id = %s AND l.index = %s",
                [self.row.seq, index],
            )
            found = cursor.fetchone()
        if found:
            detail = f"leaf {index} of the seal belongs to a transaction that is missing or out of its order"
            return Fault("leaf_order", detail, seal=self.row.seq, transaction=found[0])
        follows = f" before transaction {before}" if before else ""
        return Fault(
            "leaf_missing",
            f"leaf {index} of the seal is missing{follows}",
            seal=self.row.seq,
            transaction=before,
        )
