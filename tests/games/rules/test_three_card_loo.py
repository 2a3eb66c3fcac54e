"""Dealing, announcing and settling 3-Card Loo, rule by rule (docs/rules/three_card_loo.md)."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import three_card_loo as loo
from games.rules.cards import PACK
from games.rules.errors import BadDeal, IllegalMove, MalformedMove
from games.rules.interface import event_for
from tests.games.rules.loo_deals import deal, deck_of, of_type, play, result, steps

# Dealing: L1 to L4 --------------------------------------------------------------------


def test_case_1_sixteen_players_use_the_whole_pack_l1() -> None:
    state = deal({}, seats=16)
    assert deck_of(state.deal.seats, 16, {}, "", "5H")[-1] == state.deal.turn_up
    dealt = [card for hand in (*state.deal.hands, state.deal.miss, (state.deal.turn_up,)) for card in hand]
    assert sorted(dealt) == sorted(PACK)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"seats": (1, 2, 3, 4)}, "too_few_seats"),
        ({"seats": tuple(range(1, 18))}, "too_many_seats"),
        ({"seats": (1, 2, 3, 3, 5)}, "bad_seats"),
        ({"seats": (0, 1, 2, 3, 5)}, "bad_seats"),
        ({"seats": (1, 2, 3, "4", 5)}, "bad_seats"),
        ({"seats": (True, 2, 3, 4, 5)}, "bad_seats"),
        ({"dealer": 6}, "bad_dealer"),
        ({"pot": -1}, "bad_pot"),
        ({"pot": 2.0}, "bad_pot"),
        ({"pot": True}, "bad_pot"),
        ({"starter": 1}, "unknown_carried"),
        ({"deck": PACK[:51]}, "bad_deck"),
        ({"deck": (*PACK[:51], PACK[0])}, "bad_deck"),
        ({"deck": (*PACK[:51], "1S")}, "unknown_card"),
    ],
)
def test_a_deal_that_cannot_be_dealt_is_refused_l1(changed: dict[str, Any], code: str) -> None:
    sound = {"seats": (1, 2, 3, 4, 5), "dealer": 5, "deck": PACK, "options": loo.parse_options({}), "pot": 0}
    with pytest.raises(BadDeal) as refused:
        loo.new_deal(**{**sound, **changed})
    assert refused.value.code == code
    assert refused.value.detail != code


def test_three_players_sit_down_at_a_practice_table_only_l1() -> None:
    assert loo.seat_range(loo.parse_options({})) == (5, 16)
    assert loo.seat_range(loo.parse_options({"min_players": 3})) == (3, 16)
    assert loo.actor(deal({}, seats=3)) == 1


def test_the_dealer_alone_pays_the_ante_l3() -> None:
    state = deal({}, dealer=3, pot=4)
    assert of_type(loo.opening(state), "stakes") == [
        {"type": "stakes", "from": 3, "to": 0, "amount": 3, "reason": "ante"}
    ]
    assert loo.view_for(state, None)["pot"] == 7


def test_everyone_pays_the_ante_by_option_l3() -> None:
    state = deal({}, dealer=3, pot=4, ante="everyone")
    payments = of_type(loo.opening(state), "stakes")
    assert [(event["from"], event["to"], event["amount"]) for event in payments] == [
        (4, 0, 3),
        (5, 0, 3),
        (1, 0, 3),
        (2, 0, 3),
        (3, 0, 3),
    ]
    assert loo.view_for(state, None)["pot"] == 4 + 15


def test_cards_go_round_one_at_a_time_from_the_dealers_left_the_miss_last_l4() -> None:
    state = loo.new_deal(seats=(1, 2, 3, 4, 5), dealer=2, deck=PACK, options=loo.parse_options({}), pot=0)
    hands = {seat: loo.view_for(state, seat)["hand"] for seat in (1, 2, 3, 4, 5)}
    assert hands[3] == ["2C", "8C", "AC"]
    assert hands[4] == ["3C", "9C", "2D"]
    assert hands[2] == ["6C", "QC", "5D"]
    assert state.deal.miss == ("7C", "KC", "6D")
    assert loo.view_for(state, None)["turn_up"] == "7D"
    assert loo.view_for(state, None)["trump"] == "D"


def test_the_dealing_shows_each_seat_its_own_hand_l4() -> None:
    state = deal({1: "AS KS 2H", 2: "3C 4C 6C"}, turn_up="5H")
    dealt, turn_up = loo.opening(state)[-2:]
    assert event_for(dealt, 1)["hand"] == ["2H", "KS", "AS"]
    assert event_for(dealt, 2)["hand"] == ["3C", "4C", "6C"]
    assert event_for(dealt, None) == {
        "type": "dealt",
        "dealer": 5,
        "seats": [1, 2, 3, 4, 5],
        "cards": {"1": 3, "2": 3, "3": 3, "4": 3, "5": 3},
    }
    assert turn_up == {"type": "turn_up", "card": "5H", "trump": "H"}


# Announcing: L5 to L12 ----------------------------------------------------------------


def refused(state: loo.State, move: str) -> str:
    """Return the code with which ``move`` is refused, after checking that both doors give the same."""
    with pytest.raises(IllegalMove) as caught:
        loo.apply(state, move)
    told = loo.refusals(state)
    assert told.get(move, caught.value.code) == caught.value.code
    assert caught.value.detail == loo.DETAILS[caught.value.code]
    return caught.value.code


def test_announcing_goes_round_once_from_the_dealers_left_l5() -> None:
    state = deal({}, dealer=2)
    spoken = []
    for word in ("play", "fold", "miss", "play", "fold"):
        spoken.append(loo.actor(state))
        state = play(state, word)
    assert spoken == [3, 4, 5, 1, 2]
    assert loo.view_for(state, None)["announced"] == {
        "3": "play",
        "4": "fold",
        "5": "miss",
        "1": "play",
        "2": "fold",
    }
    assert loo.view_for(state, None)["in"] == [3, 5, 1]


def test_the_miss_goes_to_the_first_who_takes_it_l5() -> None:
    state = deal({1: "2C 3C 4C"}, miss="AH KH QH")
    assert loo.legal_moves(state) == ("fold", "play", "miss")
    taken, taken_events = loo.apply(state, "miss")
    assert loo.view_for(taken, 1)["hand"] == ["QH", "KH", "AH"]
    assert loo.view_for(taken, 1)["thrown"] == ["2C", "3C", "4C"]
    assert [event_for(event, 1) for event in taken_events] == [
        {"type": "announce", "seat": 1, "move": "miss"},
        {"type": "taken_miss", "seat": 1, "hand": ["QH", "KH", "AH"]},
    ]
    assert event_for(taken_events[1], 2) == {"type": "taken_miss", "seat": 1}
    assert loo.legal_moves(taken) == ("fold", "play")
    assert refused(taken, "miss") == "miss_taken"


def test_who_folds_keeps_sight_of_the_thrown_hand_alone_l5() -> None:
    state = play(deal({1: "2C 3C 4C"}), "fold")
    assert loo.view_for(state, 1)["hand"] == []
    assert loo.view_for(state, 1)["thrown"] == ["2C", "3C", "4C"]
    assert loo.view_for(state, 2)["thrown"] == []
    assert loo.view_for(state, None)["thrown"] is None
    assert loo.view_for(state, None)["cards_left"]["1"] == 0


def test_an_untaken_miss_is_shown_when_play_is_over_and_not_before_l6() -> None:
    state = deal({1: "AH KH QH", 2: "2C 3C 4C"}, miss="AS KS QS")
    made = steps(state, "play play fold fold fold AH 2C KH 3C QH 4C")
    assert all(loo.view_for(step.state, None)["miss_cards"] is None for step in made[:-1])
    assert loo.view_for(made[-1].state, None)["miss_cards"] == ["QS", "KS", "AS"]
    assert made[-1].events[-1]["miss"] == ["QS", "KS", "AS"]
    assert loo.view_for(made[-1].state, None)["miss"] == "hidden"


def test_a_taken_miss_is_not_shown_as_untaken_l6() -> None:
    state = play(deal({1: "AH KH QH", 2: "2C 3C 4C"}, miss="AS KS QS"), "play miss fold fold fold")
    over = play(state, "AH QS KH KS QH AS")
    assert loo.view_for(over, None)["miss_cards"] is None
    assert loo.view_for(over, None)["miss"] == "taken"
    assert loo.view_for(over, None)["miss_taker"] == 2


def test_case_2_the_dealer_takes_the_pot_when_all_fold_before_him_l7() -> None:
    made = steps(deal({}, pot=4), "fold fold fold fold")
    over = made[-1].state
    assert loo.actor(over) is None
    assert loo.legal_moves(over) == ()
    assert result(over) == {
        "deltas": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 4},
        "tricks": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0},
        "looed": [],
        "pot": 0,
    }
    assert made[-1].events[1:] == (
        {"type": "stakes", "from": 0, "to": 5, "amount": 7, "reason": "pot"},
        {"type": "deal_over", "ended": "dealer_takes", "outcome": result(over), "miss": None},
    )
    watcher = loo.view_for(over, None)
    assert watcher["tricks"] == []
    assert watcher["miss_cards"] is None
    assert watcher["cards_left"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 3}
    assert loo.view_for(over, 5)["announced"] == {"1": "fold", "2": "fold", "3": "fold", "4": "fold"}


def test_case_3_a_lone_taker_of_the_miss_gets_the_pot_of_a_folding_dealer_l8() -> None:
    before = play(deal({}, pot=3), "miss fold fold fold")
    assert loo.legal_moves(before) == ("fold", "play")
    over, events = loo.apply(before, "fold")
    assert result(over)["deltas"] == {"1": 6, "2": 0, "3": 0, "4": 0, "5": -3}
    assert result(over)["looed"] == []
    assert result(over)["pot"] == 0
    assert events[-1]["ended"] == "lone_takes"
    assert events[-1]["miss"] is None
    assert refused(before, "defend") == "miss_taken"


def test_a_dealer_may_play_against_the_lone_taker_of_the_miss_l8() -> None:
    state = play(deal({}), "miss fold fold fold play")
    assert loo.view_for(state, None)["phase"] == "play"
    assert loo.view_for(state, None)["in"] == [1, 5]


def test_a_dealer_may_not_fold_against_a_lone_player_while_the_miss_is_there_l9() -> None:
    state = play(deal({}), "fold play fold fold")
    assert loo.legal_moves(state) == ("play", "miss", "defend")
    assert refused(state, "fold") == "may_not_fold"


def test_a_dealer_may_concede_by_option_l9() -> None:
    state = play(deal({}, pot=3, dealer_may_concede=True), "fold play fold fold")
    assert loo.legal_moves(state) == ("fold", "play", "miss", "defend")
    over, events = loo.apply(state, "fold")
    assert result(over)["deltas"] == {"1": 0, "2": 6, "3": 0, "4": 0, "5": -3}
    assert [event["type"] for event in events] == ["announce", "stakes", "deal_over"]
    assert loo.view_for(over, None)["miss_cards"] is None


def test_the_miss_is_defended_against_one_player_only_l9() -> None:
    state = play(deal({}), "play play fold fold")
    assert loo.legal_moves(state) == ("fold", "play", "miss")
    assert refused(state, "defend") == "cannot_defend"


def test_the_miss_is_defended_against_any_number_by_option_l9() -> None:
    state = play(deal({}, defend="any"), "play play fold fold")
    assert loo.legal_moves(state) == ("fold", "play", "miss", "defend")
    lone = play(deal({}, defend="any"), "play fold fold fold")
    assert loo.legal_moves(lone) == ("play", "miss", "defend")
    taken = play(deal({}, defend="any"), "play miss fold fold")
    assert loo.legal_moves(taken) == ("fold", "play")
    assert refused(taken, "defend") == "miss_taken"


def test_only_the_dealer_defends_l9() -> None:
    for moves in ("", "play", "fold fold play"):
        state = play(deal({}, defend="any"), moves)
        assert refused(state, "defend") == "cannot_defend"


def test_a_defender_lays_his_hand_aside_and_plays_the_miss_l10() -> None:
    before = play(deal({5: "2C 3C 4C"}, miss="AS KS QS"), "play fold fold fold")
    state, events = loo.apply(before, "defend")
    own = loo.view_for(state, 5)
    assert own["hand"] == ["QS", "KS", "AS"]
    assert own["thrown"] == ["2C", "3C", "4C"]
    assert (own["miss"], own["defender"], own["miss_taker"]) == ("defended", 5, None)
    assert event_for(events[1], 5) == {"type": "defend", "seat": 5, "hand": ["QS", "KS", "AS"]}
    assert event_for(events[1], 1) == {"type": "defend", "seat": 5}


@pytest.mark.parametrize(
    ("lone", "miss", "moves", "tricks", "gain", "pot"),
    [
        ("AH KH QH", "2C 3C 4C", "AH 2C KH 3C QH 4C", 0, 6, 0),
        ("AH KH 2D", "2C 3D 4C", "AH 2C KH 4C 2D 3D", 1, 4, 2),
        ("AH 2D 2S", "3D 3S 4C", "AH 4C 2D 3D 3S 2S", 2, 2, 4),
        ("2D 2S 2C", "AD AS AC", "2D AD AS 2S AC 2C", 3, -3, 9),
    ],
)
def test_case_4_a_defender_neither_gains_nor_pays_l11(
    lone: str, miss: str, moves: str, tricks: int, gain: int, pot: int
) -> None:
    state = deal({1: lone}, miss=miss, pot=3)
    over = play(state, "play fold fold fold defend " + moves)
    assert result(over)["tricks"]["5"] == tricks
    assert result(over)["deltas"] == {"1": gain, "2": 0, "3": 0, "4": 0, "5": -3}
    assert result(over)["looed"] == ([1] if gain < 0 else [])
    assert result(over)["pot"] == pot


def test_a_defender_among_several_leaves_their_loos_as_they_are_l11() -> None:
    state = deal({1: "AH KH QH", 2: "2C 3C 4C"}, miss="2D 3D 4D", defend="any")
    over = play(state, "play play fold fold defend AH 2C 2D KH 3C 3D QH 4C 4D")
    assert result(over)["deltas"] == {"1": 3, "2": -3, "3": 0, "4": 0, "5": -3}
    assert result(over)["looed"] == [2]


def test_the_dealer_may_take_the_miss_like_anybody_l12() -> None:
    state = play(deal({1: "2C 3C 4C"}, miss="AS KS QS", pot=3), "play fold fold fold miss")
    own = loo.view_for(state, 5)
    assert (own["miss"], own["miss_taker"], own["defender"]) == ("taken", 5, None)
    # As a taker he pays and earns like everybody: he takes no trick here and is looed.
    over = play(deal({1: "AH KH QH"}, miss="2C 3C 4C"), "play fold fold fold miss AH 2C KH 3C QH 4C")
    assert result(over)["looed"] == [5]
    assert result(over)["deltas"]["5"] == -6


# Play: L13, L17 -----------------------------------------------------------------------


def test_the_active_player_nearest_the_dealers_left_leads_l13() -> None:
    state, events = steps(deal({}, dealer=3), "fold play play fold fold")[-1]
    assert loo.actor(state) == 5
    assert events[-1] == {"type": "play_begins", "active": [5, 1], "leader": 5}


def test_the_winner_of_a_trick_leads_to_the_next_l13() -> None:
    state = deal({1: "2C 3C 4C", 2: "5C 6D 7D", 3: "9C 8D 9D"})
    made = steps(state, "play play play fold fold 2C 5C 9C")
    assert made[-1].events[-1] == {"type": "trick", "winner": 3, "number": 1}
    assert loo.actor(made[-1].state) == 3
    assert loo.actor(play(made[-1].state, "8D")) == 1


def test_played_cards_stay_visible_with_who_won_them_l17() -> None:
    state = play(deal({1: "AH 3C 4C", 2: "5C 6D 7D"}), "play play fold fold fold AH 5C 3C")
    assert loo.view_for(state, None)["tricks"] == [
        {"lead": 1, "cards": [[1, "AH"], [2, "5C"]], "winner": 1},
        {"lead": 1, "cards": [[1, "3C"]], "winner": None},
    ]
    assert loo.view_for(state, None)["tricks_won"] == {"1": 1, "2": 0, "3": 0, "4": 0, "5": 0}
    over = play(state, "6D 4C 7D")
    assert [trick["winner"] for trick in loo.view_for(over, None)["tricks"]] == [1, 1, 1]


# Settling: L18 to L20 -----------------------------------------------------------------

FIVE = {1: "AH KH 2D", 2: "3D 2C 3C", 3: "4C 2S 3S", 4: "6C 4S 6S", 5: "7C 7S 8S"}
"""Seat 1 takes two tricks, seat 2 the third, seats 3 to 5 none."""
FIVE_MOVES = "play play play play play AH 2C 4C 6C 7C KH 3C 2S 4S 7S 2D 3D 3S 6S 8S"


def test_case_10_who_takes_no_trick_is_looed_l18() -> None:
    over = play(deal(FIVE), FIVE_MOVES)
    assert result(over) == {
        "deltas": {"1": 2, "2": 1, "3": -3, "4": -3, "5": -6},
        "tricks": {"1": 2, "2": 1, "3": 0, "4": 0, "5": 0},
        "looed": [3, 4, 5],
        "pot": 9,
    }
    following = deal({}, pot=result(over)["pot"])
    assert loo.view_for(following, None)["pot"] == 9 + 3


def test_the_deal_pays_by_events_first_tricks_then_loos_l18() -> None:
    events = steps(deal(FIVE), FIVE_MOVES)[-1].events
    paid = [(e["from"], e["to"], e["amount"], e["reason"]) for e in of_type(events, "stakes")]
    assert paid == [
        (0, 1, 2, "trick"),
        (0, 2, 1, "trick"),
        (3, 0, 3, "loo"),
        (4, 0, 3, "loo"),
        (5, 0, 3, "loo"),
    ]
    kinds = [event["type"] for event in events]
    assert kinds == ["card", "trick", *["stakes"] * 5, "deal_over"]


def test_case_11_a_third_is_rounded_down_and_the_rest_stays_l18() -> None:
    over = play(deal(FIVE, pot=2), FIVE_MOVES)
    assert result(over)["deltas"]["1"] == 2 * 1
    assert result(over)["pot"] == 2 + 9


@pytest.mark.parametrize(
    ("options", "pot", "paid"),
    [
        ({}, 0, 3),
        ({"loo": 3}, 30, 3),
        ({"loo": 6}, 0, 6),
        ({"loo": 6, "loo_cap": 3}, 0, 6),
        ({"loo": "pot"}, 0, 3),
        ({"loo": "pot"}, 9, 12),
        ({"loo": "pot"}, 21, 24),
        ({"loo": "pot"}, 22, 24),
        ({"loo": "pot", "loo_cap": 7}, 9, 7),
        ({"loo": "pot", "loo_cap": 100}, 60, 63),
        ({"loo": "pot", "ante": "everyone"}, 0, 15),
    ],
)
def test_what_a_loo_costs_l18(options: dict[str, Any], pot: int, paid: int) -> None:
    state = deal(FIVE, pot=pot, **options)
    assert loo.view_for(state, None)["loo"] == paid
    antes = 3 if options.get("ante") == "everyone" else 0
    over = play(state, FIVE_MOVES)
    assert result(over)["deltas"]["3"] == -paid - antes
    before = pot + (15 if antes else 3)
    assert result(over)["pot"] == before - 3 * (before // 3) + 3 * paid


def test_deltas_and_pot_balance_l19() -> None:
    for pot in range(8):
        outcome = result(play(deal(FIVE, pot=pot), FIVE_MOVES))
        assert sum(outcome["deltas"].values()) + outcome["pot"] == pot


def test_a_pot_of_antes_alone_has_no_rule_of_its_own_l20() -> None:
    assert loo.legal_moves(deal({}, pot=0)) == ("fold", "play", "miss")


def test_in_a_bold_stand_everybody_plays_and_no_miss_is_offered_l20() -> None:
    state = deal(FIVE, pot=0, bold_stand=True, defend="any")
    for _ in range(4):
        assert loo.legal_moves(state) == ("play",)
        assert loo.refusals(state) == {
            "fold": "must_play",
            "miss": "miss_not_offered",
            "defend": "cannot_defend",
        }
        state = play(state, "play")
    assert refused(state, "fold") == "must_play"
    assert refused(state, "defend") == "miss_not_offered"
    assert loo.view_for(play(state, "play"), None)["in"] == [1, 2, 3, 4, 5]


def test_a_bold_stand_ends_when_the_pot_holds_more_than_antes_l20() -> None:
    assert loo.legal_moves(deal({}, pot=1, bold_stand=True)) == ("fold", "play", "miss")
    assert loo.legal_moves(deal({}, pot=0, bold_stand=True, ante="everyone")) == ("play",)


def test_under_club_law_nobody_folds_when_clubs_are_trumps_l20() -> None:
    state = deal({}, turn_up="5C", club_law=True)
    assert loo.legal_moves(state) == ("play", "miss")
    assert refused(state, "fold") == "must_play"
    last = play(state, "play miss play play")
    assert loo.legal_moves(last) == ("play",)
    assert loo.legal_moves(deal({}, turn_up="5H", club_law=True)) == ("fold", "play", "miss")
    assert loo.legal_moves(deal({}, turn_up="5C")) == ("fold", "play", "miss")


def test_under_club_law_a_dealer_may_still_defend_by_option_l20() -> None:
    state = play(deal({}, turn_up="5C", club_law=True, defend="any"), "play play play play")
    assert loo.legal_moves(state) == ("play", "miss", "defend")


# The doors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("fold", "fold"),
        (" Miss ", "miss"),
        ("DEFEND", "defend"),
        ("td", "TD"),
        ("\tAs\n", "AS"),
        ("play", "play"),
    ],
)
def test_a_move_is_read_from_text(text: str, move: str) -> None:
    assert loo.parse_move(text) == move


@pytest.mark.parametrize("text", ["", "pass", "10D", "1S", "DT", "AS KS", "Aſ", "shuffle", "A♠", "x" * 999])
def test_a_text_that_is_no_move_is_malformed(text: str) -> None:
    with pytest.raises(MalformedMove) as caught:
        loo.parse_move(text)
    assert caught.value.code == "malformed_move"
    assert len(caught.value.detail) < 120


@pytest.mark.parametrize("thing", [None, 5, ["AS"]])
def test_a_move_that_is_no_text_is_malformed(thing: object) -> None:
    with pytest.raises(MalformedMove):
        loo.parse_move(thing)  # type: ignore[arg-type]


def test_cards_and_words_have_their_own_time() -> None:
    state = deal({1: "AS KS QS"})
    assert refused(state, "AS") == "not_playing"
    assert set(loo.refusals(state)) == {"defend"}
    playing = play(state, "play play fold fold fold")
    assert refused(playing, "fold") == "not_announcing"
    assert refused(playing, "2C") == "not_your_card"
    assert refused(play(deal({}), "fold fold fold fold"), "fold") == "deal_over"
    assert loo.refusals(play(deal({}), "fold fold fold fold")) == {}


def test_a_time_out_risks_as_little_as_it_can() -> None:
    state = deal({1: "AH 9H 2C", 2: "3C 6H 9D"}, turn_up="5H")
    assert loo.default_move(state) == "fold"
    assert loo.default_move(play(state, "play fold fold fold")) == "defend"
    assert loo.default_move(deal({}, pot=0, bold_stand=True)) == "play"
    playing = play(state, "play play play fold fold")
    assert loo.default_move(playing) == "AH"
    assert loo.default_move(play(playing, "AH 6H " + loo.legal_moves(play(playing, "AH 6H"))[0])) == "9H"
    side = deal({1: "9D 2C 3S", 2: "4C 6C 6H"}, turn_up="5H")
    assert loo.default_move(play(side, "play play play fold fold")) == "2C"
    free = deal({1: "KC 2D 3D", 2: "TH 2S 3S", 3: "7H AS AD"}, under_trump="free")
    assert loo.default_move(play(free, "play play play fold fold KC TH")) == "AD"


def test_nothing_is_ever_reshuffled() -> None:
    assert loo.to_shuffle(deal({})) == ()
