"""One deal of Least Score, rule by rule; the numbers are those of docs/rules/least_score.md."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.rules import least_score
from games.rules.cards import Card
from games.rules.errors import BadDeal, IllegalMove
from games.rules.interface import CHANCE, Move
from games.rules.least_score_moves import REASONS
from games.rules.least_score_options import Options
from games.rules.least_score_state import Deal
from tests.games.rules.least_score_tables import (
    cards,
    deck_dealing,
    moment,
    play,
    random_deal,
    random_move,
    shuffled,
)


def refused(state: Deal, move: Move) -> str:
    """Return the code with which ``apply`` refuses ``move``, which must also be missing from the list."""
    assert move not in least_score.legal_moves(state)
    with pytest.raises(IllegalMove) as error:
        least_score.apply(state, move)
    assert error.value.detail
    assert error.value.code in REASONS
    return error.value.code


def scores(state: Deal) -> dict[str, int]:
    """Return the scores of a deal that is over."""
    outcome = least_score.outcome_json(state)
    assert outcome is not None
    return dict(outcome["scores"])


def declared(hands: dict[int, str], **options: Any) -> Deal:
    """Return the deal after the first seat of ``hands`` has declared."""
    state, events = play(moment(hands, **options), "declare")
    assert [event["type"] for event in events] == ["declare", "show", "deal_over"]
    return state


# Dealing (S1, S2, S7) --------------------------------------------------------------------


def test_s2_cards_go_out_one_at_a_time_from_the_dealers_left() -> None:
    deck = deck_dealing(["AC 2C 3C 4C 5C", "AD 2D 3D 4D 5D", "AH 2H 3H 4H 5H"], "KS", "QS JS")
    assert deck[:3] == cards("AC AD AH")
    state = least_score.new_deal(seats=(2, 4, 7), dealer=4, deck=deck, options=Options())
    assert dict(zip(state.seats, state.hands, strict=True)) == {
        7: cards("AC 2C 3C 4C 5C"),
        2: cards("AD 2D 3D 4D 5D"),
        4: cards("AH 2H 3H 4H 5H"),
    }
    assert least_score.actor(state) == 7
    assert state.open == ("KS",) and state.open_by is None
    assert state.stock[:2] == cards("QS JS") and len(state.stock) == 36


def test_the_opening_tells_each_seat_its_own_hand_only() -> None:
    deck = deck_dealing(["AC 2C 3C 4C 5C", "AD 2D 3D 4D 5D"], "KS")
    state = least_score.new_deal(seats=(1, 2), dealer=2, deck=deck, options=Options())
    assert least_score.opening(state) == (
        {
            "type": "dealt",
            "dealer": 2,
            "starter": 1,
            "seats": [1, 2],
            "private": {
                "1": {"hand": list(cards("AC 2C 3C 4C 5C"))},
                "2": {"hand": list(cards("AD 2D 3D 4D 5D"))},
            },
        },
        {"type": "open", "card": "KS"},
    )
    later, _ = play(state, "5C > KS")
    with pytest.raises(ValueError, match="before its first move"):
        least_score.opening(later)


def test_a_named_starter_begins_but_is_not_dealt_to_first() -> None:
    deck = shuffled(random.Random(1))
    usual = least_score.new_deal(seats=(1, 2, 3), dealer=3, deck=deck, options=Options())
    named = least_score.new_deal(seats=(1, 2, 3), dealer=3, deck=deck, options=Options(), starter=3)
    assert (least_score.actor(usual), least_score.actor(named)) == (1, 3)
    assert usual.hands == named.hands
    assert least_score.new_deal(seats=(1, 2, 3), dealer=3, deck=deck, options=Options(), starter=0) == usual


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("too_few_seats", {"seats": (1,), "dealer": 1}),
        ("too_many_seats", {"seats": tuple(range(1, 8)), "dealer": 1}),
        ("too_many_seats", {"seats": tuple(range(1, 12)), "dealer": 1, "options": Options(packs=2)}),
        ("bad_seats", {"seats": (1, 1, 2)}),
        ("bad_seats", {"seats": (0, 1, 2), "dealer": 1}),
        ("bad_seats", {"seats": (True, 2, 3), "dealer": 2}),
        ("bad_dealer", {"dealer": 4}),
        ("bad_starter", {"starter": 4}),
        ("unknown_carried", {"pot": 3}),
        ("unknown_card", {"deck": ("1S",) * 52}),
        ("bad_deck", {"deck": shuffled(random.Random(1))[:51]}),
        ("bad_deck", {"deck": (*shuffled(random.Random(1))[:51], shuffled(random.Random(1))[0])}),
        ("bad_deck", {"deck": shuffled(random.Random(1), 2)}),
        ("bad_deck", {"options": Options(packs=2)}),
    ],
)
def test_what_cannot_be_dealt_is_refused(code: str, changed: dict[str, Any]) -> None:
    usual = {"seats": (1, 2, 3), "dealer": 3, "deck": shuffled(random.Random(1)), "options": Options()}
    with pytest.raises(BadDeal) as error:
        least_score.new_deal(**{**usual, **changed})
    assert error.value.code == code


# Turns (S3, S4, S6, S13) -----------------------------------------------------------------


def test_s3_a_turn_lays_a_set_and_takes_one_card() -> None:
    state = moment({1: "7H 7S KD 2C", 2: "8C 9C"}, turn_up="4D", stock="5S")
    after, events = play(state, "7S 7H > stock")
    assert after.hands == (cards("2C 5S KD"), cards("8C 9C"))
    assert after.open == cards("7H 7S") and after.open_by == 1
    assert after.buried == ("4D",)
    assert least_score.actor(after) == 2
    assert events == [
        {"type": "discard", "seat": 1, "cards": ["7H", "7S"]},
        {"type": "take", "seat": 1, "from": "stock", "private": {"1": {"card": "5S"}}},
    ]


def test_s6_a_taken_open_card_is_public() -> None:
    state = moment({1: "7H 7S KD 2C", 2: "8C 9C"}, turn_up="4D", stock="5S")
    after, events = play(state, "KD > 4D")
    assert after.hands[0] == cards("2C 4D 7H 7S")
    assert after.buried == () and after.stock[0] == "5S"
    assert events[1] == {"type": "take", "seat": 1, "from": "open", "card": "4D"}


def test_every_set_is_listed_with_every_take_and_declare_last() -> None:
    state = moment({1: "7H 7S 2C", 2: "8C 9C"}, turn_up="4D 4S", open_by=2)
    assert least_score.legal_moves(state) == (
        "2C > 4D",
        "2C > 4S",
        "2C > stock",
        "7H > 4D",
        "7H > 4S",
        "7H > stock",
        "7S > 4D",
        "7S > 4S",
        "7S > stock",
        "7H 7S > 4D",
        "7H 7S > 4S",
        "7H 7S > stock",
        "declare",
    )


def test_a_hand_is_never_empty_after_a_turn() -> None:
    """S3: even who lays the whole hand takes a card."""
    state, _ = play(moment({1: "KD", 2: "8C"}, turn_up="QS"), "KD > QS")
    assert state.hands[0] == ("QS",)
    state, _ = play(
        moment({1: "2H 4H 6H 8H TH", 2: "8C"}, turn_up="QS", stock="AS"), "2H 4H 6H 8H TH > stock"
    )
    assert state.hands[0] == ("AS",)


def test_case_5_a_run_from_the_middle() -> None:
    """S6: of 7-8-9 the next player takes the 8; the one after cannot take the 7."""
    state = moment({1: "7C 8D 9H KS", 2: "2C 3D", 3: "4S 5S"}, turn_up="QD")
    state, _ = play(state, "7C 8D 9H > stock")
    taken, _ = play(state, "3D > 8D")
    assert "8D" in taken.hands[1] and taken.buried == cards("QD 7C 9H")
    assert refused(taken, "4S > 7C") == "not_open"
    for card in cards("7C 8D 9H"):
        assert f"3D > {card}" in least_score.legal_moves(state)


def test_s6_only_ends_by_the_option() -> None:
    state = moment({1: "7C 8D 9H KS", 2: "2C 3D"}, turn_up="QD", pick="ends")
    state, _ = play(state, "7C 8D 9H > stock")
    assert refused(state, "3D > 8D") == "not_an_end"
    play(state, "3D > 7C")
    play(state, "3D > 9H")


def test_s6_the_ends_of_a_run_with_an_ace_high() -> None:
    state = moment({1: "QC KD AH 5S", 2: "2C 3D"}, turn_up="9D", pick="ends")
    state, _ = play(state, "AH QC KD > stock")
    assert state.open == cards("QC KD AH")
    assert refused(state, "3D > KD") == "not_an_end"
    play(state, "3D > AH")


def test_s6_nobody_takes_back_what_they_lay() -> None:
    state = moment({1: "7H 7S KD", 2: "8C 9C"}, turn_up="4D")
    assert refused(state, "7H > 7H") == "own_discard"
    assert refused(state, "7H 7S > 7S") == "own_discard"
    assert refused(state, "7H > 7S") == "not_open"


def test_an_equal_card_of_the_other_pack_may_be_taken() -> None:
    state = moment({1: "7H KD", 2: "8C 9C"}, turn_up="7H", packs=2)
    after, _ = play(state, "7H > 7H")
    assert after.hands[0] == cards("7H KD") and after.open == ("7H",)
    assert refused(moment({1: "7H KD", 2: "8C 9C"}, turn_up="8H", packs=2), "7H > 7H") == "own_discard"


@pytest.mark.parametrize(
    ("code", "hand", "move", "options"),
    [
        ("not_a_set", "2C 5D", "2C 5D > stock", {}),
        ("three_of_a_kind", "KC KD KH", "KC KD KH > stock", {}),
        ("run_of_four", "2C 3D 4H 5S", "2C 3D 4H 5S > stock", {}),
        ("mixed_suits", "2C 3D 4H", "2C 3D 4H > stock", {"runs": "one_suit"}),
        ("two_pairs", "4C 4D 5H 5S", "4C 4D 5H 5S > stock", {}),
        ("ace_in_the_middle", "AC 2D KD", "AC 2D KD > stock", {}),
        ("short_flush", "2H 5H 9H JH", "2H 5H 9H JH > stock", {}),
        ("not_your_card", "2C 5D", "3C > stock", {}),
        ("not_your_card", "2C 5D", "2C 2C > stock", {}),
        ("not_open", "2C 5D", "2C > 9S", {}),
        ("own_discard", "2C 5D", "2C > 2C", {}),
        ("over_cap", "2C 5D", "declare", {"declare_cap": 5}),
        ("no_shuffle_due", "2C 5D", "shuffle 2C", {}),
        ("not_canonical", "7H 7S", "7S 7H > stock", {}),
        ("not_canonical", "2C 3D 4H", "4H 3D 2C > stock", {}),
    ],
)
def test_what_may_not_be_played_has_its_code(
    code: str, hand: str, move: Move, options: dict[str, Any]
) -> None:
    assert refused(moment({1: hand, 2: "8C"}, turn_up="6S", **options), move) == code


def test_the_options_allow_what_the_codes_refuse() -> None:
    play(moment({1: "KC KD KH", 2: "8C"}, three_of_a_kind=True), "KC KD KH > stock")
    play(moment({1: "2C 3D 4H 5S", 2: "8C"}, any_run=True), "2C 3D 4H 5S > stock")
    play(moment({1: "2C 3D 4H", 2: "8C"}), "2C 3D 4H > stock")
    play(moment({1: "2C 3D", 2: "8C"}, declare_cap=5), "declare")


def test_why_not_speaks_of_the_hand_on_turn() -> None:
    state = moment({1: "2C 5D", 2: "8C"})
    assert least_score.why_not(state, ()) == "no_cards"
    assert least_score.why_not(state, ("8C",)) == "not_your_card"
    assert least_score.why_not(state, ("2C", "2C")) == "not_your_card"
    assert least_score.why_not(state, ("2C",)) is None
    over, _ = play(state, "declare")
    assert least_score.why_not(over, ("2C",)) == "deal_over"
    due, _ = play(moment({1: "2C 5D", 2: "8C"}, turn_up="6S", stock="9D", buried="JC"), "2C > stock")
    assert least_score.why_not(due, ("8C",)) == "shuffle_due"


def test_every_reason_has_a_phrase_of_its_own() -> None:
    assert len(set(REASONS.values())) == len(REASONS)
    assert all(code == code.lower() and phrase for code, phrase in REASONS.items())


# Declaring (S8 to S10) -------------------------------------------------------------------


def test_case_1_the_seeds_two_examples() -> None:
    """S9: 10 declared against 16 and 17. S10: 10 declared against 8 and 15."""
    state = declared({1: "4C 6D", 2: "KS 6H", 3: "KD 7H"})
    assert least_score.outcome_json(state) == {
        "scores": {"1": 0, "2": 6, "3": 7},
        "totals": {"1": 10, "2": 16, "3": 17},
        "declarer": 1,
        "success": True,
    }
    state = declared({1: "4C 6D", 2: "8S", 3: "8D 7H"})
    assert least_score.outcome_json(state) == {
        "scores": {"1": 22, "2": 0, "3": 0},
        "totals": {"1": 10, "2": 8, "3": 15},
        "declarer": 1,
        "success": False,
    }


def test_case_6_never_on_the_first_turn_nor_after_discarding() -> None:
    """S8; after discarding there is no moment to declare in, because a turn is one command (S3)."""
    dice = random.Random(6)
    state = random_deal(4, dice, Options())
    for _ in state.seats:
        assert refused(state, "declare") == "first_turn"
        assert least_score.refusals(state) == {"declare": "first_turn"}
        state, _ = play(state, least_score.default_move(state))
    assert "declare" in least_score.legal_moves(state) and least_score.refusals(state) == {}
    laid = state.hands[state.first][0]
    assert refused(state, f"{laid} > declare") == "not_open"


def test_case_7_a_tie_for_lowest() -> None:
    """S10: declared 9, another 9: success, both score 0; with ``tie = caught`` the declarer scores 20."""
    hands = {1: "4C 5D", 2: "9S", 3: "KD"}
    state = declared(hands)
    assert scores(state) == {"1": 0, "2": 0, "3": 1} and state.result and state.result.success
    state = declared(hands, tie="caught")
    assert scores(state) == {"1": 20, "2": 0, "3": 0} and state.result and not state.result.success


def test_a_tie_of_others_below_the_declarer_counts_once() -> None:
    for tie in ("success", "caught"):
        assert scores(declared({1: "KC", 2: "4S", 3: "4D"}, tie=tie)) == {"1": 26, "2": 0, "3": 0}


def test_a_lone_lowest_declarer_succeeds_with_either_option() -> None:
    for tie in ("success", "caught"):
        assert scores(declared({1: "2C", 2: "4S", 3: "4D"}, tie=tie)) == {"1": 0, "2": 2, "3": 2}


@pytest.mark.parametrize("cap", [5, 7, 10])
def test_s8_the_cap_is_the_most_one_may_declare_with(cap: int) -> None:
    at_cap = {5: "2C 3D", 7: "3C 4D", 10: "4C 6D"}[cap]
    state = moment({1: at_cap, 2: "KS"}, declare_cap=cap)
    assert "declare" in least_score.legal_moves(state)
    above = moment({1: f"{at_cap} AH", 2: "KS"}, declare_cap=cap)
    assert refused(above, "declare") == "over_cap"
    assert least_score.refusals(above) == {"declare": "over_cap"}
    assert "declare" in least_score.legal_moves(above._replace(options=Options()))


def test_the_show_tells_all_hands() -> None:
    _, events = play(moment({1: "4C 6D", 2: "KS 6H"}), "declare")
    assert events == [
        {"type": "declare", "seat": 1},
        {"type": "show", "hands": {"1": ["4C", "6D"], "2": ["6H", "KS"]}},
        {
            "type": "deal_over",
            "scores": {"1": 0, "2": 6},
            "totals": {"1": 10, "2": 16},
            "declarer": 1,
            "success": True,
            "reason": "declared",
        },
    ]


def test_nothing_can_be_played_when_the_deal_is_over() -> None:
    state = declared({1: "4C 6D", 2: "KS 6H"})
    assert least_score.actor(state) is None and least_score.legal_moves(state) == ()
    assert least_score.refusals(state) == {} and least_score.to_shuffle(state) == ()
    for move in ("declare", "KS > stock", "shuffle 2C"):
        assert refused(state, move) == "deal_over"
    with pytest.raises(ValueError, match="nobody is on turn"):
        least_score.default_move(state)


# The stock runs out (S11), the forced show (S12) ------------------------------------------


def all_cards(state: Deal) -> list[Card]:
    """Return every card of a deal, wherever it lies."""
    return sorted([*sum(state.hands, ()), *state.stock, *state.open, *state.buried])


def draw_until_empty(state: Deal) -> Deal:
    """Return the deal after everybody has drawn from the stock until it is used up or the deal over."""
    while state.actor and state.stock:
        state, _ = play(state, least_score.default_move(state))
    return state


def test_case_10_the_stock_runs_out() -> None:
    """S11: the open set stays, the rest comes back, nothing is lost."""
    fresh = random_deal(6, random.Random(10), Options())
    state = draw_until_empty(fresh)
    assert least_score.actor(state) == CHANCE and state.stock == ()
    assert least_score.legal_moves(state) == () and least_score.refusals(state) == {}
    due = least_score.to_shuffle(state)
    assert sorted(due) == sorted(state.buried) and len(due) == 52 - 30 - 1
    open_set = state.open
    after, events = play(state, " ".join(["shuffle", *reversed(due)]))
    assert after.open == open_set and after.open_by == state.open_by
    assert after.stock == due[::-1] and after.buried == ()
    assert all_cards(after) == all_cards(state) == all_cards(fresh)
    assert least_score.actor(after) == after.seats[(after.first + after.turns) % 6]
    assert events[0] == {"type": "shuffle", "count": 21}


def test_the_cards_to_shuffle_come_in_the_order_of_the_pack() -> None:
    state, _ = play(
        moment({1: "2C 5D", 2: "8C"}, turn_up="6S", stock="9D", buried="JC TH 3C AC"), "2C > stock"
    )
    assert least_score.to_shuffle(state) == cards("3C JC AC TH 6S")


def test_only_a_permutation_of_the_buried_cards_is_a_shuffle() -> None:
    state, _ = play(moment({1: "2C 5D", 2: "8C"}, turn_up="6S", stock="9D", buried="JC TH"), "2C > stock")
    for wrong in ("JC TH", "JC TH 6S 6S", "JC TH 2C", "JC TH 6S 9D"):
        assert refused(state, f"shuffle {wrong}") == "wrong_cards"
    for early in ("declare", "8C > stock", "8C > 2C"):
        assert refused(state, early) == "shuffle_due"
    with pytest.raises(ValueError, match="nobody is on turn"):
        least_score.default_move(state)
    play(state, "shuffle TH 6S JC")


def test_the_shuffle_is_due_as_soon_as_a_turn_empties_the_stock() -> None:
    """S11: taking the last stock card, not wanting another one, brings the shuffle."""
    state = moment({1: "2C 5D", 2: "8C"}, turn_up="6S", stock="9D", buried="JC")
    stays, _ = play(state, "2C > 6S")
    assert least_score.actor(stays) == 2 and stays.stock == ("9D",)
    emptied, _ = play(state, "2C > stock")
    assert least_score.actor(emptied) == CHANCE


def test_s11_nothing_to_shuffle_makes_the_deal_void() -> None:
    """Only a moment made up for it: the turn that takes the last stock card buries the set before it."""
    state = moment({1: "2C 5D", 2: "8C"}, turn_up="6S", stock="9D", buried="")
    state = state._replace(open=())
    after, events = play(state, "2C > stock")
    assert least_score.actor(after) is None
    assert least_score.outcome_json(after) == {
        "scores": {"1": 0, "2": 0},
        "totals": {"1": 14, "2": 8},
        "declarer": None,
        "success": None,
        "void": True,
    }
    assert events[-1]["type"] == "deal_over" and events[-1]["reason"] == "void" and events[-1]["void"]


def test_s12_the_second_time_the_stock_is_empty_the_hands_are_shown() -> None:
    state = moment({1: "2C 5D", 2: "8C", 3: "7S"}, turn_up="6S", stock="9D", buried="JC", shuffles=1)
    after, events = play(state, "2C > stock")
    assert least_score.outcome_json(after) == {
        "scores": {"1": 7, "2": 1, "3": 0},
        "totals": {"1": 14, "2": 8, "3": 7},
        "declarer": None,
        "success": None,
    }
    assert [event["type"] for event in events] == ["discard", "take", "show", "deal_over"]
    assert events[-1]["reason"] == "stock"


def test_s12_several_lowest_hands_all_score_nothing() -> None:
    state = moment({1: "KC KD", 2: "7C", 3: "7S"}, turn_up="6S", stock="9D", buried="JC", shuffles=1)
    assert scores(play(state, "KC > stock")[0]) == {"1": 12, "2": 0, "3": 0}


@pytest.mark.parametrize("count", [2, 3, 6, 7, 10])
def test_s12_after_25_circuits_the_hands_are_shown(count: int) -> None:
    """Each seat takes exactly 25 turns; the show is announced when three circuits are left."""
    packs = 1 if count <= 6 else 2
    state = random_deal(count, random.Random(count), Options(packs=packs))
    turns, announced = 0, []
    while state.actor is not None:
        # Taking the open card keeps the stock, so that the circuits alone end the deal.
        move = f"{state.hands[(state.first + turns) % count][0]} > {state.open[0]}"
        state, events = play(state, move)
        turns += 1
        announced += [(turns, event["show_in"]) for event in events if event["type"] == "show_soon"]
        left = 25 - turns // count
        if state.actor is not None:
            assert least_score.view_for(state, None)["show_in"] == (left if left <= 3 else None)
            assert least_score.view_for(state, None)["circuit"] == turns // count + 1
    assert turns == 25 * count
    assert announced == [(22 * count, 3)]
    assert state.result and state.result.reason == "circuits" and min(state.result.scores) == 0
    assert state.result.declarer is None and state.result.success is None
    view = least_score.view_for(state, None)
    assert view["circuit"] == 25 and view["show_in"] is None


def test_s12_the_show_after_the_second_emptying_is_announced_when_three_circuits_can_bring_it() -> None:
    for count in (4, 5, 6):
        state, dice, announced = random_deal(count, random.Random(count), Options()), random.Random(1), []
        while state.actor is not None:
            before = state
            move = random_move(state, dice) if state.actor == 0 else least_score.default_move(state)
            state, events = play(state, move)
            for event in events:
                if event["type"] == "show_soon":
                    announced.append((before, state, event["show_in"]))
        assert state.result and state.result.reason == "stock"
        ((before, after, soon),) = announced
        assert soon == 3 and after.shuffles == 1 and 2 * count < len(after.stock) <= 3 * count
        assert before.shuffles == 0 or len(before.stock) > 3 * count


def test_the_last_circuit_can_end_with_an_empty_stock_and_no_shuffle() -> None:
    state = moment({1: "2C 5D", 2: "8C"}, turn_up="6S", stock="9D", buried="JC", turns=49)
    after, events = play(state, "2C > stock")
    assert least_score.actor(after) is None and events[-1]["reason"] == "circuits"


def test_the_circuit_counts_the_seats_of_this_deal_only() -> None:
    """Seats with gaps between their numbers, as after knock-outs: a circuit is one turn of each."""
    state = least_score.new_deal(
        seats=(2, 5, 9), dealer=5, deck=shuffled(random.Random(4)), options=Options()
    )
    order = []
    for turn in range(9):
        assert least_score.view_for(state, None)["circuit"] == turn // 3 + 1
        order.append(least_score.actor(state))
        state, _ = play(state, least_score.default_move(state))
    assert order == [9, 2, 5] * 3


# Time-out, view, secrecy (S18) ------------------------------------------------------------


def test_a_time_out_lays_the_highest_card_and_draws() -> None:
    assert least_score.default_move(moment({1: "AC 9D KH KS", 2: "8C"})) == "KS > stock"
    assert least_score.default_move(moment({1: "AC 2D", 2: "8C"})) == "2D > stock"


def test_the_view_of_a_seat_on_turn() -> None:
    state = moment({4: "7S 7H", 2: "8C 9C KD"}, turn_up="4D", open_by=2)
    assert least_score.view_for(state, 4) == {
        "game": "least_score",
        "options": least_score.dump_options(Options()),
        "phase": "turn",
        "seats": [4, 2],
        "dealer": 2,
        "turn": 4,
        "viewer": 4,
        "open": ["4D"],
        "open_by": 2,
        "stock": 46,
        "buried": 0,
        "hand": ["7H", "7S"],
        "total": 14,
        "hand_sizes": {"4": 2, "2": 3},
        "known": {"4": [], "2": []},
        "circuit": 2,
        "show_in": None,
        "declare_allowed": True,
        "legal": list(least_score.legal_moves(state)),
        "refused": {},
        "last": None,
        "outcome": None,
        "hands": None,
    }


def test_the_view_of_the_others() -> None:
    state = moment({4: "7S 7H", 2: "8C 9C KD"}, turn_up="4D", open_by=2)
    waiting = least_score.view_for(state, 2)
    assert waiting["hand"] == ["8C", "9C", "KD"] and waiting["total"] == 27
    assert not waiting["declare_allowed"] and waiting["legal"] == [] and waiting["refused"] == {}
    for outsider in (None, 9):
        view = least_score.view_for(state, outsider)
        assert view["viewer"] == outsider and view["hand"] is None and view["total"] is None
        assert view["legal"] == [] and view["hand_sizes"] == {"4": 2, "2": 3}


def test_the_view_when_declaring_is_refused() -> None:
    view = least_score.view_for(moment({1: "KC KD", 2: "8C"}, turns=0), 1)
    assert not view["declare_allowed"] and view["refused"] == {"declare": "first_turn"}


def test_the_view_shows_the_last_action_but_no_drawn_card() -> None:
    state = moment({1: "7H KD", 2: "8C 9C"}, turn_up="4D", stock="5S")
    after, _ = play(state, "KD > stock")
    assert least_score.view_for(after, 2)["last"] == {"seat": 1, "move": "KD > stock"}
    assert "5S" not in str(least_score.view_for(after, 2))
    assert least_score.view_for(after, 1)["hand"] == ["5S", "7H"]


def test_the_view_of_a_shuffle_and_of_the_end() -> None:
    state, _ = play(moment({1: "2C 5D", 2: "8C"}, turn_up="6S", stock="9D", buried="JC"), "2C > stock")
    view = least_score.view_for(state, 2)
    assert (view["phase"], view["turn"], view["stock"], view["buried"]) == ("shuffle", None, 0, 2)
    state, _ = play(state, "shuffle 6S JC")
    view = least_score.view_for(state, 1)
    assert (view["phase"], view["turn"], view["stock"], view["buried"]) == ("turn", 2, 2, 0)
    assert view["last"] == {"seat": 0, "move": "shuffle"}
    over, _ = play(state, "declare")
    view = least_score.view_for(over, None)
    assert (view["phase"], view["turn"], view["circuit"]) == ("over", None, 2)
    assert view["hands"] == {"1": ["5D", "9D"], "2": ["8C"]}
    assert view["outcome"] == least_score.outcome_json(over) and view["last"]["move"] == "declare"


def test_s18_openly_taken_cards_stay_known_until_they_are_laid() -> None:
    state = moment({1: "7H KD QC", 2: "8C 9C"}, turn_up="4D", stock="5S")
    state, _ = play(state, "KD > 4D", "9C > KD")
    assert least_score.view_for(state, None)["known"] == {"1": ["4D"], "2": ["KD"]}
    state, _ = play(state, "4D > stock", "8C > 4D", "QC > stock", "KD > stock")
    assert least_score.view_for(state, None)["known"] == {"1": [], "2": ["4D"]}


def test_an_equal_card_laid_from_two_packs_is_the_known_one() -> None:
    """Nobody can tell which of two equal cards was laid, so only one of them can still be known."""
    state = moment({1: "7H KD", 2: "8C 9C"}, turn_up="7H", packs=2)
    state, _ = play(state, "KD > 7H", "9C > stock", "7H > stock")
    assert "7H" in state.hands[0] and least_score.view_for(state, None)["known"]["1"] == []
