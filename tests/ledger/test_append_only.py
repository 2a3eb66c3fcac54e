"""The book is append only, whoever is logged in: the triggers refuse the owner, the rights refuse the site."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from clubs.models import User
from ledger import selectors
from ledger.models import Account, Leaf, Seal, Transaction, Verification
from ledger.services import (
    Entry,
    approve_adjustment,
    close_account,
    open_account,
    owner_of,
    post,
    request_adjustment,
    set_credit_line,
)
from tests.ledger.conftest import Club

BOOK = ["asset", "transaction", "posting", "seal", "leaf", "verification"]
TABLES = [*BOOK, "account", "note", "creditline", "adjustment"]
COLUMN = {
    "asset": "scale = 1",
    "transaction": "source = 'elsewhere'",
    "posting": "amount = amount + 1",
    "seal": "n = n + 1",
    "leaf": "index = index + 1",
    "verification": "passed = false, code = 'x'",
    "account": "ref = 'elsewhere'",
    "note": "text = 'something else'",
    "creditline": "credit = credit + 1",
    "adjustment": "requested_by = approved_by",
}
APPEND_ONLY, DENIED = "LD016", "42501"
As = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def full_book(club: Club) -> Club:
    """At least one row in every table."""
    given = post(key="g", kind="issue", source="t", postings=[Entry(club.mint, club.alice, 5)], note="paid")
    seal = Seal.objects.create(
        seq=1, epoch=0, from_xid=1, to_xid=2, n=1, totals=[], root=b"r" * 32, previous=b"p" * 32,
        hash=b"h" * 32, log_root=b"l" * 32, nodes=b"", key_id="k", signature=b"s" * 64,
    )  # fmt: skip
    Leaf.objects.create(transaction_id=given.id, seal=seal, index=0, hash=b"h" * 32)
    Verification.objects.create(scope="full", started_at=seal.sealed_at, transactions=1, passed=True)
    set_credit_line(account=club.alice, credit=5, by=club.owners["bob"], reason="x")
    request = request_adjustment(transaction_id=given.id, requested_by=club.owners["alice"], reason="x")
    approve_adjustment(adjustment=request.pk, approved_by=club.owners["bob"])
    owner_of(user=User.objects.create(username="mari"))
    execute("SET CONSTRAINTS ALL IMMEDIATE")
    return club


def execute(sql: str) -> None:
    """One statement on Django's connection."""
    with connection.cursor() as cursor:
        cursor.execute(sql)


def rows(table: str) -> int:
    """How many rows a table has."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ledger_{table}")
        return cursor.fetchone()[0]


def refused(sql: str) -> str:
    """Try a statement that must fail; returns the database's code for the failure."""
    with pytest.raises(DatabaseError) as caught, transaction.atomic():
        execute(sql)
    return caught.value.__cause__.sqlstate  # type: ignore[union-attr]


def attack(statement: str, table: str) -> str:
    """The SQL of an attack on a table."""
    return {
        "UPDATE": f"UPDATE ledger_{table} SET {COLUMN[table]}",
        "DELETE": f"DELETE FROM ledger_{table}",
        "TRUNCATE": f"TRUNCATE ledger_{table} CASCADE",
    }[statement]


STATEMENTS = [
    (statement, table)
    for table in TABLES
    for statement in ("UPDATE", "DELETE", "TRUNCATE")
    # A note may be erased: its hash stays.
    if (statement, table) != ("DELETE", "note")
]


@pytest.mark.parametrize(("statement", "table"), STATEMENTS)
def test_the_owner_is_refused(full_book: Club, statement: str, table: str) -> None:
    before = rows(table)
    assert before > 0
    assert refused(attack(statement, table)) == APPEND_ONLY
    assert rows(table) == before


@pytest.mark.parametrize(("statement", "table"), STATEMENTS)
def test_session_replication_role_switches_nothing_off(full_book: Club, statement: str, table: str) -> None:
    """Only a superuser may set it; ordinary triggers and all foreign keys are then silent, these are not."""
    try:
        with transaction.atomic():
            execute("SET LOCAL session_replication_role = replica")
    except DatabaseError as error:
        assert error.__cause__.sqlstate == DENIED  # type: ignore[union-attr]
        return
    execute("SET LOCAL session_replication_role = replica")
    assert refused(attack(statement, table)) == APPEND_ONLY


