"""Receipts and prefix proofs, good and bad, on which every checker must give the same verdict.

``receipt_vectors.json`` is what ``build()`` gives: it pins the format. A case is a
base document, changes to make in it, what to trust, and the verdict: ``ok`` or a
code. Written anew with ``python -m tests.ledger.rules.vectors``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.rules import canonical, merkle
from ledger.rules.receipt import PREFIX_FORMAT, RECEIPT_FORMAT, Head, head_json, time_json

FILE = Path(__file__).with_name("receipt_vectors.json")
SIZES = (1, 2, 3, 5, 8, 13, 1, 7, 4, 6, 2)
START = 1_767_225_600_000_000
KEYS = [Ed25519PrivateKey.from_private_bytes(sha256(name).digest()) for name in (b"one", b"two")]
NOTE = "Wette um den Tisch, 5 € ♣"

Json = dict[str, Any]


def transaction(number: int) -> Json:
    """One transaction of the invented book, as it stands in a receipt."""
    wallet = {
        "id": str(1000 + number % 5),
        "kind": "wallet",
        "ref": f"w{number % 5}",
        "owner": sha256(b"owner%d" % (number % 5)).hexdigest()[:32],
        "asset": "CHIPS",
        "scale": "0",
    }
    pot = {
        "id": str(10**15 + 7),
        "kind": "pot",
        "ref": "laud õ/7",
        "owner": None,
        "asset": "CHIPS",
        "scale": "0",
    }
    postings = [
        {
            "n": str(n),
            "debit": wallet if number % 2 else pot,
            "credit": pot if number % 2 else wallet,
            "amount": str(10 * n + number),
            "debit_after": str(-number * 3),
            "debit_seq": str(number + n),
            "credit_after": str(2**53 - number),
            "credit_seq": str(number + n + 1),
        }
        for n in range(1, 2 + number % 3)
    ]
    state = ("posted", "pending", "post", "void")[number % 4]
    note = number % 5 == 2
    return {
        "id": str(number),
        "key": f"võti:{number}",
        "fingerprint": sha256(b"request%d" % number).hexdigest(),
        "kind": "stake",
        "state": state,
        "resolves": str(number - 1) if state in ("post", "void") else None,
        "reverses": str(number - 2) if number % 8 == 4 else None,
        "source": f"table/7/event/{number}",
        "salt": sha256(b"salt%d" % number).hexdigest()[:32],
        "note_hash": canonical.note_digest(b"note salt", NOTE).hex() if note else None,
        "at": time_json(START + 1_234_567 * number),
        "xid": str(700 + number),
        "postings": postings,
    }


def leaf_data(value: Json) -> bytes:
    """The canonical bytes of ``transaction(number)``, built without the code that reads receipts."""

    def account(each: Json) -> bytes:
        owner = bytes.fromhex(each["owner"]) if each["owner"] else b""
        texts = (each["kind"], each["ref"])
        return canonical.bytes_field(
            canonical.account_bytes(int(each["id"]), *texts, owner, each["asset"], int(each["scale"]))
        )

    postings = [
        canonical.posting_field(
            int(each["n"]),
            account(each["debit"]),
            account(each["credit"]),
            *(
                int(each[name])
                for name in ("amount", "debit_after", "debit_seq", "credit_after", "credit_seq")
            ),
        )
        for each in value["postings"]
    ]
    return canonical.transaction_bytes(
        int(value["id"]),
        value["key"].encode(),
        bytes.fromhex(value["fingerprint"]),
        value["kind"].encode(),
        value["state"].encode(),
        int(value["resolves"]) if value["resolves"] else None,
        int(value["reverses"]) if value["reverses"] else None,
        value["source"].encode(),
        bytes.fromhex(value["salt"]),
        bytes.fromhex(value["note_hash"]) if value["note_hash"] else None,
        START + 1_234_567 * int(value["id"]),
        int(value["xid"]),
        postings,
    )


class Log:
    """The invented book, sealed: seals, heads, and documents about them."""

    def __init__(self) -> None:
        self.leaves: list[list[bytes]] = []
        self.seals: list[Json] = []
        self.hashes: list[bytes] = []
        self.heads: list[Json] = []
        self.first: list[int] = []
        next_id = 1
        for size in SIZES:
            self.first.append(next_id)
            self._seal(range(next_id, next_id + size))
            next_id += size

    def _seal(self, ids: range) -> None:
        seq = len(self.seals) + 1
        leaves = [merkle.leaf_hash(leaf_data(transaction(id))) for id in ids]
        root = merkle.tree_root(leaves)
        previous = self.hashes[-1] if self.hashes else canonical.GENESIS
        postings = [each for id in ids for each in transaction(id)["postings"]]
        total = ("CHIPS", 0, len(postings), sum(int(each["amount"]) for each in postings))
        at = START + 10_000_000 * seq
        xids = (ids[0] + 700 if seq > 1 else 0, ids[-1] + 701)
        hash = merkle.leaf_hash(canonical.seal_bytes(seq, 0, *xids, len(leaves), previous, root, [total], at))
        self.leaves.append(leaves)
        self.hashes.append(hash)
        self.seals.append(
            {
                "seq": str(seq),
                "epoch": "0",
                "from_xid": str(xids[0]),
                "to_xid": str(xids[1]),
                "n": str(len(leaves)),
                "previous": previous.hex(),
                "root": root.hex(),
                "totals": [
                    {"asset": "CHIPS", "scale": "0", "postings": str(total[2]), "amount": str(total[3])}
                ],
                "sealed_at": time_json(at),
                "hash": hash.hex(),
            }
        )
        self.heads.append(self._head(seq, hash, at))

    def _head(self, seq: int, hash: bytes, at: int) -> Json:
        key = KEYS[seq > 8]
        public = key.public_key().public_bytes_raw()
        root = merkle.tree_root(self.hashes)
        name = canonical.key_name(public)
        signature = key.sign(canonical.head_bytes(seq, hash, root, at, name))
        return head_json(Head(seq, hash, root, at, name, public, signature))

    def receipt(self, seal: int, index: int, head: int, *, note: bool = False) -> Json:
        document: Json = {
            "format": RECEIPT_FORMAT,
            "transaction": transaction(self.first[seal - 1] + index),
            "leaf": {
                "hash": self.leaves[seal - 1][index].hex(),
                "index": str(index),
                "path": [step.hex() for step in merkle.inclusion_path(self.leaves[seal - 1], index)],
            },
            "seal": self.seals[seal - 1],
            "log": {"path": [step.hex() for step in merkle.inclusion_path(self.hashes[:head], seal - 1)]},
            "head": self.heads[head - 1],
        }
        if note:
            document["note"] = {"salt": b"note salt".hex(), "text": NOTE}
        return document

    def prefix(self, old: int, new: int) -> Json:
        rows = merkle.levels(self.hashes[:new])
        path = merkle.read_path(merkle.prefix_ranges(old, new), lambda level, place: rows[level][place])
        return {
            "format": PREFIX_FORMAT,
            "old": self.heads[old - 1],
            "new": self.heads[new - 1],
            "path": [step.hex() for step in path],
        }


def changed(base: Json, changes: list[list[Any]]) -> Json:
    """The document with each ``[place, ..., value]`` set; a value of "(removed)" removes the place."""
    document = deepcopy(base)
    for *places, last, value in changes:
        inner = document
        for place in places:
            inner = inner[place]
        if value == "(removed)":
            del inner[last]
        else:
            inner[last] = value
    return document


def build() -> Json:
    """All vectors."""
    log = Log()
    last = len(SIZES)
    bases = {
        f"receipt {seal}/{index} under {head}": log.receipt(seal, index, head)
        for seal, index, head in ((1, 0, 1), (1, 0, last), (6, 0, 6), (6, 12, last), (6, 7, 9), (11, 1, last))
    }
    bases["receipt with note"] = log.receipt(4, 0, last, note=True)
    pairs = ((1, 1), (1, 11), (3, 7), (4, 8), (6, 11), (8, 9), (10, 11), (7, 8))
    bases |= {f"prefix {old} of {new}": log.prefix(old, new) for old, new in pairs}
    cases = [{"base": name, "changes": [], "verdict": "ok"} for name in bases]
    cases += [
        {"base": "receipt 6/7 under 9", "changes": changes, "verdict": verdict}
        for verdict, changes in bad_receipts(log, bases["receipt 6/7 under 9"])
    ]
    cases += [
        {"base": "receipt with note", "changes": changes, "verdict": verdict}
        for verdict, changes in bad_notes()
    ]
    cases += [
        {"base": "prefix 6 of 11", "changes": changes, "verdict": verdict}
        for verdict, changes in bad_prefixes(log, bases["prefix 6 of 11"])
    ]
    return {"bases": bases, "cases": cases + trusting(log)}


def trusting(log: Log) -> list[Json]:
    """Cases that depend on whom the reader trusts."""
    base = "receipt 6/7 under 9"
    one, two = (key.public_key().public_bytes_raw().hex() for key in KEYS)
    roots = {head["seq"]: head["log_root"] for head in log.heads}
    return [
        {"base": base, "changes": [], "keys": [one, two], "heads": roots, "verdict": "ok"},
        {"base": base, "changes": [], "keys": [one], "verdict": "key_untrusted"},
        {"base": base, "changes": [], "heads": {**roots, "9": roots["8"]}, "verdict": "head_unpublished"},
        {"base": base, "changes": [], "heads": {"8": roots["8"]}, "verdict": "head_unpublished"},
        {"base": "prefix 7 of 8", "changes": [], "keys": [one], "verdict": "ok"},
        {"base": "prefix 8 of 9", "changes": [], "keys": [two], "verdict": "key_untrusted"},
    ]


def bad_receipts(log: Log, base: Json) -> Iterator[tuple[str, list[list[Any]]]]:
    """Every field of a receipt changed in its turn, and documents that are none."""
    other = "00" * 32
    for name, value in base["transaction"].items():
        if isinstance(value, str):
            yield "transaction_mismatch", [["transaction", name, _another(name, value)]]
    for name, value in base["transaction"]["postings"][0].items():
        if isinstance(value, str):
            yield "transaction_mismatch", [["transaction", "postings", 0, name, str(int(value) + 1)]]
    for name, value in base["transaction"]["postings"][0]["debit"].items():
        yield (
            "transaction_mismatch",
            [["transaction", "postings", 0, "debit", name, _another(name, value) if value else "ab" * 16]],
        )
    yield "transaction_mismatch", [["transaction", "postings", []]]
    yield "transaction_mismatch", [["transaction", "resolves", "5"]]
    yield "transaction_mismatch", [["transaction", "note_hash", other]]
    yield "transaction_mismatch", [["leaf", "hash", other]]
    path = base["leaf"]["path"]
    yield "path_mismatch", [["leaf", "index", "6"]]
    yield "path_mismatch", [["leaf", "index", "13"]]
    yield "path_mismatch", [["leaf", "index", "-1"]]
    yield "path_mismatch", [["leaf", "path", path[:-1]]]
    yield "path_mismatch", [["leaf", "path", [*path, other]]]
    yield "path_mismatch", [["leaf", "path", [path[1], path[0], *path[2:]]]]
    for name, value in base["seal"].items():
        if isinstance(value, str):
            yield "seal_mismatch", [["seal", name, _another(name, value)]]
    yield "seal_mismatch", [["seal", "totals", []]]
    yield "seal_mismatch", [["seal", "totals", 0, "amount", "1"]]
    yield "log_mismatch", [["log", "path", base["log"]["path"][:-1]]]
    yield "log_mismatch", [["log", "path", [*base["log"]["path"], other]]]
    yield "log_mismatch", [["log", "path", 0, other]]
    yield "log_mismatch", [["head", log.heads[7]]]
    yield "log_mismatch", [["head", log.heads[2]]]
    yield "log_mismatch", [["head", "seq", "0"]]
    yield "log_mismatch", [["head", "log_root", other]]
    for name in ("hash", "sealed_at"):
        yield "signature_invalid", [["head", name, _another(name, base["head"][name])]]
    yield "key_mismatch", [["head", "key_id", "0" * 16]]
    yield "key_mismatch", [["head", "public_key", KEYS[0].public_key().public_bytes_raw().hex()]]
    yield from _bad_signatures(base["head"]["signature"])
    yield from _malformed()


def _bad_signatures(signature: str) -> Iterator[tuple[str, list[list[Any]]]]:
    scalar = int.from_bytes(bytes.fromhex(signature[64:]), "little")
    order = 2**252 + 27742317777372353535851937790883648493
    flipped = f"{int(signature[:2], 16) ^ 1:02x}{signature[2:]}"
    yield "signature_invalid", [["head", "signature", flipped]]
    # The same signature with its scalar not reduced: RFC 8032 wants it refused.
    malleable = signature[:64] + (scalar + order).to_bytes(32, "little").hex()
    yield "signature_invalid", [["head", "signature", malleable]]
    yield "signature_invalid", [["head", "signature", "00" * 64]]
    # Public keys that are no point of the curve, or not the shortest way to write one.
    for key in ("02" + "00" * 31, "ed" + "ff" * 30 + "7f", "01" + "00" * 30 + "80"):
        name = sha256(bytes.fromhex(key)).hexdigest()[:16]
        yield "signature_invalid", [["head", "public_key", key], ["head", "key_id", name]]


def _malformed() -> Iterator[tuple[str, list[list[Any]]]]:
    wrong: list[list[Any]] = [
        ["format", "club-ledger-receipt/2"],
        ["format", 1],
        ["leaf", "(removed)"],
        ["winner", "somebody"],
        ["transaction", "comment", "not hashed"],
        ["transaction", "key", None],
        ["transaction", "key", "\ud800"],
        ["transaction", "key", "\udc00\ud800"],
        ["transaction", "id", 7],
        ["transaction", "id", "07"],
        ["transaction", "id", "-0"],
        ["transaction", "id", "7\n"],
        ["transaction", "id", " 7"],
        ["transaction", "id", "٧"],
        ["transaction", "id", "1e3"],
        ["transaction", "id", ""],
        ["transaction", "id", str(2**63)],
        ["transaction", "id", str(-(2**63) - 1)],
        ["transaction", "salt", "ABCD"],
        ["transaction", "salt", "abc"],
        ["transaction", "salt", "ab\n"],
        ["transaction", "note_hash", "ab"],
        ["transaction", "at", "2026-02-29T00:00:00.000000Z"],
        ["transaction", "at", "2026-01-01T24:00:00.000000Z"],
        ["transaction", "at", "2026-01-01T00:00:60.000000Z"],
        ["transaction", "at", "2026-01-01T00:00:00.000Z"],
        ["transaction", "at", "2026-01-01 00:00:00.000000Z"],
        ["transaction", "at", "2026-01-01T00:00:00.000000+00:00"],
        ["transaction", "at", "0000-01-01T00:00:00.000000Z"],
        ["transaction", "postings", {}],
        ["transaction", "postings", [[]]],
        ["transaction", "postings", 0, "debit", "owner", "ab"],
        ["leaf", "path", "abc"],
        ["leaf", "path", [1]],
        ["leaf", "hash", "ab" * 31],
        ["leaf", []],
        ["seal", None],
        ["seal", "totals", 0, "asset", 1],
        ["log", {}],
        ["log", "path", ["xyz"]],
        ["head", "signature", "00" * 63],
        ["head", "seq", "1.0"],
    ]
    for change in wrong:
        yield "malformed", [change]


def bad_notes() -> Iterator[tuple[str, list[list[Any]]]]:
    """A note that was not written with the transaction, or nothing like a note."""
    yield "note_mismatch", [["note", "text", NOTE + " "]]
    yield "note_mismatch", [["note", "salt", "00"]]
    yield "note_mismatch", [["transaction", "note_hash", None]]
    yield "ok", [["note", "(removed)"]]
    yield "malformed", [["note", "text", None]]
    yield "malformed", [["note", "author", "somebody"]]
    yield "malformed", [["note", None]]


def bad_prefixes(log: Log, base: Json) -> Iterator[tuple[str, list[list[Any]]]]:
    """Prefix proofs that prove nothing."""
    path = base["path"]
    yield "prefix_mismatch", [["old", log.heads[4]]]
    yield "prefix_mismatch", [["new", log.heads[9]]]
    yield "prefix_mismatch", [["old", base["new"]], ["new", base["old"]]]
    yield "prefix_mismatch", [["path", path[:-1]]]
    yield "prefix_mismatch", [["path", [*path, "00" * 32]]]
    yield "prefix_mismatch", [["path", []]]
    yield "prefix_mismatch", [["path", 0, "00" * 32]]
    yield "prefix_mismatch", [["old", base["new"]]]
    yield "prefix_mismatch", [["old", "seq", "0"]]
    yield "signature_invalid", [["old", "signature", base["new"]["signature"]]]
    yield "signature_invalid", [["new", "sealed_at", "2026-01-01T00:00:00.000000Z"]]
    yield "malformed", [["path", None]]
    yield "malformed", [["old", "(removed)"]]


def _another(name: str, value: str) -> str:
    """Another value of the same form."""
    if name in ("at", "sealed_at"):
        return value.replace("2026", "2025")
    if value.lstrip("-").isdigit() and len(value) < 20:
        return str(int(value) + 1)
    if len(value) % 2 == 0 and set(value) <= set("0123456789abcdef"):
        return f"{int(value[:2], 16) ^ 1:02x}{value[2:]}"
    return value + "x"


if __name__ == "__main__":
    FILE.write_text(json.dumps(build(), indent=1) + "\n")
