"""The parts of an export as lines of a spreadsheet: a line for each seat, each player's score, each drawn table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tournaments.models import Tournament
from tournaments.selectors.events import entries_of
from tournaments.selectors.exports import PARTS, Row

Line = tuple[Any, ...]
Names = dict[int, str]
Flat = Callable[[Row, Names], Iterator[Line]]


def sheet_lines(tournament: Tournament, what: str, *, everything: bool) -> Iterator[Line]:
    """Yield the head and the lines of one of ``SHEETS``; ``KeyError`` for another name."""
    columns, flat = SHEETS[what]
    names = {entry.number: entry.shown_name for entry in entries_of(tournament)}
    yield columns
    for row in PARTS[what](tournament, everything):
        yield from flat(row, names)


def _entry(row: Row, names: Names) -> Iterator[Line]:
    yield tuple(row[column] for column in ENTRY)


def _draw(row: Row, names: Names) -> Iterator[Line]:
    proof = (row["q"], *(row["bounds"].get(name, 0) for name in ("pairs", "rounds", "visits")))
    figures = tuple(row["figures"][name] for name in ("repeats", "third", "back_to_back"))
    rest = tuple(row[name] for name in ("seat_spread", "method", "seed", "seconds", "in_use", "at"))
    numbers = (row["first_round"] + n for n in range(len(row["rounds"])))
    for number, tables in zip(numbers, row["rounds"], strict=True):
        for n, seats in enumerate(tables, 1):
            own = (row["version"], row["kind"], number, n, " ".join(map(str, seats)))
            yield (*own, *proof, row["gap"], row["optimal"], *figures, *rest)


def _table(row: Row, names: Names) -> Iterator[Line]:
    own = (row["round"], row["release"], row["counts"], row["table"], row["state"])
    for seat, entry in enumerate(row["seats"], 1):
        yield (*own, seat, entry, names.get(entry), seat == 1, " ".join(row["site_tables"]))


def _result(row: Row, names: Names) -> Iterator[Line]:
    own = tuple(row[name] for name in RESULT[:9])
    for entry, score in row["scores"].items():
        rest = (row["pot"], row["by"], row["at"], row["reason"])
        yield (*own, int(entry), names.get(int(entry)), score, *rest)


def _standing(row: Row, names: Names) -> Iterator[Line]:
    rounds = " ".join(f"{number}:{score}" for number, score in sorted(row["rounds"].items()))
    entry = row["entry"]
    yield (row["rank"], entry, names.get(entry), _number(row["score"]), rounds, row["still"])


def _dealer(row: Row, names: Names) -> Iterator[Line]:
    yield (row["entry"], names.get(row["entry"]), row["dealt"], _number(row["owed"]))


def _prize(row: Row, names: Names) -> Iterator[Line]:
    entry = row.get("entry")
    name = names.get(entry) if entry else None
    yield (row["kind"], row["place"], row.get("share"), entry, name, row["chips"], row.get("payout"))


def _number(fraction: str) -> int | float:
    """Return a number that a spreadsheet can add up; what is no whole number with four decimals."""
    above, _slash, below = fraction.partition("/")
    return round(int(above) / int(below), 4) if below else int(above)


ENTRY = ("number", "name", "played_by", "bot", "status", "checked_in", "first_round", "place")
DRAW = (
    *(
        "version",
        "kind",
        "round",
        "table",
        "seats",
        "q",
        "bound_pairs",
        "bound_rounds",
        "bound_visits",
        "gap",
    ),
    *("optimal", "repeats", "third_meetings", "back_to_back", "seat_spread", "method", "seed", "seconds"),
    *("in_use", "at"),
)
TABLE = (
    *("round", "release", "counts", "table", "state"),
    *("seat", "entry", "name", "deals_first", "site_tables"),
)
RESULT = (
    *("round", "release", "counts", "table", "deal", "kind", "version", "struck", "dealer"),
    *("entry", "name", "score", "pot", "by", "at", "reason"),
)
SHEETS: dict[str, tuple[tuple[str, ...], Flat]] = {
    "entries": (ENTRY, _entry),
    "draws": (DRAW, _draw),
    "tables": (TABLE, _table),
    "results": (RESULT, _result),
    "standings": (("rank", "entry", "name", "score", "rounds", "still"), _standing),
    "dealers": (("entry", "name", "dealt", "owed"), _dealer),
    "prizes": (("kind", "place", "share", "entry", "name", "chips", "payout"), _prize),
}
"""Every sheet by its name: its columns, and how a row of the export becomes lines."""