@pytest.mark.parametrize(("statement", "table"), [*STATEMENTS, ("DELETE", "note")])
def test_the_site_is_refused(full_book: Club, site_role: As, statement: str, table: str) -> None:
    with site_role():
        assert refused(attack(statement, table)) == DENIED


INSERTS = {
    "transaction": "(key, fingerprint, kind, state, source, salt) VALUES ('x', sha256('x'), 'x', 'posted', 'x', 'x')",
    "posting": "SELECT * FROM ledger_posting LIMIT 1",
    "account": "(kind, ref, asset_id, min_balance) SELECT 'wallet', 'x', id, 0 FROM ledger_asset",
    "note": "SELECT * FROM ledger_note LIMIT 1",
    "creditline": "SELECT * FROM ledger_creditline LIMIT 1",
}


@pytest.mark.parametrize("table", INSERTS)
def test_the_site_writes_the_book_through_its_functions_only(
    full_book: Club, site_role: As, table: str
) -> None:
    with site_role():
        assert refused(f"INSERT INTO ledger_{table} {INSERTS[table]}") == DENIED


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE ledger_account SET credits = credits + 100",
        "UPDATE ledger_account SET min_balance = -100 WHERE kind = 'wallet'",
        "SELECT id FROM ledger_account FOR UPDATE",
        "ALTER TABLE ledger_posting DISABLE TRIGGER ALL",
        "ALTER TABLE ledger_posting DISABLE TRIGGER append_only",
        "DROP TRIGGER append_only ON ledger_posting",
        "DROP TABLE ledger_posting CASCADE",
        "SET session_replication_role = replica",
        "ALTER TABLE ledger_account DROP CONSTRAINT account_above_floor",
        "CREATE RULE r AS ON INSERT TO ledger_posting DO INSTEAD NOTHING",
        "CREATE TRIGGER t BEFORE INSERT ON ledger_posting FOR EACH ROW EXECUTE FUNCTION ledger_refuse()",
        "DROP FUNCTION ledger_refuse CASCADE",
        "CREATE FUNCTION public.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT $1'",
        "CREATE TABLE public.anything (id integer)",
        "SELECT ledger_grant('postgres')",
        "SELECT ledger_target(1, NULL, NULL, NULL)",
        "ALTER DOMAIN ledger_amount DROP CONSTRAINT ledger_amount_check",
        "ALTER SEQUENCE ledger_house_id RESTART",
    ],
)
def test_the_site_has_no_way_around(full_book: Club, site_role: As, sql: str) -> None:
    with site_role():
        assert refused(sql) == DENIED


def test_the_site_cannot_give_itself_rights(full_book: Club, site_role: As) -> None:
    """PostgreSQL only warns that nothing was granted."""
    with site_role():
        execute("GRANT ALL ON ledger_posting TO CURRENT_USER")
        assert refused(attack("DELETE", "posting")) == DENIED


def test_a_table_of_the_same_name_does_not_deceive_the_function(full_book: Club, site_role: As) -> None:
    """A session's temporary tables come first in every search path that does not put them last."""
    with site_role():
        execute("CREATE TEMP TABLE ledger_account AS SELECT * FROM public.ledger_account")
        execute("UPDATE pg_temp.ledger_account SET credits = 1000000")
        execute("SET LOCAL search_path = pg_temp, public")
        with pytest.raises(Exception, match="insufficient"), transaction.atomic():
            full_book.move(full_book.alice, full_book.bob, 1000)
        execute("SET LOCAL search_path = public")
        full_book.move(full_book.alice, full_book.bob, 5)
    execute("DROP TABLE pg_temp.ledger_account")
    assert selectors.balance(full_book.bob) == 5


@pytest.mark.parametrize("column", ["id", "kind", "ref", "owner", "asset_id", "opened_at"])
def test_what_an_account_is_never_changes(full_book: Club, column: str) -> None:
    assert refused(f"UPDATE ledger_account SET {column} = {column}") == APPEND_ONLY


def test_a_closed_account_stays_closed(club: Club) -> None:
    close_account(account=club.alice)
    assert refused("UPDATE ledger_account SET closed_at = NULL WHERE closed_at IS NOT NULL") == APPEND_ONLY


