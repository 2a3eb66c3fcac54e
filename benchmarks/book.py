"""A large, sound book for benchmarks: generated inside the database by its owner, not posted one by one.

Fifty tables with ten seats each. Every seat gets chips once; then stakes go from
seats to their table's pot and back, one posting a transaction, and every tenth
pair of transactions has three postings. Running balances and sequences are worked
out with window functions, so that the book passes verification.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import connection, transaction

TABLES, SEATS = 50, 10
ISSUED = 1_000_000_000
FIRST_POT = 1_000_000_000_001_000
MINT = 1_000_000_000_000_900

ACCOUNTS = f"""
INSERT INTO ledger_asset (code, scale) VALUES ('BENCH', 0);
INSERT INTO ledger_account (id, kind, ref, asset_id, min_balance, owner)
    SELECT {MINT}, 'mint', '', (SELECT max(id) FROM ledger_asset), NULL, NULL::uuid
    UNION ALL SELECT {FIRST_POT} + t, 'pot', 'bench/' || t, (SELECT max(id) FROM ledger_asset), 0, NULL
        FROM generate_series(0, {TABLES - 1}) t
    UNION ALL SELECT 1000000 + s, 'seat', 'bench/' || s / {SEATS} || '/' || s % {SEATS},
        (SELECT max(id) FROM ledger_asset), 0, gen_random_uuid()
        FROM generate_series(0, {TABLES * SEATS - 1}) s;
"""

# Whose turn transaction i is: every table plays all the time, or one after the other.
TOGETHER = f"(i / 2 %% {TABLES})"
IN_TURN = f"(i / 2 * 2 * {TABLES}::bigint / %(transactions)s)"

# Entries of transaction i, first without balances. Pairs of transactions (ante, payout) follow the chips given out.
ENTRIES = f"""
CREATE TEMPORARY TABLE entry AS
    SELECT i, 1 AS n, {MINT} AS debit, 1000000 + i AS credit, {ISSUED}::bigint AS amount
        FROM generate_series(0, {TABLES * SEATS - 1}) i
    UNION ALL
    SELECT i, n,
        CASE WHEN i %% 2 = 0 THEN 1000000 + seat ELSE pot END,
        CASE WHEN i %% 2 = 0 THEN pot ELSE 1000000 + seat END,
        10 + pair %% 90
        FROM generate_series({TABLES * SEATS}, %(last)s) i,
            LATERAL (SELECT i / 2 AS pair, {{turn}} AS tbl) p,
            LATERAL generate_series(1, CASE WHEN pair %% 10 = 0 THEN 3 ELSE 1 END) n,
            LATERAL (SELECT tbl * {SEATS} + (pair / {TABLES} + n + i %% 2) %% {SEATS} AS seat,
                {FIRST_POT} + tbl AS pot) s;
"""

BALANCES = """
CREATE TEMPORARY TABLE line AS
    WITH side AS (
        SELECT i, n, debit AS account, -amount AS change, true AS debits FROM entry
        UNION ALL SELECT i, n, credit, amount, false FROM entry
    ), running AS (
        SELECT i, n, debits, row_number() OVER w AS seq, sum(change) OVER w AS after
            FROM side WINDOW w AS (PARTITION BY account ORDER BY i, n)
    )
    SELECT e.*, d.seq AS debit_seq, d.after AS debit_after, c.seq AS credit_seq, c.after AS credit_after
        FROM entry e
        JOIN running d ON d.i = e.i AND d.n = e.n AND d.debits
        JOIN running c ON c.i = e.i AND c.n = e.n AND NOT c.debits;
CREATE INDEX ON line (i, n);
ANALYZE line;
"""

TRANSACTIONS = """
WITH made AS (
    INSERT INTO ledger_transaction (key, fingerprint, kind, state, source, salt, at)
        SELECT 'bench:' || i, sha256(('bench:' || i)::bytea), CASE WHEN i %% 2 = 0 THEN 'ante' ELSE 'payout' END, 'posted',
            'bench/' || {turn} || '/event/' || i, substring(sha256(('salt' || i)::bytea) FOR 16),
            %(begin)s + i * %(gap)s
            FROM generate_series(%(first)s::bigint, %(last)s::bigint) i ORDER BY i
        RETURNING id, key, at
)
INSERT INTO ledger_posting (transaction_id, n, asset_id, debit_id, credit_id, amount,
        debit_after, debit_seq, credit_after, credit_seq, at)
    SELECT made.id, l.n, (SELECT max(id) FROM ledger_asset), l.debit, l.credit, l.amount,
        l.debit_after, l.debit_seq, l.credit_after, l.credit_seq, made.at
        FROM made JOIN line l ON l.i = substring(made.key FROM 7)::bigint ORDER BY made.id, l.n;
"""

TOTALS = """
UPDATE ledger_account a SET seq = t.seq, debits = t.debits, credits = t.credits, moved_at = (
        SELECT max(at) FROM (
            SELECT max(at) AS at FROM ledger_posting WHERE debit_id = a.id
            UNION ALL SELECT max(at) FROM ledger_posting WHERE credit_id = a.id) m)
    FROM (
        SELECT account, count(*) AS seq, sum(debit) AS debits, sum(credit) AS credits
            FROM (SELECT debit AS account, amount AS debit, 0 AS credit FROM entry
                UNION ALL SELECT credit, 0, amount FROM entry) s GROUP BY account
    ) t
    WHERE a.id = t.account;
DROP TABLE entry, line;
ANALYZE ledger_transaction;
ANALYZE ledger_posting;
"""


def generate(
    transactions: int,
    *,
    per_commit: int = 1000,
    begin: datetime = datetime(2026, 1, 1, tzinfo=UTC),
    gap: timedelta = timedelta(milliseconds=100),
    in_turn: bool = False,
) -> None:
    """Fill an empty book with that many transactions, ``per_commit`` of them in each database transaction.

    The first is made at ``begin``, each other one ``gap`` later. The tables play together, or ``in_turn``, so
    that all of a table lies close together in time, as on a site where a table lasts an evening."""
    turn = IN_TURN if in_turn else TOGETHER
    wanted = {"transactions": transactions, "begin": begin, "gap": gap}
    with connection.cursor() as cursor:
        cursor.execute(ACCOUNTS)
        cursor.execute(ENTRIES.format(turn=turn), {**wanted, "last": transactions - 1})
        cursor.execute(BALANCES)
        for first in range(0, transactions, per_commit):
            with transaction.atomic():
                last = min(first + per_commit, transactions) - 1
                cursor.execute(TRANSACTIONS.format(turn=turn), {**wanted, "first": first, "last": last})
        cursor.execute(TOTALS)
