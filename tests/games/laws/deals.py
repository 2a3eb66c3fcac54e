"""Random tables, matches and deals, played under the eyes of the laws."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from games.rules import GAMES
from games.rules.cards import pack
from games.rules.errors import IllegalMove, MalformedMove, Refusal
from games.rules.interface import CHANCE, POT, Event, Game, Seat, event_for
from games.rules.record import Record, dump_record, parse_record, replay
from tests.games.laws.account import Account, LawBroken, Zones, demand
from tests.games.laws.least_score import LeastScoreAccount
from tests.games.laws.three_card_loo import LooAccount

ACCOUNTS: dict[str, Account] = {"three_card_loo": LooAccount(), "least_score": LeastScoreAccount()}
"""The referee's account of every game; a game without one cannot pass the laws."""

LONGEST_DEAL = 2_000
"""Moves; no rule lets a deal of either game come near."""


class Table(NamedTuple):
    """A table to play at: the game, its parsed options, its seats and the referee's account."""

    name: str
    game: Game
    account: Account
    options: Any
    seats: tuple[Seat, ...]


@cache
def seat_counts(name: str) -> range:
    """Return every seat count that some choice of options allows."""
    game, account = GAMES[name], ACCOUNTS[name]
    ranges = [
        game.seat_range(game.parse_options({key: value}))
        for key, values in account.choices.items()
        for value in values
    ]
    return range(min(fewest for fewest, _ in ranges), max(most for _, most in ranges) + 1)


def random_table(name: str, dice: random.Random, count: int | None = None) -> Table:
    """Return a table of ``count`` seats (default: any possible count, equally likely) with random options.

    Seat numbers have gaps at every second table.
    """
    game, account = GAMES[name], ACCOUNTS[name]
    count = dice.choice(seat_counts(name)) if count is None else count
    while True:
        share = dice.random()
        raw = {
            key: dice.choice(values) if dice.random() < share else values[0]
            for key, values in account.choices.items()
        }
        options = game.parse_options(raw)
        fewest, most = game.seat_range(options)
        if fewest <= count <= most:
            break
    seats = range(1, count + 1) if dice.random() < 0.5 else dice.sample(range(1, 30), count)
    return Table(name, game, account, options, tuple(sorted(seats)))


def shuffled(dice: random.Random, cards: Iterable[str]) -> tuple[str, ...]:
    """Return ``cards`` in a random order."""
    order = list(cards)
    dice.shuffle(order)
    return tuple(order)


class Stakes:
    """Every seat's stakes and the pot, followed by the ``stakes`` events alone; together always 0."""

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self.held = dict.fromkeys((POT, *seats), 0)

    def follow(self, events: Iterable[Event]) -> None:
        """Move what ``events`` move; raises ``LawBroken`` for a payment that cannot be."""
        for event in events:
            if event["type"] != "stakes":
                continue
            payer, payee, amount = event["from"], event["to"], event["amount"]
            demand(type(amount) is int and amount > 0, f"a payment of {amount}")
            demand(payer != payee and {payer, payee} <= set(self.held), f"a payment from {payer} to {payee}")
            self.held[payer] -= amount
            self.held[payee] += amount
            demand(self.held[POT] >= 0, "the pot paid more than it held")


def play_match(table: Table, dice: random.Random, most_deals: int, inspected: float) -> int:
    """Play at most ``most_deals`` deals of a match by all laws and return their number.

    ``inspected`` is the share of positions at which the costly laws (views,
    secrecy, wrong moves) are checked too.
    """
    game, seats = table.game, table.seats
    _check_options(table)
    step = game.new_match(seats=seats, dealer=dice.choice(seats), options=table.options)
    match, stakes, deals = step.match, Stakes(seats), 0
    stakes.follow(step.events)
    while deals < most_deals and not game.match_over(match):
        live = _sit_somebody_out(table, match, dice)
        dealer = game.next_dealer(match, live)
        if dealer is None and live is not None:
            live, dealer = None, game.next_dealer(match)
        if dealer is None:
            break
        before = dict(stakes.held)
        limits = {seat: game.worst_case(match, seat, live) for seat in game.dealt_in(match, live)}
        record = Record(
            game=table.name,
            options=table.options,
            seats=game.dealt_in(match, live),
            dealer=dealer,
            deck=shuffled(dice, pack(game.dump_options(table.options).get("packs", 1))),
            carried=game.carried(match, live),
        )
        state = game.match_deal(match, deck=record.deck, live=live)
        record, state = play_deal(table, record, state, stakes, dice, inspected)
        _check_outcome(game, record, state, before, stakes)
        stacks = {seat: dice.choice((0, 3, 1000)) for seat in seats} if dice.random() < 0.3 else None
        held = dict(stakes.held)
        step = game.close_deal(match, state, stacks)
        match = step.match
        stakes.follow(step.events)
        _check_losses(before, held, stakes, limits, stacks, record)
        _check_match(table, match, stakes)
        deals += 1
    _end(table, match, stakes)
    return deals


