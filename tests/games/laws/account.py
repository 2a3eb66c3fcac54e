"""What an account of a game must tell, so that the laws can judge the game without asking its code."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from games.rules.interface import Event, Seat
from games.rules.record import Record


class LawBroken(AssertionError):
    """A law does not hold; the message holds the record of the deal that shows it."""


def demand(held: bool, law: str, record: Record | None = None) -> None:
    """Raise ``LawBroken`` unless the law ``held``."""
    if not held:
        shown = "" if record is None else f"\n{record}"
        raise LawBroken(law + shown)


class Zones(Protocol):
    """Where every card of a deal is, followed by the events alone."""

    def follow(self, event: Event) -> None:
        """Move the cards that ``event`` moves; raises ``LawBroken`` if one is not where it must come from."""

    def agree(self, views: Mapping[Seat | None, dict[str, Any]]) -> None:
        """Raise ``LawBroken`` unless the ``views`` of all seats and of a watcher show these zones."""

    def everywhere(self) -> list[str]:
        """Return all cards of the deal, wherever they are."""


class Account(Protocol):
    """One game, as a referee who wrote none of its code sees it."""

    choices: Mapping[str, tuple[Any, ...]]
    """Every option with the values to try."""

    def known(self, record: Record, over: bool, seat: Seat | None) -> Any:
        """Return all that ``seat`` may know after the moves of ``record``, by the rules' text, comparable.

        May return ``None`` for moves that the deck makes impossible.
        """

    def zones(self, record: Record) -> Zones:
        """Return the zones before the first event."""

    def attempts(self, dice: random.Random, legal: Sequence[str], hand: Sequence[str]) -> list[str]:
        """Return move texts that may or may not be legal, to be tried."""


def take_out(cards: list[str], card: str, place: str) -> None:
    """Remove ``card`` from ``cards``, or raise ``LawBroken``: a card cannot come from where it is not."""
    demand(card in cards, f"{card} comes from {place} but is not there: {' '.join(cards)}")
    cards.remove(card)
