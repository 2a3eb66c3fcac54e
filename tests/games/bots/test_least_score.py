"""The steady bot of Least Score: what it does, what it may know, and how much better than chance it is."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from games.bots import BOTS, Bot, choose, play_any
from games.bots.least_score import steady
from games.rules import least_score
from games.rules.interface import CHANCE, Move, Seat
from games.rules.least_score_options import Options
from games.rules.least_score_state import Deal
from tests.games.rules.least_score_tables import moment, play, random_deal, random_move, shuffled
from tests.games.rules.test_least_score_laws import hidden_places, swapped

BUDGET = 60


class OnlyRandom:
    """Dice that can do nothing but ``random()``, the one method whose results Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def random(self) -> float:
        return self._dice.random()


def move_of(state: Deal, level: str = "steady", seed: int = 1, budget: int = BUDGET) -> Move:
    """Return the move of a bot for the seat on turn."""
    view, legal = least_score.view_for(state, state.actor), least_score.legal_moves(state)
    return choose("least_score", level, view, legal, OnlyRandom(seed), budget)  # type: ignore[arg-type]


def test_both_levels_are_listed() -> None:
    assert BOTS["least_score"] == {"random": play_any, "steady": steady}


@pytest.mark.parametrize("level", ["random", "steady"])
@pytest.mark.parametrize("count", range(2, 11))
def test_every_move_is_legal_by_any_options(level: str, count: int) -> None:
    dice = random.Random(f"{level} {count}")
    for seed in range(4):
        state = random_deal(count, dice)
        while state.actor is not None:
            if state.actor == CHANCE:
                move = random_move(state, dice)
            else:
                move = move_of(state, level, seed, budget=5)
                assert move in least_score.legal_moves(state)
            state, _ = play(state, move)


def test_the_same_arguments_give_the_same_move() -> None:
    dice = random.Random(1)
    for seed in range(100):
        state = random_deal(dice.randint(2, 10), dice)
        for _ in range(dice.randint(0, 20)):
            if state.actor:
                state = least_score.apply(state, random_move(state, dice, 0.0)).state
        assert state.actor and move_of(state, seed=seed) == move_of(state, seed=seed)


def test_a_bot_does_not_peek() -> None:
    """Two cards hidden from it may change places: it makes the same move with the same dice."""
    dice, compared = random.Random(2), 0
    for seed in range(20):
        state = random_deal(dice.randint(2, 10), dice)
        while state.actor is not None:
            if state.actor != CHANCE and dice.random() < 0.2:
                other = swapped(state, *dice.sample(hidden_places(state, state.actor), 2))
                assert move_of(other, seed=seed, budget=20) == move_of(state, seed=seed, budget=20)
                compared += 1
            state = least_score.apply(state, random_move(state, dice, 0.1)).state
    assert compared > 50


@pytest.mark.parametrize(
    ("what", "hand", "turn_up", "move"),
    [
        ("lays two kings, not one", "KC KD 3H 4S", "9C", "KC KD > stock"),
        ("lays the flush", "2H 5H 8H JH QH", "9C", "2H 5H 8H JH QH > stock"),
        ("takes the ace", "KC 9D 5H", "AS", "KC > AS"),
        ("completes a pair of high cards", "KC QD 2H", "KS", "QD > KS"),
        ("completes a run of three", "8C 9D KS 2H", "TH", "KS > TH"),
        ("lays the run rather than a higher card", "7C 8D 9H JS", "2C", "7C 8D 9H > 2C"),
        ("draws rather than take a king", "QC 3D 2H", "KS", "QC > stock"),
    ],
)
def test_what_a_club_member_expects(what: str, hand: str, turn_up: str, move: Move) -> None:
    assert move_of(moment({1: hand, 2: "TC 9S 8S", 3: "JC 7S 6S"}, turn_up=turn_up, turns=0)) == move, what


def test_it_declares_with_little_and_not_with_much() -> None:
    others = {2: "TC 9S 8H KS", 3: "JC 7S 6H KH"}
    assert move_of(moment({1: "AS 2H", **others})) == "declare"
    assert move_of(moment({1: "KC KD QH 9D", **others})) != "declare"


def test_it_does_not_declare_against_a_small_known_hand() -> None:
    """Seat 2 has openly taken its only card, the ace: declaring with more must fail."""
    state = moment({1: "2S 2H", 2: "AC", 3: "JC 7S 6H KH"})
    hidden = state._replace(hands=(state.hands[0], ("TD",), state.hands[2]))
    known = state._replace(known=((), ("AC",), ()))
    assert move_of(hidden) == "declare"
    assert move_of(known) != "declare"


def test_a_tie_that_is_caught_makes_it_careful() -> None:
    state = moment({1: "AS", 2: "AC", 3: "JC 7S 6H KH"})._replace(known=((), ("AC",), ()))
    assert move_of(state) == "declare"
    assert move_of(state._replace(options=Options(tie="caught"))) != "declare"


def test_a_budget_of_nothing_still_gives_a_move() -> None:
    state = moment({1: "AS 2H", 2: "TC 9S 8H KS"})
    assert move_of(state, budget=0) in least_score.legal_moves(state)


# Strength ---------------------------------------------------------------------------------


def play_match(seats: Mapping[Seat, Bot], seed: int, **options: Any) -> dict[Seat, int]:
    """Return each seat's place after a match between bots; the seed fixes every deck."""
    decks, dice = random.Random(f"decks {seed}"), random.Random(f"dice {seed}")
    chosen = least_score.parse_options(options)
    match = least_score.new_match(seats=tuple(seats), dealer=1, options=chosen).match
    while not least_score.match_over(match):
        state = least_score.match_deal(match, deck=shuffled(decks))
        while state.actor is not None:
            if state.actor == CHANCE:
                move = random_move(state, decks)
            else:
                view = least_score.view_for(state, state.actor)
                move = seats[state.actor](view, least_score.legal_moves(state), dice, BUDGET)
            state = least_score.apply(state, move).state
        match = least_score.close_deal(match, state).match
    return {seat: place for place, seat in least_score.ranking(match)}


@pytest.mark.parametrize(("count", "matches"), [(2, 20), (4, 12), (6, 8)])
def test_steady_beats_random_in_paired_matches(count: int, matches: int) -> None:
    """Half the seats are steady; every match is played twice from the same decks, the seats changed over."""
    better = 0
    for seed in range(matches):
        for swap in (0, 1):
            bots = {seat: (steady, play_any)[(seat + swap) % 2] for seat in range(1, count + 1)}
            places = play_match(bots, seed, match="first_out", threshold=50)
            mine = sum(place for seat, place in places.items() if bots[seat] is steady)
            better += mine < sum(places.values()) - mine
    assert better >= 0.9 * 2 * matches