def play_deal(
    table: Table, record: Record, state: Any, stakes: Stakes, dice: random.Random, inspected: float
) -> tuple[Record, Any]:
    """Play a deal to its end by random moves and return its full record and the final state."""
    game = table.game
    manner = dice.choice(("random", "random", "hasty", "asleep"))
    zones = table.account.zones(record)
    whole = sorted(record.deck)
    steps: list[tuple[Event, ...]] = [game.opening(state)]
    moves: list[str] = []
    while True:
        stakes.follow(steps[-1])
        for event in steps[-1]:
            zones.follow(event)
            if sorted(zones.everywhere()) != whole:
                raise LawBroken(f"cards are lost or doubled by {event}\n{record}")
        seat = game.actor(state)
        legal = game.legal_moves(state)
        _check_turn(game, record, state, seat, legal)
        if dice.random() < inspected or seat is None:
            _inspect(table, _with_moves(record, moves), state, zones, steps, dice)
        if seat is None:
            break
        if seat == CHANCE:
            move = "shuffle " + " ".join(shuffled(dice, game.to_shuffle(state)))
        else:
            move = _choose(game, state, legal, manner, dice)
            demand(move in legal, f"the time-out move {move} is not legal", record)
        demand(game.parse_move(move) == move, f"{move} is not canonical", record)
        try:
            state, events = game.apply(state, move)
        except IllegalMove as error:
            raise LawBroken(f"{move} is listed but refused: {error.code}\n{record}") from error
        moves.append(move)
        steps.append(events)
        demand(len(moves) < LONGEST_DEAL, "a deal without end", record)
    played = _with_moves(record, moves)
    _check_replay(played, state, steps)
    return played, state


def _choose(game: Game, state: Any, legal: tuple[str, ...], manner: str, dice: random.Random) -> str:
    if manner == "asleep" and dice.random() < 0.8:
        return game.default_move(state)
    if manner == "hasty" and "declare" in legal and dice.random() < 0.2:
        return "declare"
    return dice.choice(legal)


def _with_moves(record: Record, moves: list[str]) -> Record:
    return Record(
        record.game, record.options, record.seats, record.dealer, record.deck, tuple(moves), record.carried
    )


# Laws of one position -----------------------------------------------------------------


def _check_turn(game: Game, record: Record, state: Any, seat: Seat | None, legal: tuple[str, ...]) -> None:
    """A seat on turn has moves, nobody else has; a deal is over exactly when it has an outcome."""
    outcome = game.outcome(state)
    demand((seat is None) == (outcome is not None), "over without an outcome, or the reverse", record)
    demand((outcome is None) == (game.outcome_json(state) is None), "two opinions on the outcome", record)
    demand(bool(legal) == bool(seat), "legal moves without a seat on turn, or the reverse", record)
    demand(len(set(legal)) == len(legal), "a legal move listed twice", record)
    demand(
        bool(game.to_shuffle(state)) == (seat == CHANCE),
        "a shuffle due without cards, or the reverse",
        record,
    )
    demand(not seat or seat in record.seats, "a stranger on turn", record)


def _inspect(
    table: Table,
    record: Record,
    state: Any,
    zones: Zones,
    steps: list[tuple[Event, ...]],
    dice: random.Random,
) -> None:
    views = {viewer: table.game.view_for(state, viewer) for viewer in (None, *record.seats)}
    _check_views(table.game, record, state, views)
    zones.agree(views)
    _check_attempts(table, record, state, views, dice)
    check_secrecy(table, record, state, steps, views, dice)


