"""A deal as a text: what was dealt to whom, and the moves, from which every state follows.

JSON, for machines and people alike::

    {"game": "three_card_loo", "options": {}, "seats": [1, 2, 3, 4, 5], "dealer": 5, "pot": 0,
     "deck": ["AS", "TD", ...], "moves": ["fold", "play", "miss", "AS", ...]}

Seats stand in order to the left and the deck has its top card first. What a
deal takes over from the one before (the pot of 3-Card Loo) has a key of its
own, 0 if left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.rules import GAMES
from games.rules.cards import PACK, RANK, Card
from games.rules.errors import IllegalMove, MalformedMove
from games.rules.interface import Event, Game, Move, Seat
from games.rules.strict_json import (
    Malformed,
    check_keys,
    read_object,
    shown,
    take_int,
    take_object,
    take_seats,
    take_text,
    take_texts,
)

MOST_SEATS = 64
MOST_CARDS = 4 * len(PACK)
MOST_MOVES = 10_000
LARGEST_CARRIED = 10**9


@dataclass(frozen=True, slots=True)
class Record:
    """One deal: ``options`` as the game parsed them, ``carried`` by the names of ``Game.CARRIED``."""

    game: str
    options: Any
    seats: tuple[Seat, ...]
    dealer: Seat
    deck: tuple[Card, ...]
    moves: tuple[Move, ...] = ()
    carried: Mapping[str, int] = field(default_factory=dict)

    @property
    def rules(self) -> Game:
        """The module with the rules of this deal's game."""
        return GAMES[self.game]


class Refused(NamedTuple):
    """The first move of a record that the rules do not allow; ``number`` counts from 1."""

    number: int
    seat: Seat | None
    move: Move
    code: str
    detail: str

    def __str__(self) -> str:
        who = self.move if self.seat is None else f"seat {self.seat}: {self.move}"
        return f"move {self.number} ({who}): {self.detail}"


class Replay(NamedTuple):
    """A record played again: ``states[i]`` and ``events[i]`` belong to move i, index 0 to the dealing.

    ``refused`` tells where the replay stopped, or is ``None`` if every move was legal.
    """

    states: tuple[Any, ...]
    events: tuple[tuple[Event, ...], ...]
    refused: Refused | None

    @property
    def final(self) -> Any:
        """The state after the last legal move."""
        return self.states[-1]

    @property
    def all_events(self) -> list[Event]:
        """Every event in order, the dealing's first."""
        return [event for step in self.events for event in step]


def read_record(data: bytes) -> Record:
    """Return the record in a JSON file's bytes; raises ``Malformed``, ``BadOptions`` or ``MalformedMove``."""
    return parse_record(read_object(data))


def parse_record(raw: Mapping[str, Any]) -> Record:
    """Return the record that JSON values describe.

    Raises ``Malformed`` (with one line that says what is wrong), ``BadOptions``,
    or ``MalformedMove`` for a text that is no move of the game. Whether the
    deck can be dealt and the moves are legal is seen by ``replay``.
    """
    check_keys(raw, required=("game",), optional=raw)
    name = take_text(raw, "game")
    if name not in GAMES:
        raise Malformed(f"unknown game {shown(name)}; known are {', '.join(sorted(GAMES))}")
    game = GAMES[name]
    required = ("game", "seats", "dealer", "deck")
    check_keys(raw, required=required, optional=("options", "moves", "pot", *game.CARRIED))
    if "pot" in raw and "pot" not in game.CARRIED and take_int(raw, "pot", least=0, most=LARGEST_CARRIED):
        raise Malformed(f"'pot' must be 0 or left out: no pot is carried into a deal of {name}")
    seats = take_seats(raw, "seats", most=MOST_SEATS)
    dealer = take_int(raw, "dealer", least=1, most=999)
    if dealer not in seats:
        raise Malformed(f"the dealer, seat {dealer}, is not among the seats")
    return Record(
        game=name,
        options=game.parse_options(take_object(raw, "options") if "options" in raw else {}),
        seats=seats,
        dealer=dealer,
        deck=_take_deck(raw),
        moves=_take_moves(game, raw),
        carried={
            key: take_int(raw, key, least=0, most=LARGEST_CARRIED) for key in game.CARRIED if key in raw
        },
    )


def dump_record(record: Record) -> dict[str, Any]:
    """Return the record as JSON values; ``parse_record`` is its inverse."""
    return {
        "game": record.game,
        "options": record.rules.dump_options(record.options),
        "seats": list(record.seats),
        "dealer": record.dealer,
        **record.carried,
        "deck": list(record.deck),
        "moves": list(record.moves),
    }


def start(record: Record) -> Any:
    """Return the state after the dealing; raises ``BadDeal`` if seats, deck or pot do not fit the rules."""
    return record.rules.new_deal(
        seats=record.seats,
        dealer=record.dealer,
        deck=record.deck,
        options=record.options,
        **record.carried,
    )


def replay(record: Record) -> Replay:
    """Return the record played again, stopping at the first illegal move; raises ``BadDeal``."""
    game = record.rules
    states = [start(record)]
    events = [game.opening(states[0])]
    for number, move in enumerate(record.moves, start=1):
        seat = game.actor(states[-1])
        if seat is None:
            over = Refused(number, None, move, "deal_over", "the deal is over")
            return Replay(tuple(states), tuple(events), over)
        try:
            step = game.apply(states[-1], move)
        except IllegalMove as error:
            refused = Refused(number, seat, move, error.code, error.detail)
            return Replay(tuple(states), tuple(events), refused)
        states.append(step.state)
        events.append(step.events)
    return Replay(tuple(states), tuple(events), None)


def _take_deck(raw: Mapping[str, Any]) -> tuple[Card, ...]:
    deck = take_texts(raw, "deck", most=MOST_CARDS)
    for place, card in enumerate(deck, start=1):
        if card not in RANK:
            raise Malformed(f"item {place} of 'deck' is no card: {shown(card)}")
    return deck


def _take_moves(game: Game, raw: Mapping[str, Any]) -> tuple[Move, ...]:
    moves = []
    listed = take_texts(raw, "moves", most=MOST_MOVES) if "moves" in raw else ()
    for number, text in enumerate(listed, start=1):
        try:
            moves.append(game.parse_move(text))
        except MalformedMove as error:
            raise MalformedMove(error.code, f"move {number} is {shown(text)}: {error.detail}") from None
    return tuple(moves)
