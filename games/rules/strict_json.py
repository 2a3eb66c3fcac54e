"""Reading JSON from strangers: bounded, unambiguous, and refused with one clear line.

Records of deals and proofs of decks come from files that anybody may have
written, so nothing about them is taken for granted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from games.rules.errors import Refusal

LARGEST_FILE = 1_000_000
"""Bytes; the longest possible deal of either game stays far below."""

_SHOWN_CHARACTERS = 40


class Malformed(Refusal):
    """A file that is not what it should be; ``detail`` is one line that says where and why."""

    def __init__(self, detail: str) -> None:
        super().__init__("malformed", detail)


def read_object(data: bytes) -> dict[str, Any]:
    """Return the JSON object in ``data``; raises ``Malformed``.

    Refused: more than a million bytes, text that is not UTF-8, a key given
    twice, NaN and infinities, numbers or nesting beyond reason, and anything
    that is not an object. A byte order mark is allowed.
    """
    if len(data) > LARGEST_FILE:
        raise Malformed(f"the file is larger than {LARGEST_FILE} bytes")
    try:
        value = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_unique_keys, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise Malformed(f"the file is not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Malformed(f"the file is not JSON: {error.msg} at {where}") from None
    except RecursionError:
        raise Malformed("the JSON is nested too deeply") from None
    except ValueError:
        raise Malformed("the JSON holds a number with too many digits") from None
    if not isinstance(value, dict):
        raise Malformed(f"the file holds {shown(value)} instead of a JSON object")
    return value


def shown(value: Any) -> str:
    """Return ``value`` as short printable ASCII for a message."""
    text = ascii(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."


def check_keys(raw: Mapping[str, Any], *, required: Iterable[str], optional: Iterable[str] = ()) -> None:
    """Raise ``Malformed`` unless ``raw`` has every required key and no key besides the optional ones."""
    for key in required:
        if key not in raw:
            raise Malformed(f"{key!r} is missing")
    known = {*required, *optional}
    for key in raw:
        if key not in known:
            raise Malformed(f"unknown key {shown(key)}")


def take_int(raw: Mapping[str, Any], key: str, *, least: int, most: int) -> int:
    """Return the integer ``raw[key]`` from ``least`` to ``most``; raises ``Malformed``."""
    value = raw[key]
    if not _is_int(value) or not least <= value <= most:
        raise Malformed(f"{key!r} must be an integer from {least} to {most}, not {shown(value)}")
    return int(value)


def take_text(raw: Mapping[str, Any], key: str) -> str:
    """Return the text ``raw[key]``; raises ``Malformed``."""
    value = raw[key]
    if not isinstance(value, str):
        raise Malformed(f"{key!r} must be a text, not {shown(value)}")
    return value


def take_object(raw: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the JSON object ``raw[key]``; raises ``Malformed``."""
    value = raw[key]
    if not isinstance(value, dict):
        raise Malformed(f"{key!r} must be an object, not {shown(value)}")
    return value


def take_texts(raw: Mapping[str, Any], key: str, *, most: int) -> tuple[str, ...]:
    """Return the list of at most ``most`` texts ``raw[key]``; raises ``Malformed``."""
    return texts(raw[key], repr(key), most=most)


def texts(value: Any, name: str, *, most: int) -> tuple[str, ...]:
    """Return ``value`` as a tuple of at most ``most`` texts; raises ``Malformed`` speaking of ``name``."""
    for place, item in enumerate(_list(value, name, most), start=1):
        if not isinstance(item, str):
            raise Malformed(f"item {place} of {name} must be a text, not {shown(item)}")
    return tuple(value)


def take_seats(raw: Mapping[str, Any], key: str, *, most: int) -> tuple[int, ...]:
    """Return the list ``raw[key]`` of at most ``most`` different seats from 1 to 999; raises ``Malformed``."""
    seats = _list(raw[key], repr(key), most)
    for seat in seats:
        if not _is_int(seat) or not 1 <= seat <= 999:
            raise Malformed(f"a seat must be an integer from 1 to 999, not {shown(seat)}")
    if len(set(seats)) != len(seats):
        raise Malformed(f"{key!r} names a seat twice")
    return tuple(seats)


def _list(value: Any, name: str, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed(f"{name} must be a list, not {shown(value)}")
    if len(value) > most:
        raise Malformed(f"{name} has {len(value)} items; at most {most} are possible")
    return value


def _is_int(value: Any) -> bool:
    """Whether ``value`` is an integer; JSON's true and false are ints to Python but not to us."""
    return isinstance(value, int) and not isinstance(value, bool)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Malformed(f"the key {shown(twice)} is given twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not a JSON number")
