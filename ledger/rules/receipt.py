"""Checking a receipt or a prefix proof offline.

A receipt (format ``club-ledger-receipt/1``) carries one transaction, its path to
the root of its seal, the seal, the seal's path to the root over all seals, and a
signed head. A prefix proof (``club-ledger-prefix/1``) carries two signed heads and
the path that proves the older a prefix of the newer. Both are JSON; how their values
stand in it is in ``receipt_values``.

``docs/check_receipt.py`` and ``static/ledger/receipt.js`` do the same without the
site; the three are held together by shared vectors.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from . import canonical, merkle
from .receipt_values import (
    SEAL_FIELDS,
    TOTAL_FIELDS,
    BadReceipt,
    Head,
    Json,
    check_fields,
    head_json,
    read_hash,
    read_hashes,
    read_head,
    read_hex,
    read_integer,
    read_list,
    read_text,
    read_time,
    read_transaction,
    time_json,
)

__all__ = [
    "PREFIX_FORMAT",
    "RECEIPT_FORMAT",
    "BadReceipt",
    "Checked",
    "Head",
    "Json",
    "VerifySignature",
    "check",
    "check_prefix",
    "check_receipt",
    "head_json",
    "read_head",
    "time_json",
]

RECEIPT_FORMAT = "club-ledger-receipt/1"
PREFIX_FORMAT = "club-ledger-prefix/1"

VerifySignature = Callable[[bytes, bytes, bytes], bool]
"""``(public_key, message, signature) -> bool``: 32 bytes, any bytes, 64 bytes."""


@dataclass(frozen=True)
class Checked:
    """What a good receipt proves: this transaction is in this seal, and the seal under this head."""

    transaction: int
    seal: int
    head: Head


def check_receipt(
    receipt: Any,
    verify: VerifySignature,
    *,
    trusted_keys: Collection[bytes] | None = None,
    published: Mapping[int, bytes] | None = None,
) -> Checked:
    """Check every link from the transaction's fields to the signed head.

    ``trusted_keys`` are the public keys to accept; without them the receipt proves
    only that whoever holds its key signed it. ``published`` maps the numbers of
    published heads to their ``log_root``. Raises ``BadReceipt`` at the first fault."""
    names = ["format", "transaction", "leaf", "seal", "log", "head"]
    if isinstance(receipt, dict) and "note" in receipt:
        names.append("note")
    check_fields(receipt, names, RECEIPT_FORMAT)
    data = read_transaction(receipt["transaction"])
    if "note" in receipt:
        _check_note(receipt["note"], receipt["transaction"])
    root, size, seal_hash = check_seal(receipt["seal"])
    _check_leaf(receipt["leaf"], data, root, size)
    head = read_head(receipt["head"])
    seq = read_integer(receipt["seal"]["seq"])
    check_fields(receipt["log"], ["path"])
    try:
        log_root = merkle.climb(seal_hash, seq - 1, head.seq, read_hashes(receipt["log"]["path"]))
    except merkle.BadPath as error:
        raise BadReceipt(
            "log_mismatch", f"the path from the seal to the head does not fit: {error}"
        ) from None
    if log_root != head.log_root or (seq == head.seq and seal_hash != head.hash):
        raise BadReceipt("log_mismatch", "the path from the seal does not lead to the head's root")
    check_head(head, verify, trusted_keys, published)
    return Checked(read_integer(receipt["transaction"]["id"]), seq, head)


def check_prefix(
    proof: Any,
    verify: VerifySignature,
    *,
    trusted_keys: Collection[bytes] | None = None,
    published: Mapping[int, bytes] | None = None,
) -> tuple[Head, Head]:
    """Check that the older of two signed heads is a prefix of the newer. Returns both.

    Parameters and errors are those of ``check_receipt``."""
    check_fields(proof, ["format", "old", "new", "path"], PREFIX_FORMAT)
    old, new = read_head(proof["old"]), read_head(proof["new"])
    try:
        merkle.check_prefix(old.seq, old.log_root, new.seq, new.log_root, read_hashes(proof["path"]))
    except merkle.BadPath as error:
        raise BadReceipt("prefix_mismatch", f"the older head is not shown to be a prefix: {error}") from None
    check_head(old, verify, trusted_keys, published)
    check_head(new, verify, trusted_keys, published)
    return old, new


def check(
    value: Any,
    verify: VerifySignature,
    *,
    trusted_keys: Collection[bytes] | None = None,
    published: Mapping[int, bytes] | None = None,
) -> Checked | tuple[Head, Head]:
    """Check a document of either format; parameters, results and errors are those of the two above."""
    format = value.get("format") if isinstance(value, dict) else None
    if format == PREFIX_FORMAT:
        return check_prefix(value, verify, trusted_keys=trusted_keys, published=published)
    return check_receipt(value, verify, trusted_keys=trusted_keys, published=published)


def _check_note(note: Any, transaction: Json) -> None:
    check_fields(note, ["salt", "text"])
    digest = canonical.note_digest(read_hex(note["salt"]), read_text(note["text"]).decode())
    if transaction["note_hash"] is None or digest != read_hex(transaction["note_hash"]):
        raise BadReceipt("note_mismatch", "the note is not the one this transaction was written with")


def check_seal(seal: Any) -> tuple[bytes, int, bytes]:
    """Root, number of leaves and hash of the seal, once its fields give that hash."""
    check_fields(seal, SEAL_FIELDS)
    totals = []
    for total in read_list(seal["totals"]):
        check_fields(total, TOTAL_FIELDS)
        totals.append(
            (
                read_text(total["asset"]).decode(),
                read_integer(total["scale"]),
                read_integer(total["postings"]),
                read_integer(total["amount"]),
            )
        )
    root, size = read_hash(seal["root"]), read_integer(seal["n"])
    data = canonical.seal_bytes(
        read_integer(seal["seq"]),
        read_integer(seal["epoch"]),
        read_integer(seal["from_xid"]),
        read_integer(seal["to_xid"]),
        size,
        read_hash(seal["previous"]),
        root,
        totals,
        read_time(seal["sealed_at"]),
    )
    seal_hash = merkle.leaf_hash(data)
    if seal_hash != read_hash(seal["hash"]):
        raise BadReceipt("seal_mismatch", "the seal's fields do not give the seal's hash")
    return root, size, seal_hash


def _check_leaf(leaf: Any, data: bytes, root: bytes, size: int) -> None:
    check_fields(leaf, ["hash", "index", "path"])
    leaf_hash, index, path = read_hash(leaf["hash"]), read_integer(leaf["index"]), read_hashes(leaf["path"])
    if merkle.leaf_hash(data) != leaf_hash:
        raise BadReceipt(
            "transaction_mismatch", "the transaction's fields do not give the hash that was sealed"
        )
    try:
        found = merkle.climb(leaf_hash, index, size, path)
    except merkle.BadPath as error:
        raise BadReceipt("path_mismatch", f"the path to the seal does not fit: {error}") from None
    if found != root:
        raise BadReceipt("path_mismatch", "the path from the transaction does not lead to the seal's root")


def check_head(
    head: Head,
    verify: VerifySignature,
    trusted_keys: Collection[bytes] | None,
    published: Mapping[int, bytes] | None,
) -> None:
    """Check a head's key, its signature and that both are known. Raises ``BadReceipt``."""
    if canonical.key_name(head.public_key) != head.key_id:
        raise BadReceipt("key_mismatch", "the key's name does not belong to the public key")
    message = canonical.head_bytes(head.seq, head.hash, head.log_root, head.sealed_at, head.key_id)
    if not verify(head.public_key, message, head.signature):
        raise BadReceipt("signature_invalid", "the head's signature is not by its key")
    if trusted_keys is not None and head.public_key not in trusted_keys:
        raise BadReceipt("key_untrusted", f"key {head.key_id} is not one of the keys to trust")
    if published is not None and published.get(head.seq) != head.log_root:
        raise BadReceipt("head_unpublished", f"head {head.seq} is not among the published heads")
