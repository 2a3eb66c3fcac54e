"""The tamper matrix: what the database refuses to the site's role, verification finds after its owner has done it.

Each row is a way to falsify the book. As the site's role every statement of it is
refused and nothing changes. As the owner of the tables, with all guards and
foreign keys out of the way and the guards put back afterwards, it goes through;
then verification names the row. The table in docs/seals.md is this list.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, transaction

from ledger.models import Leaf, Seal
from ledger.rules import canonical, merkle
from ledger.services.leaves import POSTING_COLUMNS, TRANSACTION_COLUMNS, AccountNames, leaf_data, stream
from ledger.services.signing import current_signer
from ledger.services.verifying import verify
from tests.ledger.books import Book, seal_everything, small_book
from tests.ledger.tampering import run, tamper

pytestmark = pytest.mark.committed

ZEROS = "decode(repeat('00', 32), 'hex')"


@dataclass(frozen=True)
class Cell:
    """One way to tamper. ``{t}`` is a sealed transaction's id, ``{w}`` a wallet's; ``names`` what the fault must name."""

    name: str
    statements: tuple[str, ...]
    code: str
    names: dict[str, str] = field(default_factory=dict)


CELLS = [
    # Edit
    Cell("edit an amount", ("UPDATE ledger_posting SET amount = amount + 1 WHERE transaction_id = {t}",),
         "leaf_mismatch", {"seal": "2", "transaction": "{t}"}),
    Cell("edit a running balance", ("UPDATE ledger_posting SET credit_after = credit_after + 1 WHERE transaction_id = {t}",),
         "leaf_mismatch", {"transaction": "{t}"}),
    Cell("edit whom a posting credits", ("UPDATE ledger_posting SET credit_id = {w} WHERE transaction_id = {t}",),
         "leaf_mismatch", {"transaction": "{t}"}),
    Cell("edit a source", ("UPDATE ledger_transaction SET source = 'elsewhere' WHERE id = {t}",),
         "leaf_mismatch", {"seal": "2", "transaction": "{t}"}),
    Cell("edit a time", ("UPDATE ledger_transaction SET at = at - interval '1 day' WHERE id = {t}",),
         "leaf_mismatch", {"transaction": "{t}"}),
    Cell("edit a time to for ever", ("UPDATE ledger_transaction SET at = 'infinity' WHERE id = {t}",),
         "unreadable", {"transaction": "{t}"}),
    Cell("edit a posting's time", ("UPDATE ledger_posting SET at = at - interval '1 day' WHERE transaction_id = {t}",),
         "posting_time", {"transaction": "{t}"}),
    Cell("make a hold of a posting", ("UPDATE ledger_transaction SET state = 'pending' WHERE id = {t}",),
         "leaf_mismatch", {"transaction": "{t}"}),
    Cell("edit an account's balance", ("UPDATE ledger_account SET credits = credits + 5 WHERE id = {w}",),
         "cached_totals", {"account": "{w}"}),
    Cell("edit what an account holds back", ("UPDATE ledger_account SET debits_pending = 1 WHERE id = {w}",),
         "cached_totals", {"account": "{w}"}),
    Cell("give an account to another owner", ("UPDATE ledger_account SET owner = gen_random_uuid() WHERE id = {w}",),
         "leaf_mismatch", {"seal": "1"}),
    Cell("rename an account", ("UPDATE ledger_account SET ref = 'another' WHERE id = {w}",),
         "leaf_mismatch", {"seal": "1"}),
    Cell("rename an asset", ("UPDATE ledger_asset SET code = 'OTHER'",), "leaf_mismatch", {"seal": "1"}),
    Cell("rewrite a note", ("UPDATE ledger_note SET text = 'another'",), "note_mismatch", {"transaction": "{last} - 1"}),
    Cell("lower a wallet's floor", ("UPDATE ledger_account SET min_balance = -500 WHERE id = {w}",),
         "floor_off_record", {"account": "{w}"}),
    # Delete
    Cell("delete a posting", ("DELETE FROM ledger_posting WHERE transaction_id = {t}",),
         "leaf_mismatch", {"seal": "2", "transaction": "{t}"}),
    Cell("delete a transaction, leaving its leaf",
         ("DELETE FROM ledger_posting WHERE transaction_id = {t}", "DELETE FROM ledger_transaction WHERE id = {t}"),
         "leaf_order", {"seal": "2", "transaction": "{t}"}),
    Cell("delete a transaction and its leaf",
         ("DELETE FROM ledger_posting WHERE transaction_id = {t}", "DELETE FROM ledger_transaction WHERE id = {t}",
          "DELETE FROM ledger_leaf WHERE transaction_id = {t}"),
         "leaf_missing", {"seal": "2"}),
    Cell("delete a leaf", ("DELETE FROM ledger_leaf WHERE transaction_id = {t}",),
         "never_sealed", {"transaction": "{t}"}),
    Cell("delete a seal", ("DELETE FROM ledger_seal WHERE seq = 2",), "seal_missing", {"seal": "2"}),
    Cell("delete an account", ("DELETE FROM ledger_account WHERE id = {w}",), "account_missing", {"account": "{w}"}),
    # Insert
    Cell("insert a transaction behind the seals",
         ("INSERT INTO ledger_transaction (key, fingerprint, kind, state, source, salt, at, xid)"
          " SELECT 'forged', fingerprint, kind, state, source, salt, at, xid FROM ledger_transaction WHERE id = {t}",
          "INSERT INTO ledger_posting (transaction_id, n, asset_id, debit_id, credit_id, amount, debit_after, debit_seq,"
          " credit_after, credit_seq, at) SELECT (SELECT max(id) FROM ledger_transaction), n, asset_id, debit_id, credit_id,"
          " amount, debit_after, debit_seq, credit_after, credit_seq, at FROM ledger_posting WHERE transaction_id = {t}"),
         "never_sealed", {"transaction": "{last} + 1"}),
    Cell("insert a transaction past the function",
         ("INSERT INTO ledger_transaction (key, fingerprint, kind, state, source, salt)"
          " SELECT 'forged', fingerprint, kind, state, source, salt FROM ledger_transaction WHERE id = {t}",
          "INSERT INTO ledger_posting (transaction_id, n, asset_id, debit_id, credit_id, amount, debit_after, debit_seq,"
          " credit_after, credit_seq, at) SELECT f.id, n, asset_id, debit_id, credit_id, amount, debit_after, debit_seq,"
          " credit_after, credit_seq, f.at FROM ledger_posting, (SELECT id, at FROM ledger_transaction WHERE key = 'forged') f"
          " WHERE transaction_id = {t}"),
         "sequence_gap", {"transaction": "{last} + 1"}),
    Cell("add a posting to a sealed transaction",
         ("INSERT INTO ledger_posting (transaction_id, n, asset_id, debit_id, credit_id, amount, debit_after, debit_seq,"
          " credit_after, credit_seq, at) SELECT transaction_id, 2, asset_id, debit_id, credit_id, amount, debit_after,"
          " debit_seq, credit_after, credit_seq, at FROM ledger_posting WHERE transaction_id = {t}",),
         "leaf_mismatch", {"seal": "2", "transaction": "{t}"}),
    # Reorder
    Cell("swap two leaves",
         ("UPDATE ledger_leaf SET index = 1000 WHERE transaction_id = {t}",
          "UPDATE ledger_leaf SET index = index - 1 WHERE transaction_id = {t} + 1",
          "UPDATE ledger_leaf SET index = (SELECT index + 1 FROM ledger_leaf WHERE transaction_id = {t} + 1)"
          " WHERE transaction_id = {t}"),
         "leaf_order", {"seal": "2"}),
    Cell("swap two transactions' sequence",
         ("UPDATE ledger_posting SET credit_seq = credit_seq + 1 WHERE transaction_id = {t}",),
         "leaf_mismatch", {"transaction": "{t}"}),
    Cell("move a leaf to another seal",
         ("UPDATE ledger_leaf SET seal_id = 1, index = 1000 WHERE transaction_id = {t}",),
         "seal_missing", {"seal": "1", "transaction": "{t}"}),
    # Rewrite a seal
    Cell("rewrite a seal's root", (f"UPDATE ledger_seal SET root = {ZEROS} WHERE seq = 2",), "seal_hash", {"seal": "2"}),
    Cell("rewrite a seal's range", ("UPDATE ledger_seal SET to_xid = '1'::xid8, from_xid = '0'::xid8 WHERE seq = 1",),
         "seal_hash", {"seal": "1"}),
    Cell("rewrite a seal's totals", ("UPDATE ledger_seal SET totals = '[]' WHERE seq = 2",), "seal_hash", {"seal": "2"}),
    Cell("garble a seal's totals", ("UPDATE ledger_seal SET totals = '[[\"CHIPS\", 0, \"x\", 1.5]]' WHERE seq = 2",),
         "seal_totals", {"seal": "2"}),
    Cell("rewrite a seal's time to for ever", ("UPDATE ledger_seal SET sealed_at = 'infinity' WHERE seq = 2",),
         "seal_hash", {"seal": "2"}),
    Cell("rewrite a seal's time", ("UPDATE ledger_seal SET sealed_at = sealed_at + interval '1 s' WHERE seq = 2",),
         "seal_hash", {"seal": "2"}),
    Cell("rewrite a seal's link", ("UPDATE ledger_seal SET previous = root WHERE seq = 2",), "seal_hash", {"seal": "2"}),
    Cell("rewrite a seal's signature", (f"UPDATE ledger_seal SET signature = {ZEROS} || {ZEROS} WHERE seq = 2",),
         "signature", {"seal": "2"}),
    Cell("rewrite a seal's key", ("UPDATE ledger_seal SET key_id = 'another' WHERE seq = 2",), "unknown_key", {"seal": "2"}),
    Cell("rewrite the tree over the seals", (f"UPDATE ledger_seal SET nodes = {ZEROS} WHERE seq = 2",),
         "log_root", {"seal": "2"}),
    # Cut and empty
    Cell("cut the tail",
         ("DELETE FROM ledger_posting WHERE transaction_id IN (SELECT transaction_id FROM ledger_leaf WHERE seal_id = 4)",
          "DELETE FROM ledger_transaction WHERE id IN (SELECT transaction_id FROM ledger_leaf WHERE seal_id = 4)",
          "DELETE FROM ledger_leaf WHERE seal_id = 4", "DELETE FROM ledger_seal WHERE seq = 4"),
         "tail_cut", {"seal": "4"}),
    Cell("empty the postings", ("TRUNCATE ledger_posting",), "leaf_mismatch", {"seal": "1"}),
    Cell("empty the leaves", ("TRUNCATE ledger_leaf",), "never_sealed", {"transaction": "{first}"}),
    Cell("empty the seals", ("TRUNCATE ledger_leaf, ledger_seal",), "tail_cut", {"seal": "1"}),
    Cell("empty the book", ("TRUNCATE ledger_note, ledger_adjustment, ledger_leaf, ledger_seal, ledger_posting, ledger_transaction",
                            "UPDATE ledger_account SET seq = 0, debits = 0, credits = 0, debits_pending = 0, credits_pending = 0"),
         "tail_cut", {"seal": "1"}),
]  # fmt: skip


@pytest.fixture
def book() -> Book:
    """A sealed book of four seals; cells tamper with a transaction of the second."""
    made = small_book()
    seal_everything(seal_size=5)
    assert Seal.objects.count() == 4
    return made


def placed(text: str, book: Book) -> str:
    target = book.transactions[6]
    return text.format(t=target, w=book.wallets[0], first=book.transactions[0], last=book.transactions[-1])


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name.replace(" ", "-"))
def test_what_the_owner_does_is_found_and_named(book: Book, cell: Cell) -> None:
    assert verify(steps="abc").fault is None
    tamper(*(placed(statement, book) for statement in cell.statements))
    fault = verify(steps="abc").fault
    assert fault, "not found"
    named = {name: eval(placed(value, book)) for name, value in cell.names.items()}
    assert (fault.code, {name: fault.places()[name] for name in named}) == (cell.code, named)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name.replace(" ", "-"))
def test_what_the_site_tries_is_refused(
    book: Book, cell: Cell, site_role: Callable[[], AbstractContextManager[None]]
) -> None:
    with site_role():
        for statement in cell.statements:
            with pytest.raises(DatabaseError) as refused, transaction.atomic():
                run(placed(statement, book))
            assert refused.value.__cause__.sqlstate == "42501"  # type: ignore[union-attr]
    assert verify(steps="abc").fault is None


def test_the_matrix_in_the_docs_is_this_one() -> None:
    shown = (Path(__file__).resolve().parents[2] / "docs" / "seals.md").read_text()
    for row in matrix():
        assert row in shown


def matrix() -> list[str]:
    """The rows of the table in docs/seals.md."""
    rows = []
    for cell in CELLS:
        names = ", ".join(
            f"{name} {value}" if value.isdigit() else name for name, value in cell.names.items()
        )
        rows.append(f"| {cell.name} | refused | `{cell.code}` | {names} |")
    rows += [
        f"| `{statement.split(' LANGUAGE')[0]}` | refused | `guard_missing` | the trigger |"
        for statement in GUARDS
    ]
    rows.append("| `SET session_replication_role = replica` | refused | (switches off no guard) | |")
    return rows


# --- Guards -----------------------------------------------------------------------------------------------------------

GUARDS = [
    "ALTER TABLE ledger_posting DISABLE TRIGGER append_only",
    "ALTER TABLE ledger_posting ENABLE TRIGGER append_only",  # no longer ALWAYS
    "ALTER TABLE ledger_posting ENABLE REPLICA TRIGGER never_emptied",
    "DROP TRIGGER append_only ON ledger_transaction",
    "DROP TRIGGER never_emptied ON ledger_leaf",
    "DROP TRIGGER same_for_ever ON ledger_account",
    "DROP TRIGGER append_only ON ledger_verification",
    "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
]


@pytest.mark.parametrize("statement", GUARDS)
def test_a_guard_that_the_owner_takes_away_is_missed(book: Book, statement: str) -> None:
    run(statement)
    fault = verify(steps="abc").fault
    assert fault
    assert fault.code == "guard_missing"


@pytest.mark.parametrize("statement", [*GUARDS, "SET session_replication_role = replica"])
def test_the_site_cannot_take_a_guard_away(
    book: Book, statement: str, site_role: Callable[[], AbstractContextManager[None]]
) -> None:
    with site_role(), pytest.raises(DatabaseError) as refused:
        run(statement)
    assert refused.value.__cause__.sqlstate == "42501"  # type: ignore[union-attr]
    assert verify(steps="abc").fault is None


def test_rights_given_to_the_site_are_found(book: Book) -> None:
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


def test_a_book_rewritten_without_a_gap_fails_for_want_of_the_key(book: Book) -> None:
    rewrite_everything(book, bytes(64))
    fault = verify(steps="abc").fault
    assert fault
    assert (fault.code, fault.seal) == ("signature", 1)


def test_a_book_rewritten_by_who_has_the_key_differs_from_the_published_heads(
    book: Book, proof_files: Path
) -> None:
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


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda lines: lines[:1] + lines[2:], "head_not_published"),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], "head_not_published"),
        (lambda lines: [*lines[:2], "not a head\n", *lines[2:]], "heads_file"),
        (lambda lines: [*lines[:3], lines[3].replace('"hash": "', '"hash": "00')], "heads_file"),
        (lambda lines: [*lines, lines[3].replace('"seq": "4"', '"seq": "5"')], "tail_cut"),
    ],
)
def test_damage_to_the_file_of_heads_is_found(
    book: Book, proof_files: Path, damage: Callable[[list[str]], list[str]], code: str
) -> None:
    heads = proof_files / "heads.jsonl"
    heads.write_text("".join(damage(heads.read_text().splitlines(keepends=True))))
    fault = verify(steps="abc").fault
    assert fault
    assert fault.code == code
