"""What a live check of a transaction's proof looked at, in steps that a person can follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from ledger.errors import NotSealed
from ledger.services.heads import BadHeadsFile, last_head
from ledger.services.receipts import Proof, check_proof


@dataclass(frozen=True)
class ShownProof:
    """A proof as the page tells it. ``sealed`` false: there is none yet. ``holds`` is the answer.

    ``seal`` is the seal's number, None where no receipt could be made."""

    sealed: bool
    seal: int | None = None
    holds: bool = False
    fault: str = ""
    steps: list[tuple[str, str]] = field(default_factory=list)


def show_proof(transaction: int) -> ShownProof:
    """Make the transaction's receipt, check it as an outsider would, and compare its head with the published one."""
    try:
        proof = check_proof(transaction=transaction)
    except NotSealed:
        return ShownProof(sealed=False)
    if proof.checked is None:
        return ShownProof(sealed=True, seal=_seal(proof), fault=f"{proof.code}: {proof.detail}")
    published, fault = _compare_with_heads_file(proof)
    steps = [*_steps(proof.receipt), published]
    return ShownProof(sealed=True, seal=_seal(proof), holds=not fault, fault=fault, steps=steps)


def _seal(proof: Proof) -> int | None:
    """The seal that the proof itself names: what was read before it may not have been sealed yet."""
    return int(proof.receipt["seal"]["seq"]) if proof.receipt else None


def _steps(receipt: dict[str, Any]) -> list[tuple[str, str]]:
    leaf, seal, head = receipt["leaf"], receipt["seal"], receipt["head"]
    return [
        (_("Fields, accounts and postings give the leaf"), leaf["hash"]),
        (
            _("The leaf, as number %(index)s of %(n)s, leads in %(steps)d steps to the root of seal %(seal)s")
            % {"index": leaf["index"], "n": seal["n"], "steps": len(leaf["path"]), "seal": seal["seq"]},
            seal["root"],
        ),
        (
            _("Root, range, totals and the seal before give the hash of seal %(seal)s")
            % {"seal": seal["seq"]},
            seal["hash"],
        ),
        (
            _("The seal leads in %(steps)d steps to the root over all seals in head %(head)s")
            % {"steps": len(receipt["log"]["path"]), "head": head["seq"]},
            head["log_root"],
        ),
        (
            _("Head %(head)s is signed with a key of this club") % {"head": head["seq"]},
            head["public_key"],
        ),
    ]


def _compare_with_heads_file(proof: Proof) -> tuple[tuple[str, str], str]:
    """The last step, with the head as it stands in the file outside the database; and the fault, if there is one."""
    head = proof.receipt["head"]
    try:
        line = last_head()
    except BadHeadsFile as error:
        return ("", ""), f"bad_heads_file: {error}"
    if line is None or line.head.seq != int(head["seq"]):
        text = _("Head %(head)s is not in the file of heads yet; it is added within seconds")
        return (text % {"head": head["seq"]}, ""), ""
    if line.head.log_root.hex() != head["log_root"]:
        fault = _("the file of heads, outside the database, has another head %(head)s") % {
            "head": head["seq"]
        }
        return ("", ""), f"head_mismatch: {fault}"
    text = _("Head %(head)s is the one in the file of heads, outside the database")
    return (text % {"head": head["seq"]}, line.head.log_root.hex()), ""
