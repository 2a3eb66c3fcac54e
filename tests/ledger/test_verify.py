"""Verification: a sound book passes in full, since a seal and for one account; a wrong one is named.

What tampering it finds is in ``test_tamper.py``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from ledger.models import Posting, Seal, Verification
from ledger.services.leaves import stream
from ledger.services.sealing import seal_pending
from ledger.services.sources import (
    SourcedPosting,
    SourcedTransaction,
    register_source_check,
    registered_prefixes,
    unregister_source_check,
)
from ledger.services.verifying import last_passed_seal, verify
from ledger.tasks import verify_all, verify_new
from tests.ledger.books import Book, open_book, post, seal_everything, small_book, wait_for_cut_off
from tests.ledger.tampering import run, tamper
from tests.ledger.test_sealing import another_connection, post_from

pytestmark = pytest.mark.committed


def test_a_sound_book_passes() -> None:
    book = small_book()
    seal_everything(seal_size=5)
    report = verify()
    assert report.fault is None
    assert (report.transactions, report.postings) == (len(book.transactions), Posting.objects.count())
    assert report.last_seal == report.seals == 4
    assert report.unsealed == 0
    assert report.steps["c"] == "4 heads as published"
    assert report.steps["e"].startswith("passed")


def test_an_empty_book_passes() -> None:
    report = verify()
    assert report.fault is None
    assert (report.transactions, report.seals, report.last_seal) == (0, 0, None)


def test_what_is_not_sealed_yet_passes_while_it_is_young() -> None:
    book = small_book()
    assert verify(steps="abc").unsealed == len(book.transactions)
    fault = verify(steps="abc", lag=timedelta(0)).fault
    assert fault
    assert (fault.code, fault.transaction) == ("not_sealed_in_time", book.transactions[0])


def test_a_head_that_is_long_not_published_is_found(proof_files: Any) -> None:
    small_book()
    seal_everything(seal_size=5)
    heads = proof_files / "heads.jsonl"
    lines = heads.read_text().splitlines(keepends=True)
    heads.write_text("".join(lines[:-1]))
    assert verify(steps="abc").fault is None
    fault = verify(steps="abc", lag=timedelta(hours=-1)).fault
    assert fault
    assert (fault.code, fault.seal) == ("head_not_published", 4)


def test_two_assets_never_disturb_each_other() -> None:
    small_book()
    coins = open_book(code="COIN", scale=2)
    coins.issue(amount=250)
    coins.play()
    seal_everything()
    assert verify().fault is None


# --- Since a seal ---------------------------------------------------------------------------------------------------


def test_only_what_came_after_a_seal_is_read() -> None:
    book = small_book()
    seal_everything()
    book.play(1)
    book.play(2)
    seal_everything()
    report = verify(since=1)
    assert report.fault is None
    assert (report.transactions, report.seals, report.last_seal) == (6, 1, 2)
    assert "e" not in report.steps
    assert verify(since=2).transactions == 0


def test_a_hold_made_before_and_resolved_after_the_seal_is_followed_back() -> None:
    book = small_book()
    hold = post((book.wallets[0], book.seats[0], 5), state="pending")
    seal_everything()
    post(state="post", resolves=hold)
    seal_everything()
    assert verify(since=1).fault is None
    tamper(f"UPDATE ledger_posting SET amount = 6 WHERE transaction_id = {hold}")
    fault = verify(since=1).fault
    assert fault
    assert fault.code == "hold_mismatch"


def test_a_fault_after_the_seal_is_found_against_the_posting_before() -> None:
    book = small_book()
    seal_everything()
    last = book.play(1)
    tamper(f"UPDATE ledger_posting SET credit_after = credit_after + 1 WHERE transaction_id = {last}")
    fault = verify(since=1).fault
    assert fault
    assert (fault.code, fault.transaction) == ("running_balance", last)


def test_a_transaction_that_was_sealed_late_is_read_with_what_followed_it() -> None:
    """A seal may hold a later posting of an account while the one before it waits for the next seal."""
    book = small_book()
    with another_connection() as oldest, another_connection() as younger, another_connection() as slow:
        # `oldest` gets its number first, `slow` keeps the cut-off between the two, `younger` posts first.
        oldest.execute("SELECT pg_current_xact_id()")
        border = slow.execute("SELECT pg_current_xact_id()::text").fetchone()
        assert border
        first = post_from(younger, book, "first in the account")
        younger.commit()
        second = post_from(oldest, book, "second in the account")
        oldest.commit()
        assert first < second
        wait_for_cut_off(int(border[0]))
        (seal,) = seal_pending()
        assert seal.leaves.filter(transaction=second).exists()
        assert not seal.leaves.filter(transaction=first).exists()
    seal_everything()
    assert verify(since=1).fault is None
    assert verify(steps="abc").fault is None


def test_the_seal_to_begin_after_must_be_there() -> None:
    small_book()
    seal_everything()
    fault = verify(since=7).fault
    assert fault
    assert (fault.code, fault.seal) == ("seal_missing", 7)


# --- One account ----------------------------------------------------------------------------------------------------


def test_one_account_is_checked_with_its_seals() -> None:
    book = small_book()
    seal_everything(seal_size=5)
    report = verify(account=book.wallets[0])
    assert report.fault is None
    touched = run("SELECT count(*) FROM ledger_posting WHERE %s IN (debit_id, credit_id)", book.wallets[0])
    assert report.transactions == touched[0][0]
    assert report.seals == 4


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE ledger_account SET credits = credits + 1 WHERE id = {account}", "cached_totals"),
        ("UPDATE ledger_posting SET amount = amount + 1 WHERE credit_id = {account}", "leaf_mismatch"),
        ("DELETE FROM ledger_posting WHERE credit_id = {account} AND credit_seq = 1", "sequence_gap"),
        ("UPDATE ledger_seal SET root = decode(repeat('00', 32), 'hex') WHERE seq = 1", "seal_hash"),
    ],
)
def test_a_fault_of_one_account_is_found(statement: str, code: str) -> None:
    book = small_book()
    seal_everything(seal_size=5)
    tamper(statement.format(account=book.wallets[0]))
    fault = verify(account=book.wallets[0]).fault
    assert fault
    assert fault.code == code


def test_an_account_that_does_not_exist_is_a_fault() -> None:
    fault = verify(account=4711).fault
    assert fault
    assert (fault.code, fault.account) == ("account_missing", 4711)


# --- Causes ---------------------------------------------------------------------------------------------------------

CAUSE = "cause/"


class Causes:
    """A check that wants every group to move 10 in all; ``asked`` is what it was given, ``expected`` what it expects."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[int]]] = []
        self.postings: list[SourcedPosting] = []
        self.expected: list[str] = []

    def check(self, group: str, transactions: Sequence[SourcedTransaction]) -> list[str]:
        self.asked.append((group, [each.id for each in transactions]))
        postings = [posting for each in transactions for posting in each.postings]
        self.postings += postings
        moved = sum(posting.amount for posting in postings)
        return [] if moved == 10 else [f"moved {moved}, not 10"]


