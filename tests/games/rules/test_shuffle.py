"""The fair deal: docs/fair_deal.md word for word, and a shuffle that favours no card."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import PACK
from games.rules.shuffle import (
    BadNonce,
    Stream,
    commitment_of,
    deal_deck,
    encode,
    first_dealer,
    make_chain,
    nonce_of,
    reshuffle,
)

PAGE = Path(__file__).parents[3] / "docs" / "fair_deal.md"
SEED = hashlib.sha256(b"tests of the shuffle").digest()


def page_blocks() -> list[dict[str, Any]]:
    """Return the JSON blocks of the page: the example of a proof, then the vectors."""
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.S)]


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return page_blocks()[1]


def test_the_page_describes_the_chain(vectors: dict[str, Any]) -> None:
    last = hashlib.sha256(b"an example, not a secret").digest()
    assert [seed.hex() for seed in make_chain(last, 3)] == vectors["chain"]


def test_the_page_describes_the_message_and_the_words(vectors: dict[str, Any]) -> None:
    seed, nonces, deal = bytes.fromhex(vectors["chain"][2]), vectors["nonces"], vectors["deal"]
    assert encode(nonces, deal, "deal").hex() == vectors["message"]
    stream = Stream(seed, nonces, deal, "deal")
    assert [stream.word() for _ in vectors["words"]] == vectors["words"]


def test_the_page_shows_words_that_are_thrown_away(vectors: dict[str, Any]) -> None:
    seed, nonces, deal = bytes.fromhex(vectors["chain"][2]), vectors["nonces"], vectors["deal"]
    stream = Stream(seed, nonces, deal, "deal")
    drawn = vectors["below_3000000000"]
    assert [stream.below(3_000_000_000) for _ in drawn] == drawn
    assert drawn == [word for word in vectors["words"] if word < 3_000_000_000][: len(drawn)]
    assert vectors["words"][0] >= 3_000_000_000


def test_the_page_describes_decks_reshuffles_and_the_first_dealer(vectors: dict[str, Any]) -> None:
    chain = [bytes.fromhex(digits) for digits in vectors["chain"]]
    nonces, deal = vectors["nonces"], vectors["deal"]
    assert " ".join(deal_deck(chain[deal], nonces, deal)) == vectors["deck_1_pack"]
    assert " ".join(deal_deck(chain[deal], nonces, deal, 2)) == vectors["deck_2_packs"]
    back = vectors["to_reshuffle"].split()
    for number in (1, 2):
        stock = reshuffle(chain[deal], nonces, deal, number, back)
        assert " ".join(stock) == vectors[f"reshuffle_{number}"]
    drawn = first_dealer(chain[1], nonces, vectors["seats"], 1)
    assert drawn == vectors["first_dealer_of_deal_1"]


def test_each_seed_is_the_hash_of_the_next_and_leads_back_to_the_commitment() -> None:
    chain = make_chain(SEED, 20)
    assert len(chain) == 21 and chain[-1] == SEED
    for number in range(1, 21):
        assert hashlib.sha256(chain[number]).digest() == chain[number - 1]
        assert commitment_of(chain[number], number) == chain[0]


@pytest.mark.parametrize(("seed", "length"), [(b"short", 3), (SEED + b"x", 3), (SEED, 0), (SEED, 1_000_001)])
def test_a_chain_of_wrong_size_is_a_bug(seed: bytes, length: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        make_chain(seed, length)


def test_a_missing_nonce_is_the_seat_number() -> None:
    assert nonce_of(7, None) == "7" and nonce_of(7, "") == "7" and nonce_of(7, "mine") == "mine"


@pytest.mark.parametrize("nonce", ["x" * 65, "half \ud83c"])
def test_a_nonce_that_cannot_be_encoded_is_refused(nonce: str) -> None:
    with pytest.raises(BadNonce):
        nonce_of(1, nonce)
    with pytest.raises(BadNonce):
        Stream(SEED, ["1", nonce], 1, "deal")


def test_64_characters_may_take_256_bytes() -> None:
    assert nonce_of(1, "🂡" * 64) == "🂡" * 64
    assert len(deal_deck(SEED, ["🂡" * 64], 1)) == 52


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=64)
messages = st.tuples(st.lists(texts, max_size=4), st.integers(1, 9), st.sampled_from(["deal", "reshuffle 1"]))


@given(messages, messages)
def test_two_inputs_never_share_an_encoding(one: Any, other: Any) -> None:
    assert (encode(*one) == encode(*other)) == (one == other)


def test_a_digit_moved_from_one_nonce_to_the_next_gives_another_deck() -> None:
    assert deal_deck(SEED, ["12", "3"], 1) != deal_deck(SEED, ["1", "23"], 1)


def test_every_part_of_the_input_changes_the_deck() -> None:
    decks = [
        deal_deck(SEED, ["1", "2"], 1),
        deal_deck(make_chain(SEED, 1)[0], ["1", "2"], 1),
        deal_deck(SEED, ["2", "1"], 1),
        deal_deck(SEED, ["1", "2"], 2),
        reshuffle(SEED, ["1", "2"], 1, 1, PACK),
        reshuffle(SEED, ["1", "2"], 1, 2, PACK),
    ]
    assert len(set(decks)) == len(decks)


@given(st.integers(1, 2))
def test_a_deck_holds_every_card_once_a_pack(packs: int) -> None:
    assert Counter(deal_deck(SEED, ["1"], 1, packs)) == Counter(PACK * packs)


@given(st.lists(st.sampled_from(PACK), max_size=60), st.randoms(use_true_random=False))
def test_the_order_of_the_discards_does_not_steer_a_reshuffle(cards: list[str], dice: Any) -> None:
    other = list(cards)
    dice.shuffle(other)
    assert reshuffle(SEED, ["1"], 1, 1, cards) == reshuffle(SEED, ["1"], 1, 1, other)
    assert Counter(reshuffle(SEED, ["1"], 1, 1, cards)) == Counter(cards)


@pytest.mark.parametrize("limit", [0, 2**32 + 1])
def test_a_limit_beyond_a_word_is_a_bug(limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        Stream(SEED, [], 1, "deal").below(limit)


@pytest.mark.parametrize("limit", [1, 2, 51, 52, 2**31 + 1, 2**32])
def test_numbers_stay_below_their_limit(limit: int) -> None:
    stream = Stream(SEED, [], 1, "deal")
    assert all(0 <= stream.below(limit) < limit for _ in range(200))


def chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def test_no_number_is_favoured_as_the_remainder_alone_would() -> None:
    """Below 3 * 2^30, w mod n alone would give the lowest quarter of the range half of the draws."""
    stream = Stream(SEED, [], 1, "deal")
    limit = 3 * 2**30
    thirds = Counter(stream.below(limit) // 2**30 for _ in range(6000))
    assert chi_square([thirds[third] for third in range(3)], 2000) < 13.8  # 2 degrees of freedom, p = 0.001


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Chi-square of 52 cards by 52 places over 20,000 decks; the statistic has (52 - 1)^2 degrees of freedom.

    For so many degrees it is normal with mean f and variance 2f; four standard
    deviations either way are passed by chance once in 16,000 streams, and the
    seeds are fixed. Too even would be as wrong as too uneven.
    """
    decks = 20_000
    places: list[Counter[str]] = [Counter() for _ in PACK]
    for number in range(1, decks + 1):
        for place, card in zip(places, deal_deck(SEED, ["1", "2"], number), strict=True):
            place[card] += 1
    statistic = chi_square([place[card] for place in places for card in PACK], decks / 52)
    freedom = 51**2
    assert abs(statistic - freedom) < 4 * (2 * freedom) ** 0.5


def test_every_order_of_three_cards_comes_equally_often() -> None:
    orders = Counter(
        Stream(SEED, [], number, "deal").shuffle(("2C", "3C", "4C")) for number in range(1, 6001)
    )
    assert len(orders) == 6
    assert chi_square(list(orders.values()), 1000) < 20.5  # 5 degrees of freedom, p = 0.001


def test_the_first_dealer_is_any_seat_equally_often() -> None:
    seats = (1, 2, 4, 7, 9)
    drawn = Counter(first_dealer(SEED, ["1"] * 5, seats, number) for number in range(1, 5001))
    assert set(drawn) == set(seats)
    assert chi_square(list(drawn.values()), 1000) < 18.5  # 4 degrees of freedom, p = 0.001
