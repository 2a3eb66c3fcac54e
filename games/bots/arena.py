"""Matches between bots, drawn from one text, the same on every machine.

Decks, reshuffles and first dealers come from the streams of the fair deal
(docs/fair_deal.md), whose key is the SHA-256 of the text. Each bot has dice of
its own for each deal, made from an integer of such a stream by the setting's
``make_dice`` (``random.Random``: its generator and the methods that bots use
are the same in every version of Python). So a deal depends on the text, its
number and what was played before, and on nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from games.bots import choose
from games.rules import GAMES
from games.rules.cards import Card
from games.rules.interface import CHANCE, Game, Move, Seat
from games.rules.record import Record, dump_record
from games.rules.shuffle import FIRST_DEALER, Stream, deal_deck, reshuffle

if TYPE_CHECKING:
    from random import Random

BUDGET = 60
"""Continuations that a bot may imagine for one move, unless told otherwise."""


class Setting(NamedTuple):
    """What is played: the game by name, parsed options, its seats, the bots' level, dice and budget, the text.

    ``levels`` names the seats that play at another level; it is looked up before each deal.
    """

    game: str
    options: Any
    seats: tuple[Seat, ...]
    level: str
    seed: str
    make_dice: Callable[[int], Random]
    budget: int = BUDGET
    levels: Mapping[Seat, str] = MappingProxyType({})

    @property
    def rules(self) -> Game:
        """The module of the game's rules."""
        return GAMES[self.game]

    @property
    def key(self) -> bytes:
        """The 32 bytes that every stream of this setting starts from."""
        return hashlib.sha256(self.seed.encode()).digest()


@dataclass
class Tally:
    """What some deals came to; ``results`` are net stakes or points, whichever the game counts.

    ``firsts`` counts first places in finished matches, shared ones included.
    ``digest`` is the SHA-256 of all records in order, as hexadecimal digits.
    """

    deals: int = 0
    matches: int = 0
    moves: int = 0
    unfinished: bool = False
    results: Counter[Seat] = field(default_factory=Counter)
    firsts: Counter[Seat] = field(default_factory=Counter)
    digest: str = ""


def play(setting: Setting, deals: int) -> Tally:
    """Play matches one after another until ``deals`` deals are done and return what they came to.

    The last match may be cut off (``unfinished``); it then counts for no first
    place. Raises ``BadDeal`` if the seats do not fit the game, ``KeyError`` for
    an unknown level.
    """
    tally, hashed = Tally(), hashlib.sha256()
    while tally.deals < deals:
        tally.matches += 1
        for record, results, ranking in play_match(setting, tally.deals + 1):
            tally.deals += 1
            tally.moves += len(record.moves)
            tally.results.update(results)
            hashed.update(json.dumps(dump_record(record), sort_keys=True).encode())
            tally.unfinished = not ranking
            tally.firsts.update(seat for place, seat in ranking if place == 1)
            if tally.deals == deals:
                break
    tally.digest = hashed.hexdigest()
    return tally


Played = tuple[Record, dict[Seat, int], tuple[tuple[int, Seat], ...]]


def play_match(setting: Setting, first_number: int) -> Iterator[Played]:
    """Play a match whose deals are numbered from ``first_number``; after each deal yield what it was.

    That is its record, each seat's result in it, and the final ranking, which
    is empty while the match goes on. What is paid when the match ends (a pot
    that is split, a prize) belongs to the results of the last deal.
    """
    rules = setting.rules
    dealer_stream = Stream(setting.key, _nonces(setting.seats), first_number, FIRST_DEALER)
    dealer = setting.seats[dealer_stream.below(len(setting.seats))]
    match = rules.new_match(seats=setting.seats, dealer=dealer, options=setting.options).match
    number = first_number
    while not rules.match_over(match):
        record, state = _play_deal(setting, match, number)
        before = rules.match_view(match)
        match = rules.close_deal(match, state).match
        after = rules.match_view(match)
        ranking = rules.ranking(match) if rules.match_over(match) else ()
        yield record, _gained(before, after), ranking
        number += 1


def _gained(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[Seat, int]:
    """Return what each seat's public total (net stakes, else points) gained between two views of a match."""
    key = "net" if "net" in after else "totals"
    return {int(seat): total - before[key][seat] for seat, total in after[key].items()}


def _play_deal(setting: Setting, match: Any, number: int) -> tuple[Record, Any]:
    rules = setting.rules
    seats, dealer = rules.dealt_in(match), rules.next_dealer(match)
    if dealer is None:
        raise ValueError("the match has no further deal")
    packs = rules.dump_options(setting.options).get("packs", 1)
    deck = deal_deck(setting.key, _nonces(seats), number, packs)
    state = rules.match_deal(match, deck=deck)
    dice = {seat: _dice(setting, seats, number, seat) for seat in seats}
    moves: list[Move] = []
    while (seat := rules.actor(state)) is not None:
        if seat == CHANCE:
            move = _shuffle(setting, seats, number, moves, rules.to_shuffle(state))
        else:
            view, legal = rules.view_for(state, seat), rules.legal_moves(state)
            level = setting.levels.get(seat, setting.level)
            move = choose(setting.game, level, view, legal, dice[seat], setting.budget)
        state = rules.apply(state, move).state
        moves.append(move)
    carried = rules.carried(match)
    return Record(setting.game, setting.options, seats, dealer, deck, tuple(moves), carried), state


def _shuffle(
    setting: Setting, seats: tuple[Seat, ...], number: int, moves: list[Move], cards: tuple[Card, ...]
) -> Move:
    nth = 1 + sum(move.startswith("shuffle ") for move in moves)
    return " ".join(["shuffle", *reshuffle(setting.key, _nonces(seats), number, nth, cards)])


def _dice(setting: Setting, seats: tuple[Seat, ...], number: int, seat: Seat) -> Random:
    return setting.make_dice(Stream(setting.key, _nonces(seats), number, f"bot {seat}").word())


def _nonces(seats: tuple[Seat, ...]) -> list[str]:
    return [str(seat) for seat in seats]
