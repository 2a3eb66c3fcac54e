"""The file that old tables' logs are kept in, as anybody with nothing but the file can read it (docs/operations.md).

Gzip of lines of JSON, UTF-8. A table is one member of the gzip: a first line with what the table was and its deals
(deck, nonces and seed among it), then a line for each entry of its log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.rules.proof import Proof, parse_proof
from games.rules.record import Record, parse_record
from games.rules.strict_json import Malformed, shown

FORMAT = "card-club-logs/1"
MAGIC = b"\x1f\x8b"
"""How every gzip begins."""


def find_deal(lines: Iterable[bytes], table: str, number: int) -> tuple[Record, Proof]:
    """Return the record and the proof of a deal from an archive's ``lines``; raises ``Malformed`` and what they raise."""
    for header, log in _tables(lines):
        if header.get("table") == table:
            deal = next((deal for deal in header["deals"] if deal["number"] == number), None)
            if deal is None:
                raise Malformed(f"table {table} has no deal {number} in this archive")
            entries = [entry for entry in log if entry["deal"] == number]
            return _record(header, deal, entries), _proof(header, deal, entries)
    raise Malformed(f"table {shown(table)} is not in this archive")


def first_match(events: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the event that opened a match, if its first dealer was drawn at the table (an event's is given)."""
    opened = next((event for event in events if event["type"] == "match"), None)
    return None if opened is None or opened.get("given") else opened


def _tables(lines: Iterable[bytes]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield each table's header and log."""
    header: dict[str, Any] | None = None
    log: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        found = _object(line, number)
        if "format" in found:
            if found["format"] != FORMAT:
                raise Malformed(f"line {number}: the format is {shown(found['format'])}, not {FORMAT!r}")
            if header is not None:
                yield header, log
            header, log = found, []
        else:
            log.append(found)
    if header is None:
        raise Malformed("this is no archive of tables")
    yield header, log


def _object(line: bytes, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        raise Malformed(f"line {number} is not JSON") from None
    if not isinstance(found, dict) or not (
        "format" in found or {"version", "deal", "events"} <= found.keys()
    ):
        raise Malformed(f"line {number} belongs to no archive of tables")
    return found


def _record(
    header: Mapping[str, Any], deal: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> Record:
    raw = {"game": header["game"], "options": header["options"], **deal["carried"]}
    raw |= {key: deal[key] for key in ("seats", "dealer", "deck")}
    return parse_record(raw | {"moves": [entry["move"] for entry in entries if entry["ply"] is not None]})


def _proof(header: Mapping[str, Any], deal: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> Proof:
    shuffles = [entry["move"].split()[1:] for entry in entries if entry["by"] == "shuffler"]
    raw: dict[str, Any] = {"commitment": header["commitment"], "deal": deal["number"], "reshuffles": shuffles}
    raw |= {key: deal[key] for key in ("seed", "nonces", "deck", "packs")}
    opened = first_match(event for entry in entries if not entry["move"] for event in entry["events"])
    if opened is not None and sorted(opened["seats"]) == sorted(deal["seats"]):
        raw |= {"first_dealer": opened["dealer"], "seats": sorted(opened["seats"])}
    return parse_proof(json.dumps(raw).encode())
