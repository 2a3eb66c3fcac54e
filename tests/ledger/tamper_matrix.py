"""The tamper matrix: the ways to falsify the book that are tried, and the table in docs/ledger.md that tells them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

ZEROS = "decode(repeat('00', 32), 'hex')"


@dataclass(frozen=True)
class Cell:
    """One way to tamper; its name is the tests' id. ``{t}`` is a sealed transaction's id, ``{w}`` a wallet's; ``names`` what the fault must name."""

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

GUARDS = {
    "disable a trigger": "ALTER TABLE ledger_posting DISABLE TRIGGER append_only",
    "let a trigger sleep beside replicas": "ALTER TABLE ledger_posting ENABLE TRIGGER append_only",
    "let a trigger wake for replicas only": "ALTER TABLE ledger_posting ENABLE REPLICA TRIGGER never_emptied",
    "drop the trigger of the transactions": "DROP TRIGGER append_only ON ledger_transaction",
    "drop the trigger against emptying": "DROP TRIGGER never_emptied ON ledger_leaf",
    "drop the trigger of the accounts": "DROP TRIGGER same_for_ever ON ledger_account",
    "drop the trigger of the checks": "DROP TRIGGER append_only ON ledger_verification",
    "make the triggers' function do nothing": (
        "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"
    ),
}
ASLEEP = "be a replica, for which triggers sleep"

DAMAGES: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "leave out a head": (lambda lines: lines[:1] + lines[2:], "head_not_published"),
    "swap two heads": (lambda lines: [lines[0], lines[2], lines[1], lines[3]], "head_not_published"),
    "garble a head": (lambda lines: [*lines[:2], "not a head\n", *lines[2:]], "heads_file"),
    "lengthen a head's hash": (
        lambda lines: [*lines[:3], lines[3].replace('"hash": "', '"hash": "00')],
        "heads_file",
    ),
    "add a head": (lambda lines: [*lines, lines[3].replace('"seq": "4"', '"seq": "5"')], "tail_cut"),
}


def id_of(name: str) -> str:
    """How the tests of a row are told apart."""
    return "".join(letter for letter in name.replace(" ", "-") if letter not in "',")


def matrix() -> list[str]:
    """The rows of the table in docs/ledger.md: what is done, the site's role, the tables' owner, each with its test."""
    rows = [
        row(cell.name, refusal("test_site_is_refused", cell.name), told(cell), "test_owner_is_found")
        for cell in CELLS
    ]
    taken = "`guard_missing`, the trigger"
    rows += [
        row(name, refusal("test_site_takes_no_guard_away", name), taken, "test_owner_takes_no_guard_away")
        for name in GUARDS
    ]
    rows.append(f"| {ASLEEP} | {refusal('test_site_takes_no_guard_away', ASLEEP)} | switches off no guard |")
    rows.append(
        "| give the site's role rights | – | `role_too_strong`<br>`test_rights_of_the_site_are_found` |"
    )
    rows.append(
        "| rewrite all that follows from a change | – | `signature`, seal 1<br>`test_rewriting_without_the_key_is_found` |"
    )
    rows.append(
        "| the same with the signing key | – | `head_differs`, seal 2<br>`test_rewriting_with_the_key_is_found` |"
    )
    rows += [
        row(f"{name} in the file of heads", "–", f"`{code}`", "test_damage_to_heads_is_found", name)
        for name, (_damage, code) in DAMAGES.items()
    ]
    return rows


def row(name: str, site: str, found: str, test: str, id: str = "") -> str:
    """One line of the table."""
    return f"| {name} | {site} | {found}<br>`{test}[{id_of(id or name)}]` |"


def refusal(test: str, name: str) -> str:
    """What the site's role gets, and by which test that is known."""
    return f"refused<br>`{test}[{id_of(name)}]`"


def told(cell: Cell) -> str:
    """The fault's code and what it names."""
    places = (f"{name} {value}" if value.isdigit() else name for name, value in cell.names.items())
    return ", ".join([f"`{cell.code}`", *places])
