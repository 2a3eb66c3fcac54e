"""Moving chips: one call of the database's function ``ledger_post`` per transaction."""

from __future__ import annotations

import hashlib
import itertools
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ledger.errors import BadAmount, BadKey, BadNote, UnknownAccount, UnknownTransaction
from ledger.models import MAX_AMOUNT
from ledger.services.calling import Value, call

NAME_LENGTH = {"key": 200, "kind": 40, "source": 200}
NOTE_LENGTH = 1000
LARGEST_ID = 2**63 - 1
NO_ENTRIES = ["", "", ""]


class Entry(NamedTuple):
    """``amount`` (whole, in the asset's smallest unit) moves from account ``debit`` to account ``credit``."""

    debit: int
    credit: int
    amount: int


class Posted(NamedTuple):
    """The transaction's id; ``replayed`` when the key was there already and nothing was written."""

    id: int
    replayed: bool


POST = "SELECT ledger_post(%s, %s, %s, %s, %s, %s, %s, %s, %s)::text"
POST_ONE = "SELECT ledger_post_one(%s, %s, %s, %s, %s, %s, %s, %s)::text"
POST_WITH_NOTE = (
    "SELECT ledger_post(%s, %s, %s, %s, %s, %s, %s, %s, %s, p_note => %s, p_note_salt => %s)::text"
)
RESOLVE = "SELECT ledger_post(%s, %s, %s, %s, %s, %s, NULL, NULL, NULL, p_resolves => %s)::text"
REVERSE = (
    "SELECT ledger_post(%s, %s, %s, %s, %s, %s, NULL, NULL, NULL,"
    " p_reverses => %s, p_from => %s, p_to => %s, p_note => %s, p_note_salt => %s)::text"
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
    _check_id(transaction, UnknownTransaction, "transaction")
    swaps = sorted((instead or {}).items())
    for account in itertools.chain(*swaps):
        _check_id(account, UnknownAccount, "account")
    target, old, new = str(transaction), _array(old for old, _ in swaps), _array(new for _, new in swaps)
    fingerprint = _fingerprint(key, kind, source, "posted", "reverses", target, old, new)
    head: list[Value] = [key, fingerprint, kind, "posted", source, secrets.token_bytes(16)]
    return _call(REVERSE, [*head, target, old, new, *_note(note)])


def _write_entries(
    key: str, kind: str, state: str, source: str, postings: Sequence[Entry], note: str | None
) -> Posted:
    _check_entries(postings)
    columns = [",".join(map(str, column)) for column in zip(*postings, strict=True)] or NO_ENTRIES
    fingerprint = _fingerprint(key, kind, source, state, "entries", *columns)
    salt = secrets.token_bytes(16)
    if len(postings) == 1 and note is None and state == "posted":
        return _call(POST_ONE, [key, fingerprint, kind, source, salt, *columns])
    arrays = ["{" + column + "}" for column in columns]
    params: list[Value] = [key, fingerprint, kind, state, source, salt, *arrays]
    return _call(POST, params) if note is None else _call(POST_WITH_NOTE, [*params, *_note(note)])


def _resolve(key: str, kind: str, state: str, source: str, hold: int) -> Posted:
    _check_id(hold, UnknownTransaction, "transaction")
    fingerprint = _fingerprint(key, kind, source, state, "resolves", str(hold))
    return _call(RESOLVE, [key, fingerprint, kind, state, source, secrets.token_bytes(16), str(hold)])


def _call(sql: str, params: Sequence[Value]) -> Posted:
    answer: str = call(sql, params)[0]
    number, replayed = answer.strip("()").split(",")
    return Posted(int(number), replayed == "t")


def _fingerprint(key: str, kind: str, source: str, *rest: str) -> bytes:
    """SHA-256 of the request: its parts with a NUL between them, which none of them can hold. Raises ``BadKey``."""
    try:
        request = "\0".join((key, kind, source, *rest)).encode()
        if (
            request.count(0) == 2 + len(rest)
            and 0 < len(key) <= NAME_LENGTH["key"]
            and 0 < len(kind) <= NAME_LENGTH["kind"]
            and 0 < len(source) <= NAME_LENGTH["source"]
        ):
            return hashlib.sha256(request).digest()
    except (TypeError, UnicodeEncodeError):
        pass
    for field, value in (("key", key), ("kind", kind), ("source", source)):
        if not stored_bytes(value) or len(value) > NAME_LENGTH[field]:
            raise BadKey(field=field, most=NAME_LENGTH[field])
    raise AssertionError("one of the names was not fit")


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


def _check_entries(postings: Sequence[Entry]) -> None:
    """Refuse what cannot be an account or an amount: True, 1.0 and "1" are neither."""
    for debit, credit, amount in postings:
        _check_id(debit, UnknownAccount, "account")
        _check_id(credit, UnknownAccount, "account")
        if type(amount) is not int or not 0 < amount <= MAX_AMOUNT:
            raise BadAmount(amount=str(amount))


def _check_id(value: object, error: type[UnknownAccount | UnknownTransaction], name: str) -> None:
    """Refuse what cannot be an id."""
    if type(value) is not int or not 0 < value <= LARGEST_ID:
        raise error(**{name: str(value)})


def _array(numbers: Iterable[int]) -> str:
    """A PostgreSQL array as text, which is quicker than the driver's own way from a list."""
    return "{" + ",".join(map(str, numbers)) + "}"
