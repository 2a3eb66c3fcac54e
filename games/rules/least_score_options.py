"""The table options of Least Score, spelled as on the rules page (docs/rules/least_score.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.rules.errors import BadDeal, BadOptions
from games.rules.interface import Seat


class Options(NamedTuple):
    """How a table plays; the defaults are the casual game.

    ``entry`` is in stakes (0: no entry), ``threshold`` and ``declare_cap`` are in points.
    """

    packs: int = 1
    three_of_a_kind: bool = False
    any_run: bool = False
    runs: str = "any"
    pick: str = "any"
    declare_cap: int | None = None
    tie: str = "success"
    match: str = "last_standing"
    threshold: int = 100
    starter: str = "left"
    per_point: bool = False
    entry: int = 0
    prize: str = "winner"


CHOICES: dict[str, tuple[object, ...]] = {
    "packs": (1, 2),
    "three_of_a_kind": (False, True),
    "any_run": (False, True),
    "runs": ("any", "one_suit"),
    "pick": ("any", "ends"),
    "declare_cap": (None, 5, 7, 10),
    "tie": ("success", "caught"),
    "match": ("last_standing", "first_out"),
    "threshold": (100, 50, 25),
    "starter": ("left", "winner"),
    "per_point": (False, True),
    "prize": ("winner", "split_70_30"),
}
"""The values each option may have, the default first. ``entry`` is any whole number from 0."""

EVENT_CHOICES: dict[str, tuple[object, ...]] = {"match": ("counted",)}
"""Values that only events give their tables: nobody is knocked out by the table's own count and the event ends it."""


def parse_options(raw: Mapping[str, Any]) -> Options:
    """Return the options named in ``raw`` (JSON values), the rest at their defaults.

    Raises ``BadOptions`` with code ``unknown_option`` or ``bad_option_value``.
    """
    for name, value in raw.items():
        if name == "entry":
            if type(value) is not int or value < 0:
                raise BadOptions("bad_option_value", f"entry must be a whole number from 0, not {value!r}")
        elif name not in CHOICES:
            raise BadOptions("unknown_option", f"unknown option {name!r}")
        elif not any(
            value == choice and type(value) is type(choice)
            for choice in (*CHOICES[name], *EVENT_CHOICES.get(name, ()))
        ):
            allowed = ", ".join(str(choice) for choice in CHOICES[name])
            raise BadOptions("bad_option_value", f"{name} must be one of {allowed}, not {value!r}")
    return Options(**raw)


def dump_options(options: Options) -> dict[str, Any]:
    """Return every option as JSON values; ``parse_options`` is the inverse."""
    return options._asdict()


def seat_range(options: Options) -> tuple[int, int]:
    """Return the fewest and the most seats of a deal (S1).

    Two packs serve up to ten. They also serve as few as two, because a match that began with
    seven to ten keeps its packs while the knocked-out leave.
    """
    return (2, 6) if options.packs == 1 else (2, 10)


def check_seats(seats: tuple[Seat, ...], dealer: Seat, options: Options) -> None:
    """Raise ``BadDeal`` unless ``seats`` can play by ``options`` and ``dealer`` is one of them (S1).

    Codes: ``too_few_seats``, ``too_many_seats``, ``bad_seats``, ``bad_dealer``.
    """
    fewest, most = seat_range(options)
    if len(seats) < fewest:
        raise BadDeal("too_few_seats", f"Least Score needs at least {fewest} seats")
    if len(seats) > most:
        raise BadDeal("too_many_seats", f"{options.packs} pack(s) serve {most} seats at most")
    if len(set(seats)) != len(seats) or any(type(seat) is not int or seat < 1 for seat in seats):
        raise BadDeal("bad_seats", "seats are different whole numbers from 1")
    if dealer not in seats:
        raise BadDeal("bad_dealer", f"the dealer, seat {dealer!r}, is not one of the seats")
