"""What a lesson is made of: scenes, their steps, and decks that deal what a scene needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise

from games.rules.cards import PACK, Card
from games.rules.interface import Move, Seat

Text = str | Promise

NAMES = ("Aino", "Juhan", "Leida", "Oskar", "Salme")
"""Who sits in seats 1 to 5 where the learner does not; the sentences of the lessons call them so."""


class Step(NamedTuple):
    """One step: what the others play first, what is said then, and the learner's decision, if there is one.

    ``ask`` are the moves with which the lesson goes on; without any the learner
    only reads. ``instead`` answers other legal moves: the first pattern (as of
    ``fnmatch``) that fits says why the lesson would not play that. ``why`` says by
    code why another move is not legal, of the very cards that lie there.
    """

    say: Text
    moves: tuple[Move, ...] = ()
    ask: tuple[Move, ...] = ()
    instead: tuple[tuple[str, Text], ...] = ()
    why: tuple[tuple[str, Text], ...] = ()


class Scene(NamedTuple):
    """One deal of a lesson, seen from ``learner``'s seat; ``pot`` are the stakes that lay there before it."""

    title: Text
    options: Mapping[str, Any]
    seats: int
    dealer: Seat
    learner: Seat
    deck: tuple[Card, ...]
    steps: tuple[Step, ...]
    pot: int = 0


def deck_of(hands: Iterable[str], then: str) -> tuple[Card, ...]:
    """Return a whole pack that deals ``hands`` one card at a time, then the cards ``then``, then the rest.

    ``hands`` are texts such as ``"AS KS 2H"`` in the order of the dealing, all of one length.
    """
    columns = [hand.split() for hand in hands]
    dealt = [card for row in zip(*columns, strict=True) for card in row] + then.split()
    return (*dealt, *(card for card in PACK if card not in set(dealt)))