def test_an_owner_is_never_pointed_to_another_person(full_book: Club) -> None:
    other = User.objects.create(username="juhan")
    assert refused(f"UPDATE ledger_accountowner SET user_id = {other.pk}") == APPEND_ONLY


@pytest.mark.parametrize(
    "changed",
    [
        "state = 'rejected', approved_by = NULL, rejected_by = requested_by, reversal_id = NULL",
        "reason = 'y'",
    ],
)
def test_a_decision_is_never_rewritten(full_book: Club, changed: str) -> None:
    assert refused(f"UPDATE ledger_adjustment SET {changed}") == APPEND_ONLY


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE ledger_account SET credits = -1",
        "UPDATE ledger_account SET debits_pending = -1",
        "UPDATE ledger_account SET credits = 9007199254740992",
        "UPDATE ledger_account SET debits = credits + 1 WHERE kind = 'pot'",
        "UPDATE ledger_account SET debits_pending = 1 WHERE kind = 'pot'",
        "UPDATE ledger_account SET min_balance = 1 WHERE kind = 'wallet'",
        "UPDATE ledger_account SET min_balance = NULL WHERE kind = 'wallet'",
        "UPDATE ledger_account SET min_balance = -1 WHERE kind = 'pot'",
        "UPDATE ledger_account SET min_balance = 0 WHERE kind = 'mint'",
        "UPDATE ledger_account SET closed_at = now() WHERE kind = 'mint'",
    ],
)
def test_balances_keep_their_bounds_even_for_the_owner(club: Club, sql: str) -> None:
    club.give(club.alice, 5)
    assert refused(sql) == "23514"


def test_postings_keep_their_bounds_even_for_the_owner(club: Club) -> None:
    number = club.give(club.alice, 5)
    base = Transaction.objects.get(id=number)
    gold = "INSERT INTO ledger_asset (code) VALUES ('GOLD')"
    execute(gold)
    asset = Account.objects.get(id=club.alice).asset_id

    def insert(debit: int, credit: int, amount: int, asset_id: int) -> str:
        return (
            "INSERT INTO ledger_posting (transaction_id, n, asset_id, debit_id, credit_id, amount, debit_after,"
            " debit_seq, credit_after, credit_seq, at) VALUES"
            f" ({base.pk}, 9, {asset_id}, {debit}, {credit}, {amount}, 0, 9, 0, 9, now())"
        )

    assert refused(insert(club.alice, club.bob, 0, asset)) == "23514"
    assert refused(insert(club.alice, club.bob, 10**12 + 1, asset)) == "23514"
    assert refused(insert(club.alice, club.alice, 1, asset)) == "23514"
    assert refused(insert(club.alice, club.bob, 1, asset + 1)) == "23503"
    assert refused(insert(club.alice, 2**60, 1, asset)) == "23503"


@pytest.mark.parametrize(
    ("state", "resolves", "reverses"),
    [
        ("posted", "1", "NULL"),
        ("pending", "1", "NULL"),
        ("pending", "NULL", "1"),
        ("post", "NULL", "NULL"),
        ("void", "NULL", "NULL"),
        ("void", "1", "1"),
        ("done", "NULL", "NULL"),
    ],
)
def test_states_keep_their_links_even_for_the_owner(
    club: Club, state: str, resolves: str, reverses: str
) -> None:
    sql = (
        "INSERT INTO ledger_transaction (key, fingerprint, kind, state, resolves_id, reverses_id, source, salt)"
        f" VALUES ('x', sha256('x'), 'x', '{state}', {resolves}, {reverses}, 'x', '0123456789abcdef')"
    )
    assert refused(sql) == "23514"


def test_the_grants_are_given_again_on_demand(full_book: Club, site_role: As) -> None:
    """For a role that was made after the tables: SELECT ledger_grant('role')."""
    execute(f"GRANT ALL ON ledger_posting, ledger_account TO {settings.SITE_DB_ROLE}")
    execute(f"SELECT ledger_grant('{settings.SITE_DB_ROLE}')")
    with site_role():
        assert refused(attack("DELETE", "posting")) == DENIED
        assert refused("UPDATE ledger_account SET credits = 1") == DENIED
        open_account(kind="pot", ref="9", asset="CHIPS")
