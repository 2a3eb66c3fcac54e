"""Legal sets of Least Score against a second, plain reading of S4 and S5, and how sets are written."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from games.rules import least_score
from games.rules.cards import PACK, RANKS, pack
from games.rules.errors import MalformedMove
from games.rules.least_score_options import Options
from games.rules.least_score_sets import discards, in_order, set_code, takes, total
from tests.games.rules.least_score_tables import cards, moment

OPTIONS = [
    Options(three_of_a_kind=three, any_run=run, runs=runs)
    for three, run, runs in product((False, True), (False, True), ("any", "one_suit"))
]


def may_be_laid(laid: tuple[str, ...], options: Options) -> bool:
    """Whether S4 and S5 allow ``laid``, read from the rule's own words."""
    size, ranks, suits = len(laid), [card[0] for card in laid], {card[1] for card in laid}
    if len(set(ranks)) == 1:
        return size in (1, 2, 4) or (size == 3 and options.three_of_a_kind)
    if size == 5 and len(suits) == 1:
        return True
    if size not in ((3, 4, 5) if options.any_run else (3, 5)):
        return False
    if options.runs == "one_suit" and len(suits) > 1:
        return False
    low = sorted("A23456789TJQK".index(rank) for rank in ranks)
    high = sorted("23456789TJQKA".index(rank) for rank in ranks)
    return any(steps == list(range(steps[0], steps[0] + size)) for steps in (low, high))