@pytest.fixture
def causes() -> Iterator[Causes]:
    """A registered check of causes ``cause/NUMBER/``."""
    made = Causes()
    register_source_check(
        CAUSE,
        made.check,
        group=lambda source: "/".join(source.split("/")[:2]) + "/",
        expected=lambda: made.expected,
    )
    yield made
    unregister_source_check(CAUSE)


def caused(book: Book, source: str, amount: int) -> int:
    return post((book.mint, book.wallets[0], amount), source=CAUSE + source)


def test_each_cause_is_asked_about_once_with_all_its_transactions(causes: Causes) -> None:
    book = open_book()
    ids = [caused(book, source, 5) for source in ("7/a", "70/a", "7/b", "70/b")]
    book.issue()
    assert verify(steps="abcd").fault is None
    assert causes.asked == [("cause/7/", [ids[0], ids[2]]), ("cause/70/", [ids[1], ids[3]])]
    first = causes.postings[0]
    assert (first.debit[0], first.credit[0], first.asset, first.amount) == ("mint", "wallet", "CHIPS", 5)
    assert CAUSE in registered_prefixes()


def test_a_cause_that_gives_other_postings_is_named(causes: Causes) -> None:
    book = open_book()
    first = caused(book, "7/a", 11)
    fault = verify(steps="d").fault
    assert fault
    assert (fault.code, fault.transaction, fault.detail) == (
        "source_mismatch",
        first,
        "cause/7/: moved 11, not 10",
    )


def test_a_cause_without_any_posting_is_asked_about_too(causes: Causes) -> None:
    causes.expected.append("cause/8/")
    fault = verify(steps="d").fault
    assert fault
    assert (fault.transaction, fault.detail) == (None, "cause/8/: moved 0, not 10")


def test_since_a_seal_only_touched_causes_are_asked_about_and_those_whole(causes: Causes) -> None:
    book = open_book()
    first = caused(book, "7/a", 5)
    caused(book, "8/a", 10)
    seal_everything()
    second = caused(book, "7/b", 5)
    assert verify(since=1).fault is None
    assert causes.asked == [("cause/7/", [first, second])]


