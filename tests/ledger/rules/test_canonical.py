"""Canonical bytes: written out once by hand, and never the same for two different records."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules import canonical

ACCOUNT = canonical.bytes_field(canonical.account_bytes(5, "wallet", "w", b"o" * 16, "CHIPS", 0))
HOUSE = canonical.bytes_field(canonical.account_bytes(7, "pot", "", b"", "CHIPS", 2))
POSTING = canonical.posting_field(1, ACCOUNT, HOUSE, 10, -10, 3, 10, 4)


def example(**other: Any) -> bytes:
    values: dict[str, Any] = {
        "id": 1,
        "key": b"k",
        "fingerprint": b"f" * 32,
        "kind": b"ante",
        "state": b"posted",
        "resolves": None,
        "reverses": None,
        "source": b"table/1",
        "salt": b"s" * 16,
        "note_hash": None,
        "at": 2,
        "xid": 3,
        "postings": [POSTING],
    }
    return canonical.transaction_bytes(**{**values, **other})


def integer(value: int) -> str:
    return f"00000008{value & (2**64 - 1):016x}"


def test_an_account_is_these_bytes() -> None:
    assert ACCOUNT.hex() == (
        "00000044"
        + integer(5)
        + "00000006" + b"wallet".hex()
        + "00000001" + b"w".hex()
        + "00000010" + (b"o" * 16).hex()
        + "00000005" + b"CHIPS".hex()
        + integer(0)
    )  # fmt: skip


def test_a_transaction_is_these_bytes() -> None:
    posting = (
        integer(1)
        + ACCOUNT.hex()
        + HOUSE.hex()
        + integer(10)
        + integer(-10)
        + integer(3)
        + integer(10)
        + integer(4)
    )
    assert example(resolves=9).hex() == (
        b"club-ledger transaction\x00\x01".hex()
        + integer(1)
        + "00000001" + b"k".hex()
        + "00000020" + (b"f" * 32).hex()
        + "00000004" + b"ante".hex()
        + "00000006" + b"posted".hex()
        + integer(9)
        + "00000000"
        + "00000007" + b"table/1".hex()
        + "00000010" + (b"s" * 16).hex()
        + "00000000"
        + integer(2)
        + integer(3)
        + integer(1)
        + f"{len(posting) // 2:08x}" + posting
    )  # fmt: skip


def test_a_seal_and_a_head_are_these_bytes() -> None:
    seal = canonical.seal_bytes(2, 0, 10, 20, 3, b"p" * 32, b"r" * 32, [("AB", 1, 4, 50)], 6)
    total = "00000002" + b"AB".hex() + integer(1) + integer(4) + integer(50)
    assert seal.hex() == (
        b"club-ledger seal\x00\x01".hex()
        + "".join(integer(value) for value in (2, 0, 10, 20, 3))
        + "00000020" + (b"p" * 32).hex()
        + "00000020" + (b"r" * 32).hex()
        + integer(6)
        + integer(1)
        + f"{len(total) // 2:08x}" + total
    )  # fmt: skip
    head = canonical.head_bytes(2, b"h" * 32, b"l" * 32, 6, "name")
    assert head.hex() == (
        b"club-ledger head\x00\x01".hex()
        + integer(2)
        + "00000020" + (b"h" * 32).hex()
        + "00000020" + (b"l" * 32).hex()
        + integer(6)
        + "00000004" + b"name".hex()
    )  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", 2),
        ("key", b"l"),
        ("fingerprint", b"g" * 32),
        ("kind", b"anti"),
        ("state", b"void"),
        ("resolves", 1),
        ("reverses", 1),
        ("source", b"table/2"),
        ("salt", b"t" * 16),
        ("note_hash", b"n" * 32),
        ("at", 3),
        ("xid", 4),
        ("postings", []),
        ("postings", [POSTING, POSTING]),
    ],
)
def test_every_field_is_covered(field: str, value: Any) -> None:
    assert example(**{field: value}) != example()


def test_resolves_and_reverses_are_not_confused() -> None:
    assert example(resolves=1) != example(reverses=1)


texts = st.binary(max_size=6)


@given(texts, texts, texts, texts)
def test_text_never_slips_from_one_field_into_the_next(a: bytes, b: bytes, c: bytes, d: bytes) -> None:
    same = example(key=a, kind=b) == example(key=c, kind=d)
    assert same == ((a, b) == (c, d))


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)), st.integers(-720, 720))
def test_times_are_microseconds_of_utc_in_every_zone(moment: datetime, offset: int) -> None:
    there = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
    count = canonical.microseconds(there)
    assert canonical.EPOCH + timedelta(microseconds=count) == there
    assert count == canonical.microseconds(there.astimezone(UTC))


def test_a_note_is_hashed_with_its_salt() -> None:
    assert canonical.note_digest(b"salt", "õ") == sha256(b"salt\xc3\xb5").digest()