def subsets(hand: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return every choice of one or more cards of a hand."""
    return [chosen for size in range(1, len(hand) + 1) for chosen in combinations(hand, size)]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_listed_sets_are_exactly_the_legal_ones(options: Options) -> None:
    dice = random.Random(str(options))
    for packs in (1, 2):
        rules = options._replace(packs=packs)
        few_ranks = [card for card in pack(packs) if card[0] in "A23K"]
        one_suit = [card for card in pack(packs) if card[1] == "H"]
        for cards_from in (list(pack(packs)), few_ranks, one_suit):
            for _ in range(150):
                hand = in_order(dice.sample(cards_from, dice.randint(1, 5)))
                hand = tuple(
                    sorted(hand, key=lambda card: ("A" + RANKS).index(card[0]) * 4 + "CDHS".index(card[1]))
                )
                wanted = {" ".join(in_order(laid)) for laid in subsets(hand) if may_be_laid(laid, rules)}
                listed = discards(hand, rules)
                assert sorted(listed) == sorted(wanted), hand
                for laid in subsets(hand):
                    code = set_code(" ".join(in_order(laid)), rules)
                    assert (code is None) == may_be_laid(laid, rules), laid


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        ("KC", None),
        ("KC KD", None),
        ("KC KD KH", "three_of_a_kind"),
        ("KC KD KH KS", None),
        ("4C 4D 5H 5S", "two_pairs"),
        ("2C 3C 4D", None),
        ("2C 3C 4D 5S", "run_of_four"),
        ("JC QC KC AC", "run_of_four"),
        ("AC 2D 3H 4S 5C", None),
        ("TC JD QH KS AC", None),
        ("AC 2C 3D", None),
        ("QC KC AD", None),
        ("KC AC 2D", "ace_in_the_middle"),
        ("QC KC AC 2D 3D", "ace_in_the_middle"),
        ("2H 5H 9H JH KH", None),
        ("2H 5H 9H JH", "short_flush"),
        ("2H 5H 9H", "not_a_set"),
        ("2H 2D 5H", "not_a_set"),
        ("2H 4H 6D", "not_a_set"),
        ("4C 4D 4H 5H 5S", "not_a_set"),
        ("AC 2D KD", "ace_in_the_middle"),
        ("AC 5D KD", "not_a_set"),
    ],
)
def test_s4_set_by_set(chosen: str, code: str | None) -> None:
    state = moment({1: chosen, 2: "8C"})
    assert least_score.why_not(state, cards(chosen)) == code
    assert least_score.why_not(state, cards(chosen)[::-1]) == code


def test_case_2_three_kings() -> None:
    """S4: of K K K one or two may go, not three; of K K K K four may, and three by the option."""
    three = discards(cards("KC KD KH"), Options())
    assert three == ["KC", "KD", "KH", "KC KD", "KC KH", "KD KH"]
    four = discards(cards("KC KD KH KS"), Options())
    assert "KC KD KH KS" in four and not [laid for laid in four if len(laid.split()) == 3]
    assert "KC KD KH" in discards(cards("KC KD KH"), Options(three_of_a_kind=True))


def test_case_3_runs() -> None:
    """S4: of 2-3-4-5 either run of three, not all four, unless ``any_run``; aces low or high, not between."""
    hand = cards("2C 3D 4H 5S")
    assert discards(hand, Options())[4:] == ["2C 3D 4H", "3D 4H 5S"]
    assert discards(hand, Options(any_run=True))[4:] == ["2C 3D 4H", "3D 4H 5S", "2C 3D 4H 5S"]
    assert "AC 2C 3D 4H 5S" in discards(cards("AC 2C 3D 4H 5S"), Options())
    assert "TC JC QD KH AS" in discards(cards("AS TC JC QD KH"), Options())
    assert discards(cards("AC 2C KD"), Options()) == ["AC", "2C", "KD"]


def test_case_4_four_cards_of_a_suit_are_no_flush() -> None:
    assert discards(cards("2H 5H 9H JH KS"), Options()) == ["2H", "5H", "9H", "JH", "KS"]
    assert discards(cards("2H 5H 9H JH"), Options()) == ["2H", "5H", "9H", "JH"]
    assert discards(cards("2H 5H 9H JH KH"), Options())[-1] == "2H 5H 9H JH KH"


def test_s5_runs_mix_suits_unless_the_table_wants_one() -> None:
    one_suit = Options(runs="one_suit")
    assert set_code("2C 3D 4H", Options()) is None
    assert set_code("2C 3D 4H", one_suit) == "mixed_suits"
    assert set_code("2C 3C 4C", one_suit) is None
    assert set_code("AC 2D 3H 4S 5C", one_suit) == "mixed_suits"
    assert set_code("AC 2C 3C 4C 5C", one_suit) is None
    assert set_code("2C 3D 4H 5H", one_suit._replace(any_run=True)) == "mixed_suits"
    assert set_code("2C 3D 4H 5H", one_suit) == "run_of_four"


def test_two_packs_have_equal_pairs_and_list_each_text_once() -> None:
    """S1: two equal cards are a pair; there are no five of one rank."""
    rules = Options(packs=2)
    assert discards(cards("7H 7H"), rules) == ["7H", "7H 7H"]
    assert discards(cards("7H 7H 7S"), rules) == ["7H", "7S", "7H 7H", "7H 7S"]
    assert set_code("7C 7C 7H 7H 7S", rules) == "not_a_set"
    assert discards(cards("7H 7H 8H 8H KH"), rules)[-1] == "7H 7H 8H 8H KH"


def test_s2_points() -> None:
    assert [total([rank + "S"]) for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert total(PACK) == 4 * 85
    assert total(cards("QS KS AS")) == 21


@pytest.mark.parametrize(
    ("laid", "open_set", "given"),
    [
        ("a run", "7C 8D 9H", "7C 9H"),
        ("a run with the ace low", "AC 2D 3H", "AC 3H"),
        ("a run with the ace high", "QC KD AH", "QC AH"),
        ("a run of five", "TC JC QD KH AS", "TC AS"),
        ("a run that is a flush too", "3H 4H 5H 6H 7H", "3H 7H"),
        ("a flush", "AH 4H 6H 9H KH", "AH 4H 6H 9H KH"),
        ("a pair", "KC KD", "KC KD"),
        ("four of a kind", "KC KD KH KS", "KC KD KH KS"),
        ("one card", "KC", "KC"),
    ],
)
def test_s6_only_a_run_has_ends(laid: str, open_set: str, given: str) -> None:
    assert takes(cards(open_set), Options()) == cards(open_set), laid
    assert takes(cards(open_set), Options(pick="ends")) == cards(given), laid


def test_equal_open_cards_are_offered_once() -> None:
    assert takes(cards("7H 7H"), Options(packs=2)) == ("7H",)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("declare", "declare"),
        (" DECLARE ", "declare"),
        ("7S 7H > stock", "7H 7S > stock"),
        ("9s 7d  8c>7C", "7D 8C 9S > 7C"),
        ("AS KD QC > Stock", "QC KD AS > stock"),
        ("AS TC KD QC JC > stock", "TC JC QC KD AS > stock"),
        ("3C AS 2C > 4D", "AS 2C 3C > 4D"),
        ("KH AH 9H 5H 2H > stock", "AH 2H 5H 9H KH > stock"),
        ("KD > 7C", "KD > 7C"),
        ("7H 7H > 7H", "7H 7H > 7H"),
        ("shuffle as KD 2C", "shuffle AS KD 2C"),
    ],
)
def test_a_move_has_one_canonical_text(text: str, move: str) -> None:
    assert least_score.parse_move(text) == move
    assert least_score.parse_move(move) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        ">",
        "KD",
        "stock",
        "KD >",
        "> stock",
        "shuffle",
        "declare > stock",
        "KD > > stock",
        "KD > 7C 8C",
        "KD stock",
        "play",
        "2C 3C 4C 5C 6C 7C > stock",
    ],
)
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(MalformedMove):
        least_score.parse_move(text)


@pytest.mark.parametrize("text", ["1H > stock", "KD > XX", "10H > stock", "shuffle AS ZZ", "KD7C > stock"])
def test_unknown_cards_are_named(text: str) -> None:
    with pytest.raises(MalformedMove, match="is no card") as refused:
        least_score.parse_move(text)
    assert refused.value.code == "unknown_card"


def test_sets_are_written_in_one_order() -> None:
    dice = random.Random(3)
    for _ in range(500):
        hand = dice.sample(PACK, 5)
        assert in_order(hand) == in_order(dice.sample(hand, 5))
        assert sorted(in_order(hand)) == sorted(hand)
