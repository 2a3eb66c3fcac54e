"""What the database refuses to the site's role, verification finds after the tables' owner has done it.

Each row of the matrix is a way to falsify the book. As the site's role every statement of it is
refused and nothing changes. As the owner of the tables, with all guards and
foreign keys out of the way and the guards put back afterwards, it goes through;
then verification names the row.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, transaction

from ledger.models import Leaf, Seal
from ledger.rules import canonical, merkle
from ledger.services.leaves import POSTING_COLUMNS, TRANSACTION_COLUMNS, AccountNames, leaf_data, stream
from ledger.services.signing import current_signer
from ledger.services.verifying import verify
from tests.conftest import Filled
from tests.ledger.books import Book, own_copy, proofs_in, seal_everything, small_book
from tests.ledger.tamper_matrix import ASLEEP, CELLS, DAMAGES, GUARDS, Cell, id_of, matrix
from tests.ledger.tampering import run, tamper


def sealed_book(folder: Path) -> Book:
    """A sealed book of four seals; cells tamper with a transaction of the second."""
    with proofs_in(folder):
        made = small_book()
        seal_everything(seal_size=5)
        assert Seal.objects.count() == 4
        assert verify(steps="abc").fault is None
    return made


pytestmark = pytest.mark.committed(filled=sealed_book)


@pytest.fixture
def book(filled: Filled, proof_files: Path) -> Book:
    """The sealed book, with its key and its heads where this test has them."""
    made: Book = own_copy(filled, proof_files)
    return made


def placed(text: str, book: Book) -> str:
    target = book.transactions[6]
    return text.format(t=target, w=book.wallets[0], first=book.transactions[0], last=book.transactions[-1])


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: id_of(cell.name))
def test_owner_is_found(book: Book, cell: Cell) -> None:
    tamper(*(placed(statement, book) for statement in cell.statements))
    fault = verify(steps="abc").fault
    assert fault, "not found"
    named = {name: eval(placed(value, book)) for name, value in cell.names.items()}
    assert (fault.code, {name: fault.places()[name] for name in named}) == (cell.code, named)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: id_of(cell.name))
def test_site_is_refused(
    book: Book, cell: Cell, site_role: Callable[[], AbstractContextManager[None]]
) -> None:
    with site_role():
        for statement in cell.statements:
            with pytest.raises(DatabaseError) as refused, transaction.atomic():
                run(placed(statement, book))
            assert refused.value.__cause__.sqlstate == "42501"  # type: ignore[union-attr]
    assert verify(steps="abc").fault is None


# --- Guards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GUARDS, ids=id_of)
def test_owner_takes_no_guard_away(book: Book, name: str) -> None:
    run(GUARDS[name])
    fault = verify(steps="abc").fault
    assert fault
    assert fault.code == "guard_missing"


@pytest.mark.parametrize("name", [*GUARDS, ASLEEP], ids=id_of)
def test_site_takes_no_guard_away(
    book: Book, name: str, site_role: Callable[[], AbstractContextManager[None]]
) -> None:
    with site_role(), pytest.raises(DatabaseError) as refused:
        run(GUARDS.get(name, "SET session_replication_role = replica"))
    assert refused.value.__cause__.sqlstate == "42501"  # type: ignore[union-attr]
    assert verify(steps="abc").fault is None


def test_rights_of_the_site_are_found(book: Book) -> None:
    run(f"GRANT UPDATE ON ledger_posting TO {settings.SITE_DB_ROLE}")
    fault = verify(steps="abc").fault
    assert fault
    assert fault.code == "role_too_strong"


# --- Somebody who does it thoroughly ----------------------------------------------------------------------------------


def rewrite_everything(book: Book, signature: bytes) -> None:
    """Change an amount and work out anew every balance, leaf, root, hash and link that follows from it."""
    changed = book.transactions[6]
    posting = run("SELECT debit_id, credit_id FROM ledger_posting WHERE transaction_id = %s", changed)[0]
    tamper(
        f"UPDATE ledger_posting SET amount = amount + 1 WHERE transaction_id = {changed}",
        *(
            f"UPDATE ledger_posting SET {side}_after = {side}_after {sign} 1"
            f" WHERE {side}_id = {account} AND transaction_id >= {changed}"
            for account, sign in ((posting[0], "-"), (posting[1], "+"))
            for side in ("debit", "credit")
        ),
        f"UPDATE ledger_account SET debits = debits + 1 WHERE id = {posting[0]}",
        f"UPDATE ledger_account SET credits = credits + 1 WHERE id = {posting[1]}",
    )
    reseal(signature)


def reseal(signature: bytes) -> None:
    """Leaves and seals as the sealer would have made them over the changed rows, but for the signature."""
    log = merkle.Frontier()
    previous = canonical.GENESIS
    for seal in Seal.objects.order_by("seq"):
        names = AccountNames()
        leaves = []
        amount = count = 0
        for leaf in Leaf.objects.filter(seal=seal).order_by("index"):
            with transaction.atomic():
                rows = list(
                    stream(
                        f"SELECT {TRANSACTION_COLUMNS}, {POSTING_COLUMNS} FROM ledger_transaction t"
                        " JOIN ledger_posting p ON p.transaction_id = t.id WHERE t.id = %s ORDER BY p.n",
                        [leaf.transaction_id],
                    )
                )
            leaves.append(merkle.leaf_hash(leaf_data(rows, names)))
            amount += sum(row[15] for row in rows)
            count += len(rows)
            tamper(
                f"UPDATE ledger_leaf SET hash = '\\x{leaves[-1].hex()}' WHERE transaction_id = {leaf.transaction_id}"
            )
        root = merkle.tree_root(leaves)
        totals = [("CHIPS", 0, count, amount)]
        hash = merkle.leaf_hash(
            canonical.seal_bytes(
                seal.seq, seal.epoch, seal.from_xid, seal.to_xid, seal.n, previous, root, totals,
                canonical.microseconds(seal.sealed_at),
            )
        )  # fmt: skip
        nodes = b"".join(log.append(hash))
        tamper(
            f"UPDATE ledger_seal SET root = '\\x{root.hex()}', previous = '\\x{previous.hex()}', hash = '\\x{hash.hex()}',"
            f" log_root = '\\x{log.root().hex()}', nodes = '\\x{nodes.hex()}', totals = '{json.dumps(totals)}',"
            f" signature = '\\x{signature.hex()}' WHERE seq = {seal.seq}"
        )
        previous = hash


def test_rewriting_without_the_key_is_found(book: Book) -> None:
    rewrite_everything(book, bytes(64))
    fault = verify(steps="abc").fault
    assert fault
    assert (fault.code, fault.seal) == ("signature", 1)


def test_rewriting_with_the_key_is_found(book: Book, proof_files: Path) -> None:
    """With the signing key all of the database can be made to fit; what was published cannot."""
    rewrite_everything(book, bytes(64))
    signer = current_signer()
    for seal in Seal.objects.order_by("seq"):
        message = canonical.head_bytes(
            seal.seq,
            bytes(seal.hash),
            bytes(seal.log_root),
            canonical.microseconds(seal.sealed_at),
            seal.key_id,
        )
        tamper(f"UPDATE ledger_seal SET signature = '\\x{signer.sign(message).hex()}' WHERE seq = {seal.seq}")
    fault = verify(steps="abc").fault
    assert fault
    assert (fault.code, fault.seal) == ("head_differs", 2)
    (proof_files / "heads.jsonl").unlink()
    assert verify(steps="abc").fault is None  # this is why the heads must be where the forger is not


@pytest.mark.parametrize("name", DAMAGES, ids=id_of)
def test_damage_to_heads_is_found(book: Book, proof_files: Path, name: str) -> None:
    damage, code = DAMAGES[name]
    heads = proof_files / "heads.jsonl"
    heads.write_text("".join(damage(heads.read_text().splitlines(keepends=True))))
    fault = verify(steps="abc").fault
    assert fault
    assert fault.code == code


# --- The matrix in the docs -------------------------------------------------------------------------------------------


def test_the_matrix_in_the_docs_is_this_one() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "ledger.md").read_text()
    section = text.partition("## The tamper matrix\n")[2].partition("\n## ")[0]
    shown = [line for line in section.splitlines() if line.startswith("| ")]
    assert shown[1:] == matrix()