def _check_views(game: Game, record: Record, state: Any, views: dict[Seat | None, dict[str, Any]]) -> None:
    """Views are JSON; only the seat on turn has moves in its view; a stranger sees what a watcher sees."""
    seat = game.actor(state)
    for viewer, view in views.items():
        demand(json.loads(json.dumps(view)) == view, f"the view of {viewer} is not JSON-ready", record)
        if seat and viewer == seat:
            demand(
                sorted(view["legal"]) == sorted(game.legal_moves(state)), "other moves in the view", record
            )
            demand(view["refused"] == game.refusals(state), "other refusals in the view", record)
        else:
            demand(
                not view["legal"] and not view["refused"], f"{viewer} is not on turn but has moves", record
            )
    stranger = game.view_for(state, max(record.seats) + 1)
    named = {**stranger, "viewer": None}
    demand(named == {**views[None], "viewer": None}, "a stranger sees more than a watcher", record)


def _check_attempts(
    table: Table, record: Record, state: Any, views: dict[Seat | None, dict[str, Any]], dice: random.Random
) -> None:
    """A move is listed exactly if it can be applied; a refused one is refused with the code that was told."""
    game, seat = table.game, table.game.actor(state)
    legal, refused = set(game.legal_moves(state)), game.refusals(state)
    hand = (views[seat]["hand"] or []) if seat else []
    attempts = table.account.attempts(dice, tuple(legal), hand)
    for text in [*attempts, *refused, *dice.sample(sorted(legal), min(3, len(legal)))]:
        try:
            move = game.parse_move(text)
        except MalformedMove:
            continue
        try:
            step = game.apply(state, move)
        except IllegalMove as error:
            demand(move not in legal, f"{move} is listed but refused: {error.code}", record)
            told = refused.get(move, error.code)
            demand(told == error.code, f"{move} is refused as {error.code}, told was {told}", record)
        else:
            demand(move in legal, f"{move} is not listed but allowed", record)
            demand(step == game.apply(state, move), f"{move} does not always do the same", record)


def check_secrecy(
    table: Table,
    record: Record,
    state: Any,
    steps: list[tuple[Event, ...]],
    views: dict[Seat | None, dict[str, Any]],
    dice: random.Random,
) -> int:
    """Exchange two cards that a viewer cannot know: the viewer sees no difference. Return how often that was possible.

    The exchange is made in the deck (or in a recorded shuffle). It counts if
    the same moves stay legal and, by the referee's account, the viewer still
    knows the same; then the views and every event as it leaves for the viewer
    must be the same to the last letter.
    """
    over, tried = table.game.actor(state) is None, 0
    for viewer in (None, dice.choice(record.seats)):
        for _ in range(2):
            other = _exchanged(record, dice)
            if other is None or table.account.known(record, over, viewer) != table.account.known(
                other, over, viewer
            ):
                continue
            again = replay(other)
            if again.refused is not None or (table.game.actor(again.final) is None) != over:
                continue
            tried += 1
            seen = table.game.view_for(again.final, viewer)
            demand(seen == views[viewer], f"the view of {viewer} tells hidden cards", record)
            told = [event_for(event, viewer) for step in steps for event in step]
            others = [event_for(event, viewer) for event in again.all_events]
            demand(told == others, f"the events for {viewer} tell hidden cards", record)
    return tried


def _exchanged(record: Record, dice: random.Random) -> Record | None:
    """Return the record with two cards exchanged in its deck, or in the last shuffle that it holds."""
    shuffles = [number for number, move in enumerate(record.moves) if move.startswith("shuffle ")]
    if shuffles and dice.random() < 0.5:
        number = shuffles[-1]
        word, *stock = record.moves[number].split()
        moves = list(record.moves)
        moves[number] = " ".join([word, *_two_exchanged(stock, dice)])
        return _with_moves(record, moves)
    deck = tuple(_two_exchanged(list(record.deck), dice))
    return Record(
        record.game, record.options, record.seats, record.dealer, deck, record.moves, record.carried
    )


def _two_exchanged(cards: list[str], dice: random.Random) -> list[str]:
    if len(cards) > 1:
        one, other = dice.sample(range(len(cards)), 2)
        cards[one], cards[other] = cards[other], cards[one]
    return cards


# Laws of a deal and a match -----------------------------------------------------------


