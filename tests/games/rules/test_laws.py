"""The laws of every game, at every seat count, by random options; and that the laws catch who breaks them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.rules import GAMES
from games.rules.errors import IllegalMove
from games.rules.interface import Game, Step
from tests.games.laws import deals as laws
from tests.games.laws.account import LawBroken
from tests.games.laws.deals import ACCOUNTS, play_match, random_table, seat_counts

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_without_an_account_or_golden_deals_fails(name: str) -> None:
    assert name in ACCOUNTS
    golden = [path for path in (GOLDEN / name).rglob("*") if path.is_file()]
    assert golden, f"{name} needs golden deals in tests/games/golden/{name}"
    assert name == GAMES[name].NAME


@pytest.mark.parametrize("name", GAMES)
def test_the_account_tries_every_option(name: str) -> None:
    game = GAMES[name]
    assert set(ACCOUNTS[name].choices) == set(game.dump_options(game.parse_options({})))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(40))
def test_no_law_is_broken_in_random_matches(name: str, seed: int) -> None:
    dice = random.Random(seed)
    assert play_match(random_table(name, dice), dice, most_deals=6, inspected=0.05) > 0


@pytest.mark.parametrize(("name", "count"), [(name, count) for name in GAMES for count in seat_counts(name)])
def test_no_law_is_broken_at_any_seat_count(name: str, count: int) -> None:
    for seed in range(2):
        dice = random.Random(100 * seed + count)
        assert play_match(random_table(name, dice, count), dice, most_deals=3, inspected=0.3)


# The laws themselves ------------------------------------------------------------------


class Cheat:
    """A game with one function exchanged for a faulty one."""

    def __init__(self, honest: Game, **faulty: Callable[..., Any]) -> None:
        self._honest, self._faulty = honest, faulty

    def __getattr__(self, name: str) -> Any:
        return self._faulty.get(name) or getattr(self._honest, name)


def leak_hands_to_watchers(game: Game) -> dict[str, Any]:
    """The view of a seat names the first card of every hand."""

    def view_for(state: Any, seat: int | None) -> dict[str, Any]:
        return {**game.view_for(state, seat), "leak": [hand[0] for hand in state.hands if hand]}

    return {"view_for": view_for}


def leak_in_events(game: Game) -> dict[str, Any]:
    """The dealing tells everybody the hand of the first seat."""

    def opening(state: Any) -> tuple[Any, ...]:
        return ({"type": "slip", "cards": list(state.hands[0])}, *game.opening(state))

    return {"opening": opening}


def forget_a_move(game: Game) -> dict[str, Any]:
    return {"legal_moves": lambda state: game.legal_moves(state)[1:]}


def invent_a_move(game: Game) -> dict[str, Any]:
    def legal_moves(state: Any) -> tuple[str, ...]:
        legal = game.legal_moves(state)
        return (*legal, *game.refusals(state))

    return {"legal_moves": legal_moves}


def lose_events(game: Game) -> dict[str, Any]:
    return {"apply": lambda state, move: Step(game.apply(state, move).state, ())}


def pay_twice(game: Game) -> dict[str, Any]:
    def close_deal(match: Any, state: Any, stacks: Any = None) -> Any:
        step = game.close_deal(match, state, stacks)
        return step._replace(
            events=(*step.events, {"type": "stakes", "from": 0, "to": match.seats[0], "amount": 10**6})
        )

    return {"close_deal": close_deal}


def forget_the_match(game: Game) -> dict[str, Any]:
    def load_match(raw: Any) -> Any:
        return game.load_match(raw)._replace(pot=10**6)

    return {"load_match": load_match}


def never_default_legally(game: Game) -> dict[str, Any]:
    return {"default_move": lambda state: "2C > 2C"}


def allow_anything(game: Game) -> dict[str, Any]:
    def apply(state: Any, move: str) -> Step:
        try:
            return game.apply(state, move)
        except IllegalMove:
            return game.apply(state, game.legal_moves(state)[0] if game.actor(state) else move)

    return {"apply": apply}


def refuse_with_another_code(game: Game) -> dict[str, Any]:
    def apply(state: Any, move: str) -> Step:
        try:
            return game.apply(state, move)
        except IllegalMove:
            raise IllegalMove("no", "because") from None

    return {"apply": apply}


def deal_a_card_twice(game: Game) -> dict[str, Any]:
    def opening(state: Any) -> tuple[Any, ...]:
        events = copy.deepcopy(game.opening(state))
        dealt = next(event for event in events if event["type"] == "dealt")
        one, other, *_ = dealt["private"].values()
        one["hand"][0] = other["hand"][0]
        return events

    return {"opening": opening}


def go_on_after_the_end(game: Game) -> dict[str, Any]:
    return {"outcome": lambda state: None}


CHEATS = {
    leak_hands_to_watchers: "the view of .* tells hidden cards",
    leak_in_events: "the events for .* tell hidden cards",
    forget_a_move: "other moves in the view|time-out move",
    invent_a_move: "other moves in the view|is listed but refused",
    lose_events: "sees another hand|comes from|the table shows|is shown|is counted",
    pay_twice: "the pot paid more than it held",
    forget_the_match: "does not survive writing and reading",
    never_default_legally: "the time-out move",
    allow_anything: "is not listed but allowed",
    refuse_with_another_code: "is refused as no, told was",
    deal_a_card_twice: "comes from .* but is not there|sees another hand",
    go_on_after_the_end: "over without an outcome",
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("cheat", CHEATS)
def test_the_laws_catch_a_game_that_breaks_them(
    name: str, cheat: Callable[[Game], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    crooked = Cheat(GAMES[name], **cheat(GAMES[name]))
    monkeypatch.setitem(GAMES, name, crooked)  # type: ignore[arg-type]
    with pytest.raises(LawBroken, match=CHEATS[cheat]):
        for seed in range(200):
            dice = random.Random(seed)
            play_match(random_table(name, dice), dice, most_deals=4, inspected=0.3)


@pytest.mark.parametrize("name", GAMES)
def test_the_secrecy_law_finds_cards_to_exchange(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secrecy law that never gets to compare two worlds would hold for everything."""
    compared: list[int] = []
    check = laws.check_secrecy
    monkeypatch.setattr(laws, "check_secrecy", lambda *args: compared.append(check(*args)))
    for seed in range(10):
        dice = random.Random(seed)
        play_match(random_table(name, dice), dice, most_deals=3, inspected=0.3)
    assert sum(compared) > len(compared) // 2
