"""Proofs of fair deals: a true one holds, a false one says what is wrong, the two checkers agree."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.rules.proof import dump_proof, faults, parse_proof
from games.rules.shuffle import deal_deck, first_dealer, make_chain, reshuffle
from games.rules.strict_json import Malformed
from tests.games.rules.test_shuffle import SEED, page_blocks

CHECKER = Path(__file__).parents[3] / "docs" / "check_deal.py"
CHAIN = make_chain(SEED, 5)
NONCES = ["1", "õun 🂡", "3"]


def true_proof(packs: int = 1) -> dict[str, Any]:
    seed = CHAIN[3]
    return {
        "commitment": CHAIN[0].hex(),
        "deal": 3,
        "seed": seed.hex(),
        "nonces": NONCES,
        "packs": packs,
        "deck": list(deal_deck(seed, NONCES, 3, packs)),
        "reshuffles": [list(reshuffle(seed, NONCES, 3, number, ["AS", "2C", "9H"])) for number in (1, 2)],
        "first_dealer": first_dealer(seed, NONCES, (2, 3, 8), 3),
        "seats": [2, 3, 8],
    }


def found_in(raw: dict[str, Any]) -> tuple[str, ...]:
    return faults(parse_proof(json.dumps(raw).encode()))


def standalone(raw: dict[str, Any], tmp_path: Path) -> tuple[int, str]:
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(CHECKER), str(path)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def swapped(cards: list[str]) -> list[str]:
    return [cards[1], cards[0], *cards[2:]]


FALSE = {
    "commitment": lambda raw: raw | {"commitment": CHAIN[1].hex()},
    "the wrong deal of the chain": lambda raw: raw | {"deal": 2},
    "seed": lambda raw: raw | {"seed": CHAIN[4].hex()},
    "a changed nonce": lambda raw: raw | {"nonces": ["1", "oun", "3"]},
    "nonces in another order": lambda raw: raw | {"nonces": NONCES[::-1]},
    "two cards exchanged": lambda raw: raw | {"deck": swapped(raw["deck"])},
    "a card missing": lambda raw: raw | {"deck": raw["deck"][:-1]},
    "a card twice": lambda raw: raw | {"deck": [raw["deck"][1], *raw["deck"][1:]]},
    "another number of packs": lambda raw: raw | {"packs": 2},
    "a reshuffle": lambda raw: raw | {"reshuffles": [raw["reshuffles"][0], swapped(raw["reshuffles"][1])]},
    "the first dealer": lambda raw: raw | {"first_dealer": 5 - raw["first_dealer"] % 5},
}


def test_the_example_of_the_page_holds(tmp_path: Path) -> None:
    example = page_blocks()[0]
    assert found_in(example) == ()
    assert standalone(example, tmp_path) == (0, "OK\n")


@pytest.mark.parametrize("packs", [1, 2])
def test_a_true_proof_holds(packs: int, tmp_path: Path) -> None:
    assert found_in(true_proof(packs)) == ()
    assert standalone(true_proof(packs), tmp_path) == (0, "OK\n")


@pytest.mark.parametrize("what", FALSE)
def test_a_false_proof_fails_with_both_checkers(what: str, tmp_path: Path) -> None:
    raw = FALSE[what](true_proof())
    assert found_in(raw)
    code, told = standalone(raw, tmp_path)
    assert code == 1 and told.startswith("differs: ")


def test_the_fault_says_where_the_deck_differs() -> None:
    raw = true_proof()
    fair = raw["deck"]
    raw["deck"] = swapped(fair)
    assert found_in(raw) == (
        f"the deck differs from the fair one: card 1 from the top is {fair[1]} instead of {fair[0]}",
    )


def test_a_reshuffle_of_cards_that_are_not_in_the_deck_is_a_fault() -> None:
    raw = true_proof()
    raw["reshuffles"] = [list(reshuffle(CHAIN[3], NONCES, 3, 1, ["AS", "AS", "9H"]))]
    assert found_in(raw) == ("reshuffle 1 has cards that the deck does not have",)


def test_what_is_optional_may_be_left_out() -> None:
    raw = {key: true_proof()[key] for key in ("commitment", "deal", "seed", "nonces", "deck")}
    assert found_in(raw) == ()


def test_a_proof_survives_writing_and_reading() -> None:
    proof = parse_proof(json.dumps(true_proof()).encode())
    assert dump_proof(proof) == true_proof()
    assert parse_proof(json.dumps(dump_proof(proof)).encode()) == proof


def test_the_standalone_checker_is_short_and_imports_only_the_standard_library() -> None:
    lines = CHECKER.read_text("utf-8").splitlines()
    assert len(lines) <= 40
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import", "from"))}
    assert imported <= set(sys.stdlib_module_names)


MALFORMED = {
    "no commitment": lambda raw: {key: value for key, value in raw.items() if key != "commitment"},
    "an unknown key": lambda raw: raw | {"sead": "x"},
    "deal 0": lambda raw: raw | {"deal": 0},
    "a deal that would be hashed for hours": lambda raw: raw | {"deal": 10**12},
    "a deal as text": lambda raw: raw | {"deal": "3"},
    "true as a deal": lambda raw: raw | {"deal": True},
    "a seed too short": lambda raw: raw | {"seed": "ab"},
    "a seed with blanks": lambda raw: raw | {"seed": " " * 64},
    "digits that only Unicode calls digits": lambda raw: raw | {"seed": "٣" * 64},
    "a nonce too long": lambda raw: raw | {"nonces": ["x" * 65]},
    "an empty nonce": lambda raw: raw | {"nonces": [""]},
    "half a surrogate pair": lambda raw: raw | {"nonces": ["\ud83c"]},
    "a nonce as number": lambda raw: raw | {"nonces": [1]},
    "too many nonces": lambda raw: raw | {"nonces": ["1"] * 65},
    "no card": lambda raw: raw | {"deck": ["XX"]},
    "a deck as text": lambda raw: raw | {"deck": "AS"},
    "no pack": lambda raw: raw | {"packs": 0},
    "five packs": lambda raw: raw | {"packs": 5},
    "reshuffles not in lists": lambda raw: raw | {"reshuffles": ["AS"]},
    "reshuffles as object": lambda raw: raw | {"reshuffles": {}},
    "seats without a dealer": lambda raw: {key: value for key, value in raw.items() if key != "first_dealer"},
    "seats out of order": lambda raw: raw | {"seats": [3, 2, 8]},
    "a seat twice": lambda raw: raw | {"seats": [2, 2, 8]},
    "fewer seats than nonces": lambda raw: raw | {"seats": [2, 3]},
}


@pytest.mark.parametrize("what", MALFORMED)
def test_what_is_no_proof_is_refused_with_one_line(what: str) -> None:
    with pytest.raises(Malformed) as refusal:
        parse_proof(json.dumps(MALFORMED[what](true_proof())).encode())
    assert refusal.value.detail.isprintable() and len(refusal.value.detail) < 200
