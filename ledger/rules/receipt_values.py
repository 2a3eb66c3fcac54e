"""Values of receipts and prefix proofs: from JSON, refusing what is of another form, and to JSON.

Integers are decimal strings, bytes lowercase hexadecimal, times
``2026-03-01T18:30:00.000000Z``, and a field too many is refused like one too few,
so that a receipt says nothing that is not proven.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from . import canonical, merkle

Json = dict[str, Any]

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
SEAL_FIELDS = ("seq", "epoch", "from_xid", "to_xid", "n", "previous", "root", "totals", "sealed_at", "hash")
TOTAL_FIELDS = ("asset", "scale", "postings", "amount")
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


# --- From JSON to values -----------------------------------------------------------------------------------------


def read_transaction(transaction: Any) -> bytes:
    """The canonical bytes of a transaction as it stands in a receipt. All functions here raise ``BadReceipt``."""
    check_fields(transaction, _TRANSACTION)
    note_hash = transaction["note_hash"]
    return canonical.transaction_bytes(
        read_integer(transaction["id"]),
        read_text(transaction["key"]),
        read_hex(transaction["fingerprint"]),
        read_text(transaction["kind"]),
        read_text(transaction["state"]),
        _optional_integer(transaction["resolves"]),
        _optional_integer(transaction["reverses"]),
        read_text(transaction["source"]),
        read_hex(transaction["salt"]),
        None if note_hash is None else read_hash(note_hash),
        read_time(transaction["at"]),
        read_integer(transaction["xid"]),
        [_posting(posting) for posting in read_list(transaction["postings"])],
    )


def _posting(posting: Any) -> bytes:
    check_fields(posting, _POSTING)
    return canonical.posting_field(
        read_integer(posting["n"]),
        _account(posting["debit"]),
        _account(posting["credit"]),
        read_integer(posting["amount"]),
        read_integer(posting["debit_after"]),
        read_integer(posting["debit_seq"]),
        read_integer(posting["credit_after"]),
        read_integer(posting["credit_seq"]),
    )


def _account(account: Any) -> bytes:
    check_fields(account, _ACCOUNT)
    owner = b"" if account["owner"] is None else read_hex(account["owner"], 16)
    return canonical.bytes_field(
        canonical.account_bytes(
            read_integer(account["id"]),
            read_text(account["kind"]).decode(),
            read_text(account["ref"]).decode(),
            owner,
            read_text(account["asset"]).decode(),
            read_integer(account["scale"]),
        )
    )


def read_head(head: Any) -> Head:
    """The inverse of ``head_json``."""
    check_fields(head, _HEAD)
    return Head(
        read_integer(head["seq"]),
        read_hash(head["hash"]),
        read_hash(head["log_root"]),
        read_time(head["sealed_at"]),
        read_text(head["key_id"]).decode(),
        read_hex(head["public_key"], 32),
        read_hex(head["signature"], 64),
    )


def check_fields(value: Any, names: Sequence[str], format: str | None = None) -> None:
    """Refuse an object with a field too few or too many, or of another format."""
    if not isinstance(value, dict) or set(value) != set(names):
        raise BadReceipt("malformed", f"expected exactly these fields: {', '.join(names)}")
    if format is not None and value["format"] != format:
        raise BadReceipt("malformed", f"the format is not {format}")


def read_list(value: Any) -> list[Any]:
    """A list, of whatever."""
    if not isinstance(value, list):
        raise BadReceipt("malformed", "expected a list")
    return value


def read_integer(value: Any) -> int:
    """An integer of 64 bits, which stands as a decimal string without leading zeros."""
    if not isinstance(value, str) or not _INTEGER.fullmatch(value) or not -(2**63) <= int(value) < 2**63:
        raise BadReceipt("malformed", f"not a 64-bit integer as a decimal string: {value!r}")
    return int(value)


def _optional_integer(value: Any) -> int | None:
    return None if value is None else read_integer(value)


def read_text(value: Any) -> bytes:
    """A text, as UTF-8."""
    try:
        return str.encode(value)
    except (TypeError, UnicodeEncodeError):
        raise BadReceipt("malformed", f"not a text: {value!r}") from None


def read_hex(value: Any, size: int | None = None) -> bytes:
    """Bytes, which stand as lowercase hexadecimal; with ``size``, that many."""
    if not isinstance(value, str) or not _HEX.fullmatch(value) or size not in (None, len(value) // 2):
        raise BadReceipt("malformed", f"not lowercase hexadecimal of the right length: {value!r}")
    return bytes.fromhex(value)


def read_hash(value: Any) -> bytes:
    """A SHA-256."""
    return read_hex(value, merkle.HASH_BYTES)


def read_hashes(value: Any) -> list[bytes]:
    """A list of SHA-256 hashes."""
    return [read_hash(item) for item in read_list(value)]


def read_time(value: Any) -> int:
    """A time in UTC, in microseconds since 1970."""
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
