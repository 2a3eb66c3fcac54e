"""Advice: it is the bot's own choice, in reasons that have words, and knows no hidden card."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.bots import choose, explain
from games.bots.three_card_loo_advice import DUTIES
from games.errors import MESSAGES
from games.rules import GAMES
from games.rules.interface import CHANCE
from games.wording import REASONS, reason_in_words
from tests.games.rules.least_score_tables import moment
from tests.games.rules.least_score_tables import random_deal as least_deal
from tests.games.rules.loo_deals import deal, play
from tests.games.rules.loo_deals import random_deal as loo_deal
from tests.games.rules.test_least_score_laws import hidden_places, swapped
from tests.games.rules.test_three_card_loo_laws import deal_again, known_to

BUDGET = 6


def advised(game: str, state: Any, seed: int = 1) -> list[tuple[str, float, tuple[str, ...]]]:
    rules = GAMES[game]
    view, legal = rules.view_for(state, rules.actor(state)), rules.legal_moves(state)
    return [tuple(each) for each in explain(game, view, legal, random.Random(seed), BUDGET)]  # type: ignore[misc]


def whole_deals(game: str, count: int) -> Any:
    """Yield every decision of some deals, each a state with its legal moves."""
    dice = random.Random(game)
    for seed in range(count):
        state = loo_deal(seed)[0] if game == "three_card_loo" else least_deal(dice.randint(2, 6), dice)
        while (seat := GAMES[game].actor(state)) is not None and seat != CHANCE:
            yield state
            state = GAMES[game].apply(state, dice.choice(GAMES[game].legal_moves(state))).state


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_first_advice_is_the_bots_own_choice_and_every_reason_has_words(game: str) -> None:
    met: set[str] = set()
    rules = GAMES[game]
    for state in whole_deals(game, {"least_score": 4}.get(game, 20)):
        rows = advised(game, state)
        legal = rules.legal_moves(state)
        view = rules.view_for(state, rules.actor(state))
        assert rows[0][0] == choose(game, "steady", view, legal, random.Random(1), BUDGET)
        assert sorted(move for move, *_ in rows) == sorted(legal)
        met |= {code for _, _, codes in rows for code in codes}
    duties = {code for code in met if code in MESSAGES}
    assert duties == (set() if game == "least_score" else set(DUTIES) - {"must_lead_king"})
    assert {reason_in_words(code) for code in met - duties}
    own = {
        "lays_set",
        "only_card",
        "sheds_highest",
        "keeps_cards",
        "completes_set",
        "takes_low",
        "stock_better",
    }
    own |= {"declare_now", "declare_risky"}
    assert met - duties == (own if game == "least_score" else set(REASONS) - own), (
        "a reason that is never given is none"
    )


def test_advice_on_loo_knows_no_hidden_card() -> None:
    """Two cards hidden from the seat change places: the same moves, values and reasons."""
    loo, dice, compared = GAMES["three_card_loo"], random.Random(3), 0
    for seed in range(16):
        state, _ = loo_deal(seed)
        first, moves = state, []
        while (seat := loo.actor(state)) is not None:
            other = other_world(first, state, seat, moves, dice)
            if other is not None:
                assert advised("three_card_loo", other) == advised("three_card_loo", state)
                compared += 1
            moves.append(dice.choice(loo.legal_moves(state)))
            state = loo.apply(state, moves[-1]).state
    assert compared > 20


def other_world(first: Any, state: Any, seat: int, moves: list[str], dice: random.Random) -> Any:
    """Return the deal as it would stand with two cards exchanged that are hidden from ``seat``, if it could."""
    from games.rules.errors import IllegalMove

    deck = deck_of(first)
    places = [place for place, card in enumerate(deck) if card not in known_to(state, seat, deck)]
    one, other = dice.sample(places, 2)
    changed = list(deck)
    changed[one], changed[other] = changed[other], changed[one]
    try:
        return deal_again(first, tuple(changed), moves)
    except IllegalMove:
        return None


def deck_of(state: Any) -> tuple[str, ...]:
    from games.rules.cards import PACK

    dealt = [card for row in zip(*state.deal.hands, state.deal.miss, strict=True) for card in row]
    dealt.append(state.deal.turn_up)
    return (*dealt, *(card for card in PACK if card not in dealt))


def test_advice_on_least_score_knows_no_hidden_card() -> None:
    dice, compared = random.Random(4), 0
    for state in whole_deals("least_score", 3):
        other = swapped(state, *dice.sample(hidden_places(state, state.actor), 2))
        assert advised("least_score", other) == advised("least_score", state)
        compared += 1
    assert compared > 60


@pytest.mark.parametrize(
    ("hand", "turn_up", "move", "reasons"),
    [
        ("KC KD 3H 4S", "9C", "KC KD > stock", ("lays_set", "stock_better")),
        ("KC 9D 5H", "AS", "KC > AS", ("sheds_highest", "takes_low")),
        ("8C 9D KS 2H", "TH", "KS > TH", ("sheds_highest", "completes_set")),
    ],
)
def test_reasons_of_least_score(hand: str, turn_up: str, move: str, reasons: tuple[str, ...]) -> None:
    state = moment({1: hand, 2: "TC 9S 8S", 3: "JC 7S 6S"}, turn_up=turn_up, turns=0)
    assert advised("least_score", state)[0][::2] == (move, reasons)


@pytest.mark.parametrize(
    ("hands", "before", "move", "reason"),
    [
        ({1: "AH KH QH"}, "", "play", "hand_earns"),
        ({3: "2C 3D 4S"}, "play play", "fold", "hand_costs"),
        ({5: "2C 3D 4S"}, "play fold fold fold", "defend", "defence_free"),
        (
            {1: "9C 2D 3D", 2: "TC 2S 3S", 3: "AC KC 7D"},
            "play play play fold fold 9C TC",
            "KC",
            "cheapest_winner",
        ),
        ({1: "AC 2D 3D", 2: "2C KC 7S"}, "play play fold fold fold AC", "2C", "throws_low"),
        ({1: "9C 2D 3D", 2: "AC 2S 3S"}, "play play fold fold fold 9C", "AC", "only_choice must_follow"),
        ({1: "9C 2D 3D", 2: "AC 2C 3S"}, "play play fold fold fold 9C", "AC", "only_choice must_head"),
    ],
)
def test_reasons_of_loo(hands: dict[int, str], before: str, move: str, reason: str) -> None:
    assert advised("three_card_loo", play(deal(hands), before))[0][::2] == (move, tuple(reason.split()))