def test_a_check_that_trips_over_a_forged_source_is_a_fault() -> None:
    def check(group: str, transactions: Any) -> list[str]:
        return [str(int(group))]

    register_source_check(CAUSE, check, group=lambda source: source)
    try:
        forged = caused(open_book(), "not a number", 1)
        fault = verify(steps="d").fault
    finally:
        unregister_source_check(CAUSE)
    assert fault
    assert (fault.code, fault.transaction) == ("source_check_failed", forged)


def test_prefixes_do_not_overlap(causes: Causes) -> None:
    with pytest.raises(ValueError, match="overlaps"):
        register_source_check("cause/7/", lambda group, transactions: [], group=lambda source: source)


# --- Records, tasks and the command -----------------------------------------------------------------------------------


def test_every_run_leaves_a_record() -> None:
    book = small_book()
    seal_everything()
    verify(steps="abc")
    tamper(f"UPDATE ledger_posting SET amount = amount + 1 WHERE transaction_id = {book.transactions[3]}")
    verify(steps="abc")
    good, bad = Verification.objects.order_by("id")
    assert (good.passed, good.last_seal, good.transactions, good.scope) == (
        True,
        1,
        len(book.transactions),
        "full",
    )
    assert (bad.passed, bad.code, bad.seal, bad.transaction) == (
        False,
        "leaf_mismatch",
        1,
        book.transactions[3],
    )
    assert last_passed_seal() == 1


def test_the_hourly_run_goes_on_where_the_last_good_one_ended() -> None:
    book = small_book()
    seal_everything()
    verify_all()
    book.play(1)
    seal_everything()
    verify_new()
    first, second = Verification.objects.order_by("id")
    assert (first.scope, second.scope) == ("full", "since")
    assert (second.since, second.last_seal, second.transactions) == (1, 2, 3)


def test_the_first_hourly_run_reads_everything() -> None:
    small_book()
    seal_everything()
    verify_new()
    assert Verification.objects.get().scope == "full"


def command(*arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of ``verify_ledger``."""
    out, err = StringIO(), StringIO()
    try:
        call_command("verify_ledger", *arguments, stdout=out, stderr=err)
        code = 0
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, out.getvalue(), err.getvalue()


def test_the_command_says_ok_or_names_the_fault() -> None:
    book = small_book()
    seal_everything()
    code, out, err = command()
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith(f"OK  {len(book.transactions)} transactions")
    tamper(f"UPDATE ledger_transaction SET source = 'x' WHERE id = {book.transactions[3]}")
    code, _, err = command()
    assert code == 1
    assert err.startswith("FAULT  leaf_mismatch: ")
    assert f"(seal 1, transaction {book.transactions[3]})" in err


def test_the_command_prints_json() -> None:
    book = small_book()
    seal_everything()
    code, out, _ = command("--json", "--since", "1", "--no-record")
    report = json.loads(out)
    assert (code, report["passed"], report["scope"], report["fault"]) == (0, True, "since", None)
    assert Verification.objects.count() == 0
    tamper(f"UPDATE ledger_account SET seq = seq + 1 WHERE id = {book.pot}")
    code, out, _ = command("--json")
    report = json.loads(out)
    assert (code, report["passed"]) == (1, False)
    assert report["fault"] == {
        "code": "cached_totals",
        "detail": report["fault"]["detail"],
        "seal": None,
        "transaction": None,
        "account": book.pot,
    }


@pytest.mark.parametrize("steps", ["x", "", "abz"])
def test_the_command_refuses_unknown_steps(steps: str) -> None:
    with pytest.raises(CommandError) as refused:
        command("--steps", steps)
    assert refused.value.returncode == 2


def test_memory_does_not_grow_with_the_book() -> None:
    """Rows come in batches from a cursor of the server; a whole book is never held."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE long_table AS SELECT generate_series(1, 50000) AS n")
    with transaction.atomic():
        rows = stream("SELECT n FROM long_table", batch=100)
        assert next(rows) == (1,)
        held = run("SELECT count(*) FROM pg_cursors WHERE name LIKE 'ledger\\_%%'")
        assert held == [(1,)]
        assert sum(1 for _ in rows) == 49_999


@pytest.mark.committed(role="site")
def test_the_site_role_may_verify() -> None:
    report = verify()
    assert report.fault is None
    assert Verification.objects.count() == 1
    assert Seal.objects.count() == 0
