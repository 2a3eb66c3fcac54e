"""Checking a receipt or a prefix proof offline, and writing their values down.

A receipt (format ``club-ledger-receipt/1``) carries one transaction, its path to
the root of its seal, the seal, the seal's path to the root over all seals, and a
signed head. A prefix proof (``club-ledger-prefix/1``) carries two signed heads and
the path that proves the older a prefix of the newer. Both are JSON; integers are
decimal strings, bytes lowercase hexadecimal, times ``2026-03-01T18:30:00.000000Z``,
and a field too many is refused like one too few, so that a receipt says nothing
that is not proven.

``docs/check_receipt.py`` and ``static/ledger/receipt.js`` do the same without the
site; the three are held together by shared vectors.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from . import canonical, merkle

RECEIPT_FORMAT = "club-ledger-receipt/1"
PREFIX_FORMAT = "club-ledger-prefix/1"

Json = dict[str, Any]
VerifySignature = Callable[[bytes, bytes, bytes], bool]
"""``(public_key, message, signature) -> bool``: 32 bytes, any bytes, 64 bytes."""

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)
_HEX = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)
_TIME = re.compile(r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)

_TRANSACTION = (
    "id",
    "key",
    "fingerprint",
    "kind",
    "state",
    "resolves",
    "reverses",
    "source",
    "salt",
    "note_hash",
    "at",
    "xid",
    "postings",
)
_POSTING = ("n", "debit", "credit", "amount", "debit_after", "debit_seq", "credit_after", "credit_seq")
_ACCOUNT = ("id", "kind", "ref", "owner", "asset", "scale")
_SEAL = ("seq", "epoch", "from_xid", "to_xid", "n", "previous", "root", "totals", "sealed_at", "hash")
_TOTAL = ("asset", "scale", "postings", "amount")
_HEAD = ("seq", "hash", "log_root", "sealed_at", "key_id", "public_key", "signature")


class BadReceipt(Exception):
    """A receipt or prefix proof that proves nothing.

    ``code`` is one of malformed, note_mismatch, transaction_mismatch, path_mismatch,
    seal_mismatch, log_mismatch, prefix_mismatch, key_mismatch, signature_invalid,
    key_untrusted, head_unpublished; ``detail`` is an English sentence.
    """

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(f"{code}: {detail}")


@dataclass(frozen=True)
class Head:
    """A signed head. ``sealed_at`` is in microseconds; bytes are raw."""

    seq: int
    hash: bytes
    log_root: bytes
    sealed_at: int
    key_id: str
    public_key: bytes
    signature: bytes


@dataclass(frozen=True)
class Checked:
    """What a good receipt proves: this transaction is in this seal, and the seal under this head."""

    transaction: int
    seal: int
    head: Head


# --- Checking ---------------------------------------------------------------------------------------------------


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
    _shape(receipt, names, RECEIPT_FORMAT)
    data = _transaction_data(receipt["transaction"])
    if "note" in receipt:
        _check_note(receipt["note"], receipt["transaction"])
    root, size, seal_hash = _check_seal(receipt["seal"])
    _check_leaf(receipt["leaf"], data, root, size)
    head = _head(receipt["head"])
    seq = _integer(receipt["seal"]["seq"])
    _shape(receipt["log"], ["path"])
    try:
        log_root = merkle.climb(seal_hash, seq - 1, head.seq, _hashes(receipt["log"]["path"]))
    except merkle.BadPath as error:
        raise BadReceipt(
            "log_mismatch", f"the path from the seal to the head does not fit: {error}"
        ) from None
    if log_root != head.log_root or (seq == head.seq and seal_hash != head.hash):
        raise BadReceipt("log_mismatch", "the path from the seal does not lead to the head's root")
    _check_head(head, verify, trusted_keys, published)
    return Checked(_integer(receipt["transaction"]["id"]), seq, head)


def check_prefix(
    proof: Any,
    verify: VerifySignature,
    *,
    trusted_keys: Collection[bytes] | None = None,
    published: Mapping[int, bytes] | None = None,
) -> tuple[Head, Head]:
    """Check that the older of two signed heads is a prefix of the newer. Returns both.

    Parameters and errors are those of ``check_receipt``."""
    _shape(proof, ["format", "old", "new", "path"], PREFIX_FORMAT)
    old, new = _head(proof["old"]), _head(proof["new"])
    try:
        merkle.check_prefix(old.seq, old.log_root, new.seq, new.log_root, _hashes(proof["path"]))
    except merkle.BadPath as error:
        raise BadReceipt("prefix_mismatch", f"the older head is not shown to be a prefix: {error}") from None
    _check_head(old, verify, trusted_keys, published)
    _check_head(new, verify, trusted_keys, published)
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
    _shape(note, ["salt", "text"])
    digest = canonical.note_digest(_hex(note["salt"]), _text(note["text"]).decode())
    if transaction["note_hash"] is None or digest != _hex(transaction["note_hash"]):
        raise BadReceipt("note_mismatch", "the note is not the one this transaction was written with")


def _check_seal(seal: Any) -> tuple[bytes, int, bytes]:
    """Root, number of leaves and hash of the seal, once its fields give that hash."""
    _shape(seal, _SEAL)
    totals = []
    for total in _list(seal["totals"]):
        _shape(total, _TOTAL)
        totals.append(
            (
                _text(total["asset"]).decode(),
                _integer(total["scale"]),
                _integer(total["postings"]),
                _integer(total["amount"]),
            )
        )
    root, size = _hash(seal["root"]), _integer(seal["n"])
    data = canonical.seal_bytes(
        _integer(seal["seq"]),
        _integer(seal["epoch"]),
        _integer(seal["from_xid"]),
        _integer(seal["to_xid"]),
        size,
        _hash(seal["previous"]),
        root,
        totals,
        _time(seal["sealed_at"]),
    )
    seal_hash = merkle.leaf_hash(data)
    if seal_hash != _hash(seal["hash"]):
        raise BadReceipt("seal_mismatch", "the seal's fields do not give the seal's hash")
    return root, size, seal_hash


def _check_leaf(leaf: Any, data: bytes, root: bytes, size: int) -> None:
    _shape(leaf, ["hash", "index", "path"])
    leaf_hash, index, path = _hash(leaf["hash"]), _integer(leaf["index"]), _hashes(leaf["path"])
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


def _check_head(
    head: Head,
    verify: VerifySignature,
    trusted_keys: Collection[bytes] | None,
    published: Mapping[int, bytes] | None,
) -> None:
    if canonical.key_name(head.public_key) != head.key_id:
        raise BadReceipt("key_mismatch", "the key's name does not belong to the public key")
    message = canonical.head_bytes(head.seq, head.hash, head.log_root, head.sealed_at, head.key_id)
    if not verify(head.public_key, message, head.signature):
        raise BadReceipt("signature_invalid", "the head's signature is not by its key")
    if trusted_keys is not None and head.public_key not in trusted_keys:
        raise BadReceipt("key_untrusted", f"key {head.key_id} is not one of the keys to trust")
    if published is not None and published.get(head.seq) != head.log_root:
        raise BadReceipt("head_unpublished", f"head {head.seq} is not among the published heads")


# --- From JSON to values -----------------------------------------------------------------------------------------


def _transaction_data(transaction: Any) -> bytes:
    _shape(transaction, _TRANSACTION)
    note_hash = transaction["note_hash"]
    return canonical.transaction_bytes(
        _integer(transaction["id"]),
        _text(transaction["key"]),
        _hex(transaction["fingerprint"]),
        _text(transaction["kind"]),
        _text(transaction["state"]),
        _optional_integer(transaction["resolves"]),
        _optional_integer(transaction["reverses"]),
        _text(transaction["source"]),
        _hex(transaction["salt"]),
        None if note_hash is None else _hash(note_hash),
        _time(transaction["at"]),
        _integer(transaction["xid"]),
        [_posting(posting) for posting in _list(transaction["postings"])],
    )


def _posting(posting: Any) -> bytes:
    _shape(posting, _POSTING)
    return canonical.posting_field(
        _integer(posting["n"]),
        _account(posting["debit"]),
        _account(posting["credit"]),
        _integer(posting["amount"]),
        _integer(posting["debit_after"]),
        _integer(posting["debit_seq"]),
        _integer(posting["credit_after"]),
        _integer(posting["credit_seq"]),
    )


def _account(account: Any) -> bytes:
    _shape(account, _ACCOUNT)
    owner = b"" if account["owner"] is None else _hex(account["owner"], 16)
    return canonical.bytes_field(
        canonical.account_bytes(
            _integer(account["id"]),
            _text(account["kind"]).decode(),
            _text(account["ref"]).decode(),
            owner,
            _text(account["asset"]).decode(),
            _integer(account["scale"]),
        )
    )


def _head(head: Any) -> Head:
    _shape(head, _HEAD)
    return Head(
        _integer(head["seq"]),
        _hash(head["hash"]),
        _hash(head["log_root"]),
        _time(head["sealed_at"]),
        _text(head["key_id"]).decode(),
        _hex(head["public_key"], 32),
        _hex(head["signature"], 64),
    )


def _shape(value: Any, names: Sequence[str], format: str | None = None) -> None:
    if not isinstance(value, dict) or set(value) != set(names):
        raise BadReceipt("malformed", f"expected exactly these fields: {', '.join(names)}")
    if format is not None and value["format"] != format:
        raise BadReceipt("malformed", f"the format is not {format}")


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise BadReceipt("malformed", "expected a list")
    return value


def _integer(value: Any) -> int:
    if not isinstance(value, str) or not _INTEGER.fullmatch(value) or not -(2**63) <= int(value) < 2**63:
        raise BadReceipt("malformed", f"not a 64-bit integer as a decimal string: {value!r}")
    return int(value)


def _optional_integer(value: Any) -> int | None:
    return None if value is None else _integer(value)


def _text(value: Any) -> bytes:
    try:
        return str.encode(value)
    except (TypeError, UnicodeEncodeError):
        raise BadReceipt("malformed", f"not a text: {value!r}") from None


def _hex(value: Any, size: int | None = None) -> bytes:
    if not isinstance(value, str) or not _HEX.fullmatch(value) or size not in (None, len(value) // 2):
        raise BadReceipt("malformed", f"not lowercase hexadecimal of the right length: {value!r}")
    return bytes.fromhex(value)


def _hash(value: Any) -> bytes:
    return _hex(value, merkle.HASH_BYTES)


def _hashes(value: Any) -> list[bytes]:
    return [_hash(item) for item in _list(value)]


def _time(value: Any) -> int:
    try:
        if not _TIME.fullmatch(value):
            raise ValueError
        return canonical.microseconds(datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC))
    except (TypeError, ValueError):
        raise BadReceipt("malformed", f"not a time in UTC with microseconds: {value!r}") from None


# --- From values to JSON -----------------------------------------------------------------------------------------


def time_json(at: int) -> str:
    """A time given in microseconds, as it stands in receipts and heads."""
    return (canonical.EPOCH + timedelta(microseconds=at)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def head_json(head: Head) -> Json:
    """A head as it stands in receipts, in the file of heads and on the page of heads."""
    return {
        "seq": str(head.seq),
        "hash": head.hash.hex(),
        "log_root": head.log_root.hex(),
        "sealed_at": time_json(head.sealed_at),
        "key_id": head.key_id,
        "public_key": head.public_key.hex(),
        "signature": head.signature.hex(),
    }


def read_head(value: Any) -> Head:
    """The inverse of ``head_json``. Raises ``BadReceipt`` (malformed)."""
    return _head(value)
