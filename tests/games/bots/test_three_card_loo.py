"""The bots of 3-Card Loo: legal, repeatable, honest about what they see, and sensible."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from games.bots import BOTS, choose
from games.bots.three_card_loo_playout import Table, play_out
from games.bots.three_card_loo_worlds import deal_hands, sight_of
from games.rules import three_card_loo as loo
from games.rules.cards import RANK
from games.rules.interface import Seat
from tests.games.rules.loo_deals import deal, play, random_deal, shuffled

NAME = loo.NAME


def choice(state: loo.State, level: str, dice: random.Random, budget: int) -> str:
    """Return what the bot on turn chooses from its own view."""
    view = loo.view_for(state, loo.actor(state))
    return choose(NAME, level, view, loo.legal_moves(state), dice, budget)


def steady(state: loo.State, budget: int = 60) -> str:
    return choice(state, "steady", random.Random(1), budget)


@pytest.mark.parametrize("level", BOTS[NAME])
@pytest.mark.parametrize("seed", range(30))
def test_a_bot_plays_whole_deals_by_the_rules(level: str, seed: int) -> None:
    state, dice = random_deal(seed)
    while loo.actor(state) is not None:
        move = choice(state, level, dice, budget=seed % 4)
        assert move in loo.legal_moves(state)
        state = loo.apply(state, move).state


@pytest.mark.parametrize("level", BOTS[NAME])
def test_the_same_dice_and_budget_give_the_same_moves(level: str) -> None:
    def moves(seed: int) -> list[str]:
        state = random_deal(8)[0]
        dice, found = random.Random(seed), []
        while loo.actor(state) is not None:
            found.append(choice(state, level, dice, budget=5))
            state = loo.apply(state, found[-1]).state
        return found

    before = random.getstate()
    assert moves(1) == moves(1)
    assert random.getstate() == before, "a bot has no dice of its own"


def test_a_bot_leaves_its_view_as_it_was() -> None:
    state, dice = random_deal(11)
    while (seat := loo.actor(state)) is not None:
        view = loo.view_for(state, seat)
        kept = copy.deepcopy(view)
        move = choose(NAME, "steady", view, loo.legal_moves(state), dice, 3)
        assert view == kept
        state = loo.apply(state, move).state


# What it imagines ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_imagined_hands_fit_what_was_seen(seed: int) -> None:
    state, dice = random_deal(seed)
    while (seat := loo.actor(state)) is not None:
        view = loo.view_for(state, seat)
        table, sight = Table.of(view), sight_of(view)
        check_bounds(state, sight.caps)
        hands, miss = deal_hands(table, sight, dice)
        cards = [card for hand in hands.values() for card in hand] + list(miss)
        assert len(cards) == len(set(cards))
        assert set(cards) <= set(sight.unseen)
        assert set(sight.unseen).isdisjoint({*view["hand"], *view["thrown"], view["turn_up"]})
        assert {seat: len(hand) for seat, hand in hands.items()} == {
            other: view["cards_left"][str(other)]
            for other in state.deal.seats
            if other != seat and view["announced"].get(str(other)) != "fold"
        }
        assert len(miss) == (3 if view["miss"] == "hidden" else 0)
        state = loo.apply(state, dice.choice(loo.legal_moves(state))).state


def check_bounds(state: loo.State, caps: dict[Seat, dict[str, int]]) -> None:
    """What the play is said to rule out must not rule out the hands that are really held."""
    for seat, bounds in caps.items():
        for card in state.hands[state.deal.order.index(seat)]:
            assert RANK[card] <= bounds.get(card[1], 14), (seat, card, bounds)


def test_play_rules_out_what_the_duties_rule_out() -> None:
    state = deal({1: "KC 9C 4D", 2: "TH 6H 7S", 3: "7H 2D AS", 4: "3C 4C 6C"}, turn_up="5H")
    state = play(state, "play play play play fold KC TH 7H 3C")
    caps = sight_of(loo.view_for(state, 2)).caps
    assert caps[1] == {"H": 0}, "led a side card: has no trump"
    assert caps[2] == {"C": 0}, "trumped: has no club"
    assert caps[3] == {"C": 0, "H": 10}, "under-trumped: no club, no trump above the ten"
    assert caps.get(4, {}) == {}, "followed a trick nobody could head in clubs: nothing is ruled out"


def test_a_played_out_world_counts_the_tricks_that_are_left() -> None:
    state = play(deal({1: "AH KH 2D", 2: "QD 2C 3C"}), "play play fold fold fold")
    table = Table.of(loo.view_for(state, 1))
    hands = {1: ("AH", "KH", "2D"), 2: ("QD", "2C", "3C")}
    assert play_out(table, hands, (1, 2), 1) == {1: 2, 2: 1}
    assert play_out(table, {1: ("2D",), 2: ("3D",)}, (1, 2), 1, done=2) == {2: 1}
    halfway = play_out(
        table, {1: ("2D",), 2: ("3D", "2C")}, (1, 2), 2, trick=((1, "KH"),), done=1, first="2C"
    )
    assert halfway == {1: 1, 2: 1}


# Sense --------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [0, 20, 60])
def test_it_stands_on_high_trumps(budget: int) -> None:
    assert steady(deal({1: "AH KH QH"}, pot=3), budget) == "play"
    assert steady(play(deal({4: "AH QH AC"}), "play play fold"), budget) == "play"


@pytest.mark.parametrize("budget", [0, 20, 60])
def test_it_folds_rags_when_two_have_stood(budget: int) -> None:
    assert steady(play(deal({3: "2C 3D 4S"}), "play play"), budget) == "fold"
    assert steady(play(deal({3: "2C 3D 4S"}, loo="pot"), "play miss"), budget) == "fold"


def test_a_dealer_with_rags_defends_rather_than_pays() -> None:
    assert steady(play(deal({5: "2C 3D 4S"}), "play fold fold fold")) == "defend"


def test_rags_are_changed_for_the_miss_when_the_pot_is_worth_it() -> None:
    assert steady(play(deal({5: "2C 3D 4S"}, pot=30), "play fold fold fold")) == "miss"
    assert steady(play(deal({3: "2C 3D 4S"}, pot=30), "fold fold")) == "miss"


def test_a_cheap_loo_invites_and_a_dear_one_deters() -> None:
    middling = {3: "9H 3D 4S"}
    assert steady(play(deal(middling, pot=30, loo=3), "play fold")) != "fold"
    assert steady(play(deal(middling, pot=0, loo=6), "play fold")) == "fold"


def test_the_last_to_play_heads_with_the_cheaper_card() -> None:
    state = play(deal({1: "9C 2D 3D", 2: "TC 2S 3S", 3: "AC KC 7D"}), "play play play fold fold 9C TC")
    assert steady(state) == "KC"


def test_what_cannot_win_is_thrown_from_below() -> None:
    following = play(deal({1: "AC 2D 3D", 2: "2C KC 7S"}), "play play fold fold fold AC")
    assert steady(following) == "2C"
    void = play(deal({1: "9C TC 3D", 2: "AS 2D 7D"}), "play play fold fold fold 9C")
    assert steady(void) in ("2D", "7D")


def play_match(levels: list[str], seed: int, budget: int) -> tuple[int, ...]:
    """Return the net stakes of a match of one rotation between bots of these levels."""
    cards, dice = random.Random(seed), random.Random(seed + 1)
    seats = tuple(range(1, len(levels) + 1))
    options: dict[str, Any] = {"min_players": 3}
    match = loo.new_match(
        seats=seats, dealer=seats[seed % len(seats)], options=loo.parse_options(options)
    ).match
    while not loo.match_over(match):
        state = loo.match_deal(match, deck=shuffled(cards))
        while (seat := loo.actor(state)) is not None:
            state = loo.apply(state, choice(state, levels[seat - 1], dice, budget)).state
        match = loo.close_deal(match, state).match
    net: tuple[int, ...] = match.net
    return net


@pytest.mark.parametrize("seats", [4, 7])
def test_the_steady_player_beats_chance(seats: int) -> None:
    """Every match is played twice with the same cards, the two kinds of bot in each other's seats."""
    gains = []
    for seed in range(12):
        for odd in (0, 1):
            levels = ["steady" if place % 2 == odd else "random" for place in range(seats)]
            net = play_match(levels, seed, budget=15)
            mine = [stakes for level, stakes in zip(levels, net, strict=True) if level == "steady"]
            gains.append(sum(mine) / len(mine))
    pairs = [one + other for one, other in zip(gains[::2], gains[1::2], strict=True)]
    assert sum(pair > 0 for pair in pairs) >= 10
    assert sum(gains) / len(gains) > 1
