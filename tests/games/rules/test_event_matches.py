"""What events ask of a match: pass the deal to a seat, bring results along, count without knocking out."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import GAMES
from games.rules.errors import BadDeal, BadOptions

both_games = pytest.mark.parametrize("game", sorted(GAMES))


def new_match(game: str, **options: Any) -> Any:
    rules = GAMES[game]
    return rules.new_match(seats=(1, 2, 3, 4, 5), dealer=2, options=rules.parse_options(options)).match


@both_games
def test_the_deal_is_passed_to_any_seat_and_goes_on_to_the_left_of_it(game: str) -> None:
    rules = GAMES[game]
    match = new_match(game)
    assert rules.next_dealer(match) == 2
    for dealer in (5, 1, 4):
        assert rules.next_dealer(rules.pass_deal(match, dealer)) == dealer
    live = (1, 3, 4, 5, 2)
    assert rules.next_dealer(rules.pass_deal(match, 3), live) == 3


def test_a_match_of_loo_has_as_many_turns_after_the_deal_was_passed() -> None:
    rules = GAMES["three_card_loo"]
    match = new_match("three_card_loo")._replace(turns=3)
    assert rules.next_dealer(match) == 5
    passed = rules.pass_deal(match, 2)
    assert (rules.next_dealer(passed), passed.turns) == (2, 3)


@both_games
def test_the_deal_is_not_passed_to_a_stranger(game: str) -> None:
    with pytest.raises(BadDeal) as refused:
        GAMES[game].pass_deal(new_match(game), 9)
    assert refused.value.code == "bad_dealer"


@both_games
def test_results_are_brought_along_before_the_first_deal_only(game: str) -> None:
    rules = GAMES[game]
    match = rules.carry_on(new_match(game), {2: 40, 5: 3})
    shown = rules.match_view(match)["totals" if game == "least_score" else "net"]
    assert shown == {"1": 0, "2": 40, "3": 0, "4": 0, "5": 3}
    assert rules.load_match(rules.dump_match(match)) == match
    with pytest.raises(BadDeal):
        rules.carry_on(match._replace(deals=1), {2: 40})


def test_only_events_may_count_points_themselves() -> None:
    rules = GAMES["least_score"]
    assert rules.dump_options(rules.parse_options({"match": "counted"}))["match"] == "counted"
    for options in ({"match": "endless"}, {"threshold": "counted"}):
        with pytest.raises(BadOptions):
            rules.parse_options(options)
