"""JSON from strangers is bounded and unambiguous, and refused with one clear line."""

from __future__ import annotations

import pytest

from games.rules.strict_json import LARGEST_FILE, Malformed, read_object, shown

REFUSED = {
    "empty": (b"", "not JSON"),
    "cut off": (b'{"a": [1, 2', "not JSON"),
    "two values": (b"{} {}", "not JSON"),
    "a list": (b"[1]", "instead of a JSON object"),
    "nothing": (b"null", "instead of a JSON object"),
    "Latin-1": ('{"a": "õ"}'.encode("latin-1"), "not UTF-8"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
    "NUL bytes": (b"\x00" * 10, "not JSON"),
    "not a number": (b'{"a": NaN}', "NaN is not a JSON number"),
    "infinity": (b'{"a": -Infinity}', "-Infinity is not a JSON number"),
    "a key twice": (b'{"a": 1, "b": 2, "a": 3}', "the key 'a' is given twice"),
    "a key twice deep inside": (b'{"a": [{"b": 2, "b": 3}]}', "the key 'b' is given twice"),
    "deep lists": (b'{"a": ' + b"[" * 200_000, "nested too deeply"),
    "deep objects": (b'{"a":' * 100_000, "nested too deeply"),
    "an endless number": (b'{"a": ' + b"9" * 100_000 + b"}", "too many digits"),
    "a huge file": (b'{"a": "' + b"x" * LARGEST_FILE + b'"}', "larger than"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_is_told_in_one_line(what: str) -> None:
    data, told = REFUSED[what]
    with pytest.raises(Malformed, match=told) as refusal:
        read_object(data)
    assert refusal.value.detail.isprintable() and len(refusal.value.detail) < 200


def test_a_byte_order_mark_is_allowed() -> None:
    assert read_object(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_a_message_never_carries_control_characters_or_novels() -> None:
    assert shown("\x1b[2J\n\ud800" * 100).isprintable() and len(shown("x" * 1000)) < 50
