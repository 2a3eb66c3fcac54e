"""The proof of a fair deal: what a table reveals afterwards, and the check that anybody can repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.cards import PACK, Card
from games.rules.shuffle import (
    LONGEST_CHAIN,
    SEED_BYTES,
    BadNonce,
    check_nonce,
    commitment_of,
    deal_deck,
    first_dealer,
    reshuffle,
)
from games.rules.strict_json import (
    Malformed,
    check_keys,
    read_object,
    shown,
    take_int,
    take_seats,
    take_text,
    take_texts,
    texts,
)

MOST_SEATS = 64
MOST_PACKS = 4
MOST_RESHUFFLES = 100


@dataclass(frozen=True, slots=True)
class Proof:
    """One deal's commitment, seed and nonces with the cards that they must give.

    ``deal`` counts from 1 along the chain; ``nonces`` stand in ascending order
    of the seats in the deal; each of ``reshuffles`` is a new stock, top first.
    ``dealer_of`` is (first dealer, ascending seats) in the first deal of a match.
    """

    commitment: bytes
    deal: int
    seed: bytes
    nonces: tuple[str, ...]
    packs: int
    deck: tuple[Card, ...]
    reshuffles: tuple[tuple[Card, ...], ...] = ()
    dealer_of: tuple[int, tuple[int, ...]] | None = None


def parse_proof(data: bytes) -> Proof:
    """Return the proof in a JSON file's bytes (docs/fair_deal.md); raises ``Malformed``."""
    raw = read_object(data)
    check_keys(
        raw,
        required=("commitment", "deal", "seed", "nonces", "deck"),
        optional=("packs", "reshuffles", "first_dealer", "seats"),
    )
    nonces = take_texts(raw, "nonces", most=MOST_SEATS)
    for place, nonce in enumerate(nonces, start=1):
        try:
            check_nonce(nonce)
        except BadNonce as error:
            raise Malformed(f"nonce {place}: {error.detail}") from None
    return Proof(
        commitment=_take_hex(raw, "commitment"),
        deal=take_int(raw, "deal", least=1, most=LONGEST_CHAIN),
        seed=_take_hex(raw, "seed"),
        nonces=nonces,
        packs=take_int(raw, "packs", least=1, most=MOST_PACKS) if "packs" in raw else 1,
        deck=_cards(raw["deck"], "'deck'"),
        reshuffles=_take_reshuffles(raw),
        dealer_of=_take_first_dealer(raw, len(nonces)),
    )


def dump_proof(proof: Proof) -> dict[str, Any]:
    """Return the proof as JSON values; ``parse_proof`` reads them back."""
    raw: dict[str, Any] = {
        "commitment": proof.commitment.hex(),
        "deal": proof.deal,
        "seed": proof.seed.hex(),
        "nonces": list(proof.nonces),
        "packs": proof.packs,
        "deck": list(proof.deck),
        "reshuffles": [list(cards) for cards in proof.reshuffles],
    }
    if proof.dealer_of is not None:
        raw["first_dealer"], raw["seats"] = proof.dealer_of[0], list(proof.dealer_of[1])
    return raw


def faults(proof: Proof) -> tuple[str, ...]:
    """Return what the proof claims and the fair deal does not give, one sentence each; empty if all holds."""
    found: list[str] = []
    if commitment_of(proof.seed, proof.deal) != proof.commitment:
        found.append(f"the seed hashed {proof.deal} times is not the commitment")
    deck = deal_deck(proof.seed, proof.nonces, proof.deal, proof.packs)
    if fault := _difference(proof.deck, deck):
        found.append(f"the deck differs from the fair one: {fault}")
    for number, cards in enumerate(proof.reshuffles, start=1):
        if Counter(cards) - Counter(proof.deck):
            found.append(f"reshuffle {number} has cards that the deck does not have")
        fair = reshuffle(proof.seed, proof.nonces, proof.deal, number, cards)
        if fault := _difference(cards, fair):
            found.append(f"reshuffle {number} differs from the fair one: {fault}")
    if proof.dealer_of is not None:
        claimed, seats = proof.dealer_of
        drawn = first_dealer(proof.seed, proof.nonces, seats, proof.deal)
        if claimed != drawn:
            found.append(f"the first dealer is seat {drawn}, not seat {claimed}")
    return tuple(found)


def _difference(claimed: tuple[Card, ...], fair: tuple[Card, ...]) -> str:
    if len(claimed) != len(fair):
        return f"it has {len(claimed)} cards instead of {len(fair)}"
    for place, (one, other) in enumerate(zip(claimed, fair, strict=True), start=1):
        if one != other:
            return f"card {place} from the top is {one} instead of {other}"
    return ""


def _take_hex(raw: Mapping[str, Any], key: str) -> bytes:
    digits = take_text(raw, key)
    if len(digits) != 2 * SEED_BYTES or not set(digits) <= set("0123456789abcdefABCDEF"):
        raise Malformed(f"{key!r} must be {2 * SEED_BYTES} hexadecimal digits, not {shown(digits)}")
    return bytes.fromhex(digits)


def _cards(value: Any, name: str) -> tuple[Card, ...]:
    cards = texts(value, name, most=len(PACK) * MOST_PACKS)
    for place, card in enumerate(cards, start=1):
        if card not in PACK:
            raise Malformed(f"item {place} of {name} is no card: {shown(card)}")
    return cards


def _take_reshuffles(raw: Mapping[str, Any]) -> tuple[tuple[Card, ...], ...]:
    listed = raw.get("reshuffles", [])
    if not isinstance(listed, list) or len(listed) > MOST_RESHUFFLES:
        raise Malformed(f"'reshuffles' must be a list of at most {MOST_RESHUFFLES} lists of cards")
    return tuple(_cards(cards, f"reshuffle {number}") for number, cards in enumerate(listed, start=1))


def _take_first_dealer(raw: Mapping[str, Any], nonces: int) -> tuple[int, tuple[int, ...]] | None:
    if ("first_dealer" in raw) != ("seats" in raw):
        raise Malformed("'first_dealer' and 'seats' must be given together")
    if "seats" not in raw:
        return None
    seats = take_seats(raw, "seats", most=MOST_SEATS)
    if len(seats) != nonces or not seats or list(seats) != sorted(seats):
        raise Malformed("'seats' must be in ascending order, one for each nonce")
    return take_int(raw, "first_dealer", least=1, most=999), seats
