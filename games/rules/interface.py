"""The one interface behind which every game stands.

A game is a module in this package that offers the functions of ``Game``; the
registry is ``games.rules.GAMES``. All values are frozen, all functions pure:
decks, dice and time are arguments. Seats are numbered from 1 in order to the
left; ``CHANCE`` (0) stands for the shuffler when a deal needs new randomness.

Moves are canonical text. ``parse_move`` is the one checked door from foreign
text; everything behind it trusts the form, and ``apply`` checks the rules.

Events are JSON-ready dicts with a ``"type"``. Facts for everybody stand at the
top level; facts for one seat stand under ``"private"``, keyed by the seat as
text. ``event_for`` is the only way an event leaves for a viewer. Chips move
only by events of type ``"stakes"``: ``{"type": "stakes", "from": 3, "to": 0,
"amount": 3, "reason": "ante"}`` where 0 is the pot and the unit is one stake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from games.rules.cards import Card

Move = str
Seat = int
Event = dict[str, Any]
CHANCE: Seat = 0
POT = 0


class Step(NamedTuple):
    """What a move makes of a deal: the new state and what happened, in order."""

    state: Any
    events: tuple[Event, ...]


class MatchStep(NamedTuple):
    """What the start or the end of a deal makes of a match."""

    match: Any
    events: tuple[Event, ...]


def event_for(event: Event, seat: Seat | None) -> Event:
    """Return what ``seat`` (or a watcher, ``None``) may know of ``event``, built from nothing."""
    shown = {key: value for key, value in event.items() if key != "private"}
    if seat is not None:
        shown.update(event.get("private", {}).get(str(seat), {}))
    return shown


class Game(Protocol):
    """The functions of a game's module; see the module docstring for the words."""

    NAME: str
    CARRIED: tuple[str, ...]
    """Names of the integers that a deal takes over from the one before, as ``new_deal`` and records know them."""
    MAY_SIT_OUT: bool
    """Whether the rules let a player ask not to be dealt in and come back later."""

    # Options ---------------------------------------------------------------
    def parse_options(self, raw: Mapping[str, Any]) -> Any:
        """Return frozen options from JSON values; raises ``BadOptions``."""

    def dump_options(self, options: Any) -> dict[str, Any]:
        """Return the options as JSON values; ``parse_options`` is its inverse."""

    def seat_range(self, options: Any) -> tuple[int, int]:
        """Return the fewest and the most seats a deal may have."""

    # One deal --------------------------------------------------------------
    def new_deal(
        self, *, seats: tuple[Seat, ...], dealer: Seat, deck: tuple[Card, ...], options: Any, **carried: Any
    ) -> Any:
        """Return the state after dealing from ``deck`` (top first); raises ``BadDeal``."""

    def opening(self, state: Any) -> tuple[Event, ...]:
        """Return the events of the dealing itself (antes, hands, turn-up)."""

    def actor(self, state: Any) -> Seat | None:
        """Return the seat on turn, ``CHANCE`` when a reshuffle is due, ``None`` when over."""

    def legal_moves(self, state: Any) -> tuple[Move, ...]:
        """Return every legal move of the actor; empty for ``CHANCE`` and when over."""

    def refusals(self, state: Any) -> dict[str, str]:
        """Return the actor's cards or moves that are not legal now, each with its code."""

    def parse_move(self, text: str) -> Move:
        """Return the canonical text of a move; raises ``MalformedMove``."""

    def apply(self, state: Any, move: Move) -> Step:
        """Return the step of the actor's ``move``; raises ``IllegalMove`` with the rule's code."""

    def to_shuffle(self, state: Any) -> tuple[Card, ...]:
        """Return the cards that a due reshuffle must order, in fixed order; empty otherwise."""

    def default_move(self, state: Any) -> Move:
        """Return the move that a time-out plays for the actor."""

    def view_for(self, state: Any, seat: Seat | None) -> dict[str, Any]:
        """Return what ``seat`` (``None``: a watcher) may know, JSON-ready, built from nothing."""

    def outcome(self, state: Any) -> Any | None:
        """Return the deal's outcome, or ``None`` while it goes on."""

    def outcome_json(self, state: Any) -> dict[str, Any] | None:
        """Return the outcome in the record's JSON form, or ``None``."""

    # A match ---------------------------------------------------------------
    def new_match(self, *, seats: tuple[Seat, ...], dealer: Seat, options: Any) -> MatchStep:
        """Return a match before its first deal; ``dealer`` was drawn by the caller."""

    def match_deal(self, match: Any, *, deck: tuple[Card, ...], live: tuple[Seat, ...] | None = None) -> Any:
        """Return the state of the match's next deal, dealt to ``live`` seats (default: all in play)."""

    def dealt_in(self, match: Any, live: tuple[Seat, ...] | None = None) -> tuple[Seat, ...]:
        """Return the seats, in order to the left, that the next deal is dealt to."""

    def carried(self, match: Any, live: tuple[Seat, ...] | None = None) -> dict[str, Any]:
        """Return what the match carries into its next deal, JSON-ready: keyword arguments of ``new_deal``."""

    def next_dealer(self, match: Any, live: tuple[Seat, ...] | None = None) -> Seat | None:
        """Return who deals next, or ``None`` when the match is over or too few seats are live."""

    def pass_deal(self, match: Any, dealer: Seat) -> Any:
        """Return the match with ``dealer`` next to deal, for an event that counts its deals itself."""

    def carry_on(self, match: Any, results: Mapping[Seat, int]) -> Any:
        """Return a match before its first deal whose seats bring ``results`` from tables before this one."""

    def worst_case(self, match: Any, seat: Seat, live: tuple[Seat, ...] | None = None) -> int:
        """Return the most stakes the next deal can cost ``seat`` (L22)."""

    def must_hold(self, match: Any, seat: Seat, live: tuple[Seat, ...] | None = None) -> int:
        """Return the stakes without which ``seat`` is not dealt in at a staked table (L22, S19)."""

    def close_deal(self, match: Any, state: Any, stacks: Mapping[Seat, int] | None = None) -> MatchStep:
        """Return the match after a finished deal; ``stacks`` (in stakes) limits what a seat can pay."""

    def end_match(self, match: Any) -> MatchStep:
        """End the match now (too few seats, closed table): the pot is settled by the rules."""

    def match_over(self, match: Any) -> bool:
        """Whether the match has ended and ``ranking`` is final."""

    def ranking(self, match: Any) -> tuple[tuple[int, Seat], ...]:
        """Return (place, seat) best first, equal results sharing a place."""

    def match_view(self, match: Any) -> dict[str, Any]:
        """Return the match's public facts, JSON-ready (deal number, totals or net, out, dealer)."""

    def dump_match(self, match: Any) -> dict[str, Any]:
        """Return the match as JSON values; ``load_match`` is its inverse."""

    def load_match(self, raw: Mapping[str, Any]) -> Any:
        """Return the match that ``dump_match`` wrote."""
