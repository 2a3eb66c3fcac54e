"""What one deal adds to the statistics, counted by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from games.rules import least_score as least
from games.rules import three_card_loo as loo
from games.rules.cards import PACK, Card
from games.rules.record import Record
from games.rules.tally import tally
from tests.games.rules.loo_deals import deck_of

SEATS = (1, 2, 3, 4, 5)
HANDS = {1: "AH KH 2C", 2: "QH 3C 4C", 3: "2D 3D 4D", 4: "2S 3S 4S", 5: "5S 6S 7S"}
MISS = "8D 9D TD"


def loo_deal(moves: str, *, pot: int = 0, **options: object) -> Record:
    """Return a deal that seat 5 deals, hearts turned up, with ``moves``."""
    return Record(
        game="three_card_loo",
        options=loo.parse_options(options),
        seats=SEATS,
        dealer=5,
        deck=deck_of(SEATS, 5, HANDS, MISS, "5H"),
        moves=tuple(moves.split()),
        carried={"pot": pot},
    )


def test_a_played_deal_of_loo() -> None:
    # Seat 1 must lead the ace of trumps and wins two tricks, seat 2 the third; seat 3 took the miss and is looed.
    counts = tally(loo_deal("play play miss fold fold AH QH 8D KH 3C 9D 2C 4C TD"), bots={2, 3, 4})
    assert counts == Counter(
        {
            ("deals", ""): 1,
            ("seats", "5"): 1,
            ("turn_up", "5H"): 1,
            ("ended", "played"): 1,
            ("miss", "taken"): 1,
            ("in", "5:1"): 1,
            ("in", "5:2"): 1,
            ("in", "5:3"): 1,
            ("first_trick", "5:1"): 1,
            ("looed", "no"): 2,
            ("looed", "yes"): 1,
            ("hands", "people"): 2,
            ("hands", "bots"): 3,
            ("trumps", "people"): 2,
            ("trumps", "bots"): 1,
        }
    )


def test_a_dealer_who_defends_is_in_but_neither_looed_nor_not() -> None:
    counts = tally(loo_deal("play fold fold fold defend AH 8D KH 9D 2C TD"), bots=None)
    assert counts["miss", "defended"] == 1
    assert counts["in", "5:5"] == 1
    assert counts["looed", "no"] == 1 and counts["looed", "yes"] == 0
    assert not any(kind in ("hands", "trumps") for kind, _key in counts), "nobody said who was a bot"


def test_a_deal_that_nobody_plays_has_no_tricks_to_count() -> None:
    counts = tally(loo_deal("fold fold fold fold", pot=7), bots=set())
    assert counts["ended", "dealer_takes"] == 1
    assert counts["miss", "left"] == 1
    assert not any(kind in ("in", "first_trick", "looed") for kind, _key in counts)


def test_a_miss_that_is_not_offered_is_not_counted_as_left() -> None:
    moves = "play play play play play AH QH 2D 2S 5S KH 3C 3D 3S 6S 2C 4C 4D 4S 7S"
    counts = tally(loo_deal(moves, bold_stand=True), bots=None)
    assert counts["ended", "played"] == 1
    assert not any(kind == "miss" for kind, _key in counts)


def least_deck(*hands: str, open_card: Card) -> tuple[Card, ...]:
    """Return a deck that deals ``hands`` from the dealer's left and turns up ``open_card``."""
    rows = [hand.split() for hand in hands]
    dealt = [row[turn] for turn in range(5) for row in rows]
    used = {*dealt, open_card}
    return (*dealt, open_card, *(card for card in PACK if card not in used))


def least_deal(moves: tuple[str, ...]) -> Record:
    """Return a deal of seats 1 and 2 that seat 2 deals."""
    deck = least_deck("AC 2C 3D 4H KS", "AD 2H 3S 5C QC", open_card="9H")
    return Record("least_score", least.parse_options({}), (1, 2), 2, deck, moves)


def test_a_declaration_that_succeeds_is_counted_by_its_total() -> None:
    # Seat 1 lays the king, takes the nine: 1 + 2 + 3 + 4 + 9 = 19. Seat 2 lays the queen, takes the king: 21.
    counts = tally(least_deal(("KS > 9H", "QC > KS", "declare")), bots={2})
    assert counts == Counter(
        {
            ("deals", ""): 1,
            ("seats", "2"): 1,
            ("turn_up", "9H"): 1,
            ("ended", "success"): 1,
            ("length", "2"): 1,
            ("reshuffles", "0"): 1,
            ("declared", "19"): 1,
            ("succeeded", "19"): 1,
            ("hands", "people"): 1,
            ("hands", "bots"): 1,
            ("points", "people"): 20,
            ("points", "bots"): 21,
        }
    )


def test_a_declarer_who_is_caught_is_counted_as_declared_only() -> None:
    # Seat 1 lays the ace and takes the nine: 28. Seat 2 lays the queen and takes the ace: 12. Seat 1 declares 28.
    counts = tally(least_deal(("AC > 9H", "QC > AC", "declare")), bots=None)
    assert counts["ended", "caught"] == 1
    assert counts["declared", "28"] == 1
    assert ("succeeded", "28") not in counts


@pytest.mark.parametrize("moves", ["", "play play", "play play miss fold fold KH"])
def test_what_is_not_a_whole_deal_by_the_rules_is_refused(moves: str) -> None:
    with pytest.raises(ValueError):
        tally(loo_deal(moves), bots=None)
