"""The table options of 3-Card Loo and the amounts that follow from them.

Rule numbers (L1 to L25) are those of docs/rules/three_card_loo.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.rules.errors import BadOptions
from games.rules.strict_json import shown

ANTE = 3
"""What the dealer pays to the pot before a deal, in stakes (L3)."""

MOST_SEATS = 16
"""16 hands, the miss and the turn-up use the whole pack: 16 * 3 + 3 + 1 = 52 (L1)."""


class Options(NamedTuple):
    """How a table plays; the defaults are the club's game. Built by ``parse_options`` alone."""

    min_players: int = 5  # L1: 5, or 3 at practice tables
    ante: str = "dealer"  # L3: dealer, everyone
    defend: str = "lone"  # L9: lone, any
    dealer_may_concede: bool = False  # L9
    lead: str = "highest_if_two"  # L14: highest_if_two, always_highest
    under_trump: str = "must"  # L15: must, free
    loo: int | str = 3  # L18: 3, 6, "pot"
    loo_cap: int = 24  # L18: in stakes, bounds loo = "pot"
    bold_stand: bool = False  # L20
    club_law: bool = False  # L20
    rotations: int = 1  # L21: 1 to 5
    finish: str = "fixed"  # L21: fixed, until_no_loo


CHOICES: dict[str, tuple[int | str | bool, ...]] = {
    "min_players": (5, 3),
    "ante": ("dealer", "everyone"),
    "defend": ("lone", "any"),
    "dealer_may_concede": (False, True),
    "lead": ("highest_if_two", "always_highest"),
    "under_trump": ("must", "free"),
    "loo": (3, 6, "pot"),
    "loo_cap": tuple(range(3, 1001)),
    "bold_stand": (False, True),
    "club_law": (False, True),
    "rotations": (1, 2, 3, 4, 5),
    "finish": ("fixed", "until_no_loo"),
}
"""Every option with every value it may have, the default first except for ``loo_cap``."""


def parse_options(raw: Mapping[str, Any]) -> Options:
    """Return the options that the JSON object ``raw`` names, defaults for the rest.

    Raises ``BadOptions`` with the code ``unknown_option`` or ``bad_option_value``.
    """
    for name, value in raw.items():
        if name not in CHOICES:
            raise BadOptions("unknown_option", f"3-Card Loo has no option {shown(name)}")
        if not _is_choice(value, CHOICES[name]):
            raise BadOptions("bad_option_value", f"option {name} cannot be {shown(value)}; {_allowed(name)}")
    return Options(**raw)


def dump_options(options: Options) -> dict[str, Any]:
    """Return the options as JSON values; ``parse_options`` is the inverse."""
    return options._asdict()


def seat_range(options: Options) -> tuple[int, int]:
    """Return the fewest and the most seats that a deal may have (L1)."""
    return options.min_players, MOST_SEATS


def antes(options: Options, seats: int) -> int:
    """Return what the antes bring to the pot when ``seats`` seats are dealt in, in stakes (L3)."""
    return ANTE * seats if options.ante == "everyone" else ANTE


def loo_amount(options: Options, pot: int) -> int:
    """Return what being looed costs when play starts with ``pot`` stakes in the pot (L18)."""
    if isinstance(options.loo, int):
        return options.loo
    return min(pot, options.loo_cap)


def _is_choice(value: Any, choices: tuple[int | str | bool, ...]) -> bool:
    """Whether ``value`` is one of ``choices``, keeping apart what Python calls equal (1, 1.0, True)."""
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _allowed(name: str) -> str:
    choices = CHOICES[name]
    if len(choices) > 9:
        return f"it is a whole number from {choices[0]} to {choices[-1]}"
    return "it is one of " + ", ".join(str(choice).lower() for choice in choices)
