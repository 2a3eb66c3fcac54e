"""Steps b and c: the seals as a chain, under signatures, against the heads published outside the database."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ledger.rules import canonical, merkle
from ledger.services.faults import Fault
from ledger.services.heads import BadHeadsFile, PublishedHead, count_given_up, standing_heads
from ledger.services.leaves import POSTGRES_EPOCH, stream
from ledger.services.seal_log import log_frontier
from ledger.services.signing import NEW_KEY, KnownKey, known_keys, verify_signature

SEAL_COLUMNS = "seq, epoch, from_xid, to_xid, n, totals::text, root, previous, hash, log_root, nodes, sealed_at, key_id, signature"


@dataclass(frozen=True)
class SealRow:
    """One seal as it stands in the database; ``sealed_at`` in microseconds since 1970."""

    seq: int
    epoch: int
    from_xid: int
    to_xid: int
    n: int
    totals: tuple[canonical.AssetTotal, ...]
    root: bytes
    previous: bytes
    hash: bytes
    log_root: bytes
    nodes: bytes
    sealed_at: int
    key_id: str
    signature: bytes

    @property
    def opens_epoch(self) -> bool:
        """Whether it took all that a restore had left unsealed, whatever its numbers."""
        return self.epoch > 0 and self.from_xid == 0

    def computed_hash(self) -> bytes:
        """What the seal's fields hash to."""
        return merkle.leaf_hash(
            canonical.seal_bytes(
                self.seq,
                self.epoch,
                self.from_xid,
                self.to_xid,
                self.n,
                self.previous,
                self.root,
                self.totals,
                self.sealed_at,
            )
        )


def read_seals(*, after: int = 0) -> Iterator[SealRow]:
    """Seals with a number above ``after`` in ascending order. Must run inside a transaction."""
    rows = stream(f"SELECT {SEAL_COLUMNS} FROM ledger_seal WHERE seq > %s ORDER BY seq", [after], batch=200)
    for row in rows:
        (
            seq,
            epoch,
            from_xid,
            to_xid,
            n,
            totals,
            root,
            previous,
            hash,
            log_root,
            nodes,
            at,
            key_id,
            signature,
        ) = row
        yield SealRow(
            seq=seq,
            epoch=epoch,
            from_xid=from_xid,
            to_xid=to_xid,
            n=n,
            totals=_read_totals(seq, totals),
            root=root,
            previous=previous,
            hash=hash,
            log_root=log_root,
            nodes=nodes,
            sealed_at=at + POSTGRES_EPOCH,
            key_id=key_id.decode(),
            signature=signature,
        )


def _read_totals(seq: int, text: bytes) -> tuple[canonical.AssetTotal, ...]:
    """Totals as they were stored; whatever else stands there was not put there by the sealer."""
    listed = json.loads(text)
    if not isinstance(listed, list):
        raise Fault("seal_totals", "the seal's totals are no list", seal=seq)
    for total in listed:
        if not isinstance(total, list) or [type(value) for value in total] != [str, int, int, int]:
            raise Fault("seal_totals", f"{total!r} is no total of an asset", seal=seq)
    return tuple((code, scale, count, amount) for code, scale, count, amount in listed)


