"""Records of deals: worked ones with their outcomes, the first illegal move, and every way to be malformed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.rules.cards import PACK
from games.rules.errors import BadDeal, BadOptions, MalformedMove, Refusal
from games.rules.record import dump_record, parse_record, read_record, replay
from games.rules.strict_json import Malformed


def deck_of(top: str) -> list[str]:
    """Return a deck that begins with the cards of ``top``, the rest of the pack in its order below."""
    cards = top.split()
    return cards + [card for card in PACK if card not in cards]


def loo() -> dict[str, Any]:
    """Five seats, seat 5 deals, hearts are trumps; seats 1 and 2 play, the others fold.

    Dealt one at a time: seat 1 AH KS 3C, seat 2 KH AS 4C; the sixth card of each round is the miss.
    """
    rounds = "AH KH 5C 6C 7C 8C", "KS AS 5D 6D 7D 8D", "3C 4C 5S 6S 7S 8S", "2H"
    moves = ["play", "play", "fold", "fold", "fold", "AH", "KH", "KS", "AS", "4C", "3C"]
    return {
        "game": "three_card_loo",
        "options": {},
        "seats": [1, 2, 3, 4, 5],
        "dealer": 5,
        "pot": 0,
        "deck": deck_of(" ".join(rounds)),
        "moves": moves,
    }


def least() -> dict[str, Any]:
    """Two seats, seat 2 deals: seat 1 has AS 2S 3S KD KC, seat 2 has 4C 5C 6C 7D 7H, the nine of hearts is open."""
    return {
        "game": "least_score",
        "options": {"threshold": 50},
        "seats": [1, 2],
        "dealer": 2,
        "deck": deck_of("AS 4C 2S 5C 3S 6C KD 7D KC 7H 9H 2C"),
        "moves": ["KC KD > 9H", "4C 5C 6C > KD", "declare"],
    }


def refusal_of(raw: dict[str, Any]) -> str:
    refused = replay(parse_record(raw)).refused
    return "" if refused is None else str(refused)


def test_a_deal_of_loo_pays_thirds_and_the_ante() -> None:
    played = replay(parse_record(loo()))
    assert played.refused is None
    assert parse_record(loo()).rules.outcome_json(played.final) == {
        "deltas": {"1": 1, "2": 2, "3": 0, "4": 0, "5": -3},
        "tricks": {"1": 1, "2": 2, "3": 0, "4": 0, "5": 0},
        "looed": [],
        "pot": 0,
    }


def test_the_pot_of_a_record_is_what_lay_there_before_the_ante() -> None:
    played = replay(parse_record(loo() | {"pot": 8}))
    outcome = parse_record(loo()).rules.outcome_json(played.final)
    assert outcome is not None
    assert outcome["deltas"] == {"1": 3, "2": 6, "3": 0, "4": 0, "5": -3} and outcome["pot"] == 2
    assert sum(outcome["deltas"].values()) + outcome["pot"] - 8 == 0


def test_a_deal_of_least_score_scores_the_distance_to_the_declarer() -> None:
    played = replay(parse_record(least()))
    assert played.refused is None
    outcome = parse_record(least()).rules.outcome_json(played.final)
    assert outcome == {
        "scores": {"1": 0, "2": 9},
        "totals": {"1": 15, "2": 24},
        "declarer": 1,
        "success": True,
    }


def test_the_starter_of_a_record_begins() -> None:
    record = parse_record(least() | {"starter": 2, "moves": []})
    assert record.rules.actor(replay(record).final) == 2


def test_states_and_events_belong_to_their_moves() -> None:
    played = replay(parse_record(loo()))
    assert len(played.states) == len(played.events) == 12
    assert [event["type"] for event in played.events[0]] == ["stakes", "dealt", "turn_up"]
    assert played.events[6] == ({"type": "card", "seat": 1, "card": "AH"},)
    assert played.all_events == [event for step in played.events for event in step]


def test_a_record_may_stop_anywhere() -> None:
    for length in range(12):
        played = replay(parse_record(loo() | {"moves": loo()["moves"][:length]}))
        assert played.refused is None and len(played.states) == length + 1


@pytest.mark.parametrize(
    ("number", "move", "told"),
    [
        (5, "defend", "move 5 (seat 5: defend): "),
        (6, "KS", "move 6 (seat 1: KS): must lead the ace of trumps"),
        (7, "AS", "move 7 (seat 2: AS): must follow suit"),
        (9, "4C", "move 9 (seat 2: 4C): must follow suit"),
        (9, "KS", "move 9 (seat 2: KS): this card is not in the hand"),
        (9, "play", "move 9 (seat 2: play): the announcing is over"),
    ],
)
def test_the_first_illegal_move_is_told_with_its_seat_and_rule(number: int, move: str, told: str) -> None:
    raw = loo()
    raw["moves"][number - 1] = move
    assert refusal_of(raw).startswith(told)
    played = replay(parse_record(raw))
    assert len(played.states) == number and played.refused is not None and played.refused.number == number


def test_a_move_after_the_end_is_illegal_and_nobodys() -> None:
    assert refusal_of(loo() | {"moves": [*loo()["moves"], "9C"]}) == "move 12 (9C): the deal is over"


@pytest.mark.parametrize("raw", [loo(), least()])
def test_a_record_survives_writing_and_reading(raw: dict[str, Any]) -> None:
    record = parse_record(raw)
    assert read_record(json.dumps(dump_record(record)).encode()) == record
    assert list(dump_record(record))[:4] == ["game", "options", "seats", "dealer"]


def test_moves_are_read_in_any_order_of_cards_and_written_in_one() -> None:
    record = parse_record(least() | {"moves": ["KD   KC>9H"]})
    assert record.moves == ("KC KD > 9H",)


def test_what_may_be_left_out_has_a_default() -> None:
    raw = {key: loo()[key] for key in ("game", "seats", "dealer", "deck")}
    record = parse_record(raw)
    assert record.moves == () and record.options == parse_record(loo()).options
    assert replay(record).final == replay(parse_record(loo() | {"moves": []})).final


def changed(raw: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {key: value for key, value in {**raw, **changes}.items() if value is not KeyError}


MALFORMED = {
    "no game": changed(loo(), game=KeyError),
    "an unknown game": changed(loo(), game="poker"),
    "a game that is no text": changed(loo(), game=["three_card_loo"]),
    "an unknown key": changed(loo(), winner=1),
    "a pot in Least Score": changed(least(), pot=3),
    "a starter in Loo": changed(loo(), starter=1),
    "no deck": changed(loo(), deck=KeyError),
    "no dealer": changed(loo(), dealer=KeyError),
    "no seats": changed(loo(), seats=KeyError),
    "a dealer who does not sit there": changed(loo(), dealer=6),
    "a dealer as text": changed(loo(), dealer="5"),
    "true as a dealer": changed(loo(), dealer=True),
    "a seat twice": changed(loo(), seats=[1, 2, 3, 4, 5, 5]),
    "a seat below 1": changed(loo(), seats=[0, 2, 3, 4, 5]),
    "half a seat": changed(loo(), seats=[1.0, 2, 3, 4, 5]),
    "true as a seat": changed(loo(), seats=[True, 2, 3, 4, 5]),
    "an object of seats": changed(loo(), seats={"1": 1}),
    "a thousand seats": changed(loo(), seats=list(range(1, 1000))),
    "a negative pot": changed(loo(), pot=-1),
    "a pot beyond reason": changed(loo(), pot=10**30),
    "a pot as text": changed(loo(), pot="0"),
    "a card that is none": changed(loo(), deck=["1S", *loo()["deck"][1:]]),
    "a card that is no text": changed(loo(), deck=[7, *loo()["deck"][1:]]),
    "a deck as text": changed(loo(), deck=" ".join(loo()["deck"])),
    "a deck without end": changed(loo(), deck=["AS"] * 1000),
    "a move that is none": changed(loo(), moves=["fold", "jump"]),
    "an empty move": changed(least(), moves=[""]),
    "a move that is no text": changed(loo(), moves=["fold", None]),
    "moves as text": changed(loo(), moves="fold"),
    "moves without end": changed(loo(), moves=["fold"] * 10_001),
    "options as list": changed(loo(), options=[]),
    "an unknown option": changed(loo(), options={"jokers": True}),
    "a value that the option has not": changed(loo(), options={"loo": 4}),
    "an option of another type": changed(least(), options={"packs": True}),
    "an option that cannot be compared": changed(least(), options={"packs": [1]}),
    "a card missing": changed(loo(), deck=loo()["deck"][:-1]),
    "a card twice": changed(loo(), deck=["KH", *loo()["deck"][1:]]),
    "too few seats": changed(loo(), seats=[1, 2, 3, 5]),
    "too many seats": changed(loo(), seats=list(range(1, 18))),
    "too many for one pack": changed(least(), seats=[1, 2, 3, 4, 5, 6, 7]),
    "a starter who does not sit there": changed(least(), starter=3),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_record_is_refused_with_one_clear_line(what: str) -> None:
    with pytest.raises((Malformed, BadOptions, BadDeal, MalformedMove)) as refusal:
        replay(read_record(json.dumps(MALFORMED[what]).encode()))
    assert isinstance(refusal.value, Refusal)
    assert refusal.value.detail.isprintable() and 10 < len(refusal.value.detail) < 300


def test_a_bad_move_is_told_with_its_number() -> None:
    with pytest.raises(MalformedMove, match=r"^move 2 is 'jump': "):
        parse_record(loo() | {"moves": ["fold", "jump"]})


def test_a_record_of_a_game_without_a_carried_pot_may_say_that_it_was_empty() -> None:
    """The common form of a record has a pot; a game that carries none takes 0 and nothing else."""
    raw = {"game": "least_score", "seats": [1, 2], "dealer": 2, "deck": list(PACK), "moves": []}
    assert parse_record({**raw, "pot": 0}) == parse_record(raw)
    with pytest.raises(Malformed, match="pot"):
        parse_record({**raw, "pot": 3})
