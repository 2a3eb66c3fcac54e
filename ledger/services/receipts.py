"""Receipts: everything that proves one transaction, in one small JSON document.

``ledger.rules.receipt`` says what is in it and checks it; so do, without the
site, ``docs/check_receipt.py`` and the page that runs ``static/ledger/receipt.js``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ledger.errors import NotSealed, UnknownSeal, UnknownTransaction
from ledger.models import Account, Leaf, Posting, Seal, Transaction
from ledger.rules import merkle
from ledger.rules.canonical import microseconds
from ledger.rules.receipt import (
    PREFIX_FORMAT,
    RECEIPT_FORMAT,
    BadReceipt,
    Checked,
    check_receipt,
    head_json,
    time_json,
)
from ledger.services.heads import head_of
from ledger.services.leaves import snapshot
from ledger.services.seal_log import prefix_path, seal_path
from ledger.services.signing import KnownKey, known_keys, verify_signature

Json = dict[str, Any]


@dataclass(frozen=True)
class Proof:
    """What a live check of one transaction's receipt said: ``checked``, or the fault's code and sentence."""

    receipt: Json
    checked: Checked | None
    code: str = ""
    detail: str = ""


def make_receipt(*, transaction: int, head: int | None = None, with_note: bool = False) -> Json:
    """The receipt of a transaction under the head of seal ``head``, by default the newest.

    ``with_note`` adds the transaction's note, if it has one that was not erased; who
    may read it is the caller's to decide. Raises ``UnknownTransaction``, ``NotSealed``,
    and ``UnknownSeal`` when there is no such head or it is older than the transaction."""
    with snapshot():
        found = Transaction.objects.select_related("note").filter(pk=transaction).first()
        if found is None:
            raise UnknownTransaction(transaction=transaction)
        leaf = Leaf.objects.select_related("seal").filter(transaction=transaction).first()
        if leaf is None:
            raise NotSealed(transaction=transaction)
        newest = _seal(head)
        if newest.seq < leaf.seal_id:
            raise UnknownSeal(seal=newest.seq)
        receipt = {
            "format": RECEIPT_FORMAT,
            "transaction": transaction_json(found),
            "leaf": _leaf(leaf),
            "seal": seal_json(leaf.seal),
            "log": {"path": [step.hex() for step in seal_path(leaf.seal_id, newest.seq)]},
            "head": head_json(head_of(newest, known_keys())),
        }
        note = getattr(found, "note", None)
        if with_note and note is not None:
            receipt["note"] = {"salt": bytes(note.salt).hex(), "text": note.text}
        return receipt


def check_proof(*, transaction: int) -> Proof:
    """Make a transaction's receipt and check it as an outsider would, against the keys of the site.

    Raises as ``make_receipt`` does; a receipt that proves nothing is an answer, not an error."""
    try:
        receipt = make_receipt(transaction=transaction, with_note=True)
    except (LookupError, TypeError, ValueError) as missing:
        return Proof({}, None, "rows_missing", f"the rows that make the proof do not fit together: {missing}")
    keys = {key.public_key for key in known_keys().values()}
    try:
        return Proof(receipt, check_receipt(receipt, verify_signature, trusted_keys=keys))
    except BadReceipt as fault:
        return Proof(receipt, None, fault.code, fault.detail)


def make_prefix_proof(*, old: int, new: int | None = None) -> Json:
    """Proof that the log at seal ``old`` is a prefix of the log at ``new``, by default the newest.

    Raises ``UnknownSeal``, also when ``old`` comes after ``new``."""
    with snapshot():
        older, newer = _seal(old), _seal(new)
        if older.seq > newer.seq:
            raise UnknownSeal(seal=old)
        keys = known_keys()
        return {
            "format": PREFIX_FORMAT,
            "old": head_json(head_of(older, keys)),
            "new": head_json(head_of(newer, keys)),
            "path": [step.hex() for step in prefix_path(older.seq, newer.seq)],
        }


@dataclass(frozen=True)
class ListedHead:
    """A head as the public page shows it; hashes, key and signature in hexadecimal."""

    seq: int
    sealed_at: datetime
    transactions: int
    epoch: int
    hash: str
    log_root: str
    key_id: str
    public_key: str
    signature: str


def list_heads(*, before: int | None = None, limit: int = 50) -> list[ListedHead]:
    """Heads for the public page, the newest first; ``before`` is the last number of the page before."""
    seals = Seal.objects.order_by("-seq")
    if before is not None:
        seals = seals.filter(seq__lt=before)
    keys = known_keys()
    return [_listed(seal, keys.get(seal.key_id)) for seal in seals[:limit]]


def _listed(seal: Seal, key: KnownKey | None) -> ListedHead:
    """A head to show; one by an unknown key is shown without it, and found by verification."""
    return ListedHead(
        seq=seal.seq,
        sealed_at=seal.sealed_at,
        transactions=seal.n,
        epoch=seal.epoch,
        hash=bytes(seal.hash).hex(),
        log_root=bytes(seal.log_root).hex(),
        key_id=seal.key_id,
        public_key=key.public_key.hex() if key else "",
        signature=bytes(seal.signature).hex(),
    )


def _seal(seq: int | None) -> Seal:
    seals = Seal.objects.order_by("-seq")
    found = seals.first() if seq is None else seals.filter(seq=seq).first()
    if found is None:
        raise UnknownSeal(seal=seq)
    return found


def transaction_json(found: Transaction, postings: Iterable[Posting] | None = None) -> Json:
    """A transaction as it stands in receipts and archives; ``postings`` are its own in order, if they are at hand."""
    if postings is None:
        postings = found.postings.select_related("debit__asset", "credit__asset").order_by("n")
    return {
        "id": str(found.pk),
        "key": found.key,
        "fingerprint": bytes(found.fingerprint).hex(),
        "kind": found.kind,
        "state": found.state,
        "resolves": _optional(found.resolves_id),
        "reverses": _optional(found.reverses_id),
        "source": found.source,
        "salt": bytes(found.salt).hex(),
        "note_hash": None if found.note_hash is None else bytes(found.note_hash).hex(),
        "at": time_json(microseconds(found.at)),
        "xid": str(found.xid),
        "postings": [_posting(posting) for posting in postings],
    }


def _posting(posting: Posting) -> Json:
    numbers = ("n", "amount", "debit_after", "debit_seq", "credit_after", "credit_seq")
    return {
        **{name: str(getattr(posting, name)) for name in numbers},
        "debit": account_json(posting.debit),
        "credit": account_json(posting.credit),
    }


def account_json(account: Account) -> Json:
    """An account as it stands in every posting."""
    return {
        "id": str(account.pk),
        "kind": account.kind,
        "ref": account.ref,
        "owner": None if account.owner is None else account.owner.hex,
        "asset": account.asset.code,
        "scale": str(account.asset.scale),
    }


def _leaf(leaf: Leaf) -> Json:
    hashes = [
        bytes(hash)
        for hash in Leaf.objects.filter(seal=leaf.seal_id).order_by("index").values_list("hash", flat=True)
    ]
    return {
        "hash": bytes(leaf.hash).hex(),
        "index": str(leaf.index),
        "path": [step.hex() for step in merkle.inclusion_path(hashes, leaf.index)],
    }


def seal_json(seal: Seal) -> Json:
    """A seal as it stands in receipts and archives."""
    return {
        "seq": str(seal.seq),
        "epoch": str(seal.epoch),
        "from_xid": str(seal.from_xid),
        "to_xid": str(seal.to_xid),
        "n": str(seal.n),
        "previous": bytes(seal.previous).hex(),
        "root": bytes(seal.root).hex(),
        "totals": [
            {"asset": code, "scale": str(scale), "postings": str(postings), "amount": str(amount)}
            for code, scale, postings, amount in seal.totals
        ],
        "sealed_at": time_json(microseconds(seal.sealed_at)),
        "hash": bytes(seal.hash).hex(),
    }


def _optional(number: int | None) -> str | None:
    return None if number is None else str(number)
