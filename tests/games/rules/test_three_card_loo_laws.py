"""Laws that hold in every deal of 3-Card Loo: stakes and cards conserved, one opinion on what is legal,
replay equals play, and a view that tells nothing its viewer may not know."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.rules import three_card_loo as loo
from games.rules.cards import PACK, Card
from games.rules.errors import IllegalMove
from games.rules.interface import POT, Event, Seat, event_for
from tests.games.rules.loo_deals import random_deal, random_options, shuffled

BLOCKS = range(10)


def follow_stakes(held: dict[Seat, int], events: tuple[Event, ...]) -> None:
    """Move the stakes of ``events`` between ``held``, where ``POT`` is the pot; no event may break the sum."""
    for event in events:
        if event["type"] == "stakes":
            assert event["amount"] > 0
            held[event["from"]] -= event["amount"]
            held[event["to"]] += event["amount"]
            assert held[POT] >= 0


@pytest.mark.parametrize("block", BLOCKS)
def test_stakes_are_conserved_and_the_outcome_is_what_was_paid_l19(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        state, dice = random_deal(seed)
        pot = state.deal.carried
        held = {POT: pot, **dict.fromkeys(state.deal.seats, 0)}
        follow_stakes(held, loo.opening(state))
        while loo.actor(state) is not None:
            assert loo.view_for(state, None)["pot"] == held[POT]
            state, events = loo.apply(state, dice.choice(loo.legal_moves(state)))
            follow_stakes(held, events)
        outcome = loo.outcome_json(state)
        assert outcome is not None
        assert outcome["pot"] == held[POT] == loo.view_for(state, None)["pot"]
        assert outcome["deltas"] == {str(seat): held[seat] for seat in state.deal.seats}
        assert sum(held.values()) == pot
        assert sum(outcome["tricks"].values()) in (0, 3)


@pytest.mark.parametrize("block", BLOCKS)
def test_listed_and_allowed_moves_never_disagree(block: int) -> None:
    for seed in range(block * 12, block * 12 + 12):
        state, dice = random_deal(seed)
        while True:
            check_moves(state)
            if loo.actor(state) is None:
                break
            assert loo.default_move(state) in loo.legal_moves(state)
            state = loo.apply(state, dice.choice(loo.legal_moves(state))).state


def check_moves(state: loo.State) -> None:
    """Try every word and card: exactly the listed ones are allowed, the codes agree, all have a phrase."""
    told = loo.refusals(state)
    assert not set(told) & set(loo.legal_moves(state))
    hand = state.hands[state.turn] if state.phase == "play" else loo.WORDS
    if loo.actor(state) is not None:
        assert {*told, *loo.legal_moves(state)} == set(hand)
    for move in (*loo.WORDS, *PACK):
        try:
            loo.apply(state, move)
        except IllegalMove as refused:
            assert move not in loo.legal_moves(state)
            assert refused.code == told.get(move, refused.code)
            assert refused.detail == loo.DETAILS[refused.code]
        else:
            assert move in loo.legal_moves(state)
            assert loo.parse_move(move) == move


@pytest.mark.parametrize("block", BLOCKS)
def test_replay_equals_play(block: int) -> None:
    for seed in range(block * 20, block * 20 + 20):
        first, dice = random_deal(seed)
        moves, state, played = [], first, [loo.opening(first)]
        while loo.actor(state) is not None:
            moves.append(dice.choice(loo.legal_moves(state)))
            state, events = loo.apply(state, moves[-1])
            played.append(events)
        again = random_deal(seed)[0]
        replayed = [loo.opening(again)]
        for move in moves:
            again, events = loo.apply(again, move)
            replayed.append(events)
        assert again == state
        assert replayed == played
        assert json.loads(json.dumps(replayed)) == json.loads(json.dumps(played))
        assert hash(again) == hash(state)


# Secrecy: L5, L6 ----------------------------------------------------------------------


def deal_again(state: loo.State, deck: tuple[Card, ...], moves: list[str]) -> loo.State:
    """Return the deal of ``state`` dealt from another deck, after ``moves``."""
    deal = state.deal
    other = loo.new_deal(
        seats=deal.seats, dealer=deal.dealer, deck=deck, options=deal.options, pot=deal.carried
    )
    for move in moves:
        other = loo.apply(other, move).state
    return other


def known_to(state: loo.State, seat: Seat | None, deck: tuple[Card, ...]) -> set[Card]:
    """Return the cards that ``seat`` may know by the rules, worked out from the deck and the announcements."""
    order, words = state.deal.order, state.words
    width = len(order) + 1
    known = {deck[3 * width]}
    known |= {card for trick in state.tricks for _, card in trick.cards} | {card for _, card in state.trick}
    takers = [order[place] for place, word in enumerate(words) if word in ("miss", "defend")]
    if seat in order:
        known |= set(deck[order.index(seat) : 3 * width : width])
    played_out = state.outcome is not None and state.outcome.ended == "played"
    if seat in takers or (played_out and not takers):
        known |= set(deck[width - 1 : 3 * width : width])
    return known


@pytest.mark.parametrize("block", BLOCKS)
def test_two_hidden_cards_that_change_places_change_no_view_and_no_event(block: int) -> None:
    compared = 0
    for seed in range(block * 10, block * 10 + 10):
        state, dice = random_deal(seed)
        deck = shuffled(random.Random(seed + 1))
        state = deal_again(state, deck, [])
        moves: list[str] = []
        while True:
            for seat in (*dice.sample(state.deal.seats, 2), None):
                compared += compare_worlds(state, seat, deck, moves, dice)
            if loo.actor(state) is None:
                break
            moves.append(dice.choice(loo.legal_moves(state)))
            state = loo.apply(state, moves[-1]).state
    assert compared > 100


def compare_worlds(
    state: loo.State, seat: Seat | None, deck: tuple[Card, ...], moves: list[str], dice: random.Random
) -> bool:
    """Exchange two cards hidden to ``seat``; if the same moves are legal, all it is shown must be the same."""
    hidden = [place for place, card in enumerate(deck) if card not in known_to(state, seat, deck)]
    if len(hidden) < 2:
        return False
    one, other = dice.sample(hidden, 2)
    swapped = list(deck)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    try:
        world = deal_again(state, tuple(swapped), moves)
    except IllegalMove:
        return False
    assert shown(world, seat) == shown(state, seat)
    assert told(state, tuple(swapped), moves, seat) == told(state, deck, moves, seat)
    return True


def shown(state: loo.State, seat: Seat | None) -> str:
    """Return the view of ``seat`` as JSON text, in which nothing hides."""
    return json.dumps(loo.view_for(state, seat))


def told(state: loo.State, deck: tuple[Card, ...], moves: list[str], seat: Seat | None) -> list[Event]:
    """Return every event of the deal from ``deck`` as ``seat`` hears it."""
    other = deal_again(state, deck, [])
    events = [*loo.opening(other)]
    for move in moves:
        other, step = loo.apply(other, move)
        events += step
    return [event_for(event, seat) for event in events]


def test_a_view_names_no_card_that_its_viewer_may_not_know() -> None:
    for seed in range(40):
        state, dice = random_deal(seed)
        deck = shuffled(random.Random(seed))
        state = deal_again(state, deck, [])
        while loo.actor(state) is not None:
            for seat in (*state.deal.seats, None):
                named = set(PACK) & set(shown(state, seat).replace('"', " ").split())
                assert named <= known_to(state, seat, deck)
            state = loo.apply(state, dice.choice(loo.legal_moves(state))).state


def test_a_seat_that_is_not_dealt_in_sees_what_a_watcher_sees_l22() -> None:
    state, _ = random_deal(3)
    stranger = max(state.deal.seats) + 1
    assert {**loo.view_for(state, stranger), "viewer": None} == loo.view_for(state, None)


def test_only_the_seat_on_turn_is_told_what_it_may_do() -> None:
    state, _ = random_deal(4)
    for seat in (*state.deal.seats, None):
        view = loo.view_for(state, seat)
        on_turn = seat == loo.actor(state)
        assert view["legal"] == (list(loo.legal_moves(state)) if on_turn else [])
        assert view["refused"] == (loo.refusals(state) if on_turn else {})


# A machine that plays matches and tries to cheat ---------------------------------------


class MatchMachine(RuleBasedStateMachine):
    """Whole matches with seats sat out and taken in again, and wrong moves in between."""

    @initialize(seed=st.integers(0, 2**32), seats=st.integers(3, 16))
    def begin(self, seed: int, seats: int) -> None:
        self.sit_down(seed, seats)

    def sit_down(self, seed: int, seats: int) -> None:
        self.dice = random.Random(seed)
        table = tuple(range(1, seats + 1))
        options = loo.parse_options(random_options(self.dice, seats))
        self.match = loo.new_match(seats=table, dealer=self.dice.choice(table), options=options).match
        self.held = dict.fromkeys((POT, *table), 0)
        self.state: loo.State | None = None

    @precondition(lambda self: not self.playing() and loo.match_over(self.match))
    @rule(seed=st.integers(0, 2**32))
    def end_and_sit_down_again(self, seed: int) -> None:
        places = dict(loo.ranking(self.match))
        assert loo.next_dealer(self.match) is None
        assert loo.end_match(self.match) == (self.match, ())
        assert 1 in places
        assert self.held[places[1]] == max(self.held[seat] for seat in self.match.seats)
        self.sit_down(seed, len(self.match.seats))

    def playing(self) -> bool:
        return self.state is not None

    @precondition(lambda self: not self.playing() and not loo.match_over(self.match))
    @rule(absent=st.sets(st.integers(1, 16), max_size=3))
    def deal_next(self, absent: set[int]) -> None:
        live = tuple(seat for seat in self.match.seats if seat not in absent)
        if loo.next_dealer(self.match, live) is None:
            live = self.match.seats
        if loo.next_dealer(self.match, live) is None:
            self.match, events = loo.end_match(self.match)
            follow_stakes(self.held, events)
            return
        self.limits = {seat: loo.worst_case(self.match, seat, live) for seat in live}
        self.state = loo.match_deal(self.match, deck=shuffled(self.dice), live=live)
        self.before = dict(self.held)
        follow_stakes(self.held, loo.opening(self.state))

    @precondition(lambda self: self.playing())
    @rule(pick=st.integers(0, 10**6), asleep=st.booleans(), moves=st.integers(1, 12))
    def move(self, pick: int, asleep: bool, moves: int) -> None:
        for _ in range(moves):
            assert self.state is not None
            legal = loo.legal_moves(self.state)
            choice = loo.default_move(self.state) if asleep else legal[pick % len(legal)]
            self.state, events = loo.apply(self.state, choice)
            follow_stakes(self.held, events)
            if loo.actor(self.state) is None:
                return self.close()
        return None

    @precondition(lambda self: self.playing())
    @rule(move=st.sampled_from((*loo.WORDS, *PACK)))
    def try_anything(self, move: str) -> None:
        assert self.state is not None
        if move in loo.legal_moves(self.state):
            return
        with pytest.raises(IllegalMove):
            loo.apply(self.state, move)

    def close(self) -> None:
        assert self.state is not None
        for seat, limit in self.limits.items():
            assert self.before[seat] - self.held[seat] <= limit
        self.match, events = loo.close_deal(self.match, self.state)
        follow_stakes(self.held, events)
        self.state = None

    @invariant()
    def the_match_knows_what_was_paid(self) -> None:
        if not hasattr(self, "match") or self.playing():
            return
        view: dict[str, Any] = loo.match_view(self.match)
        assert view["net"] == {str(seat): self.held[seat] for seat in self.match.seats}
        assert view["pot"] == self.held[POT]
        assert sum(self.held.values()) == 0
        assert not (view["over"] and view["pot"])
        assert loo.load_match(json.loads(json.dumps(loo.dump_match(self.match)))) == self.match


MatchMachine.TestCase.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
TestMatchMachine = MatchMachine.TestCase