class SealChain:
    """The seals after ``since``, each checked before it is handed on.

    ``notices`` collects what is no fault but must be known: epochs, heads given up.
    Raises ``Fault`` for a link, hash, root or signature that does not hold, and for a
    head that differs from the published one."""

    def __init__(self, *, since: int = 0, published_by: int) -> None:
        """``published_by``: seals older than this (microseconds since 1970) must be in the file of heads."""
        self.notices: list[str] = []
        self.last: SealRow | None = None
        self.count = 0
        self.published = 0
        self._published_by = published_by
        self._keys = {key_id: (key, _load(key)) for key_id, key in known_keys().items()}
        self._log = merkle.Frontier()
        self._since = since
        if since:
            self._anchor(since)
        self._heads = standing_heads(after=since)
        self._next_head = self._read_head()

    def __iter__(self) -> Iterator[SealRow]:
        _check_key_chain([key for key, _ in self._keys.values()])
        for seal in read_seals(after=self._since):
            self._check_link(seal)
            self._check_signature(seal)
            self._check_published(seal)
            self.last = seal
            self.count += 1
            yield seal
        self._check_tail()
        given_up = count_given_up()
        if given_up:
            self.notices.append(f"{given_up} published heads of earlier epochs were given up")

    def _anchor(self, since: int) -> None:
        """Begin after a seal that an earlier run has checked: take its hash and the tree up to it."""
        seal = next(read_seals(after=since - 1), None)
        if seal is None or seal.seq != since:
            raise Fault("seal_missing", "the seal to begin after is missing", seal=since)
        try:
            self._log = log_frontier(since)
        except KeyError:
            raise Fault("seal_missing", "a seal before it is missing", seal=since) from None
        self._check_hash(seal)
        if self._log.root() != seal.log_root:
            raise Fault("log_root", "the tree over all seals does not have this root", seal=since)
        self._check_signature(seal)
        self.last = seal

    def _check_link(self, seal: SealRow) -> None:
        last = self.last
        expected = last.seq + 1 if last else 1
        if seal.seq != expected:
            raise Fault("seal_missing", f"seal {expected} is missing: {seal.seq} follows", seal=expected)
        self._check_hash(seal)
        if seal.previous != (last.hash if last else canonical.GENESIS):
            raise Fault("seal_link", "the seal does not name the hash of the one before", seal=seal.seq)
        epoch, to_xid = (last.epoch, last.to_xid) if last else (0, 0)
        if seal.opens_epoch and seal.epoch == epoch + 1:
            self.notices.append(
                f"seal {seal.seq} opens epoch {seal.epoch}: the database was restored before it"
            )
        elif seal.epoch != epoch or seal.from_xid != to_xid:
            raise Fault(
                "seal_range", f"the seal does not begin where the one before ends, at {to_xid}", seal=seal.seq
            )
        if b"".join(self._log.append(seal.hash)) != seal.nodes or self._log.root() != seal.log_root:
            raise Fault("log_root", "the tree over all seals does not have this root", seal=seal.seq)

    def _check_hash(self, seal: SealRow) -> None:
        try:
            holds = seal.computed_hash() == seal.hash
        except struct.error:
            holds = False  # a number or time that no sealer could have written
        if not holds:
            raise Fault("seal_hash", "the seal's fields do not give its hash", seal=seal.seq)

    def _check_signature(self, seal: SealRow) -> None:
        known = self._keys.get(seal.key_id)
        if known is None:
            raise Fault("unknown_key", f"the seal is signed by unknown key {seal.key_id}", seal=seal.seq)
        message = canonical.head_bytes(seal.seq, seal.hash, seal.log_root, seal.sealed_at, seal.key_id)
        try:
            known[1].verify(seal.signature, message)
        except InvalidSignature:
            raise Fault("signature", f"the signature is not by key {seal.key_id}", seal=seal.seq) from None

    def _check_published(self, seal: SealRow) -> None:
        published = self._next_head
        if published is None or published.head.seq > seal.seq:
            if published is not None or seal.sealed_at < self._published_by:
                raise Fault(
                    "head_not_published", "the seal's head is not in the file of heads", seal=seal.seq
                )
            return
        head = published.head
        same = (
            head.seq,
            head.hash,
            head.log_root,
            head.sealed_at,
            head.key_id,
            head.signature,
            published.epoch,
        )
        if same != (
            seal.seq,
            seal.hash,
            seal.log_root,
            seal.sealed_at,
            seal.key_id,
            seal.signature,
            seal.epoch,
        ):
            raise Fault("head_differs", "the seal is not the one whose head was published", seal=seal.seq)
        self.published += 1
        self._next_head = self._read_head()

    def _check_tail(self) -> None:
        if self._next_head is not None:
            raise Fault(
                "tail_cut",
                "a head was published, but the database has no such seal",
                seal=self._next_head.head.seq,
            )

    def _read_head(self) -> PublishedHead | None:
        try:
            return next(self._heads, None)
        except BadHeadsFile as error:
            raise Fault("heads_file", str(error)) from None


def _load(key: KnownKey) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(key.public_key)


def _check_key_chain(keys: list[KnownKey]) -> None:
    """Each key that names the one before it was handed over by that one."""
    public = {key.key_id: key.public_key for key in keys}
    for key in keys:
        if key.signed_by is None:
            continue
        former = public.get(key.signed_by)
        if former is None or not verify_signature(former, NEW_KEY + key.public_key, key.signature or b""):
            raise Fault("key_chain", f"key {key.key_id} was not handed over by key {key.signed_by}")
