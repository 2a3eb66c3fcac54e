"""Score sheets: the seed's own examples, every rule that pays, and what cannot have happened at a table."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.rules import GAMES
from games.rules.cards import PACK
from games.rules.interface import CHANCE
from tournaments.rules.entry import LooSheet, least_score_scores, loo_scores, split_pot
from tournaments.rules.errors import BadEvent

LOO = GAMES["three_card_loo"]
OPTIONS = LOO.parse_options({})


@pytest.mark.parametrize(
    ("totals", "declarer", "tie", "scores"),
    [
        ({1: 10, 2: 16, 3: 17}, 1, "success", {1: 0, 2: 6, 3: 7}),  # S9
        ({1: 10, 2: 8, 3: 15}, 1, "success", {1: 22, 2: 0, 3: 0}),  # S10
        ({1: 9, 2: 9, 3: 20}, 1, "success", {1: 0, 2: 0, 3: 11}),
        ({1: 9, 2: 9, 3: 20}, 1, "caught", {1: 20, 2: 0, 3: 0}),
        ({1: 12, 2: 9, 3: 20}, None, "success", {1: 3, 2: 0, 3: 11}),  # S12
    ],
)
def test_least_score_follows_from_totals_and_declarer(
    totals: dict[int, int], declarer: int | None, tie: str, scores: dict[int, int]
) -> None:
    assert least_score_scores(totals, declarer, tie=tie) == scores


@pytest.mark.parametrize(
    ("totals", "declarer", "code"),
    [
        ({1: 5}, 1, "too_few_players"),
        ({1: 0, 2: 5}, 1, "bad_total"),
        ({1: 51, 2: 5}, 1, "bad_total"),
        ({1: True, 2: 5}, 1, "bad_total"),
        ({1: 4, 2: 5}, 3, "not_at_table"),
    ],
)
def test_a_least_score_sheet_that_cannot_be_is_refused(
    totals: dict[int, int], declarer: int, code: str
) -> None:
    with pytest.raises(BadEvent) as refused:
        least_score_scores(totals, declarer)
    assert refused.value.code == code


@pytest.mark.parametrize(("tricks", "net", "left"), [(0, 6, 0), (1, 4, 2), (2, 2, 4), (3, -3, 9)])
def test_a_defending_dealer_neither_gains_nor_pays(tricks: int, net: int, left: int) -> None:
    """L11 and the fourth worked case: a pot of 6 against a lone player."""
    sheet = LooSheet(frozenset({1, 5}), {1: 3 - tricks, 5: tricks}, miss=5, defended=True)
    found = loo_scores((1, 2, 3, 4, 5), 5, 3, sheet, OPTIONS)
    assert (found.scores[1], found.scores[5], found.pot) == (net, -3, left)


def test_three_looed_of_five_pay_nine() -> None:
    """The tenth worked case."""
    sheet = LooSheet(frozenset({1, 2, 3, 4, 5}), {1: 2, 2: 1})
    found = loo_scores((1, 2, 3, 4, 5), 5, 0, sheet, OPTIONS)
    assert found.looed == (3, 4, 5) and found.pot == 9


def test_the_dealer_takes_the_pot_when_all_fold() -> None:
    found = loo_scores((1, 2, 3, 4, 5), 5, 6, LooSheet(frozenset({5}), {}), OPTIONS)
    assert found.scores == {1: 0, 2: 0, 3: 0, 4: 0, 5: 6} and found.pot == 0


@pytest.mark.parametrize(
    ("sheet", "code"),
    [
        (LooSheet(frozenset(), {}), "nobody_in"),
        (LooSheet(frozenset({1, 2}), {1: 2}), "bad_tricks"),
        (LooSheet(frozenset({1, 2}), {1: 4, 2: -1}), "bad_tricks"),
        (LooSheet(frozenset({1, 2}), {1: 2, 3: 1}), "bad_tricks"),
        (LooSheet(frozenset({1}), {1: 3}), "bad_tricks"),
        (LooSheet(frozenset({1, 9}), {1: 3}), "not_at_table"),
        (LooSheet(frozenset({1, 2}), {1: 3}, miss=3), "bad_miss"),
        (LooSheet(frozenset({1, 2}), {1: 3}, defended=True), "bad_miss"),
        (LooSheet(frozenset({1, 2, 5}), {1: 3}, defended=True), "bad_miss"),
        (LooSheet(frozenset({1, 5}), {1: 3}, miss=1, defended=True), "bad_miss"),
    ],
)
def test_a_loo_sheet_that_cannot_be_is_refused(sheet: LooSheet, code: str) -> None:
    with pytest.raises(BadEvent) as refused:
        loo_scores((1, 2, 3, 4, 5), 5, 0, sheet, OPTIONS)
    assert refused.value.code == code


def test_a_pot_below_zero_is_refused() -> None:
    with pytest.raises(BadEvent, match="below zero"):
        loo_scores((1, 2, 3, 4, 5), 5, -1, LooSheet(frozenset({5}), {}), OPTIONS)


@pytest.mark.parametrize("options", [{}, {"loo": "pot", "loo_cap": 9}, {"ante": "everyone", "loo": 6}])
def test_sheets_of_real_deals_give_the_scores_of_the_game_itself(options: dict[str, Any]) -> None:
    """Deals played by the game's rules, written down as at a table, come to the same stakes."""
    parsed = LOO.parse_options(options)
    for seed in range(60):
        rng = random.Random(seed)
        deck = list(PACK)
        rng.shuffle(deck)
        state = LOO.new_deal(seats=(1, 2, 3, 4, 5), dealer=3, deck=tuple(deck), options=parsed, pot=seed % 7)
        while LOO.actor(state) is not None:
            assert LOO.actor(state) != CHANCE
            state = LOO.apply(state, rng.choice(LOO.legal_moves(state))).state
        outcome = LOO.outcome(state)
        assert outcome is not None
        order = (4, 5, 1, 2, 3)
        taker = order[state.taker] if state.taker >= 0 else None
        defended = "defend" in state.words
        playing = frozenset(order[place] for place in state.active)
        sheet = LooSheet(playing, dict(outcome.tricks), miss=taker, defended=defended)
        found = loo_scores((1, 2, 3, 4, 5), 3, seed % 7, sheet, parsed)
        assert (found.scores, found.pot, found.looed) == (
            dict(outcome.deltas),
            outcome.pot,
            outcome.looed,
        )


def test_the_last_pot_is_shared_from_the_left_of_the_last_dealer() -> None:
    """L21 and the twelfth worked case."""
    assert split_pot((4, 5, 6, 7, 1, 2, 3), 10) == {4: 2, 5: 2, 6: 2, 7: 1, 1: 1, 2: 1, 3: 1}
