"""Moving chips: one call of the database's function ``ledger_post`` per transaction."""

from __future__ import annotations

import hashlib
import secrets
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ledger.errors import BadAmount, BadKey, BadNote, UnknownAccount, UnknownTransaction
from ledger.models import MAX_AMOUNT
from ledger.services.calling import call, persistently

NAME_LENGTH = {"key": 200, "kind": 40, "source": 200}
NOTE_LENGTH = 1000
LARGEST_ID = 2**63 - 1


class Entry(NamedTuple):
    """``amount`` (whole, in the asset's smallest unit) moves from account ``debit`` to account ``credit``."""

    debit: int
    credit: int
    amount: int


class Posted(NamedTuple):
    """The transaction's id; ``replayed`` when the key was there already and nothing was written."""

    id: int
    replayed: bool


POST = (
    "SELECT transaction_id, replayed FROM ledger_post(%s, %s, %s, %s, %s, %s,"
    " %s::bigint[], %s::bigint[], %s::bigint[], p_note => %s, p_note_salt => %s)"
)
RESOLVE = (
    "SELECT transaction_id, replayed FROM ledger_post(%s, %s, %s, %s, %s, %s,"
    " NULL, NULL, NULL, p_resolves => %s)"
)
REVERSE = (
    "SELECT transaction_id, replayed FROM ledger_post(%s, %s, %s, %s, %s, %s, NULL, NULL, NULL,"
    " p_reverses => %s, p_from => %s::bigint[], p_to => %s::bigint[], p_note => %s, p_note_salt => %s)"
)


def post(*, key: str, kind: str, source: str, postings: Sequence[Entry], note: str | None = None) -> Posted:
    """Move chips at once, all postings or none; floors are checked after the last of them.

    The same key with the same request returns the first transaction. Runs inside
    the caller's transaction if there is one; accounts stay locked to its end.
    Raises ``LedgerError``: bad_key, bad_note, bad_count, bad_amount,
    unknown_account, same_account, wrong_asset, key_reused, closed, too_large,
    insufficient. The note is not part of the request: a retry keeps the first.
    """
    return _write_entries(key, kind, "posted", source, postings, note)


def hold(*, key: str, kind: str, source: str, postings: Sequence[Entry], note: str | None = None) -> Posted:
    """Set chips aside: they count against the payer's floor and move only by ``post_hold``.

    Raises what ``post`` raises.
    """
    return _write_entries(key, kind, "pending", source, postings, note)


def post_hold(*, key: str, kind: str, source: str, hold: int) -> Posted:
    """Move the chips that ``hold`` set aside, exactly as it says. A hold resolves once.

    Raises ``LedgerError``: bad_key, unknown_transaction, not_pending,
    already_resolved, key_reused, too_large.
    """
    return _resolve(key, kind, "post", source, hold)


def void_hold(*, key: str, kind: str, source: str, hold: int) -> Posted:
    """Let go of the chips that ``hold`` set aside. Raises what ``post_hold`` raises."""
    return _resolve(key, kind, "void", source, hold)


def reverse(
    *,
    key: str,
    kind: str,
    source: str,
    transaction: int,
    note: str | None = None,
    instead: Mapping[int, int] | None = None,
) -> Posted:
    """Undo a posted transaction by another with every posting swapped, last first; at most once.

    ``instead`` names accounts that take the place of others, where the chips no
    longer are in the account they went to. What then would go from an account to
    itself is left out. Raises ``LedgerError``: bad_key, bad_note,
    unknown_transaction, not_posted, already_reversed, bad_count (nothing left to
    move) and what ``post`` raises.
    """
    request = _request(key, kind, "posted", source)
    _check_id(transaction, UnknownTransaction, "transaction")
    swaps = sorted((instead or {}).items())
    for swap in swaps:
        for account in swap:
            _check_id(account, UnknownAccount, "account")
    fingerprint = hashlib.sha256(
        request + b"reverses" + struct.pack(f">{1 + 2 * len(swaps)}q", transaction, *sum(swaps, ()))
    ).digest()
    old, new = (_array(side) for side in (zip(*swaps, strict=True) if swaps else ((), ())))
    head = [key, fingerprint, kind, "posted", source, secrets.token_bytes(16)]
    return _call(REVERSE, [*head, transaction, old, new, *_note(note)])


def _write_entries(
    key: str, kind: str, state: str, source: str, postings: Sequence[Entry], note: str | None
) -> Posted:
    request = _request(key, kind, state, source)
    for entry in postings:
        _check_id(entry.debit, UnknownAccount, "account")
        _check_id(entry.credit, UnknownAccount, "account")
        if type(entry.amount) is not int or not 0 < entry.amount <= MAX_AMOUNT:
            raise BadAmount(amount=str(entry.amount))
    flat = [number for entry in postings for number in entry]
    fingerprint = hashlib.sha256(request + b"entries" + struct.pack(f">{len(flat)}q", *flat)).digest()
    return _call(
        POST,
        [
            key,
            fingerprint,
            kind,
            state,
            source,
            secrets.token_bytes(16),
            _array(flat[0::3]),
            _array(flat[1::3]),
            _array(flat[2::3]),
            *_note(note),
        ],
    )


def _resolve(key: str, kind: str, state: str, source: str, hold: int) -> Posted:
    request = _request(key, kind, state, source)
    _check_id(hold, UnknownTransaction, "transaction")
    fingerprint = hashlib.sha256(request + b"resolves" + struct.pack(">q", hold)).digest()
    return _call(RESOLVE, [key, fingerprint, kind, state, source, secrets.token_bytes(16), hold])


def _call(sql: str, params: Sequence[object]) -> Posted:
    return Posted(*persistently(lambda: call(sql, params)))


def _request(key: str, kind: str, state: str, source: str) -> bytes:
    """The canonical beginning of a request: its names, each with its length before it. Raises ``BadKey``."""
    parts = [b"ledger request 1"]
    for field, value in (("key", key), ("kind", kind), ("source", source)):
        name = stored_bytes(value)
        if not name or len(value) > NAME_LENGTH[field]:
            raise BadKey(field=field, most=NAME_LENGTH[field])
        parts += [struct.pack(">I", len(name)), name]
    parts.append(state.encode())
    return b"".join(parts)


def stored_bytes(text: object) -> bytes:
    """The text as the database stores it; nothing when it cannot: not a text, NUL, or half a surrogate pair."""
    if not isinstance(text, str) or "\0" in text:
        return b""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return b""


def _note(note: str | None) -> tuple[str | None, bytes | None]:
    """The note with a salt of its own, or neither."""
    if note is None:
        return None, None
    if not stored_bytes(note) or len(note) > NOTE_LENGTH:
        raise BadNote(most=NOTE_LENGTH)
    return note, secrets.token_bytes(16)


def _check_id(value: object, error: type[UnknownAccount | UnknownTransaction], name: str) -> None:
    """Refuse what cannot be an id, True and 1.0 included."""
    if type(value) is not int or not 0 < value <= LARGEST_ID:
        raise error(**{name: str(value)})


def _array(numbers: Iterable[int]) -> str:
    """A PostgreSQL array as text, which is quicker than the driver's own way from a list."""
    return "{" + ",".join(map(str, numbers)) + "}"
