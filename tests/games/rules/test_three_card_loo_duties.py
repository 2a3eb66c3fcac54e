"""What may be led and played to a trick of 3-Card Loo (L14 to L16), case by case and against the text."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.rules import three_card_loo as loo
from games.rules.cards import PACK, RANKS, Card
from games.rules.errors import IllegalMove
from games.rules.three_card_loo_duties import beats, follow_refusal, follows, lead_refusal, leads
from tests.games.rules.loo_deals import deal, play, random_deal

THREE_IN = "play play play fold fold"
TWO_IN = "play play fold fold fold"


def legal(state: loo.State) -> set[str]:
    return set(loo.legal_moves(state))


# Leading: L14 -------------------------------------------------------------------------


def test_case_5_the_king_must_lead_when_the_ace_is_turned_up_l14() -> None:
    state = play(deal({1: "KH QH AS"}, turn_up="AH"), THREE_IN)
    assert loo.legal_moves(state) == ("KH",)
    assert loo.refusals(state) == {"QH": "must_lead_king", "AS": "must_lead_king"}


def test_the_ace_of_trumps_must_lead_first_l14() -> None:
    state = play(deal({1: "AH QH AS"}), THREE_IN)
    assert loo.legal_moves(state) == ("AH",)
    assert loo.refusals(state) == {"QH": "must_lead_ace", "AS": "must_lead_ace"}


def test_the_king_need_not_lead_when_the_ace_is_about_l14() -> None:
    assert legal(play(deal({1: "KH QH AS"}), THREE_IN)) == {"KH", "QH"}


def test_case_6_without_a_trump_any_card_is_led_l14() -> None:
    state = play(deal({1: "2C AS 9D"}), THREE_IN)
    assert legal(state) == {"2C", "AS", "9D"}
    assert loo.refusals(state) == {}


def test_who_holds_a_trump_leads_a_trump_l14() -> None:
    state = play(deal({1: "AS 2H KD"}), THREE_IN)
    assert legal(state) == {"2H"}
    assert loo.refusals(state) == {"AS": "must_lead_trump", "KD": "must_lead_trump"}


def test_case_7_the_highest_trump_is_led_between_two_only_l14() -> None:
    three = play(deal({1: "AH 4H 9H", 2: "2C 3C 4C", 3: "2S 3S 4S"}), THREE_IN + " AH 2C 2S")
    assert loo.actor(three) == 1
    assert legal(three) == {"4H", "9H"}
    two = play(deal({1: "AH 4H 9H", 2: "2C 3C 4C"}), TWO_IN + " AH 2C")
    assert legal(two) == {"9H"}
    assert loo.refusals(two) == {"4H": "highest_trump"}


def test_between_two_the_first_trump_led_is_the_highest_too_l14() -> None:
    state = play(deal({1: "4H 9H AS"}), TWO_IN)
    assert legal(state) == {"9H"}
    assert loo.refusals(state) == {"4H": "highest_trump", "AS": "must_lead_trump"}


def test_a_defending_dealer_counts_as_one_of_two_l14() -> None:
    state = play(deal({1: "4H 9H AS"}), "play fold fold fold defend")
    assert legal(state) == {"9H"}
    three = play(deal({1: "4H 9H AS"}, defend="any"), "play play fold fold defend")
    assert legal(three) == {"4H", "9H"}


def test_the_highest_trump_is_always_led_by_option_l14() -> None:
    state = play(deal({1: "4H 9H AS"}, lead="always_highest"), THREE_IN)
    assert legal(state) == {"9H"}
    assert legal(play(deal({1: "4H 9H AS"}, lead="highest_if_two"), THREE_IN)) == {"4H", "9H"}


def test_the_duty_of_the_ace_is_for_the_first_lead_alone_l14() -> None:
    state = deal({1: "2S 3D 4D", 2: "KS AH 6H", 3: "3S 3C 4C"}, turn_up="5H")
    state = play(state, THREE_IN + " 2S KS 3S")
    assert loo.actor(state) == 2
    assert legal(state) == {"AH", "6H"}
    other = play(deal({1: "2S 3D 4D", 2: "KS AH 9S", 3: "3S 3C 4C"}), THREE_IN + " 2S KS 3S")
    assert legal(other) == {"AH"}
    assert loo.refusals(other) == {"9S": "must_lead_trump"}, "not for the ace: for having a trump"


def test_who_wins_with_a_side_card_still_leads_a_trump_l14() -> None:
    state = play(deal({1: "2S 3D 4D", 2: "KS AS 6H"}), TWO_IN + " 2S KS")
    assert legal(state) == {"6H"}
    assert loo.refusals(state) == {"AS": "must_lead_trump"}


# Following: L15 -----------------------------------------------------------------------


def following(led: str, second: str, third: str, **options: Any) -> loo.State:
    """Return the state in which seat 3, holding ``third``, follows the first cards of two others."""
    hands = {1: f"{led} 2D 3D", 2: f"{second} 2S 3S", 3: third}
    state = play(deal(hands, turn_up="5H", **options), THREE_IN)
    return play(state, f"{led} {second}")


def test_suit_is_followed_l15() -> None:
    state = following("9C", "6C", "7C AS AH")
    assert legal(state) == {"7C"}
    assert loo.refusals(state) == {"AH": "must_follow", "AS": "must_follow"}


def test_who_can_head_the_trick_must_l15() -> None:
    state = following("9C", "TC", "2C JC AC")
    assert legal(state) == {"JC", "AC"}
    assert loo.refusals(state) == {"2C": "must_head"}


def test_the_card_to_beat_is_the_one_now_winning_l15() -> None:
    assert legal(following("9C", "KC", "2C JC 4S")) == {"2C", "JC"}


def test_case_8_nothing_heads_a_trumped_trick_in_its_suit_l15() -> None:
    state = following("KC", "6H", "AC 2C 7D")
    assert legal(state) == {"AC", "2C"}
    assert loo.refusals(state) == {"7D": "must_follow"}


def test_who_is_void_must_trump_l15() -> None:
    state = following("KC", "6C", "2H 9H AS")
    assert legal(state) == {"2H", "9H"}
    assert loo.refusals(state) == {"AS": "must_trump"}


def test_who_is_void_must_head_a_trumped_trick_l15() -> None:
    state = following("KC", "6H", "2H 9H AS")
    assert legal(state) == {"9H"}
    assert loo.refusals(state) == {"2H": "must_head", "AS": "must_trump"}


def test_case_9_a_lower_trump_must_be_played_under_l15() -> None:
    state = following("KC", "TH", "7H AS AD")
    assert legal(state) == {"7H"}
    assert loo.refusals(state) == {"AS": "must_trump", "AD": "must_trump"}


def test_case_9_under_trumping_is_free_by_option_l15() -> None:
    assert legal(following("KC", "TH", "7H AS AD", under_trump="free")) == {"7H", "AS", "AD"}


def test_free_under_trumping_frees_nobody_who_can_head_l15() -> None:
    assert legal(following("KC", "TH", "7H JH AD", under_trump="free")) == {"JH"}
    assert legal(following("KC", "6C", "7H JH AD", under_trump="free")) == {"7H", "JH"}
    # Trumps led are followed, not trumped: the lower ones must be played.
    assert legal(following("KH", "AH", "7H JH AD", under_trump="free")) == {"7H", "JH"}


def test_without_the_suit_and_without_a_trump_anything_goes_l15() -> None:
    assert legal(following("KC", "TH", "7S AS AD")) == {"7S", "AS", "AD"}
    assert legal(following("KH", "TH", "7S AS AD")) == {"7S", "AS", "AD"}


def test_trumps_led_are_followed_and_headed_l15() -> None:
    state = following("9H", "TH", "2H JH AS")
    assert legal(state) == {"JH"}
    assert loo.refusals(state) == {"2H": "must_head", "AS": "must_follow"}


# Winning: L16 -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("9C TC 2C", "TC"),
        ("9C AD 2C", "9C"),
        ("9C 2H AC", "2H"),
        ("9C 2H 3H", "3H"),
        ("2H AC AS", "2H"),
    ],
)
def test_the_highest_trump_wins_or_the_highest_of_the_suit_led_l16(cards: str, winner: Card) -> None:
    best, *rest = cards.split()
    for card in rest:
        best = card if beats(card, best, "H") else best
    assert best == winner


# The text of L14 and L15, sentence by sentence ---------------------------------------


def rank(card: Card) -> int:
    return RANKS.index(card[0])


def may_lead(card: Card, hand: set[Card], turn_up: Card, first: bool, highest: bool) -> bool:
    """L14 as a sentence about one card."""
    trumps = {held for held in hand if held[1] == turn_up[1]}
    honour = ("K" if turn_up[0] == "A" else "A") + turn_up[1]
    if first and honour in hand:
        return card == honour
    if trumps and card not in trumps:
        return False
    return not (highest and trumps) or all(rank(card) >= rank(other) for other in trumps)


def may_follow(card: Card, hand: set[Card], trick: list[Card], trump: str, free: bool) -> bool:
    """L15 as a sentence about one card."""
    led = trick[0][1]
    trumps_down = [down for down in trick if down[1] == trump]
    best = max(trumps_down or [down for down in trick if down[1] == led], key=rank)

    def heads(held: Card) -> bool:
        return rank(held) > rank(best) if held[1] == best[1] else held[1] == trump

    if any(held[1] == led for held in hand):
        return card[1] == led and (heads(card) or not any(heads(held) for held in hand if held[1] == led))
    if not any(held[1] == trump for held in hand):
        return True
    if any(heads(held) for held in hand):
        return heads(card)
    return free or card[1] == trump


@pytest.mark.parametrize("seed", range(20))
def test_leads_are_what_the_text_says_l14(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(300):
        turn_up, *hand = dice.sample(PACK, dice.randint(2, 4))
        first, highest = dice.random() < 0.5, dice.random() < 0.5
        honour = ("K" if turn_up[0] == "A" else "A") + turn_up[1]
        allowed = leads(tuple(hand), turn_up[1], honour if first else None, highest)
        assert set(allowed) == {c for c in hand if may_lead(c, set(hand), turn_up, first, highest)}
        for card in set(hand) - set(allowed):
            assert lead_refusal(card, turn_up[1], tuple(hand), honour if first else None)


@pytest.mark.parametrize("seed", range(20))
def test_follows_are_what_the_text_says_l15(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(300):
        trump, free = dice.choice("CDHS"), dice.random() < 0.5
        pool = (
            [card for card in PACK if card[1] in trump + dice.choice("CDHS")] if dice.random() < 0.7 else PACK
        )
        count = dice.randint(1, 3)
        cards = dice.sample(pool, count + dice.randint(1, 5))
        hand, trick = cards[:count], cards[count:]
        best = trick[0]
        for card in trick[1:]:
            best = card if beats(card, best, trump) else best
        allowed = follows(tuple(hand), trick[0][1], best, trump, free)
        assert set(allowed) == {c for c in hand if may_follow(c, set(hand), trick, trump, free)}
        assert allowed, "there is always a card to play"
        for card in set(hand) - set(allowed):
            assert follow_refusal(card, trick[0][1], tuple(hand), trump) in {
                "must_follow",
                "must_head",
                "must_trump",
            }


@pytest.mark.parametrize("block", range(10))
def test_every_position_of_random_deals_follows_the_text_l14_l15(block: int) -> None:
    """The engine hands the right trick, trump and options to the duties; every card is tried."""
    for seed in range(block * 25, block * 25 + 25):
        state, dice = random_deal(seed)
        while loo.actor(state) is not None:
            if state.phase == "play":
                _check_position(state)
            state = loo.apply(state, dice.choice(loo.legal_moves(state))).state


def _check_position(state: loo.State) -> None:
    deal, hand = state.deal, set(state.hands[state.turn])
    trick = [card for _, card in state.trick]
    highest = len(state.active) == 2 or deal.options.lead == "always_highest"
    for card in PACK:
        if card not in hand:
            allowed = False
        elif trick:
            allowed = may_follow(card, hand, trick, deal.trump, deal.options.under_trump == "free")
        else:
            allowed = may_lead(card, hand, deal.turn_up, not state.tricks, highest)
        assert (card in loo.legal_moves(state)) == allowed
        if not allowed:
            with pytest.raises(IllegalMove):
                loo.apply(state, card)
