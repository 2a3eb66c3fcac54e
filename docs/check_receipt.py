"""Check receipts and prefix proofs of the ledger, without the site and without any package.

    python check_receipt.py FILE... [--key HEX] [--heads FILE]

`--key` is a public key you trust (64 hexadecimal digits, from the page of heads; may be repeated).
`--heads` is a copy of the site's file of heads: the head must then be in it.
Without both, a receipt shows only that the holder of the key it names signed it.
Exit code 0: everything holds; 1: something does not; 2: a file cannot be read.

docs/seals.md describes every byte that is hashed here.
"""

import argparse
import json
import re
import struct
import sys
from datetime import UTC, datetime
from hashlib import sha256, sha512
from pathlib import Path


class Bad(Exception):
    """What does not hold: a code and a sentence."""


def demand(condition, code, sentence):
    if not condition:
        raise Bad(code, sentence)


# --- Values, strictly as the format has them ---------------------------------------------------------------------


def fields(value, names, also=""):
    names, also = names.split(), also.split()
    fine = isinstance(value, dict) and set(names) <= set(value) <= set(names) | set(also)
    demand(fine, "malformed", f"expected the fields {', '.join(names)}")
    return [value[name] for name in names]


def items(value):
    demand(isinstance(value, list), "malformed", "expected a list")
    return value


def integer(value):
    fine = isinstance(value, str) and re.fullmatch(r"0|-?[1-9][0-9]{0,18}", value, re.ASCII)
    demand(fine and -(2**63) <= int(value) < 2**63, "malformed", f"not a 64-bit integer: {value!r}")
    return int(value)


