"""Events and results as lines of text for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.rules.interface import Event, Seat

LONGEST_LINE = 300


def complaint(detail: str) -> str:
    """Return ``detail`` as one printable line of bounded length."""
    line = "".join(char if char.isprintable() else "?" for char in detail)
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "..."


def event_line(event: Event) -> str:
    """Return an event as one line, ``type: name value, name value``, private facts by seat at the end."""
    facts = [f"{name} {_value(value)}" for name, value in event.items() if name not in ("type", "private")]
    for seat, private in event.get("private", {}).items():
        told = ", ".join(f"{name} {_value(value)}" for name, value in private.items())
        facts.append(f"[seat {seat}: {told}]")
    return f"{event['type']}: {', '.join(facts)}" if facts else str(event["type"])


def seat_table(facts: Mapping[str, Any], seats: Sequence[Seat]) -> list[str]:
    """Return a table with a row for each seat and a column for each fact given by seat; other facts below it."""
    by_seat = [name for name, value in facts.items() if _is_by_seat(value)]
    rows = [[str(seat), *(str(facts[name].get(str(seat), "")) for name in by_seat)] for seat in seats]
    lines = columns([["seat", *by_seat], *rows]) if by_seat else []
    return lines + [f"{name}: {_value(value)}" for name, value in facts.items() if name not in by_seat]


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return ``rows`` of equal length as lines with columns set flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _is_by_seat(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(str(key).isdigit() for key in value)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        told = [f"{key}={_value(item)}" for key, item in value.items()]
        return ("; " if any(" " in item for item in told) else " ").join(told) or "none"
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return " ".join(_value(item) for item in value) or "none"
    if value is None:
        return "none"
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
