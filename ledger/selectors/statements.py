"""Statements: one account's lines, newest first, read on from a known place and never counted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from ledger.models import Transaction
from ledger.selectors.book import get_account


class Place(NamedTuple):
    """A place in a statement: a line's time and number in the account."""

    at: datetime
    seq: int


def read_place(at: str, seq: str) -> Place | None:
    """A place as a link to the next page names it: a time with its zone in ISO form, and a number; else None."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    known = moment.tzinfo is not None and seq.isascii() and seq.isdigit() and len(seq) < 19
    return Place(moment, int(seq)) if known else None


class StatementLine(NamedTuple):
    """One posting seen from an account. ``amount`` is what came in, negative when chips went out.

    A hold and its release move nothing, so their ``amount`` is 0 and ``held``
    says what was set aside (negative: let go). ``balance`` is the posted balance afterwards.
    """

    seq: int
    at: datetime
    transaction: int
    kind: str
    state: str
    source: str
    other: int
    amount: int
    held: int
    balance: int
    note: str | None

    @property
    def held_out(self) -> int:
        """How many chips were set aside or let go, without a sign."""
        return abs(self.held)

    @property
    def state_title(self) -> str:
        """The state in the active language."""
        return str(Transaction.State(self.state).label)

    @property
    def place(self) -> Place:
        """Where this line is, to read on from there."""
        return Place(self.at, self.seq)


class StatementPage(NamedTuple):
    """Lines, newest first, and the place after which the next page begins (None on the last).

    Lines chosen by a filter may be few, or none, although there is a next page.
    """

    lines: list[StatementLine]
    following: Place | None


LOOK = 10_000
"""Lines on each side of an account that one page of a filtered statement looks at, at most."""

# The inner walk is along an index of the account alone; OFFSET 0 keeps what it joins to a probe for each line.
STATEMENT_SIDE = """
    (SELECT p.seq, p.at, p.transaction_id, t.kind, t.state, t.source, p.other, p.amount, p.after, n.text
        FROM ({walk} LIMIT %(look)s) p
        JOIN LATERAL (
            SELECT kind, state, source FROM ledger_transaction t WHERE t.id = p.transaction_id OFFSET 0
        ) t ON true
        LEFT JOIN ledger_note n ON n.transaction_id = p.transaction_id
        WHERE true {filters}
        ORDER BY p.at DESC, p.seq DESC LIMIT %(limit)s)
"""
WALK = """
    SELECT p.{side}_seq AS seq, p.at, p.transaction_id, p.{other}_id AS other, {sign} p.amount AS amount,
        p.{side}_after AS after
    FROM ledger_posting p WHERE p.{side}_id = %(account)s {range}
    ORDER BY p.at DESC, p.{side}_seq DESC
"""


def statement(
    account: int,
    *,
    size: int = 50,
    after: Place | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    kinds: Sequence[str] = (),
    source_prefix: str = "",
    direction: str = "",
    others: Sequence[int] | None = None,
) -> StatementPage:
    """One page of an account's postings, newest first.

    ``after`` is where the last page ended (older lines follow); ``since`` (included)
    and ``until`` (excluded) are aware times; ``kinds`` are transaction kinds;
    ``source_prefix`` begins the source; ``direction`` is "in", "out" or "" for both;
    ``others`` are the accounts on the other side. Filters that fit few lines do not
    make a page slow: it looks at ``LOOK`` lines a side and may then end before it is
    full, with a place to look on from. Raises ``UnknownAccount``.
    """
    get_account(account)
    filters = [
        "AND t.kind = ANY(%(kinds)s)" if kinds else "",
        "AND t.source LIKE %(source)s" if source_prefix else "",
        "AND p.other = ANY(%(others)s)" if others is not None else "",
    ]
    reach = [
        "AND p.at >= %(since)s" if since else "",
        "AND p.at < %(until)s" if until else "",
        "AND (p.at, p.{side}_seq) < (%(after_at)s, %(after_seq)s)" if after else "",
    ]
    filtered = any(filters)
    params: dict[str, Any] = {
        "account": account,
        "limit": size + 1,
        "look": LOOK if filtered else size + 1,
        "since": since,
        "until": until,
        "after_at": after and after.at,
        "after_seq": after and after.seq,
        "kinds": list(kinds),
        "source": starting_with(source_prefix),
        "others": list(others or ()),
    }
    sides = {"in": ["credit"], "out": ["debit"]}.get(direction, ["credit", "debit"])
    walks = [_walk(side, " ".join(reach)) for side in sides]
    lines = _lines(walks, " ".join(filters), params)
    looked_to = _where_the_look_ended(walks, params) if filtered else None
    if looked_to is not None:
        # One side may hide lines that are newer than what the other side found further back.
        lines = [line for line in lines if line.place >= looked_to]
    if len(lines) > size:
        return StatementPage(lines[:size], lines[size - 1].place)
    return StatementPage(lines, looked_to)


def _lines(walks: Sequence[str], filters: str, params: dict[str, Any]) -> list[StatementLine]:
    sql = " UNION ALL ".join(STATEMENT_SIDE.format(walk=walk, filters=filters) for walk in walks)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM ({sql}) lines ORDER BY at DESC, seq DESC LIMIT %(limit)s", params)
        return [_line(*row) for row in cursor.fetchall()]


def starting_with(prefix: str) -> str:
    """The pattern of LIKE for what begins with ``prefix``."""
    return prefix.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_") + "%"


def _walk(side: str, reach: str) -> str:
    other, sign = ("debit", "+") if side == "credit" else ("credit", "-")
    return WALK.format(side=side, other=other, sign=sign, range=reach.format(side=side))


def _where_the_look_ended(walks: Sequence[str], params: dict[str, Any]) -> Place | None:
    """The oldest place up to which every side was looked at; None when all of them were looked at to their end."""
    ends = " UNION ALL ".join(
        f"(SELECT at, seq FROM ({walk} OFFSET %(look)s - 1 LIMIT 1) last)" for walk in walks
    )
    with connection.cursor() as cursor:
        cursor.execute(f"{ends} ORDER BY at DESC, seq DESC LIMIT 1", params)
        row = cursor.fetchone()
    return Place(*row) if row else None


def _line(
    seq: int,
    at: datetime,
    transaction: int,
    kind: str,
    state: str,
    source: str,
    other: int,
    amount: int,
    balance: int,
    note: str | None,
) -> StatementLine:
    moved = amount if state in (Transaction.State.POSTED, Transaction.State.POST) else 0
    held = {Transaction.State.PENDING: amount, Transaction.State.POSTED: 0}.get(
        Transaction.State(state), -amount
    )
    return StatementLine(seq, at, transaction, kind, state, source, other, moved, held, balance, note)