def raw(value, size=None):
    fine = isinstance(value, str) and re.fullmatch(r"([0-9a-f]{2})*", value, re.ASCII)
    demand(
        fine and size in (None, len(value) // 2), "malformed", f"not hexadecimal of that length: {value!r}"
    )
    return bytes.fromhex(value)


def text(value):
    try:
        return str.encode(value)
    except (TypeError, UnicodeEncodeError):
        raise Bad("malformed", f"not a text: {value!r}") from None


def moment(value):
    fine = isinstance(value, str) and re.fullmatch(
        r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", value, re.ASCII
    )
    demand(fine, "malformed", f"not a time: {value!r}")
    try:
        since = datetime.fromisoformat(value[:-1] + "+00:00") - datetime(1970, 1, 1, tzinfo=UTC)
    except ValueError:
        raise Bad("malformed", f"not a time: {value!r}") from None
    return (since.days * 86400 + since.seconds) * 1_000_000 + since.microseconds


# --- Canonical bytes ----------------------------------------------------------------------------------------------


def f(value):
    """One field: its length, then its value."""
    if value is None:
        value = b""
    elif isinstance(value, int):
        value = struct.pack(">q", value)
    return struct.pack(">I", len(value)) + value


def record(magic, *values):
    return magic + b"".join(f(value) for value in values)


def account(value):
    id, kind, ref, owner, asset, scale = fields(value, "id kind ref owner asset scale")
    holder = None if owner is None else raw(owner, 16)
    return record(b"", integer(id), text(kind), text(ref), holder, text(asset), integer(scale))


def posting(value):
    names = "n debit credit amount debit_after debit_seq credit_after credit_seq"
    n, debit, credit, *numbers = fields(value, names)
    return record(b"", integer(n), account(debit), account(credit), *(integer(x) for x in numbers))


def transaction(value):
    names = "id key fingerprint kind state resolves reverses source salt note_hash at xid postings"
    id, key, fingerprint, kind, state, resolves, reverses, source, salt, note, at, xid, postings = fields(
        value, names
    )
    moves = [posting(each) for each in items(postings)]
    return record(
        b"club-ledger transaction\x00\x01",
        integer(id),
        text(key),
        raw(fingerprint),
        text(kind),
        text(state),
        None if resolves is None else integer(resolves),
        None if reverses is None else integer(reverses),
        text(source),
        raw(salt),
        None if note is None else raw(note, 32),
        moment(at),
        integer(xid),
        len(moves),
        *moves,
    )


def seal_record(value):
    names = "seq epoch from_xid to_xid n previous root totals sealed_at hash"
    *numbers, previous, root, totals, sealed_at, _ = fields(value, names)
    lines = []
    for total in items(totals):
        asset, *rest = fields(total, "asset scale postings amount")
        lines.append(record(b"", text(asset), *(integer(x) for x in rest)))
    return record(
        b"club-ledger seal\x00\x01",
        *(integer(x) for x in numbers),
        raw(previous, 32),
        raw(root, 32),
        moment(sealed_at),
        len(lines),
        *lines,
    )


# --- Trees --------------------------------------------------------------------------------------------------------


def leaf_hash(data):
    return sha256(b"\x00" + data).digest()


def node_hash(left, right):
    return sha256(b"\x01" + left + right).digest()


def climb(index, size, path, code, *nodes):
    """Follow a path from place `index` up in a tree of `size` leaves.

    One node: its root. Two nodes: the old and the new root of a prefix proof, where the
    old one grows only on the left, as it has nothing on the right."""
    demand(0 <= index < size, code, "the place is not in the tree")
    last = size - 1
    for sibling in path:
        demand(last, code, "the path is too long")
        if index & 1 or index == last:
            nodes = [node_hash(sibling, node) for node in nodes]
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            nodes = [*nodes[:-1], node_hash(nodes[-1], sibling)]
        index, last = index >> 1, last >> 1
    demand(not last, code, "the path is too short")
    return nodes


def hashes(value):
    return [raw(each, 32) for each in items(value)]


# --- Ed25519 (RFC 8032, 5.1.7) ------------------------------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, g, h, i = b - a, d - c, d + c, b + a
    return (e * g % P, h * i % P, g * h % P, e * i % P)


def multiply(point, number):
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = add(result, point)
        point, number = add(point, point), number >> 1
    return result


def decode(data):
    """The point that 32 bytes stand for, or None."""
    value = int.from_bytes(data, "little")
    y, odd = value & (2**255 - 1), value >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (not x and odd):
        return None
    x = x if x & 1 == odd else P - x
    return (x, y, 1, x * y % P)


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def signed(key, message, signature):
    point, s = decode(key), int.from_bytes(signature[32:], "little")
    if point is None or s >= L:
        return False
    h = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % L
    x, y, z, _ = add(multiply(BASE, s), multiply((P - point[0], *point[1:3], P - point[3]), h))
    x, y = x * pow(z, -1, P) % P, y * pow(z, -1, P) % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


# --- Checking -----------------------------------------------------------------------------------------------------


def read_head(value):
    names = "seq hash log_root sealed_at key_id public_key signature"
    seq, hash, log_root, sealed_at, name, key, signature = fields(value, names)
    return {
        "seq": integer(seq),
        "hash": raw(hash, 32),
        "root": raw(log_root, 32),
        "at": moment(sealed_at),
        "name": text(name),
        "key": raw(key, 32),
        "signature": raw(signature, 64),
    }


def check_head(head, keys, heads):
    seq, root, name, key = head["seq"], head["root"], head["name"], head["key"]
    demand(sha256(key).hexdigest()[:16].encode() == name, "key_mismatch", "the key's name is not the key's")
    message = record(b"club-ledger head\x00\x01", seq, head["hash"], root, head["at"], name)
    demand(signed(key, message, head["signature"]), "signature_invalid", "the signature is not by its key")
    demand(keys is None or key in keys, "key_untrusted", f"key {name.decode()} is not one you trust")
    demand(heads is None or heads.get(seq) == root, "head_unpublished", f"head {seq} is not published")


def check_receipt(receipt, keys=None, heads=None):
    names = "format transaction leaf seal log head"
    _, moved, leaf, seal, log, head = fields(receipt, names, also="note")
    data = transaction(moved)
    if "note" in receipt:
        salt, words = fields(receipt["note"], "salt text")
        digest = sha256(raw(salt) + text(words)).hexdigest()
        demand(digest == moved["note_hash"], "note_mismatch", "the note is another one")
    sealed = leaf_hash(seal_record(seal))
    demand(sealed == raw(seal["hash"], 32), "seal_mismatch", "the seal's fields do not give its hash")
    hash, index, path = fields(leaf, "hash index path")
    hash, index, path = raw(hash, 32), integer(index), hashes(path)
    demand(leaf_hash(data) == hash, "transaction_mismatch", "the transaction is not as it was sealed")
    (root,) = climb(index, integer(seal["n"]), path, "path_mismatch", hash)
    demand(root == raw(seal["root"], 32), "path_mismatch", "the path does not lead to the seal's root")
    head, seq = read_head(head), integer(seal["seq"])
    (path,) = fields(log, "path")
    (root,) = climb(seq - 1, head["seq"], hashes(path), "log_mismatch", sealed)
    fits = root == head["root"] and (seq != head["seq"] or sealed == head["hash"])
    demand(fits, "log_mismatch", "the path does not lead to the head's root")
    check_head(head, keys, heads)
    return f"transaction {moved['id']} is in seal {seq}, under head {head['seq']}"


def check_prefix(proof, keys=None, heads=None):
    _, old, new, path = fields(proof, "format old new path")
    old, new, path = read_head(old), read_head(new), hashes(path)
    code = "prefix_mismatch"
    demand(0 < old["seq"] <= new["seq"], code, "the older head comes after the newer")
    if old["seq"] == new["seq"]:
        demand(not path and old["root"] == new["root"], code, "two heads of one number differ")
    else:
        if old["seq"] & (old["seq"] - 1) == 0:
            path = [old["root"], *path]
        demand(path, code, "the path is too short")
        index, last = old["seq"] - 1, new["seq"] - 1
        while index & 1:
            index, last = index >> 1, last >> 1
        roots = climb(index, last + 1, path[1:], code, path[0], path[0])
        demand(roots == [old["root"], new["root"]], code, "the path does not lead to both roots")
    check_head(old, keys, heads)
    check_head(new, keys, heads)
    return f"head {old['seq']} is a prefix of head {new['seq']}"


def check(value, keys=None, heads=None):
    """Say what a receipt or a prefix proof proves. Raises Bad."""
    kinds = {"club-ledger-receipt/1": check_receipt, "club-ledger-prefix/1": check_prefix}
    name = value.get("format") if isinstance(value, dict) else None
    demand(isinstance(name, str) and name in kinds, "malformed", f"unknown format {name!r}")
    return kinds[name](value, keys, heads)


def main():
    parser = argparse.ArgumentParser(description="Check receipts and prefix proofs of the ledger.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--key", action="append", metavar="HEX", help="a public key you trust")
    parser.add_argument("--heads", metavar="FILE", help="a copy of the file of heads")
    options = parser.parse_args()
    try:
        keys = [bytes.fromhex(key) for key in options.key] if options.key else None
        heads = None
        if options.heads:
            lines = [json.loads(line) for line in Path(options.heads).read_text("utf-8").splitlines()]
            heads = {int(line["seq"]): bytes.fromhex(line["log_root"]) for line in lines}
        values = [(name, json.loads(Path(name).read_text("utf-8"))) for name in options.files]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(print(f"cannot read: {error}", file=sys.stderr) or 2)
    failed = 0
    for name, value in values:
        try:
            print(f"{name}: OK: {check(value, keys, heads)}")
        except Bad as bad:
            failed = 1
            print(f"{name}: NOT PROVEN: {bad.args[0]}: {bad.args[1]}")
    if not failed and keys is None and heads is None:
        print("compare the key with the site's page of heads, or give --key or --heads")
    sys.exit(failed)


if __name__ == "__main__":
    main()
