"""Step a, beside the book: notes are those that were written, and no wallet's floor was lowered off the record."""

from __future__ import annotations

from django.db import connection

from ledger.rules.canonical import note_digest
from ledger.services.faults import Fault
from ledger.services.leaves import stream


def check_notes(*, since_transaction: int = 0) -> int:
    """Compare every note that was not erased with its hash in the book; returns their number.

    Must run inside a transaction. Raises ``Fault``."""
    checked = 0
    for transaction, salt, text, note_hash in stream(
        "SELECT n.transaction_id, n.salt, n.text, t.note_hash FROM ledger_note n"
        " LEFT JOIN ledger_transaction t ON t.id = n.transaction_id WHERE n.transaction_id >= %s",
        [since_transaction],
    ):
        if note_digest(salt, text.decode()) != note_hash:
            detail = "the note is not the one that the transaction was written with"
            raise Fault("note_mismatch", detail, transaction=transaction)
        checked += 1
    return checked


def check_floors() -> None:
    """A wallet may go below zero as far as its last credit line on record says, and no further. Raises ``Fault``."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.id, a.min_balance, coalesce(c.credit, 0) FROM ledger_account a LEFT JOIN LATERAL"
            " (SELECT credit FROM ledger_creditline WHERE account_id = a.id ORDER BY id DESC LIMIT 1) c ON true"
            " WHERE a.kind = 'wallet' AND a.min_balance IS DISTINCT FROM -coalesce(c.credit, 0) ORDER BY a.id LIMIT 1"
        )
        wrong = cursor.fetchone()
    if wrong:
        account, floor, credit = wrong
        detail = f"the wallet's floor is {floor}, the credit line on record {credit}"
        raise Fault("floor_off_record", detail, account=account)
