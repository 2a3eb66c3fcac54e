"""Canonical bytes: exactly what is hashed and signed. docs/seals.md has the same as a table.

A record is its magic (a name, a zero byte, a version byte) and then its fields in
a fixed order. A field is its length (4 bytes, big-endian, unsigned) and its value:

* an integer is 8 bytes, big-endian, two's complement;
* a text is UTF-8, handed in here as bytes, so that what the database sends need not be decoded;
* a time is an integer, microseconds since 1970-01-01T00:00:00Z;
* a missing value has length 0;
* a record inside a record is a field that holds the inner record's fields.

Two different records never have the same bytes: every length is written down.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from struct import Struct

TRANSACTION_MAGIC = b"club-ledger transaction\x00\x01"
SEAL_MAGIC = b"club-ledger seal\x00\x01"
HEAD_MAGIC = b"club-ledger head\x00\x01"
GENESIS = bytes(32)
"""Stands where the first seal would name a previous one."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_LENGTH = Struct(">I").pack
_INTEGER = Struct(">Iq").pack
_TIME_XID_COUNT = Struct(">IqIqIq").pack
_POSTING_HEAD = Struct(">IIq").pack
_POSTING_TAIL = Struct(">IqIqIqIqIq").pack
_POSTING_FIXED_BYTES = 6 * 12

AssetTotal = tuple[str, int, int, int]
"""Asset code, scale, number of postings, sum of their amounts."""


def bytes_field(value: bytes) -> bytes:
    """One field: length, then value."""
    return _LENGTH(len(value)) + value


def integer_field(value: int | None) -> bytes:
    """An integer field; ``None`` is a missing value. Raises ``struct.error`` beyond 64 bits."""
    return b"\x00\x00\x00\x00" if value is None else _INTEGER(8, value)


def text_field(value: str) -> bytes:
    """A text field."""
    return bytes_field(value.encode())


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970-01-01T00:00:00Z of a time that has a zone."""
    return (moment - EPOCH) // _MICROSECOND


def account_bytes(id: int, kind: str, ref: str, owner: bytes, asset: str, scale: int) -> bytes:
    """Who an account is, as it stands in every posting. ``owner`` is 16 bytes, or none for the house."""
    return b"".join(
        (
            integer_field(id),
            text_field(kind),
            text_field(ref),
            bytes_field(owner),
            text_field(asset),
            integer_field(scale),
        )
    )


def posting_field(
    n: int,
    debit: bytes,
    credit: bytes,
    amount: int,
    debit_after: int,
    debit_seq: int,
    credit_after: int,
    credit_seq: int,
) -> bytes:
    """One posting as a field of its transaction; ``debit`` and ``credit`` are fields of ``account_bytes``."""
    return b"".join(
        (
            _POSTING_HEAD(_POSTING_FIXED_BYTES + len(debit) + len(credit), 8, n),
            debit,
            credit,
            _POSTING_TAIL(8, amount, 8, debit_after, 8, debit_seq, 8, credit_after, 8, credit_seq),
        )
    )


def transaction_bytes(
    id: int,
    key: bytes,
    fingerprint: bytes,
    kind: bytes,
    state: bytes,
    resolves: int | None,
    reverses: int | None,
    source: bytes,
    salt: bytes,
    note_hash: bytes | None,
    at: int,
    xid: int,
    postings: Sequence[bytes],
) -> bytes:
    """The data of a transaction's leaf; ``postings`` are ``posting_field``s in the order of their numbers."""
    note = note_hash or b""
    return b"".join(
        (
            TRANSACTION_MAGIC,
            _INTEGER(8, id),
            _LENGTH(len(key)),
            key,
            _LENGTH(len(fingerprint)),
            fingerprint,
            _LENGTH(len(kind)),
            kind,
            _LENGTH(len(state)),
            state,
            b"\x00\x00\x00\x00" if resolves is None else _INTEGER(8, resolves),
            b"\x00\x00\x00\x00" if reverses is None else _INTEGER(8, reverses),
            _LENGTH(len(source)),
            source,
            _LENGTH(len(salt)),
            salt,
            _LENGTH(len(note)),
            note,
            _TIME_XID_COUNT(8, at, 8, xid, 8, len(postings)),
            *postings,
        )
    )


def seal_bytes(
    seq: int,
    epoch: int,
    from_xid: int,
    to_xid: int,
    n: int,
    previous: bytes,
    root: bytes,
    totals: Sequence[AssetTotal],
    sealed_at: int,
) -> bytes:
    """The data of a seal's leaf in the tree over all seals; the leaf's hash is the seal's hash.

    ``totals`` are in ascending order of the asset's code."""
    listed = [
        bytes_field(text_field(code) + integer_field(scale) + integer_field(postings) + integer_field(amount))
        for code, scale, postings, amount in totals
    ]
    return b"".join(
        (
            SEAL_MAGIC,
            integer_field(seq),
            integer_field(epoch),
            integer_field(from_xid),
            integer_field(to_xid),
            integer_field(n),
            bytes_field(previous),
            bytes_field(root),
            integer_field(sealed_at),
            integer_field(len(listed)),
            *listed,
        )
    )


def head_bytes(seq: int, hash: bytes, log_root: bytes, sealed_at: int, key_id: str) -> bytes:
    """What is signed: a seal's hash and the root over all seals up to it."""
    return b"".join(
        (
            HEAD_MAGIC,
            integer_field(seq),
            bytes_field(hash),
            bytes_field(log_root),
            integer_field(sealed_at),
            text_field(key_id),
        )
    )


def key_name(public_key: bytes) -> str:
    """The ``key_id`` of a public key: the first 16 hexadecimal digits of its SHA-256."""
    return sha256(public_key).hexdigest()[:16]


def note_digest(salt: bytes, text: str) -> bytes:
    """Hash of a note as it stands in its transaction."""
    return sha256(salt + text.encode()).digest()
