"""The value that a deal of Least Score is, and what follows from it (S3, S8, S11, S12).

Inside a state a seat is found by its *place*, its index in ``seats``; seat numbers need not be
consecutive, because the knocked-out keep theirs. A *turn* is one seat's discard and take, a
*circuit* is one turn of every seat of the deal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from games.rules.cards import Card
from games.rules.interface import Move, Seat
from games.rules.least_score_options import Options
from games.rules.least_score_sets import total

HAND_SIZE = 5
LAST_CIRCUIT = 25
"""After this many circuits the hands are shown (S12)."""
WARNING_CIRCUITS = 3
"""A forced show is announced when it can come within this many circuits (S12)."""
WRONG_DECLARATION = 20
"""Points for declaring when somebody is lower, before the difference is added (S10)."""


class Outcome(NamedTuple):
    """How a deal ended: points and hand totals by place; ``declarer`` is a seat or ``None`` (S9-S12)."""

    scores: tuple[int, ...]
    totals: tuple[int, ...]
    declarer: Seat | None
    success: bool | None
    reason: str
    """What ended it: ``declared``, ``circuits``, ``stock`` or ``void``."""


class Deal(NamedTuple):
    """A deal at one moment. ``first`` is the place that began, ``turns`` counts finished turns.

    Hands are sorted. ``known`` holds for each place the cards of its hand that everybody has seen
    it take (S18). ``stock`` is top first. ``actor`` is a seat, ``CHANCE`` or ``None``.
    """

    options: Options
    seats: tuple[Seat, ...]
    dealer: Seat
    first: int
    hands: tuple[tuple[Card, ...], ...]
    known: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    open: tuple[Card, ...]
    open_by: Seat | None
    buried: tuple[Card, ...]
    turns: int
    shuffles: int
    actor: Seat | None
    last: tuple[Seat, Move] | None
    result: Outcome | None


def place_on_turn(state: Deal) -> int:
    """Return the place of the seat whose turn it is, or would be were the deal to go on."""
    return (state.first + state.turns) % len(state.seats)


def circuit(state: Deal) -> int:
    """Return the number, from 1, of the circuit being played or of the last one that was."""
    between_turns = not state.actor and (state.result is None or state.result.reason != "declared")
    return (state.turns - between_turns) // len(state.seats) + 1


def circuits_left(state: Deal) -> int | None:
    """Return the fewest circuits after which a forced show can come, or ``None`` above three (S12).

    The circuits count down exactly. After the reshuffle each turn can take one stock card at most,
    so the stock lasts for at least its size divided by the seats, rounded up.
    """
    seats = len(state.seats)
    left = LAST_CIRCUIT - state.turns // seats
    if state.shuffles:
        left = min(left, -(-len(state.stock) // seats))
    return left if left <= WARNING_CIRCUITS else None


def declare_code(state: Deal) -> str | None:
    """Return why the seat on turn may not declare, or ``None`` if it may (S8)."""
    if state.turns < len(state.seats):
        return "first_turn"
    cap = state.options.declare_cap
    if cap is not None and total(state.hands[place_on_turn(state)]) > cap:
        return "over_cap"
    return None


def declared(state: Deal) -> Outcome:
    """Return the outcome of the seat on turn declaring now (S9, S10)."""
    totals = tuple([total(hand) for hand in state.hands])
    place = place_on_turn(state)
    own, lowest = totals[place], min(totals)
    tied = totals.count(lowest) > 1
    success = own == lowest and not (tied and state.options.tie == "caught")
    if success:
        scores = tuple([points - own for points in totals])
    else:
        penalty = WRONG_DECLARATION + own - lowest
        scores = tuple([penalty if at == place else 0 for at in range(len(totals))])
    return Outcome(scores, totals, state.seats[place], success, "declared")


def forced(hands: tuple[tuple[Card, ...], ...], reason: str) -> Outcome:
    """Return the outcome of a show that nobody declared: each pays the distance to the lowest (S12)."""
    totals = tuple([total(hand) for hand in hands])
    lowest = min(totals)
    return Outcome(tuple([points - lowest for points in totals]), totals, None, None, reason)


def void(hands: tuple[tuple[Card, ...], ...]) -> Outcome:
    """Return the outcome of a deal in which no card is left to draw: nobody scores (S11)."""
    totals = tuple([total(hand) for hand in hands])
    return Outcome((0,) * len(hands), totals, None, None, "void")


def outcome_as_json(seats: tuple[Seat, ...], outcome: Outcome) -> dict[str, Any]:
    """Return ``outcome`` in the record's form; ``void`` is a key only of a void deal."""
    written: dict[str, Any] = {
        "scores": {str(seat): points for seat, points in zip(seats, outcome.scores, strict=True)},
        "totals": {str(seat): points for seat, points in zip(seats, outcome.totals, strict=True)},
        "declarer": outcome.declarer,
        "success": outcome.success,
    }
    if outcome.reason == "void":
        written["void"] = True
    return written
