"""Check a fair deal: python check_deal.py PROOF.json prints OK or what differs (see fair_deal.md)."""

import hashlib
import hmac
import json
import sys
from pathlib import Path

proof = json.loads(Path(sys.argv[1]).read_text("utf-8"))
commitment = seed = bytes.fromhex(proof["seed"])
PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def coded(value):
    return value.to_bytes(4, "big") if isinstance(value, int) else coded(len(value.encode())) + value.encode()


def draws(purpose, limits):
    message = b"".join(map(coded, [len(proof["nonces"]), *proof["nonces"], proof["deal"], purpose]))
    blocks = (hmac.digest(seed, message + coded(counter), "sha256") for counter in range(2**32))
    words = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))
    for limit in limits:
        yield next(word for word in words if word < 2**32 - 2**32 % limit) % limit


def shuffled(cards, purpose):
    for top, pick in enumerate(draws(purpose, range(len(cards), 1, -1))):
        cards[top], cards[top + pick] = cards[top + pick], cards[top]
    return cards


for _ in range(proof["deal"]):
    commitment = hashlib.sha256(commitment).digest()
wrong = ["commitment"] * (commitment.hex() != proof["commitment"].lower())
wrong += ["deck"] * (shuffled(PACK * proof.get("packs", 1), "deal") != proof["deck"])
for nth, stock in enumerate(proof.get("reshuffles", []), start=1):
    wrong += [f"reshuffle {nth}"] * (shuffled(sorted(stock, key=PACK.index), f"reshuffle {nth}") != stock)
if seats := proof.get("seats"):
    wrong += ["first dealer"] * (seats[next(draws("first dealer", [len(seats)]))] != proof["first_dealer"])
sys.exit("differs: " + ", ".join(wrong)) if wrong else print("OK")
