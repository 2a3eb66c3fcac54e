"""The fair deal: a published chain of seeds, the players' nonces and a stream of bytes made of both.

The server fixes its seeds before it knows a nonce, and the players choose
their nonces before they know a seed, so that neither side can choose a deck.
docs/fair_deal.md says the same byte by byte, for other languages, with test
vectors; a change here that alters a byte breaks every published commitment.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from games.rules.cards import PACK, Card, pack
from games.rules.errors import Refusal

SEED_BYTES = 32
NONCE_CHARACTERS = 64
LONGEST_CHAIN = 1_000_000
"""Deals; longer than any table lasts, and still checked in a second."""

DEAL = "deal"
FIRST_DEALER = "first dealer"

_ORDER = {card: place for place, card in enumerate(PACK)}
_WORD_BYTES = 4
_WORDS = 1 << (8 * _WORD_BYTES)


class BadNonce(Refusal):
    """A nonce that is empty, too long or not encodable."""


def make_chain(last_seed: bytes, length: int) -> tuple[bytes, ...]:
    """Return the seeds s_0 to s_length, where s_length is ``last_seed`` and s_k = SHA-256(s_(k+1)).

    ``chain[0]`` is the commitment that the table publishes, ``chain[k]`` the
    secret seed of deal k, for k from 1 to ``length``. ``last_seed`` is 32
    random bytes. Raises ``ValueError`` on another size or length.
    """
    _check_seed(last_seed)
    if not 1 <= length <= LONGEST_CHAIN:
        raise ValueError(f"a chain has from 1 to {LONGEST_CHAIN} seeds besides its commitment")
    seeds = [last_seed]
    for _ in range(length):
        seeds.append(hashlib.sha256(seeds[-1]).digest())
    return tuple(reversed(seeds))


def commitment_of(seed: bytes, deal_number: int) -> bytes:
    """Return the commitment s_0 that the ``seed`` of deal ``deal_number`` belongs to."""
    _check_seed(seed)
    for _ in range(deal_number):
        seed = hashlib.sha256(seed).digest()
    return seed


def nonce_of(seat: int, chosen: str | None) -> str:
    """Return the nonce that counts for ``seat``: the ``chosen`` text, or the seat number if there is none.

    Bots have none. The seat number leaves the server nothing to choose. Raises
    ``BadNonce`` for a text of more than 64 characters or with lone surrogates.
    """
    if not chosen:
        return str(seat)
    check_nonce(chosen)
    return chosen


def check_nonce(nonce: str) -> None:
    """Raise ``BadNonce`` unless ``nonce`` has 1 to 64 characters (code points) that UTF-8 can encode."""
    if not 1 <= len(nonce) <= NONCE_CHARACTERS:
        raise BadNonce("bad_nonce", f"a nonce has 1 to {NONCE_CHARACTERS} characters, not {len(nonce)}")
    try:
        nonce.encode()
    except UnicodeEncodeError:
        raise BadNonce("bad_nonce", "a nonce may not hold half of a surrogate pair") from None


def encode(nonces: Sequence[str], deal_number: int, purpose: str) -> bytes:
    """Return the message of a stream without its counter; no two inputs share an encoding.

    Integers are 4 bytes, unsigned, most significant byte first; a text is the
    number of its UTF-8 bytes, then these bytes. The message is the number of
    nonces, each nonce, the deal number and the purpose.
    """
    parts = [_word(len(nonces)), *map(_text, nonces), _word(deal_number), _text(purpose)]
    return b"".join(parts)


class Stream:
    """Bytes nobody can foresee without the seed: block i is HMAC-SHA-256(seed, message, counter i).

    ``nonces`` stand in ascending order of their seats. One stream serves one
    purpose of one deal; the counter starts at 0 and is a 4-byte integer after
    the message.
    """

    __slots__ = ("_counter", "_message", "_seed", "_words")

    def __init__(self, seed: bytes, nonces: Sequence[str], deal_number: int, purpose: str) -> None:
        _check_seed(seed)
        for nonce in nonces:
            check_nonce(nonce)
        self._seed = seed
        self._message = encode(nonces, deal_number, purpose)
        self._counter = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next 4 bytes of the stream as an integer from 0 to 2^32 - 1."""
        if not self._words:
            block = hmac.digest(self._seed, self._message + _word(self._counter), "sha256")
            self._counter += 1
            starts = range(len(block) - _WORD_BYTES, -1, -_WORD_BYTES)
            self._words = [int.from_bytes(block[at : at + _WORD_BYTES], "big") for at in starts]
        return self._words.pop()

    def below(self, limit: int) -> int:
        """Return an integer from 0 to ``limit - 1``, each equally likely (rejection sampling).

        Words at or above the largest multiple of ``limit`` up to 2^32 are
        thrown away, since keeping them would favour the small results.
        """
        if not 1 <= limit <= _WORDS:
            raise ValueError("the limit must be from 1 to 2^32")
        fair = _WORDS - _WORDS % limit
        while True:
            word = self.word()
            if word < fair:
                return word % limit

    def shuffle(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return ``cards`` in a random order: Fisher-Yates (Durstenfeld 1964), from the top card down."""
        order = list(cards)
        for top in range(len(order) - 1):
            pick = top + self.below(len(order) - top)
            order[top], order[pick] = order[pick], order[top]
        return tuple(order)


def deal_deck(seed: bytes, nonces: Sequence[str], deal_number: int, packs: int = 1) -> tuple[Card, ...]:
    """Return the deck of deal ``deal_number`` (from 1), top card first, made with the deal's own seed."""
    return Stream(seed, nonces, deal_number, DEAL).shuffle(pack(packs))


def reshuffle(
    seed: bytes, nonces: Sequence[str], deal_number: int, reshuffle_number: int, cards: Sequence[Card]
) -> tuple[Card, ...]:
    """Return ``cards`` as the new stock, top first, for the deal's reshuffle ``reshuffle_number`` (from 1).

    The cards are first put into the order of the pack, so that what was
    discarded when decides nothing and the result proves itself.
    """
    in_order = sorted(cards, key=_ORDER.__getitem__)
    return Stream(seed, nonces, deal_number, f"reshuffle {reshuffle_number}").shuffle(in_order)


def first_dealer(first_seed: bytes, nonces: Sequence[str], seats: Sequence[int], deal_number: int = 1) -> int:
    """Return the seat of ``seats`` (ascending) that deals first, drawn from the seed of the first deal.

    The seed is the one of the match's first deal, ``deal_number`` in its
    chain: fixed by the commitment before any nonce, unknown until that deal
    is over. The draw has its own purpose, so it tells nothing about the deck.
    """
    return seats[Stream(first_seed, nonces, deal_number, FIRST_DEALER).below(len(seats))]


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")


def _word(value: int) -> bytes:
    return value.to_bytes(_WORD_BYTES, "big")


def _text(value: str) -> bytes:
    encoded = value.encode()
    return _word(len(encoded)) + encoded