def _check_replay(record: Record, state: Any, steps: list[tuple[Event, ...]]) -> None:
    """The record, written and read, gives the same states and events; one move more is refused."""
    written = json.dumps(dump_record(record))
    again = replay(parse_record(json.loads(written)))
    demand(again.refused is None and again.final == state, "the replay ends in another state", record)
    demand(list(again.events) == steps, "the replay tells other events", record)
    events = [event for step in steps for event in step]
    demand(json.loads(json.dumps(events)) == events, "an event is not JSON-ready", record)
    try:
        record.rules.apply(state, record.moves[-1])
    except IllegalMove:
        return
    demand(False, "a move after the end of the deal is allowed", record)


def _check_outcome(game: Game, record: Record, state: Any, before: dict[Seat, int], stakes: Stakes) -> None:
    """What the outcome says about stakes is what was paid."""
    outcome = game.outcome_json(state) or {}
    demand(json.loads(json.dumps(outcome)) == outcome, "the outcome is not JSON-ready", record)
    moved = {seat: stakes.held[seat] - before[seat] for seat in stakes.held}
    if "deltas" in outcome:
        deltas = {seat: outcome["deltas"].get(str(seat), 0) for seat in moved if seat != POT}
        demand(deltas == {seat: moved[seat] for seat in deltas}, "the deltas are not what was paid", record)
        demand(outcome["pot"] == stakes.held[POT], "the outcome tells another pot", record)
    else:
        demand(not any(moved.values()), "stakes moved in a deal without deltas", record)


def _check_losses(
    before: dict[Seat, int],
    held: dict[Seat, int],
    stakes: Stakes,
    limits: dict[Seat, int],
    stacks: dict[Seat, int] | None,
    record: Record,
) -> None:
    """Nobody loses more than the worst case that was told, nor pays after a deal more than it has."""
    for seat in record.seats:
        demand(before[seat] - stakes.held[seat] <= limits[seat], f"seat {seat} lost more than told", record)
        if stacks is not None:
            demand(
                held[seat] - stakes.held[seat] <= stacks[seat], f"seat {seat} paid what it has not", record
            )


def _check_match(table: Table, match: Any, stakes: Stakes) -> None:
    """A match is its dump; its view is JSON and tells the pot and the net stakes that were paid."""
    game = table.game
    dumped = json.loads(json.dumps(game.dump_match(match)))
    demand(game.load_match(dumped) == match, "a match does not survive writing and reading")
    view = game.match_view(match)
    demand(json.loads(json.dumps(view)) == view, "the match's view is not JSON-ready")
    demand(view["pot"] == stakes.held[POT], "the match tells another pot")
    demand(sum(stakes.held.values()) == 0, "stakes came from nowhere")
    if "net" in view:
        paid = {str(seat): stakes.held[seat] for seat in table.seats}
        demand(view["net"] == paid, "the match tells other net stakes")
    _check_ranking(table, match)


def _check_ranking(table: Table, match: Any) -> None:
    """Everybody has a place; equal places are shared and the next ones left out."""
    ranking = table.game.ranking(match)
    places = [place for place, _ in ranking]
    demand(sorted(seat for _, seat in ranking) == list(table.seats), "the ranking misses a seat")
    demand(places == sorted(places), "the ranking is out of order")
    for place in set(places):
        demand(place == 1 + sum(better < place for better in places), f"place {place} is given wrongly")


def _check_options(table: Table) -> None:
    game = table.game
    dumped = json.loads(json.dumps(game.dump_options(table.options)))
    demand(game.parse_options(dumped) == table.options, "options do not survive writing and reading")


def _sit_somebody_out(table: Table, match: Any, dice: random.Random) -> tuple[Seat, ...] | None:
    """Return all seats (``None``), or now and then one less."""
    if dice.random() < 0.8:
        return None
    absent = dice.choice(table.seats)
    return tuple(seat for seat in table.seats if seat != absent)


def _end(table: Table, match: Any, stakes: Stakes) -> None:
    """An ended match has paid its pot out, has no next deal, and cannot end twice."""
    game = table.game
    step = game.end_match(match)
    stakes.follow(step.events)
    ended = step.match
    demand(game.match_over(ended) and game.next_dealer(ended) is None, "an ended match goes on")
    demand(game.end_match(ended) == (ended, ()), "a match ends twice")
    _check_match(table, ended, stakes)
    demand(stakes.held[POT] == 0, "an ended match keeps a pot")
    try:
        game.match_deal(ended, deck=pack(game.dump_options(table.options).get("packs", 1)))
    except Refusal:
        return
    demand(False, "an ended match deals again")
