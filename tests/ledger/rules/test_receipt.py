"""Receipts: the site's checker and the standalone script give the verdict of every shared vector.

The browser's checker is held to the same vectors in ``tests/js/receipt.test.mjs``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules import receipt
from ledger.rules.receipt import BadReceipt
from tests.ledger.rules import vectors

SCRIPT = Path(__file__).resolve().parents[3] / "docs" / "check_receipt.py"
VECTORS = json.loads(vectors.FILE.read_text())
CASES = VECTORS["cases"]


def load_script() -> ModuleType:
    spec = spec_from_file_location("check_receipt", SCRIPT)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def trust(case: dict[str, Any]) -> tuple[list[bytes] | None, dict[int, bytes] | None]:
    keys, heads = case.get("keys"), case.get("heads")
    return (
        None if keys is None else [bytes.fromhex(key) for key in keys],
        None if heads is None else {int(seq): bytes.fromhex(root) for seq, root in heads.items()},
    )


def document(case: dict[str, Any]) -> Any:
    return vectors.changed(VECTORS["bases"][case["base"]], case["changes"])


def test_the_vectors_are_what_the_rules_make() -> None:
    assert json.loads(json.dumps(vectors.build())) == VECTORS


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['verdict']}-{case['base']}-{case['changes']}"[:60]
)
def test_both_checkers_give_the_verdict(case: dict[str, Any]) -> None:
    keys, heads = trust(case)
    try:
        receipt.check(document(case), verify, trusted_keys=keys, published=heads)
        ours = "ok"
    except BadReceipt as bad:
        ours = bad.code
    try:
        script.check(document(case), keys, heads)
        theirs = "ok"
    except script.Bad as bad:
        theirs = bad.args[0]
    assert (ours, theirs) == (case["verdict"], case["verdict"])


def test_a_good_receipt_says_what_it_proves() -> None:
    checked = receipt.check_receipt(VECTORS["bases"]["receipt 6/7 under 9"], verify)
    assert (checked.transaction, checked.seal, checked.head.seq) == (27, 6, 9)


@pytest.mark.parametrize("value", [None, [], "receipt", 7, {}, {"format": []}])
def test_anything_else_is_malformed(value: Any) -> None:
    with pytest.raises(BadReceipt, match="malformed"):
        receipt.check(value, verify)
    with pytest.raises(script.Bad, match="malformed"):
        script.check(value)


def test_a_head_reads_back_as_it_was_written() -> None:
    shown = VECTORS["bases"]["prefix 3 of 7"]["old"]
    assert receipt.head_json(receipt.read_head(shown)) == shown


# --- The script by itself -------------------------------------------------------------------------------------------


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    base = VECTORS["bases"]["receipt 6/7 under 9"]
    good.write_text(json.dumps(base))
    bad.write_text(json.dumps(vectors.changed(base, [["transaction", "id", "28"]])))
    return str(good), str(bad)


def test_the_script_proves_and_refuses_from_the_command_line(files: tuple[str, str], tmp_path: Path) -> None:
    good, bad = files
    proven = run(good)
    assert (proven.returncode, proven.stderr) == (0, "")
    assert "OK: transaction 27 is in seal 6, under head 9" in proven.stdout
    assert "compare the key" in proven.stdout
    refused = run(good, bad)
    assert refused.returncode == 1
    assert "NOT PROVEN: transaction_mismatch" in refused.stdout


def test_the_script_takes_trusted_keys_and_published_heads(files: tuple[str, str], tmp_path: Path) -> None:
    good, _ = files
    head = VECTORS["bases"]["receipt 6/7 under 9"]["head"]
    heads = tmp_path / "heads.jsonl"
    heads.write_text(json.dumps(head) + "\n")
    trusted = run(good, "--key", head["public_key"], "--heads", str(heads))
    assert trusted.returncode == 0
    assert "compare" not in trusted.stdout
    assert run(good, "--key", "00" * 32).returncode == 1
    heads.write_text(json.dumps({**head, "seq": "8"}) + "\n")
    assert run(good, "--heads", str(heads)).returncode == 1


def test_the_script_says_which_file_it_cannot_read(files: tuple[str, str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for arguments in ([str(broken)], [str(tmp_path / "none.json")], [files[0], "--key", "xyz"]):
        failed = run(*arguments)
        assert failed.returncode == 2
        assert failed.stderr.startswith("cannot read: ")
        assert "Traceback" not in failed.stderr


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(0, 511))
def test_the_script_verifies_signatures_as_openssl_does(seed: bytes, message: bytes, bit: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public = key.public_key().public_bytes_raw()
    signature = bytearray(key.sign(message))
    assert script.signed(public, message, bytes(signature))
    signature[bit // 8] ^= 1 << bit % 8
    assert not script.signed(public, message, bytes(signature))
    assert not verify(public, message, bytes(signature))
