"""Receipts made by the site prove themselves to every checker, under the newest head and under older ones."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import NotSealed, UnknownSeal, UnknownTransaction
from ledger.models import Seal
from ledger.rules.receipt import BadReceipt, Checked, check_prefix, check_receipt
from ledger.services.receipts import check_proof, list_heads, make_prefix_proof, make_receipt
from ledger.services.signing import known_keys, rotate_key, verify_signature
from tests.ledger.books import Book, open_book, post, seal_everything, small_book
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.committed
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def book() -> Book:
    """A sealed book of seven seals, the last two under a second key, with a note in the third."""
    made = small_book()
    seal_everything(seal_size=4)
    rotate_key()
    made.play(1)
    seal_everything(seal_size=2)
    assert Seal.objects.count() == 7
    return made


def proven(receipt: Any) -> Checked:
    keys = [key.public_key for key in known_keys().values()]
    return check_receipt(json.loads(json.dumps(receipt)), verify_signature, trusted_keys=keys)


def test_every_transaction_is_proven_under_the_newest_head(book: Book) -> None:
    for id in book.transactions:
        checked = proven(make_receipt(transaction=id))
        assert (checked.transaction, checked.head.seq) == (id, 7)


def test_a_transaction_is_proven_under_every_head_since_its_seal(book: Book) -> None:
    id = book.transactions[5]
    for head in range(2, 8):
        assert proven(make_receipt(transaction=id, head=head)).seal == 2
    for head in (1, 8):
        with pytest.raises(UnknownSeal):
            make_receipt(transaction=id, head=head)


def test_every_head_is_a_prefix_of_every_later_one(book: Book) -> None:
    for old in range(1, 8):
        for new in range(old, 8):
            found = check_prefix(make_prefix_proof(old=old, new=new), verify_signature)
            assert [head.seq for head in found] == [old, new]
    assert make_prefix_proof(old=3) == make_prefix_proof(old=3, new=7)
    with pytest.raises(UnknownSeal):
        make_prefix_proof(old=5, new=4)


def test_a_receipt_shows_what_happened(book: Book) -> None:
    receipt = make_receipt(transaction=book.transactions[4])
    (posting,) = receipt["transaction"]["postings"]
    assert (posting["debit"]["kind"], posting["credit"]["kind"], posting["amount"]) == ("seat", "pot", "10")
    assert posting["debit"]["asset"] == "CHIPS"
    assert receipt["transaction"]["source"] == "test/1/ante"


def test_the_note_is_in_the_receipt_for_who_may_read_it(book: Book) -> None:
    id = post((book.mint, book.wallets[0], 5), note="for the tournament “Suvi”")
    seal_everything()
    assert "note" not in make_receipt(transaction=id)
    receipt = make_receipt(transaction=id, with_note=True)
    assert receipt["note"]["text"] == "for the tournament “Suvi”"
    assert proven(receipt).transaction == id
    receipt["note"]["text"] = "for something else"
    with pytest.raises(BadReceipt, match="note_mismatch"):
        proven(receipt)


def test_what_is_not_sealed_or_not_there_has_no_receipt(book: Book) -> None:
    young = book.issue()
    with pytest.raises(NotSealed) as refused:
        make_receipt(transaction=young)
    assert refused.value.params == {"transaction": young}
    with pytest.raises(UnknownTransaction):
        make_receipt(transaction=young + 1)


def test_there_is_no_head_before_the_first_seal() -> None:
    open_book().issue()
    with pytest.raises(UnknownSeal):
        make_prefix_proof(old=1)
    assert list_heads() == []


def test_the_live_check_says_what_is_wrong(book: Book) -> None:
    id = book.transactions[6]
    good = check_proof(transaction=id)
    assert good.checked
    assert good.checked.transaction == id
    tamper(f"UPDATE ledger_posting SET amount = amount + 1 WHERE transaction_id = {id}")
    bad = check_proof(transaction=id)
    assert (bad.checked, bad.code) == (None, "transaction_mismatch")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE ledger_leaf SET index = 99 WHERE transaction_id = {id}", "rows_missing"),
        ("DELETE FROM ledger_seal WHERE seq = 4", "rows_missing"),
        ("UPDATE ledger_seal SET key_id = 'gone' WHERE seq = 7", "rows_missing"),
        (
            "UPDATE ledger_leaf SET hash = decode(repeat('00', 32), 'hex') WHERE transaction_id = {id} + 1",
            "path_mismatch",
        ),
        ("UPDATE ledger_seal SET n = n + 1 WHERE seq = 2", "seal_mismatch"),
        ("UPDATE ledger_seal SET nodes = decode(repeat('00', 96), 'hex') WHERE seq = 4", "log_mismatch"),
        (
            "UPDATE ledger_seal SET signature = decode(repeat('00', 64), 'hex') WHERE seq = 7",
            "signature_invalid",
        ),
    ],
)
def test_the_live_check_names_every_broken_link(book: Book, statement: str, code: str) -> None:
    id = book.transactions[4]
    tamper(statement.format(id=id))
    assert check_proof(transaction=id).code == code


def test_heads_are_listed_page_by_page(book: Book) -> None:
    first = list_heads(limit=3)
    assert [head.seq for head in first] == [7, 6, 5]
    assert [head.seq for head in list_heads(before=5, limit=10)] == [4, 3, 2, 1]
    assert first[0].log_root == make_receipt(transaction=book.transactions[0])["head"]["log_root"]
    assert {head.key_id for head in list_heads()} == set(known_keys())


def test_the_standalone_script_accepts_what_the_site_makes(
    book: Book, tmp_path: Path, proof_files: Path
) -> None:
    receipt, prefix = tmp_path / "receipt.json", tmp_path / "prefix.json"
    receipt.write_text(json.dumps(make_receipt(transaction=book.transactions[9], with_note=True)))
    prefix.write_text(json.dumps(make_prefix_proof(old=3)))
    command = [sys.executable, "-I", *map(str, (PROJECT / "docs" / "check_receipt.py", receipt, prefix))]
    trust = ["--heads", str(proof_files / "heads.jsonl")]
    for key in known_keys().values():
        trust += ["--key", key.public_key.hex()]
    done = subprocess.run([*command, *trust], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": OK: ") == 2


@pytest.mark.skipif(shutil.which("node") is None, reason="no node is installed here")
def test_the_browser_s_checker_accepts_what_the_site_makes(book: Book) -> None:
    documents = [make_receipt(transaction=id) for id in book.transactions] + [make_prefix_proof(old=3)]
    program = """
    import { check } from "./static/ledger/receipt.js";
    let text = "";
    for await (const part of process.stdin) text += part;
    for (const document of JSON.parse(text)) console.log((await check(document)).format);
    """
    done = subprocess.run(
        ["node", "--input-type=module", "-e", program],
        input=json.dumps(documents),
        capture_output=True,
        text=True,
        check=False,
        cwd=PROJECT,
        timeout=60,
    )
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == len(documents)
